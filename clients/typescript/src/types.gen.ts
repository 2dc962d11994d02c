/** Made from the description of the API by scripts/generate-typescript-sdk.ts. */
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
 schemas: {
  /** @description Result of a page action. */
  ActionResult: {
   duration_ms: number;
   error?: {
    code: string;
    message: string;
   };
   id: string | null;
   /** @description Position in `page_actions`. Actions inside an `if` have the index of the `if`, and follow it. */
   index: number;
   /** @description Result of the action; depends on its type. Not stored if `router.retain` is not `full`. */
   result?: unknown;
   status: "ok" | "failed" | "skipped";
   type: string;
  };
  /** @description The scrape has not ended. */
  AsyncState: {
   /**
    * Format: uuid
    * @description Id of the stored record.
    */
   id: string;
   state: "queued" | "running";
  };
  Attempt: {
   bytes_in: number;
   bytes_out: number;
   cost: number | null;
   country: string | null;
   /** @description Whether no proxy was used. */
   direct?: boolean;
   duration_ms: number;
   error_code: components["schemas"]["ErrorCode"] | null;
   n: number;
   outcome: "ok" | "rejected" | "failed" | "cancelled";
   proxy_type: "datacenter" | "residential" | "mobile" | "custom" | "none";
   reason: string;
   reused: string[];
   scraper: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
   status_code: number | null;
   verdict: ("ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty") | null;
  };
  /** @description Goes back to the previous page and waits for its `load` event. */
  BackAction: {
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "back";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description A scrape request, with an optional `ref`: your own name for it. */
  BatchItem: {
   /**
    * @description Follow redirects. If false, the redirect response is the result.
    * @default true
    */
   allow_redirects?: boolean;
   /**
    * @description Browser to use (default: `chromium`). Browser only.
    */
   browser_type?: "chromium" | "firefox" | "webkit" | "chrome" | "msedge" | "edge";
   /** @description Cookies for the host of the URL: `{name: value}`, or an array of objects, `[name, value]` or `"name=value"`. Null leaves a cookie out. */
   cookies?: {
    [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
   } | ({
    /** @description `hasCrossSiteAncestor` of `partitionKey`. */
    _crHasCrossSiteAncestor?: boolean;
    domain?: string;
    /** @description The same as `expires`. */
    expirationDate?: number;
    /** @description Unix time in seconds. -1: a session cookie, kept until the scrape ends. */
    expires?: number;
    /** @description The same as `expires`. */
    expiry?: number;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    firstPartyDomain?: string;
    /** @description true: subdomains of `domain` are excluded. */
    hostOnly?: boolean;
    http_only?: boolean;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    id?: number | string;
    name: string;
    /** @description The site of the top-level page that the cookie is for, such as `https://example.com`. */
    partitionKey?: string | {
     hasCrossSiteAncestor?: boolean;
     sourceOrigin?: string;
     topLevelSite?: string;
    };
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    partitionKeyOpaque?: boolean;
    path?: string;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    priority?: string;
    /** @description `strict`, `lax` or `none`, in any letter case. */
    same_site?: string;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    sameParty?: boolean;
    secure?: boolean;
    /** @description true: a session cookie, whatever `expires` says. */
    session?: boolean;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    size?: number;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    sourcePort?: number;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    sourceScheme?: string;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    storeId?: string;
    value: (string | number | boolean) | null;
   } | [
    string,
    (string | number | boolean) | null
   ] | string)[];
   /** @description The request body. Sluice detects JSON, form or raw text. To choose the format yourself, use `$json`, `$form`, `$raw`, `$base64` or `$multipart`. */
   data?: unknown;
   /** @description Request headers, sent in this order: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"Name: value"`. An array as the value repeats the header; null leaves it out. */
   headers?: {
    [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
   } | ({
    name: string;
    value: (string | number | boolean) | null;
   } | [
    string,
    (string | number | boolean) | null
   ] | string)[];
   /**
    * @description Run the browser without a window. Browser only.
    * @default true
    */
   headless?: boolean;
   /**
    * @description GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.
    * @default GET
    */
   method?: string;
   /** @description Actions to run in the page, in order. Browser only. */
   page_actions?: components["schemas"]["PageAction"][];
   /**
    * @description `datacenter`, `residential`, `mobile`, a proxy URL (`host:port:user:password` works too), or an object.
    * @default datacenter
    */
   proxy?: string | components["schemas"]["ProxySettings"];
   /** @description Appended to the query string of the URL: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"name=value"`. An array as the value repeats the name; null leaves it out. Values are percent-encoded. */
   query?: {
    [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
   } | ({
    name: string;
    value: (string | number | boolean) | null;
   } | [
    string,
    (string | number | boolean) | null
   ] | string)[];
   ref?: string;
   /** @description Routing options. A string is shorthand for `sort`. */
   router?: ("balanced" | "cheapest" | "fastest" | "reliable") | components["schemas"]["RouterAsk"];
   /**
    * @description `auto` picks the cheapest scraper likely to work, and falls back to others if it fails.
    * @default auto
    */
   scraper?: ("auto" | "http" | "http_impersonate" | "browser" | "browser_stealth") | string;
   scraper_options?: components["schemas"]["ScraperOptions"];
   /**
    * @description Take a screenshot. Browser only.
    * @default false
    */
   screenshot?: boolean;
   /**
    * @description Time limit for the whole request: queueing, all attempts and waits.
    * @default 60000
    */
   timeout_ms?: number;
   /** @description Absolute `http:` or `https:` URL, at most 8,192 characters. */
   url?: string;
   /**
    * @description Load state to wait for (default: `load`). Browser only.
    */
   wait_for_load_state?: "load" | "domcontentloaded" | "networkidle" | "commit" | "networkidle0" | "networkidle2" | "complete";
   /** @description Wait until this element is visible: a CSS selector, `xpath=…` or `text=…`. `scraper_options.wait_for_selector_state` sets another state to wait for. Browser only. */
   wait_for_selector?: string;
   /** @description Additional fixed wait, after the other waits. Browser only. */
   wait_for_timeout_ms?: number;
  };
  BatchRequest: {
   /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
   channels?: string[];
   /** @description Items that may run at once. Default: as many as all your jobs together may run. */
   concurrency?: number;
   /** @description Members that every request gets that does not have them itself. */
   defaults?: Record<string, unknown>;
   /** @description How long the results are kept after the end. Default: as long as other records. */
   expires_in_s?: number;
   /**
    * @description `skip`: requests that are not valid are skipped, and listed in the answer.
    * @default refuse
    */
   invalid?: "refuse" | "skip";
   /** @description Limit for the cost of all items together. When it is reached, the rest is skipped. */
   max_cost?: number;
   /** @description Any JSON object; given back with the job and in webhooks. */
   metadata?: Record<string, unknown>;
   /** @description For lists. */
   name?: string;
   /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
   notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
   /**
    * @description What becomes of items whose profile is logged out, and that do not log in by `relogin` or an action `login`. `stop`: they fail, and nothing is sent. `wait`: the job pauses until the profile is ready again. `continue`: they run with the profile as it is.
    * @default stop
    */
   on_logged_out?: "stop" | "wait" | "continue";
   /**
    * @description Among your own jobs, those with a higher priority go first.
    * @default 0
    */
   priority?: number;
   requests: components["schemas"]["BatchItem"][];
   /**
    * @description How often an item is tried again whose scrape failed for a reason that may pass, after 1, 5 and 30 minutes or as long as `Retry-After` says.
    * @default 2
    */
   retries?: number;
   /** @description Labels of the job. Names and values have at most 64 characters. */
   tags?: {
    [key: string]: string;
   };
   webhook?: components["schemas"]["Webhook"];
  };
  CancelJobQuery: {
   /**
    * @description `1`: delete everything.
    */
   purge?: "0" | "1";
  };
  Candidate: {
   est_cost: number | null;
   est_ms: number | null;
   est_success: number | null;
   /** @description All slots of the account at the vendor are taken: how long the attempt would wait for one. */
   est_wait_ms?: number;
   excluded_by: string | null;
   proxy_type: "datacenter" | "residential" | "mobile" | "custom" | "none";
   scraper: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
   selected: boolean;
  };
  CapturedExchange: {
   /** @description null if it was not requested, the response has none (a redirect), it was not received, or it is too long. */
   body: string | null;
   body_encoding: ("utf-8" | "base64") | null;
   /** @description Time to the last byte. null if it did not end. */
   duration_ms?: number | null;
   /** @description Names in lower case; repeated headers are joined. */
   headers: {
    [key: string]: string;
   };
   method: string;
   /** @description Request headers as sent, with secrets masked. */
   request_headers: {
    [key: string]: string;
   };
   /** @description `document`, `script`, `xhr`, `fetch` … */
   resource_type: string;
   /** @description Start, counted from that of the first entry. Absent in results of `wait_for_response`, and in records of earlier versions. */
   started_ms?: number;
   /** @description null if there was no response. */
   status: number | null;
   /** @description Whether the body was truncated. */
   truncated: boolean;
   /** @description URL without credentials. */
   url: string;
  };
  Change: {
   added: number;
   /** @description Of a crawl or a batch: all pages by state. */
   counts: components["schemas"]["PageCounts"] | null;
   /** @description Unified diff. */
   diff: string | null;
   /** @description Of `extract`, `json` and `structured`: values that differ. A missing value is null. */
   fields: {
    after: unknown;
    before: unknown;
    path: string;
   }[];
   /** @description Of a crawl or a batch: why it did not see all pages, such as `skip.limit`. Then no page is `gone` because it was not found. */
   incomplete: string | null;
   /** @description Of a crawl or a batch: those that are not the same, at most 1,000. Differences beyond 1,000,000 characters in all are left out. */
   pages: {
    added: number;
    /** @description Unified diff. */
    diff: string | null;
    /** @description Of `extract`, `json` and `structured`: values that differ. A missing value is null. */
    fields: {
     after: unknown;
     before: unknown;
     path: string;
    }[];
    /** @description Of `screenshot`: the share of pixels that differ. */
    picture: {
     height: number;
     share: number;
     width: number;
    } | null;
    /** @description The scrape that was compared with. */
    previous_id: string | null;
    /** @description Why it is an error, such as `signed_out`. */
    reason: string | null;
    removed: number;
    scrape_id: string | null;
    /** @description Share of lines that are the same. */
    similarity: number;
    state: "new" | "changed" | "gone" | "error";
    url: string;
   }[];
   /** @description Of `screenshot`: the share of pixels that differ. */
   picture: {
    height: number;
    share: number;
    width: number;
   } | null;
   /** @description The scrape that was compared with. */
   previous_id: string | null;
   /** @description Why it is an error, such as `signed_out`. */
   reason: string | null;
   removed: number;
   /** @description Share of lines that are the same. */
   similarity: number;
   state: "first" | "same" | "changed" | "gone" | "back" | "error";
  };
  Channel: {
   /** Format: date-time */
   created_at: string;
   /** @description Since when all tries have failed. */
   failing_since: string | null;
   /** @description With masked values. */
   headers: {
    [key: string]: string;
   };
   /** Format: uuid */
   id: string;
   last_delivered_at: string | null;
   /** @description Why the last try failed. */
   last_error: string | null;
   name: string;
   /**
    * @description `failing`: the last try failed. `paused`: nothing is sent until it is resumed.
    */
   state: "ok" | "failing" | "paused";
   to: string[];
   type: "webhook" | "email" | "slack";
   /** @description The path of a Slack URL is masked. Of `email` null. */
   url: string | null;
   /** @description What tells people by it, without jobs that have ended. At most 50. */
   used_by: {
    /** Format: uuid */
    id: string;
    name: string | null;
    type: "monitor" | "job" | "scrape" | "alert" | "schedule" | "profile";
   }[];
  };
  /** @description The type stays. `headers` replaces all of them; they must be given again with a `url` of another origin. */
  ChannelChange: {
   /** @description Of `webhook`: headers to send. Their values are masked when they are read. */
   headers?: {
    [key: string]: string;
   };
   name?: string;
   /** @description Of `email`: addresses. */
   to?: string[];
   /** @description Of `webhook` and `slack` (or what takes the same messages). http or https. */
   url?: string;
  };
  ChannelList: {
   /** @description Types of channels that you can make. `email` only with a mail server (`SLUICE_SMTP_URL`). */
   channel_types: ("webhook" | "email" | "slack")[];
   items: components["schemas"]["Channel"][];
   next_cursor: string | null;
  };
  ChannelRequest: {
   /** @description Of `webhook`: headers to send. Their values are masked when they are read. */
   headers?: {
    [key: string]: string;
   };
   name: string;
   /** @description Of `email`: addresses. */
   to?: string[];
   type: "webhook" | "email" | "slack";
   /** @description Of `webhook` and `slack` (or what takes the same messages). http or https. */
   url?: string;
  };
  ChannelTestResult: {
   duration_ms: number;
   error: string | null;
   ok: boolean;
   /** @description Status of the answer; null: none, or mail. */
   status: number | null;
  };
  /** @description Checks a checkbox or radio button, unless it is already checked. */
  CheckAction: {
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "check";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Clicks an element once it is visible and stable, or a point in the viewport. */
  ClickAction: {
   /**
    * @description Click every matching element in turn. `result.clicked` is the number of clicks.
    * @default false
    */
   all?: boolean;
   /**
    * @default left
    */
   button?: "left" | "right" | "middle";
   /** @default 1 */
   click_count?: number;
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector?: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Fail if several elements match. Otherwise the first one is clicked, and `result` says so: `{clicked: 1, matches, text, note}`.
    * @default false
    */
   strict?: boolean;
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "click";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
   /** @description Pixels from the left edge of the viewport. */
   x?: number;
   /** @description Pixels from the top edge of the viewport. */
   y?: number;
  };
  Compare: {
   /**
    * @description What is compared. `markdown`, `text` and `main_html` are those of the main content.
    * @default markdown
    */
   format?: "markdown" | "text" | "main_html" | "extract" | "json" | "structured" | "screenshot" | "bytes";
   /** @description What does not count: CSS selectors, `/regular expressions/` (of one with a group, only the group), `dates`, `relative_times`, `counters`, `order` (of lines). */
   ignore?: string[];
   /**
    * @description Share of lines that must differ; of pixels for `screenshot`.
    * @default 0
    */
   min_change?: number;
   /** @description Compare only what this CSS selector matches. */
   selector?: string | null;
  };
  ComparedScrape: {
   attempts: number;
   content_bytes: number | null;
   /** @description As `router.explanation`. */
   explanation: string;
   final_url: string | null;
   /** @description Id of the record, which has the whole result. null: it could not be stored. */
   id: string | null;
   proxy_type: string | null;
   /** @description That delivered the page, or was tried last. */
   scraper: (("http" | "http_impersonate" | "browser" | "browser_stealth") | string) | null;
   /** @description Status of the target's response. */
   status_code: number | null;
   verdict: ("ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty") | null;
   warnings: components["schemas"]["WarningEntry"][];
  };
  CompareRequest: {
   /** @description A scrape request, without what the methods decide: `scraper`, and of `router` the members `order`, `only`, `ignore`, `allow_fallbacks` and `escalate_proxy`. If a method names a type of proxy, `proxy` may only be an object without `type`, `server`, `username` and `password`. `router.dry_run`, `webhook`, `channels`, `notify_on` and `compare_to` are refused. */
   request: Record<string, unknown>;
   /** @description The methods to compare: `scraper` or `scraper/proxy_type`, such as `http`, `auto`, `vendor:name` or `browser/residential`. A method without a type of proxy uses `request.proxy`. */
   ways: string[];
  };
  CompareScrapesQuery: {
   /**
    * Format: uuid
    * @description Id of the record to compare with, usually the earlier one.
    */
   before?: string;
   /**
    * @description What is compared. `source`: the lines of the content as it was stored. `markdown`, `text` and `main_html` are those of the main content.
    * @default source
    */
   format?: "source" | "markdown" | "text" | "main_html" | "extract" | "json" | "structured";
  };
  /** @description Compares the page with a record of the same user, method, URL, country and device, as monitors do: `scraper_data.change`. Needs the scope `read`. */
  CompareTo: {
   /**
    * @description What is compared. `markdown`, `text` and `main_html` are those of the main content.
    * @default markdown
    */
   format?: "markdown" | "text" | "main_html" | "extract" | "json" | "structured" | "screenshot" | "bytes";
   /** @description What does not count: CSS selectors, `/regular expressions/` (of one with a group, only the group), `dates`, `relative_times`, `counters`, `order` (of lines). */
   ignore?: string[];
   /** @description `last`: the latest record that can be compared; or the id of a record. */
   record: string;
   /** @description Compare only what this CSS selector matches. */
   selector?: string | null;
   /** @description Only a record with this tag, as `name:value`. */
   tag?: string;
  };
  Comparison: {
   /** @description The method to use: of those that got the whole page, the cheapest, then the fastest. null: none did. */
   best: string | null;
   /** @description Currency set by the operator, or `effort` if no prices are configured. */
   cost_unit: string;
   /** @description In the order of `ways`. */
   items: components["schemas"]["ComparisonItem"][];
   /** @description What 1,000 scrapes by the best method cost less than by the most expensive method that got the whole page. null: the costs are not known. */
   saved_per_1000: number | null;
  };
  ComparisonItem: {
   /** @description In `cost_unit`. null: it is not known, or there was no scrape. */
   cost: number | null;
   /** @description Of the scrape. */
   duration_ms: number | null;
   /** @description Those of the scrape, or of its refusal. Pointers are those of a scrape request. */
   errors: components["schemas"]["ErrorEntry"][];
   /** @description How alike its main content is to that of the best method: of all runs of three words in them, the share that is in both. Contents that are not text: 1 if all bytes are the same, otherwise 0. null: one of them has no content, or there is no best method. */
   likeness: number | null;
   outcome: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
   /** @description null: the method was refused before it began a scrape; `errors` says why. */
   scrape: components["schemas"]["ComparedScrape"] | null;
   /** @description As in the request. */
   way: string;
  };
  Cookie: {
   domain: string;
   expires: number | null;
   http_only: boolean;
   name: string;
   path: string;
   same_site: string | null;
   secure: boolean;
   value: string;
  };
  CrawlRequest: {
   /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
   channels?: string[];
   /** @description Items that may run at once. Default: as many as all your jobs together may run. */
   concurrency?: number;
   /**
    * @description Pause between the starts of two requests to a host. A longer `Crawl-delay` of robots.txt counts, up to 60 s.
    * @default 0
    */
   delay_ms?: number;
   /** @description URLs that match one of these are not visited; start URLs always are. As in `include`. */
   exclude?: string[];
   /** @description How long the results are kept after the end. Default: as long as other records. */
   expires_in_s?: number;
   /**
    * @description Also visits the feeds of pages, and what they list.
    * @default false
    */
   feeds?: boolean;
   /** @description Parameters that do not change the page, by names (`*` is any text) or regular expressions between slashes; `true`: all. They are dropped, as known tracking parameters always are. */
   ignore_query?: true | string[];
   /** @description Only URLs that match one of these are visited; start URLs always are. Globs (`/blog/**`, `*.pdf`) or regular expressions between slashes (`/^\/a[0-9]+/`, RE2). They are matched with path and query; those that begin with `http` with the whole URL. */
   include?: string[];
   /**
    * @description Pages that are visited at most. Skipped URLs do not count.
    * @default 1000
    */
   limit?: number;
   /** @description Limit for the cost of all items together. When it is reached, the rest is skipped. */
   max_cost?: number;
   /**
    * @description Links between a start URL and a page, at most.
    * @default 10
    */
   max_depth?: number;
   /**
    * @description URLs of one form, such as `/item/#?page`, that are visited. Others are skipped with `skip.trap`.
    * @default 10000
    */
   max_urls_per_pattern?: number;
   /** @description Any JSON object; given back with the job and in webhooks. */
   metadata?: Record<string, unknown>;
   /** @description For lists. */
   name?: string;
   /**
    * @description `respect`: links with `rel=nofollow`, and all links of pages that ask for it, are not followed.
    * @default ignore
    */
   nofollow?: "ignore" | "respect";
   /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
   notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
   /**
    * @description What becomes of items whose profile is logged out, and that do not log in by `relogin` or an action `login`. `stop`: they fail, and nothing is sent. `wait`: the job pauses until the profile is ready again. `continue`: they run with the profile as it is.
    * @default stop
    */
   on_logged_out?: "stop" | "wait" | "continue";
   /**
    * @description Requests to one host at the same time. The operator may have set a lower limit for all jobs.
    * @default 2
    */
   per_host?: number;
   /**
    * @description Among your own jobs, those with a higher priority go first.
    * @default 0
    */
   priority?: number;
   /** @description Members of the scrape request for every page, but not `url`. Other hosts than those of the start URLs do not get its cookies and secret headers. */
   request?: Record<string, unknown>;
   /**
    * @description How often an item is tried again whose scrape failed for a reason that may pass, after 1, 5 and 30 minutes or as long as `Retry-After` says.
    * @default 2
    */
   retries?: number;
   /**
    * @description `ignore` needs the permission of the operator.
    * @default respect
    */
   robots?: "respect" | "ignore";
   /** @description Members of the request for URLs that match, as in `include`. Of several rules, the last one counts. */
   rules?: {
    match: string;
    request: Record<string, unknown>;
   }[];
   /**
    * @description Which URLs belong to the start URLs: those on the same host (`www.` and the scheme do not matter), below the same path, on the same registrable domain, or all.
    * @default host
    */
   scope?: "host" | "path" | "domain" | "any";
   /**
    * @description Whether the sitemaps of the start URLs are used besides links (`include`), instead of links (`only`), or not.
    * @default include
    */
   sitemap?: "include" | "only" | "ignore";
   /** @description Labels of the job. Names and values have at most 64 characters. */
   tags?: {
    [key: string]: string;
   };
   url?: string;
   /** @description Several start URLs, instead of `url`. */
   urls?: string[];
   webhook?: components["schemas"]["Webhook"];
  };
  Dataset: {
   columns: components["schemas"]["DatasetColumn"][];
   /** Format: date-time */
   created_at: string;
   /** @description Values of columns beyond the first 200, which are left out. */
   dropped: number;
   /** Format: uuid */
   id: string;
   /** @description null: URL and index. */
   key: string[] | null;
   name: string;
   rows: number;
   /**
    * Format: uuid
    * @description The owner.
    */
   user_id: string;
  };
  DatasetChange: {
   name?: string;
  };
  DatasetColumn: {
   name: string;
   /** @description Values that the type could not hold; they are null. */
   nulls: number;
   type: "number" | "boolean" | "date-time" | "text" | "json";
  };
  DatasetError: {
   code: string;
   message: string;
  };
  DatasetImport: {
   /**
    * Format: uuid
    * @description A job that has ended.
    */
   job_id: string;
  };
  DatasetList: {
   items: components["schemas"]["Dataset"][];
   next_cursor: string | null;
  };
  DatasetRequest: {
   /** @description Columns that are there from the start. Others are added with the type of their first value. */
   columns?: {
    name: string;
    type: "number" | "boolean" | "date-time" | "text" | "json";
   }[];
   /** @description Columns by which rows of two runs are the same; default: URL and index. */
   key?: string[];
   name: string;
  };
  DatasetRow: {
   /** @description Of a changed row: its values in the run `diff_to`. */
   before: Record<string, unknown> | null;
   /** @description With `diff_to`: how it differs. */
   change: ("new" | "changed" | "gone") | null;
   /** @description Position among the rows of the page. */
   index: number;
   /** @description Its number, which never changes. */
   row: number;
   run: number;
   scrape: string | null;
   status: number | null;
   title: string | null;
   url: string;
   /** @description By column; columns without a value are left out. */
   values: Record<string, unknown>;
  };
  DatasetRowList: {
   items: components["schemas"]["DatasetRow"][];
   /** @description Cursor of the next page; null: there are no more. With filters or `diff_to`, a page may be short or empty although there is one. */
   next_cursor: string | null;
  };
  DatasetRun: {
   /** Format: date-time */
   at: string;
   error: components["schemas"]["DatasetError"] | null;
   /** Format: uuid */
   job_id: string;
   /** @description Numbers grow, and may have gaps. */
   n: number;
   rows: number;
   schedule_id: string | null;
   /**
    * @description `importing`: results are being added. `deleting`: its rows go, because there are too many.
    */
   state: "importing" | "ended" | "failed" | "deleting";
  };
  DatasetRunList: {
   items: components["schemas"]["DatasetRun"][];
   next_cursor: string | null;
  };
  DefaultWebhook: {
   webhook: components["schemas"]["Webhook"] | null;
  };
  DeleteChannelQuery: {
   /**
    * @description `1`: also removes it from all that uses it.
    */
   detach?: "0" | "1";
  };
  DeleteProfileQuery: {
   /** @description Whose profile. Only for administrators; default: your own. */
   user_id?: string;
  };
  /** @description What is known about a document (PDF, DOCX, ODT, RTF, EPUB, PPTX, XLSX, XLS, ODS, CSV) whose formats were requested. */
  DocumentInfo: {
   author: string | null;
   created: string | null;
   kind: "pdf" | "docx" | "odt" | "rtf" | "epub" | "pptx" | "xlsx" | "xls" | "ods" | "csv";
   /** @description Pages of a PDF, slides, sheets or chapters. Null for kinds that have none before they are laid out. */
   pages: number | null;
   pages_read: number | null;
   /** @description Whether there is any text. False for a scan. */
   text_layer: boolean;
   title: string | null;
   /** @description Whether only a part was read, because of a limit of time, pages or length. */
   truncated: boolean;
  };
  Download: {
   bytes: number;
   /** @description URL that it was downloaded from. */
   from: string;
   /** @description File name, without folders. */
   name: string;
   /** @description Media type. */
   type: string;
   url: string | null;
  };
  ErrorCode: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.second_factor" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.role" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "file.expired" | "record.expired" | "settings.file" | "job.state" | "channel.in_use" | "idempotency.conflict" | "idempotency.unknown" | "idempotency.mismatch" | "request.upgrade" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "record.no_content" | "test.host" | "template.unknown" | "profile.unknown" | "profile.site" | "profile.owner" | "profile.logged_out" | "profile.credentials" | "profile.unreadable" | "limit.profiles" | "limit.concurrency" | "limit.jobs" | "limit.monitors" | "export.failed" | "limit.datasets" | "limit.schedules" | "limit.alerts" | "limit.channels" | "limit.streams" | "limit.items" | "limit.site" | "limit.sign_in" | "limit.templates" | "limit.saved_requests" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "target.status" | "action.failed" | "action.refused" | "login.failed" | "browser.crashed" | "vendor.failed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "pdf.failed" | "extract.failed" | "extract.model" | "document.unreadable" | "job.interrupted" | "job.cost_cap" | "skip.limit" | "skip.robots" | "skip.scope" | "skip.excluded" | "skip.depth" | "skip.duplicate" | "skip.trap" | "skip.policy" | "request.cancelled";
  ErrorEntry: {
   attempt?: number;
   code: components["schemas"]["ErrorCode"];
   details?: {
    [key: string]: unknown;
   };
   /** @constant */
   level: "error";
   /** @description Number of the line, of a body of lines. */
   line?: number;
   /** @description What is wrong, what is allowed, and what was given. */
   message: string;
   /** @description JSON Pointer (RFC 6901) into the request. */
   pointer?: string;
   /** @description Whether retrying the same request may succeed. */
   retryable: boolean;
   scraper?: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
   source: "request" | "service" | "route" | "proxy" | "vendor" | "target" | "browser" | "action" | "extract";
  };
  /** @description Runs a script in the page. `result` is its return value as JSON. If that exceeds 1 MiB, `result` is null, with the error `content.truncated`. */
  EvaluateAction: {
   /** @description A JSON value, available to the script as `arg`. */
   arg?: unknown;
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description An expression, or the body of an async function with the parameter `arg`. If the expression is a function, it is called with `arg`. You can use `await` in both. */
   script: string;
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "evaluate";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  Export: {
   /** @description Of the file. */
   bytes: number | null;
   /** Format: date-time */
   created_at: string;
   ended_at: string | null;
   /** @description Of the latest try. */
   error: components["schemas"]["ExportError"] | null;
   format: "jsonl" | "csv" | "xlsx";
   /** Format: uuid */
   id: string;
   /** Format: uuid */
   job_id: string;
   next_try_at: string | null;
   /** @description Of the schedule. */
   run: number | null;
   schedule_id: string | null;
   /** @description The name of the object, or the URL without its query. */
   sent_to: string | null;
   /**
    * @description `failed`: given up.
    */
   state: "pending" | "sending" | "done" | "failed";
   /** @description Of the latest answer of the target. */
   status: number | null;
   target: components["schemas"]["ExportTarget"];
   tries: number;
   /** @description Of `link`: works without a key until `url_expires_at`. */
   url: string | null;
   url_expires_at: string | null;
  };
  ExportDatasetQuery: {
   /**
    * @description Format of the file.
    * @default jsonl
    */
   format?: "jsonl" | "csv" | "xlsx";
   /** @description Only rows of this run. */
   run?: number;
  };
  /** @description A profile with its values: a password for its sites. */
  ExportedProfile: {
   name: string;
   storage_state: {
    cookies?: {
     /** @description `hasCrossSiteAncestor` of `partitionKey`. */
     _crHasCrossSiteAncestor?: boolean;
     /** @description With a leading dot, subdomains are included. */
     domain: string;
     /** @description The same as `expires`. */
     expirationDate?: number;
     /** @description Unix time in seconds. -1: a session cookie, kept until the scrape ends. */
     expires?: number;
     /** @description The same as `expires`. */
     expiry?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     firstPartyDomain?: string;
     /** @description true: subdomains of `domain` are excluded. */
     hostOnly?: boolean;
     httpOnly?: boolean;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     id?: number | string;
     name: string;
     /** @description The site of the top-level page that the cookie is for, such as `https://example.com`. */
     partitionKey?: string | {
      hasCrossSiteAncestor?: boolean;
      sourceOrigin?: string;
      topLevelSite?: string;
     };
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     partitionKeyOpaque?: boolean;
     path: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     priority?: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sameParty?: boolean;
     /** @description `Strict`, `Lax` or `None`, in any letter case. */
     sameSite?: string;
     secure?: boolean;
     /** @description true: a session cookie, whatever `expires` says. */
     session?: boolean;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     size?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sourcePort?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sourceScheme?: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     storeId?: string;
     value: string;
    }[];
    origins?: {
     indexedDB?: {
      name: string;
      stores: {
       autoIncrement: boolean;
       indexes: {
        keyPath?: string;
        keyPathArray?: string[];
        multiEntry: boolean;
        name: string;
        unique: boolean;
       }[];
       keyPath?: string;
       keyPathArray?: string[];
       name: string;
       records: {
        key?: unknown;
        keyEncoded?: unknown;
        value?: unknown;
        valueEncoded?: unknown;
       }[];
      }[];
      version: number;
     }[];
     localStorage: {
      name: string;
      value: string;
     }[];
     origin: string;
    }[];
   };
  };
  ExportError: {
   code: string;
   message: string;
  };
  ExportJobQuery: {
   /**
    * @description Format of the file.
    * @default jsonl
    */
   format?: "jsonl" | "csv" | "xlsx" | "zip";
   /** @description Only items in these states, separated by commas: ok, failed, skipped. Default: all of them. */
   state?: string;
  };
  ExportList: {
   items: components["schemas"]["Export"][];
  };
  ExportRequest: {
   /**
    * @description As of `GET …/export/`.
    */
   format: "jsonl" | "csv" | "xlsx";
   target: components["schemas"]["ExportTarget"];
  };
  ExportScrapesQuery: {
   /**
    * @description Code of the first error.
    */
   error_code?: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.second_factor" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.role" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "file.expired" | "record.expired" | "settings.file" | "job.state" | "channel.in_use" | "idempotency.conflict" | "idempotency.unknown" | "idempotency.mismatch" | "request.upgrade" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "record.no_content" | "test.host" | "template.unknown" | "profile.unknown" | "profile.site" | "profile.owner" | "profile.logged_out" | "profile.credentials" | "profile.unreadable" | "limit.profiles" | "limit.concurrency" | "limit.jobs" | "limit.monitors" | "export.failed" | "limit.datasets" | "limit.schedules" | "limit.alerts" | "limit.channels" | "limit.streams" | "limit.items" | "limit.site" | "limit.sign_in" | "limit.templates" | "limit.saved_requests" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "target.status" | "action.failed" | "action.refused" | "login.failed" | "browser.crashed" | "vendor.failed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "pdf.failed" | "extract.failed" | "extract.model" | "document.unreadable" | "job.interrupted" | "job.cost_cap" | "skip.limit" | "skip.robots" | "skip.scope" | "skip.excluded" | "skip.depth" | "skip.duplicate" | "skip.trap" | "skip.policy" | "request.cancelled";
   /**
    * @description `jsonl`: one JSON object per line.
    * @default jsonl
    */
   format?: "jsonl" | "csv";
   /**
    * Format: date-time
    * @description Created at or after this time.
    */
   from?: string;
   /** @description Host of the target, or a pattern such as `*shop*` in which `*` matches any characters. */
   host?: string;
   /** @description Only these records: at most 200 ids, separated by commas. */
   ids?: string;
   /** @description Id of the API key used. */
   key_id?: string;
   /**
    * @description Outcome of the scrape.
    */
   outcome?: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
   /** @description Text that the path or the query of the URL contains, in any case. */
   path?: string;
   /** @description Scraper that produced the result. */
   scraper?: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
   /** @description Status of the target response. */
   status?: number;
   /** @description A tag, as `name:value`. */
   tag?: string;
   /**
    * Format: date-time
    * @description Created before this time.
    */
   to?: string;
   /** @description Owner of the scrape. Only for sessions of administrators, which see all users. */
   user_id?: string;
  };
  /** @description `link`: a signed link of the service, to the results as they are when it is used. `webhook`: a POST with the file as body, signed as Standard Webhooks say. `put`: a PUT. `s3`: an object in a bucket. In a change, a secret that is `***` stays. */
  ExportTarget: {
   /** @description Of `s3`. */
   access_key_id?: string;
   /** @description Of `s3`. */
   bucket?: string;
   /** @description Of `s3`: base URL of the service. */
   endpoint?: string;
   /** @description Of `link`: how long the link works; default: a week. The results may expire before. */
   expires_in_s?: number;
   /** @description Of `webhook` and `put`. Their values are masked when read. */
   headers?: {
    [key: string]: string;
   };
   /** @description Of `s3`: the name of the object. Placeholders: `{date}` (2026-01-31) and `{time}` (235959) in UTC, `{name}`, `{run}`. */
   key?: string;
   kind: "link" | "webhook" | "put" | "s3";
   /** @description Of `s3`: the bucket is in the path instead of the host name. */
   path_style?: boolean;
   /** @description Of `s3`; default: us-east-1. */
   region?: string;
   /** @description Of `s3`; masked when read. */
   secret_access_key?: string;
   /** @description Of `webhook` and `put`: http or https. Redirects are not followed. Of `put`: Placeholders: `{date}` (2026-01-31) and `{time}` (235959) in UTC, `{name}`, `{run}`. */
   url?: string;
  };
  /** @description Extracts data from the page in its current state. `result` has the format of `scraper_data.extract`. */
  ExtractAction: {
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   schema: {
    [key: string]: components["schemas"]["ExtractRule"];
   };
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "extract";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description `"css"` or `"//xpath"` for the text, `"css@attribute"` for an attribute, or an object. In a nested rule, `"@attribute"` reads the outer element itself. */
  ExtractRule: string | components["schemas"]["ExtractRuleObject"];
  ExtractRuleObject: {
   output?: string | string[] | components["schemas"]["ExtractRules"];
   /** @description A regular expression in the syntax of RE2. The value is its first group, or all that it matches. `item`: the first match in any of the elements. `list`: all matches in all of them. */
   regex?: string;
   /** @description A CSS selector, or XPath 1.0: `xpath=…` (or a leading `/`, `(` or `./`). In nested rules a CSS selector searches the descendants of the outer element, which is `:scope`; for XPath it is the context node (`.`). */
   selector: string;
   /**
    * @description `number`: the first number in the text. `date`: as RFC 3339. `url`: absolute. `trim`: without white space at both ends. `lower`: in lower case. A text that has no such value is passed over.
    */
   transform?: "number" | "date" | "url" | "trim" | "lower";
   /**
    * @description `item`: the first match, or null. `list`: all matches in document order; may be empty.
    * @default item
    */
   type?: "item" | "list";
  };
  ExtractRules: {
   [key: string]: components["schemas"]["ExtractRule"];
  };
  /** @description A feed or a sitemap. URLs are absolute. */
  Feed: {
   description: string | null;
   items: (components["schemas"]["FeedEntry"] | components["schemas"]["SitemapEntry"])[];
   kind: "rss" | "rdf" | "atom" | "json_feed" | "sitemap" | "sitemap_index";
   language: string | null;
   /** @description URL of the next part of the feed. */
   next: string | null;
   title: string | null;
   /** @description Whether the feed has more entries than these. */
   truncated: boolean;
   updated: string | null;
   /** @description The page that the feed belongs to. */
   url: string | null;
  };
  /** @description An entry of RSS, Atom or JSON Feed. */
  FeedEntry: {
   attachments: {
    bytes: number | null;
    type: string | null;
    url: string;
   }[];
   authors: string[];
   categories: string[];
   /** @description Text or HTML, as the feed has it. */
   content: string | null;
   id: string | null;
   image: string | null;
   published: string | null;
   /** @description Text or HTML, as the feed has it. */
   summary: string | null;
   /** @description Without markup. */
   title: string | null;
   updated: string | null;
   url: string | null;
  };
  /** @description Sets the text of a field. */
  FillAction: {
   /**
    * @description Replace the current text. If false, the value is appended.
    * @default true
    */
   clear?: boolean;
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "fill";
   value: string;
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  GetExportFileQuery: {
   /** @description Part of a signed link: expiry as Unix time in seconds. */
   expires?: number;
   /** @description Part of a signed link; replaces the API key. */
   signature?: string;
  };
  GetJobResultsQuery: {
   /** @description `next_cursor` of the previous page. */
   cursor?: string;
   /** @description Only items whose URLs are in this folder or below it, such as `example.com/docs/` (as `GET …/folders/` lists them). */
   folder?: string;
   /**
    * @description `1`, with `Accept: application/x-ndjson`: the stream goes on until the job has ended.
    * @default 0
    */
   follow?: "0" | "1";
   /**
    * @description What is returned of each scrape: nothing, its `scraper_data` (`formats`), or the whole scrape (`full`).
    * @default formats
    */
   include?: "none" | "formats" | "full";
   /**
    * @description Items per page.
    * @default 50
    */
   limit?: number;
   /** @description Only items in these states, separated by commas: ok, failed, skipped. Default: all of them. */
   state?: string;
  };
  GetPictureQuery: {
   /** @description Part of a signed link: expiry as Unix time in seconds. */
   expires?: number;
   /** @description Part of a signed link; replaces the API key. */
   signature?: string;
  };
  GetScrapeContentQuery: {
   /**
    * @description `1`: for display in a sandboxed frame of the dashboard instead. Only HTML, text and images.
    */
   view?: "1";
  };
  GetScrapeFileQuery: {
   /** @description Part of a signed link: expiry as Unix time in seconds. */
   expires?: number;
   /** @description Part of a signed link; replaces the API key. */
   signature?: string;
  };
  GetScrapeQuery: {
   /**
    * @description Whether `content` and `content_encoding` are in the answer. Default: as the request of the scrape said, `true` if it said nothing.
    */
   return_content?: "true" | "false";
   /**
    * @description How long to wait for the end of an asynchronous scrape.
    * @default 0
    */
   wait_ms?: number;
  };
  GetScrapeTotalsQuery: {
   /** @description `next_cursor` of the previous response. Keep the filters unchanged. */
   cursor?: string;
   /**
    * @description Code of the first error.
    */
   error_code?: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.second_factor" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.role" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "file.expired" | "record.expired" | "settings.file" | "job.state" | "channel.in_use" | "idempotency.conflict" | "idempotency.unknown" | "idempotency.mismatch" | "request.upgrade" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "record.no_content" | "test.host" | "template.unknown" | "profile.unknown" | "profile.site" | "profile.owner" | "profile.logged_out" | "profile.credentials" | "profile.unreadable" | "limit.profiles" | "limit.concurrency" | "limit.jobs" | "limit.monitors" | "export.failed" | "limit.datasets" | "limit.schedules" | "limit.alerts" | "limit.channels" | "limit.streams" | "limit.items" | "limit.site" | "limit.sign_in" | "limit.templates" | "limit.saved_requests" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "target.status" | "action.failed" | "action.refused" | "login.failed" | "browser.crashed" | "vendor.failed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "pdf.failed" | "extract.failed" | "extract.model" | "document.unreadable" | "job.interrupted" | "job.cost_cap" | "skip.limit" | "skip.robots" | "skip.scope" | "skip.excluded" | "skip.depth" | "skip.duplicate" | "skip.trap" | "skip.policy" | "request.cancelled";
   /**
    * Format: date-time
    * @description Created at or after this time.
    */
   from?: string;
   /** @description Host of the target, or a pattern such as `*shop*` in which `*` matches any characters. */
   host?: string;
   /** @description Only these records: at most 200 ids, separated by commas. */
   ids?: string;
   /** @description Id of the API key used. */
   key_id?: string;
   /**
    * @description Outcome of the scrape.
    */
   outcome?: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
   /** @description Text that the path or the query of the URL contains, in any case. */
   path?: string;
   /** @description Scraper that produced the result. */
   scraper?: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
   /** @description Status of the target response. */
   status?: number;
   /** @description A tag, as `name:value`. */
   tag?: string;
   /**
    * Format: date-time
    * @description Created before this time.
    */
   to?: string;
   /** @description Owner of the scrape. Only for sessions of administrators, which see all users. */
   user_id?: string;
  };
  GetScreenshotQuery: {
   /** @description Part of a signed link: expiry as Unix time in seconds. */
   expires?: number;
   /** @description Part of a signed link; replaces the API key. */
   signature?: string;
  };
  /** @description Navigates to another page and waits for its `load` event. The same address and domain rules apply as for `url`. */
  GotoAction: {
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "goto";
   /** @description Absolute `http:` or `https:` URL, at most 8,192 characters. */
   url: string;
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Sets `display: none` on every matching element. */
  HideAction: {
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "hide";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Moves the mouse pointer over an element. */
  HoverAction: {
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "hover";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Runs one of two lists of actions; can be nested three levels deep. `result.branch` is `then`, `else` or null. The results of the branch follow, with the same `index`. */
  IfAction: {
   /** @description Actions to run otherwise. */
   else?: components["schemas"]["PageAction"][];
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector?: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /** @description Status of the current page. */
   status_code?: number | number[];
   /** @description Actions to run if the element is visible, or the status matches. */
   then?: components["schemas"]["PageAction"][];
   /** @description How long to wait for the element. Default: checks once, without waiting. */
   timeout_ms?: number;
   /**
    */
   type: "if";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  ImportRequest: {
   /** @description A curl command, as it is typed into a POSIX shell (bash, zsh), or copied from a browser. */
   curl?: string;
   /** @description Which entry of the archive, counted from 0. Without it, the first document. */
   entry?: number;
   /** @description Contents of the files that the curl command reads (`@file`), as Base64, by the names in the command. */
   files?: {
    [key: string]: string;
   };
   /** @description An HTTP archive (HAR 1.2), as JSON or as its text. */
   har?: string | {
    [key: string]: unknown;
   };
   /** @description URL of a call of ScrapingBee, ScraperAPI, ScrapingAnt or Scrape.do, or its query alone. The key is not needed. */
   scrapingbee?: string;
  };
  ImportResult: {
   /** @description What has no effect on the request, as it was written. */
   ignored: string[];
   /** @description The body of `POST /api/v1/scrape/` that does the same. */
   request: {
    [key: string]: unknown;
   };
  };
  /** @description Scrolls to the bottom repeatedly, or clicks a “load more” button, until nothing more loads: no new content for 2 s and no pending requests. `result` is `{scrolls, reason}`; `reason` is `end`, `until_selector` or `max_scrolls`. */
  InfiniteScrollAction: {
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   click_selector?: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   container?: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Pause after each scroll or click.
    * @default 500
    */
   delay_ms?: number;
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /** @default 10 */
   max_scrolls?: number;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description Time limit for the action. Default: 30,000 ms plus the delays. */
   timeout_ms?: number;
   /**
    */
   type: "infinite_scroll";
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   until_selector?: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  Job: {
   concurrency: number | null;
   /** @description Of all scrapes so far; null: no prices are configured. */
   cost: number | null;
   /** @description Items by state; `found` is their sum. */
   counts: {
    failed: number;
    found: number;
    ok: number;
    queued: number;
    running: number;
    skipped: number;
   };
   /** Format: date-time */
   created_at: string;
   /** @description URLs that were found again; they are no items. */
   duplicates: number;
   /** @description From the start to the end, or until now; null: it has not started. */
   duration_ms: number | null;
   ended_at: string | null;
   error: components["schemas"]["JobError"] | null;
   /** @description Estimated seconds until the end. */
   eta_s: number | null;
   expires_at: string | null;
   /** Format: uuid */
   id: string;
   kind: "scrape" | "batch" | "crawl";
   /** @description The name, or else host and path of the first URL. */
   label: string | null;
   /** @description The last try of an item that went wrong. It stays when the item succeeds later. */
   last_error: components["schemas"]["LastJobError"] | null;
   metadata: Record<string, unknown> | null;
   /** @description The monitor whose run it is. */
   monitor_id: string | null;
   name: string | null;
   /** @description When the first item that waits for a retry is tried again; null: none waits for one. */
   next_try_at: string | null;
   /** @description Share of `ok` among the items that ended as `ok` or `failed`; null: none has. */
   ok_share: number | null;
   /** @description Scrapes by outcome. */
   outcomes: {
    [key: string]: number;
   };
   /** @description Why the job starts no items now; null: it is not paused. */
   pause: {
    reason: "asked" | "key" | "user" | "budget" | "storage" | "profile";
    resumes_at: string | null;
    /** Format: date-time */
    since: string;
   } | null;
   priority: number;
   /** @description Items that ended per second, since the start. */
   rate_per_s: number | null;
   /** @description The request as received, with secrets masked; of a batch without `requests`. */
   request: Record<string, unknown>;
   /** @description The schedule whose run it is. */
   schedule_id: string | null;
   started_at: string | null;
   state: "queued" | "running" | "paused" | "done" | "cancelled" | "failed";
   tags: {
    [key: string]: string;
   };
   /** @description Skipped URLs that are no items, because the job has 100,000 skipped items already or a page too many links. */
   unlisted: number;
   /**
    * Format: uuid
    * @description The owner.
    */
   user_id: string;
   /** @description Why nothing (more) is started now. `retry`: the last try went wrong. `site_limit`: the limits of the site allow no attempt now. `pace`: the pause between two requests to the host. `host_limit`: as many run on the host as may. `concurrency`: all places of the job, of your jobs or of the service are taken. `max_cost`: what runs may use up `max_cost`. `paused`, `key`, `user`, `budget`, `storage`, `profile` (it is logged out): the job is paused. null: nothing waits, or it starts in a moment. */
   waiting: components["schemas"]["JobWait"] | null;
  };
  JobAccepted: {
   /** Format: uuid */
   id: string;
   /** @description With `invalid: skip`: the first requests that are not valid, and why. */
   invalid?: {
    line?: number;
    message: string;
    pointer: string;
   }[];
   invalid_total?: number;
   state: "queued";
  };
  JobChange: {
   concurrency?: number | null;
   /** @description Visits of a crawl. It holds for URLs that are found from now on. */
   limit?: number;
   /**
    * @description Among your own jobs, those with a higher priority go first.
    * @default 0
    */
   priority?: number;
  };
  JobError: {
   code: string;
   message: string;
  };
  JobFolder: {
   /** @description Items by state; `found` is their sum. */
   counts: {
    failed: number;
    found: number;
    ok: number;
    queued: number;
    running: number;
    skipped: number;
   };
   /** @description Host and path of the URLs, up to a slash: `example.com/docs/`. The folder that was asked for means the items directly in it. */
   folder: string;
  };
  JobFolders: {
   items: components["schemas"]["JobFolder"][];
   next_cursor: string | null;
  };
  JobItem: {
   /** @description Length of the content. */
   bytes: number | null;
   depth: number;
   ended_at: string | null;
   /** @description What went wrong. Of an item that waits for a retry: with its last try. */
   error: components["schemas"]["JobError"] | null;
   /** @description Why a content that was stored is no longer there: `storage`: it was deleted to free storage, or on request; `retention`: it has expired; `retain`: the request set `router.retain`, so only the webhook got it. null: it is there, or there was none, or it was not asked for. */
   gone: ("storage" | "retention" | "retain") | null;
   /** @description Number of the item in the job; `parent` is one. */
   item: number;
   /** @description Position in the order of ends; null: it has not ended. */
   n: number | null;
   /** @description When it is tried again; null: it waits for no retry. */
   next_try_at: string | null;
   outcome: string | null;
   parent: number | null;
   ref: string | null;
   /** @description Id of the last scrape; with `include=full` the scrape itself. null: there is none. */
   scrape: unknown;
   /** @description What the formats gave; null: there is none, or it was not asked for. */
   scraper_data: unknown;
   state: "queued" | "running" | "ok" | "failed" | "skipped";
   /** @description Of the last scrape, as the next three members. */
   status_code: number | null;
   title: string | null;
   tries: number;
   url: string;
   verdict: ("ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty") | null;
  };
  JobList: {
   items: components["schemas"]["Job"][];
   next_cursor: string | null;
  };
  /** @description `kind` (`scrape`, `batch`, `crawl`), and the members of `POST /api/v1/scrape/`, `/api/v1/batches/` or `/api/v1/crawls/`. The kind `search` is not available yet. */
  JobOfSchedule: Record<string, unknown>;
  JobResults: {
   items: components["schemas"]["JobItem"][];
   /** @description Cursor of the next page. null: there are no more results, and there will be none. */
   next_cursor: string | null;
  };
  JobWait: {
   reason: "retry" | "site_limit" | "pace" | "host_limit" | "concurrency" | "max_cost" | "paused" | "key" | "user" | "budget" | "storage" | "profile";
   /** @description Not before this time; null: it is not known. */
   until: string | null;
  };
  /** @description Your JSON Schema filled with what the page says. */
  JsonResult: {
   /** @description What does not match your schema, apart from what is missing. */
   invalid: {
    message: string;
    /** @description A JSON pointer into `value`. */
    pointer: string;
   }[];
   /** @description What the page does not say. */
   missing: string[];
   /** @description The model that looked for what was missing; null: none was asked. */
   model: {
    name: string;
    tokens_in: number;
    tokens_out: number;
   } | null;
   /** @description Where each value is in the page, by JSON pointer into `value`. */
   sources: {
    [key: string]: {
     /**
      * @description `og`: Open Graph. `text`: text of the page, its title or a `meta` element. `model`: found in the page by the model.
      */
     from: "json_ld" | "microdata" | "rdfa" | "og" | "table" | "text" | "model";
     /** @description A JSON pointer into `structured`, or into a page that is JSON. */
     path?: string;
     /** @description The text of the page that says so. */
     quote?: string;
     /** @description CSS selector of the element. */
     selector?: string;
    };
   };
   /** @description Whether `value` matches your schema. */
   valid: boolean;
   /** @description Data by your schema. What the page does not say is left out, or null if the schema requires it and allows null. */
   value: unknown;
  };
  LastJobError: {
   /** Format: date-time */
   at: string;
   code: string;
   item: number;
   message: string;
   url: string;
  };
  ListChannelsQuery: {
   /** @description `next_cursor` of the previous page. */
   cursor?: string;
   /**
    * @description Per page.
    * @default 50
    */
   limit?: number;
  };
  ListDatasetRowsQuery: {
   /** @description `next_cursor` of the previous page. */
   cursor?: string;
   /** @description The number of a run: rows of `run` (default: the latest one) that are new or have changed since, then those that are gone. Without `filter` and `sort`. */
   diff_to?: number;
   /** @description A JSON list of `{"column", "op", "value"}`: rows that pass all. `op`: eq, ne, lt, le, gt, ge, contains, starts (both without regard to case), null, not_null. Columns of each row: `$url`, `$status`, `$title`. */
   filter?: string;
   /**
    * @description Rows per page.
    * @default 50
    */
   limit?: number;
   /** @description Only rows of this run. */
   run?: number;
   /** @description A column, with `-` before it from the greatest value on; rows without a value come last. Texts are sorted by their first 48 bytes, in lower case. Default: the newest rows first. */
   sort?: string;
  };
  ListDatasetRunsQuery: {
   /** @description `next_cursor` of the previous page. */
   cursor?: string;
   /**
    * @description Per page.
    * @default 50
    */
   limit?: number;
  };
  ListDatasetsQuery: {
   /** @description `next_cursor` of the previous page. */
   cursor?: string;
   /**
    * @description Per page.
    * @default 50
    */
   limit?: number;
   /** @description Only those whose name contains this text, ASCII letters in any case. */
   q?: string;
  };
  ListedJobItem: {
   /** @description Length of the content. */
   bytes: number | null;
   depth: number;
   ended_at: string | null;
   /** @description What went wrong. Of an item that waits for a retry: with its last try. */
   error: components["schemas"]["JobError"] | null;
   /** @description Number of the item in the job; `parent` is one. */
   item: number;
   /** @description Position in the order of ends; null: it has not ended. */
   n: number | null;
   /** @description When it is tried again; null: it waits for no retry. */
   next_try_at: string | null;
   outcome: string | null;
   parent: number | null;
   ref: string | null;
   /** @description Id of the last scrape. */
   scrape: string | null;
   state: "queued" | "running" | "ok" | "failed" | "skipped";
   /** @description Of the last scrape, as the next three members. */
   status_code: number | null;
   title: string | null;
   tries: number;
   url: string;
   verdict: ("ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty") | null;
   /** @description Why nothing (more) is started now. `retry`: the last try went wrong. `site_limit`: the limits of the site allow no attempt now. `pace`: the pause between two requests to the host. `host_limit`: as many run on the host as may. `concurrency`: all places of the job, of your jobs or of the service are taken. `max_cost`: what runs may use up `max_cost`. `paused`, `key`, `user`, `budget`, `storage`, `profile` (it is logged out): the job is paused. null: nothing waits, or it starts in a moment. */
   waiting: components["schemas"]["JobWait"] | null;
  };
  ListedJobItems: {
   items: components["schemas"]["ListedJobItem"][];
   /** @description Cursor of the next page; null: there is none. With `q`, a page may be short or empty although there is one. */
   next_cursor: string | null;
  };
  ListJobFoldersQuery: {
   /** @description `next_cursor` of the previous page. */
   cursor?: string;
   /** @description The folder whose folders are listed, such as `example.com/docs/`. Default: the hosts. */
   folder?: string;
   /**
    * @description Folders per page.
    * @default 200
    */
   limit?: number;
  };
  ListJobItemsQuery: {
   /** @description `next_cursor` of the previous page, with the same `sort` and `order`. */
   cursor?: string;
   /**
    * @description Only items with this error. Searched as with `q`.
    */
   error_code?: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.second_factor" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.role" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "file.expired" | "record.expired" | "settings.file" | "job.state" | "channel.in_use" | "idempotency.conflict" | "idempotency.unknown" | "idempotency.mismatch" | "request.upgrade" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "record.no_content" | "test.host" | "template.unknown" | "profile.unknown" | "profile.site" | "profile.owner" | "profile.logged_out" | "profile.credentials" | "profile.unreadable" | "limit.profiles" | "limit.concurrency" | "limit.jobs" | "limit.monitors" | "export.failed" | "limit.datasets" | "limit.schedules" | "limit.alerts" | "limit.channels" | "limit.streams" | "limit.items" | "limit.site" | "limit.sign_in" | "limit.templates" | "limit.saved_requests" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "target.status" | "action.failed" | "action.refused" | "login.failed" | "browser.crashed" | "vendor.failed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "pdf.failed" | "extract.failed" | "extract.model" | "document.unreadable" | "job.interrupted" | "job.cost_cap" | "skip.limit" | "skip.robots" | "skip.scope" | "skip.excluded" | "skip.depth" | "skip.duplicate" | "skip.trap" | "skip.policy" | "request.cancelled";
   /** @description Only items whose URLs are in this folder or below it, such as `example.com/docs/` (as `GET …/folders/` lists them). */
   folder?: string;
   /**
    * @description Items per page.
    * @default 50
    */
   limit?: number;
   /**
    * @description Ascending or descending.
    * @default asc
    */
   order?: "asc" | "desc";
   /** @description Only items whose URL or title contains this text, ASCII letters in any case. A page searches 10,000 items, so it may be short or empty although there is a next one. */
   q?: string;
   /**
    * @description By number, by the order of ends, by status or by size. Items that have none of it are not listed then.
    * @default item
    */
   sort?: "item" | "ended" | "status_code" | "bytes";
   /** @description Only items in these states, separated by commas: queued, running, ok, failed, skipped. Default: all of them. */
   state?: string;
  };
  ListJobsQuery: {
   /** @description `next_cursor` of the previous page, with the same filters, `sort` and `order`. */
   cursor?: string;
   /**
    * Format: date-time
    * @description Created at or after this time.
    */
   from?: string;
   /**
    * @description Only jobs of this kind.
    */
   kind?: "scrape" | "batch" | "crawl";
   /**
    * @description Jobs per page.
    * @default 50
    */
   limit?: number;
   /**
    * @description Ascending or descending.
    * @default desc
    */
   order?: "asc" | "desc";
   /** @description Only jobs whose name or first URL contains this text, in any case. A page searches 10,000 jobs, so it may be short or empty although there is a next one. */
   q?: string;
   /**
    * @description By creation, label, duration, cost, or share of `ok` items. All but `created` sort the newest 10,000 jobs within `from` and `to`.
    * @default created
    */
   sort?: "created" | "name" | "duration" | "cost" | "ok_share";
   /**
    * @description Only jobs in this state.
    */
   state?: "queued" | "running" | "paused" | "done" | "cancelled" | "failed";
   /** @description A tag, as `name:value`. */
   tag?: string;
   /**
    * Format: date-time
    * @description Created before this time.
    */
   to?: string;
   /**
    * Format: uuid
    * @description Owner. Only for sessions of administrators, which see the jobs of all users.
    */
   user_id?: string;
   /**
    * @description Also jobs that are runs of monitors and schedules.
    * @default false
    */
   with_runs?: boolean;
  };
  ListMonitorRunsQuery: {
   /** @description `next_cursor` of the previous page. */
   cursor?: string;
   /**
    * @description Per page.
    * @default 50
    */
   limit?: number;
  };
  ListMonitorsQuery: {
   /** @description `next_cursor` of the previous page, with the same `sort` and `order`. */
   cursor?: string;
   /**
    * @description Per page.
    * @default 50
    */
   limit?: number;
   /**
    * @description Ascending or descending. Default: `desc`, by name and next run `asc`.
    */
   order?: "asc" | "desc";
   /** @description Only those whose name contains this text, ASCII letters in any case. */
   q?: string;
   /**
    * @description By creation, name, next run, or latest change.
    * @default created
    */
   sort?: "created" | "name" | "next_run" | "changed";
  };
  ListNotificationsQuery: {
   /** @description `next_cursor` of the previous page. */
   cursor?: string;
   /**
    * @description Per page.
    * @default 50
    */
   limit?: number;
   /**
    * @description `1`: only those that are not read.
    */
   unread?: "0" | "1";
  };
  ListProfilesQuery: {
   /** @description `next_cursor` of the previous page. */
   cursor?: string;
   /**
    * @description Per page.
    * @default 50
    */
   limit?: number;
   /** @description Of this user, or `all`. Only for administrators and viewers; default: your own. */
   user_id?: string;
  };
  ListScheduleRunsQuery: {
   /** @description `next_cursor` of the previous page. */
   cursor?: string;
   /**
    * @description Per page.
    * @default 50
    */
   limit?: number;
  };
  ListSchedulesQuery: {
   /** @description `next_cursor` of the previous page, with the same `sort` and `order`. */
   cursor?: string;
   /**
    * @description Per page.
    * @default 50
    */
   limit?: number;
   /**
    * @description Ascending or descending. Default: `desc`, by name and next run `asc`.
    */
   order?: "asc" | "desc";
   /** @description Only those whose name contains this text, ASCII letters in any case. */
   q?: string;
   /**
    * @description By creation, name, or next run.
    * @default created
    */
   sort?: "created" | "name" | "next_run";
  };
  ListScrapesQuery: {
   /** @description `next_cursor` of the previous page. Keep order and filters unchanged. */
   cursor?: string;
   /**
    * @description Code of the first error.
    */
   error_code?: "request.invalid_json" | "request.validation" | "auth.missing" | "auth.malformed" | "auth.invalid" | "auth.second_factor" | "auth.expired" | "budget.exhausted" | "auth.scope" | "auth.role" | "auth.ip" | "auth.disabled" | "auth.origin" | "policy.domain" | "policy.address" | "policy.robots" | "request.not_found" | "request.method" | "request.slow" | "screenshot.expired" | "file.expired" | "record.expired" | "settings.file" | "job.state" | "channel.in_use" | "idempotency.conflict" | "idempotency.unknown" | "idempotency.mismatch" | "request.upgrade" | "request.too_large" | "request.media_type" | "route.none" | "route.cost_cap" | "scraper.unavailable" | "scraper.unsupported_option" | "browser.unavailable" | "proxy.pool_unconfigured" | "proxy.country_unavailable" | "proxy.forbidden" | "record.no_content" | "test.host" | "template.unknown" | "profile.unknown" | "profile.site" | "profile.owner" | "profile.logged_out" | "profile.credentials" | "profile.unreadable" | "limit.profiles" | "limit.concurrency" | "limit.jobs" | "limit.monitors" | "export.failed" | "limit.datasets" | "limit.schedules" | "limit.alerts" | "limit.channels" | "limit.streams" | "limit.items" | "limit.site" | "limit.sign_in" | "limit.templates" | "limit.saved_requests" | "service.internal" | "dns.not_found" | "dns.failed" | "connect.refused" | "connect.timeout" | "connect.reset" | "connect.unreachable" | "tls.invalid" | "http.protocol" | "redirect.too_many" | "redirect.invalid" | "proxy.failed" | "target.blocked" | "target.status" | "action.failed" | "action.refused" | "login.failed" | "browser.crashed" | "vendor.failed" | "service.unavailable" | "service.storage" | "browser.down" | "route.paced" | "timeout.total" | "timeout.attempt" | "accept.unmet" | "content.truncated" | "content.incomplete" | "content.decode_failed" | "wait.selector_timeout" | "wait.load_timeout" | "screenshot.failed" | "pdf.failed" | "extract.failed" | "extract.model" | "document.unreadable" | "job.interrupted" | "job.cost_cap" | "skip.limit" | "skip.robots" | "skip.scope" | "skip.excluded" | "skip.depth" | "skip.duplicate" | "skip.trap" | "skip.policy" | "request.cancelled";
   /**
    * Format: date-time
    * @description Created at or after this time.
    */
   from?: string;
   /** @description Host of the target, or a pattern such as `*shop*` in which `*` matches any characters. */
   host?: string;
   /** @description Only these records: at most 200 ids, separated by commas. */
   ids?: string;
   /** @description Id of the API key used. */
   key_id?: string;
   /**
    * @description Maximum number of records per page.
    * @default 50
    */
   limit?: number;
   /**
    * @description By start time: newest first (`desc`) or oldest first (`asc`).
    * @default desc
    */
   order?: "asc" | "desc";
   /**
    * @description Outcome of the scrape.
    */
   outcome?: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
   /** @description Text that the path or the query of the URL contains, in any case. */
   path?: string;
   /** @description Scraper that produced the result. */
   scraper?: ("http" | "http_impersonate" | "browser" | "browser_stealth") | string;
   /** @description Status of the target response. */
   status?: number;
   /** @description A tag, as `name:value`. */
   tag?: string;
   /**
    * Format: date-time
    * @description Created before this time.
    */
   to?: string;
   /** @description Owner of the scrape. Only for sessions of administrators, which see all users. */
   user_id?: string;
  };
  ListWebhookDeliveriesQuery: {
   /** @description `next_cursor` of the previous page. */
   cursor?: string;
   /**
    * @description Deliveries per page.
    * @default 50
    */
   limit?: number;
   /**
    * Format: uuid
    * @description Only of this job, scrape, monitor, schedule, rule of alerts or channel: of its webhook, and to the channels that were told of its events.
    */
   source?: string;
   /**
    * @description Only in this state.
    */
   state?: "queued" | "sending" | "delivered" | "failed";
  };
  /** @description Logs in with the credentials of a profile: user name, password and one-time code, on one page or one after the other. They are typed only into frames of the `sites` of the profile, by https. Until the next document, scripts and captures are refused, and pictures are blank. `result.steps` lists what was typed. */
  LoginAction: {
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description Name of a profile that has credentials. */
   profile: string;
   /** @description Time limit for all steps together. Default: 30,000 ms. */
   timeout_ms?: number;
   /**
    */
   type: "login";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description What the main content of the page is. */
  MainContent: {
   /** @description In crawls with `site_boilerplate`: what was left out because most pages have it. */
   boilerplate?: {
    blocks: number;
    characters: number;
   };
   /** @description The smallest rectangle around its elements in the screenshot, in pixels of the picture. null: there is no screenshot, it does not show them, or where they are is unknown, as for stored pages. */
   box: {
    height: number;
    width: number;
    x: number;
    y: number;
   } | null;
   confidence: number;
   kind: "article" | "listing" | "product" | "discussion" | "document" | "other";
   /** @description How it was found, in a word. */
   method: string;
   /** @description A CSS selector that finds its first element; not the title, if it is outside. */
   selector: string;
   /** @description The share of the visible text of the page that it has. */
   share_of_text: number;
  };
  MapError: {
   code: string;
   message: string;
  };
  MapRequest: {
   /** @description URLs that match one of these are not visited; start URLs always are. As in `include`. */
   exclude?: string[];
   /** @description Only URLs that match one of these are visited; start URLs always are. Globs (`/blog/**`, `*.pdf`) or regular expressions between slashes (`/^\/a[0-9]+/`, RE2). They are matched with path and query; those that begin with `http` with the whole URL. */
   include?: string[];
   /**
    * @description URLs that are returned at most.
    * @default 5000
    */
   limit?: number;
   /** @description Members of the scrape request for the page, such as `scraper` and `proxy`; not `url` and `timeout_ms`. */
   request?: Record<string, unknown>;
   /**
    * @description Whether URLs that robots.txt forbids are dropped. `ignore` needs the permission of the operator.
    * @default respect
    */
   robots?: "respect" | "ignore";
   /**
    * @description Which URLs belong to the start URLs: those on the same host (`www.` and the scheme do not matter), below the same path, on the same registrable domain, or all.
    * @default host
    */
   scope?: "host" | "path" | "domain" | "any";
   /** @description Only URLs that contain all of these words, in the URL or the title. */
   search?: string;
   /**
    * @description Whether the sitemaps of the start URLs are used besides links (`include`), instead of links (`only`), or not.
    * @default include
    */
   sitemap?: "include" | "only" | "ignore";
   /**
    * @description What was found by then is returned.
    * @default 60000
    */
   timeout_ms?: number;
   url: string;
  };
  MapResult: {
   /** @description How many URLs are not in `items`, by reason. */
   dropped: {
    [key: string]: number;
   };
   items: {
    last_modified: string | null;
    /**
     * @description `record`: an earlier scrape of yours.
     */
    source: "sitemap" | "page" | "feed" | "record";
    title: string | null;
    url: string;
   }[];
   /** @description The page whose links were read; null with `sitemap: only`. */
   page: {
    error: components["schemas"]["MapError"] | null;
    /** @description Status of the response; null: there was none. */
    status: number | null;
    url: string;
   } | null;
   /** @description The sitemaps in the order in which they were read. */
   sitemaps: {
    error: components["schemas"]["MapError"] | null;
    /** @description Status of the response; null: there was none. */
    status: number | null;
    url: string;
    urls: number;
   }[];
   /** @description There are more URLs than `limit`. */
   truncated: boolean;
  };
  Monitor: {
   /** @description The last run that found a change. */
   changed_at: string | null;
   channels: string[];
   compare: components["schemas"]["Compare"];
   /** Format: date-time */
   created_at: string;
   errors_in_a_row: number;
   /** Format: uuid */
   id: string;
   jitter_s: number;
   keep: number;
   kind: "request" | "crawl" | "batch";
   /** @description The last that has ended. null: none yet. */
   last_run: components["schemas"]["MonitorLastRun"] | null;
   name: string;
   next_run_at: string | null;
   notify_on: ("changed" | "failed" | "done" | "person_needed")[];
   pause_reason: ("asked" | "key" | "user") | null;
   /** @description The request, with secrets masked; of a batch with `urls` instead of `requests`. */
   request: Record<string, unknown>;
   /** @description Runs so far, skipped ones included. */
   runs: number;
   schedule: components["schemas"]["Schedule"];
   state: "active" | "paused";
   /**
    * Format: uuid
    * @description The owner.
    */
   user_id: string;
   /** @description With masked headers. null: nothing is sent. */
   webhook: components["schemas"]["Webhook"] | null;
  };
  MonitorBatch: {
   /** @description Members that every request gets that does not have them itself. */
   defaults?: Record<string, unknown>;
   requests: components["schemas"]["BatchItem"][];
  };
  /** @description With `compare`, `request`, `crawl` or `batch`, the next run is the first again, and a run under way ends without a result. */
  MonitorChange: {
   batch?: components["schemas"]["MonitorBatch"];
   /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
   channels?: string[];
   compare?: components["schemas"]["Compare"];
   crawl?: components["schemas"]["MonitorCrawl"];
   /**
    * @description Spreads the runs of those with the same schedule over this time.
    * @default 0
    */
   jitter_s?: number;
   /**
    * @description The newest runs that are kept, as many that found a change, and as many that were errors.
    * @default 30
    */
   keep?: number;
   name?: string;
   /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
   notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
   /** @description A scrape request. */
   request?: Record<string, unknown>;
   schedule?: components["schemas"]["Schedule"];
   /** @description null: nothing is sent any more. */
   webhook?: components["schemas"]["Webhook"] | null;
  };
  MonitorCrawl: {
   /** @description Items that may run at once. Default: as many as all your jobs together may run. */
   concurrency?: number;
   /**
    * @description Pause between the starts of two requests to a host. A longer `Crawl-delay` of robots.txt counts, up to 60 s.
    * @default 0
    */
   delay_ms?: number;
   /** @description URLs that match one of these are not visited; start URLs always are. As in `include`. */
   exclude?: string[];
   /**
    * @description Also visits the feeds of pages, and what they list.
    * @default false
    */
   feeds?: boolean;
   /** @description Parameters that do not change the page, by names (`*` is any text) or regular expressions between slashes; `true`: all. They are dropped, as known tracking parameters always are. */
   ignore_query?: true | string[];
   /** @description Only URLs that match one of these are visited; start URLs always are. Globs (`/blog/**`, `*.pdf`) or regular expressions between slashes (`/^\/a[0-9]+/`, RE2). They are matched with path and query; those that begin with `http` with the whole URL. */
   include?: string[];
   /**
    * @description Pages that are visited at most. Skipped URLs do not count.
    * @default 1000
    */
   limit?: number;
   /** @description Limit for the cost of all items together. When it is reached, the rest is skipped. */
   max_cost?: number;
   /**
    * @description Links between a start URL and a page, at most.
    * @default 10
    */
   max_depth?: number;
   /**
    * @description URLs of one form, such as `/item/#?page`, that are visited. Others are skipped with `skip.trap`.
    * @default 10000
    */
   max_urls_per_pattern?: number;
   /**
    * @description `respect`: links with `rel=nofollow`, and all links of pages that ask for it, are not followed.
    * @default ignore
    */
   nofollow?: "ignore" | "respect";
   /**
    * @description Requests to one host at the same time. The operator may have set a lower limit for all jobs.
    * @default 2
    */
   per_host?: number;
   /**
    * @description Among your own jobs, those with a higher priority go first.
    * @default 0
    */
   priority?: number;
   /** @description Members of the scrape request for every page, but not `url`. Other hosts than those of the start URLs do not get its cookies and secret headers. */
   request?: Record<string, unknown>;
   /**
    * @description How often an item is tried again whose scrape failed for a reason that may pass, after 1, 5 and 30 minutes or as long as `Retry-After` says.
    * @default 2
    */
   retries?: number;
   /**
    * @description `ignore` needs the permission of the operator.
    * @default respect
    */
   robots?: "respect" | "ignore";
   /** @description Members of the request for URLs that match, as in `include`. Of several rules, the last one counts. */
   rules?: {
    match: string;
    request: Record<string, unknown>;
   }[];
   /**
    * @description Which URLs belong to the start URLs: those on the same host (`www.` and the scheme do not matter), below the same path, on the same registrable domain, or all.
    * @default host
    */
   scope?: "host" | "path" | "domain" | "any";
   /**
    * @description Whether the sitemaps of the start URLs are used besides links (`include`), instead of links (`only`), or not.
    * @default include
    */
   sitemap?: "include" | "only" | "ignore";
   url?: string;
   /** @description Several start URLs, instead of `url`. */
   urls?: string[];
  };
  MonitorLastRun: {
   /** @description null: no prices are configured, or its records are deleted. */
   cost: number | null;
   ended_at: string | null;
   n: number;
  };
  MonitorList: {
   items: components["schemas"]["Monitor"][];
   next_cursor: string | null;
  };
  MonitorPreview: {
   /** @description Size of what is compared. */
   bytes: number | null;
   format: "markdown" | "text" | "main_html" | "extract" | "json" | "structured" | "screenshot" | "bytes";
   /** @description What `ignore` leaves out. */
   ignored: {
    examples: string[];
    /** @description Lines that are left out, or of which a part is. */
    lines: number;
    /** @description All selectors together; others one by one. */
    rules: string[];
   }[];
   /** @description Why the page cannot be compared, as in runs; null: it can. */
   reason: string | null;
   /**
    * Format: uuid
    * @description The record of the page.
    */
   scrape_id: string;
   /** @description Of `screenshot`: the picture. */
   screenshot_url: string | null;
   /** @description The lines that are compared, or data as JSON. null: a picture, bytes, or nothing. */
   text: string | null;
   /** @description The text is cut after 100,000 characters. */
   truncated: boolean;
   /** @description The page: of a crawl the first start URL, of a batch the first request. */
   url: string;
  };
  /** @description One of `request`, `crawl` and `batch`, as of a monitor. Of a crawl the first start URL is scraped, of a batch the first request. */
  MonitorPreviewRequest: {
   batch?: components["schemas"]["MonitorBatch"];
   compare?: components["schemas"]["Compare"];
   crawl?: components["schemas"]["MonitorCrawl"];
   /** @description A scrape request. */
   request?: Record<string, unknown>;
  };
  MonitorRequest: {
   batch?: components["schemas"]["MonitorBatch"];
   /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
   channels?: string[];
   compare?: components["schemas"]["Compare"];
   crawl?: components["schemas"]["MonitorCrawl"];
   /**
    * @description When the first run begins, with which later ones are compared.
    * @default now
    */
   first_run?: "now" | "scheduled";
   /**
    * @description Spreads the runs of those with the same schedule over this time.
    * @default 0
    */
   jitter_s?: number;
   /**
    * @description The newest runs that are kept, as many that found a change, and as many that were errors.
    * @default 30
    */
   keep?: number;
   name: string;
   /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
   notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
   /** @description A scrape request. */
   request?: Record<string, unknown>;
   schedule: components["schemas"]["Schedule"];
   webhook?: components["schemas"]["Webhook"];
  };
  MonitorRun: {
   /** @description null: the run has not ended, or was skipped. */
   change: components["schemas"]["Change"] | null;
   /** Format: date-time */
   due_at: string;
   ended_at: string | null;
   job_id: string | null;
   n: number;
   scrape_id: string | null;
   started_at: string | null;
   state: "running" | "ended" | "skipped";
  };
  MonitorRunList: {
   items: components["schemas"]["MonitorRun"][];
   next_cursor: string | null;
  };
  NoiseList: {
   items: {
    examples: string[];
    /** @description An entry for `compare.ignore`. */
    ignore: string;
    /** @description Comparisons. */
    of: number;
    /** @description Comparisons in which it would have hidden a change. */
    runs: number;
   }[];
  };
  Notification: {
   /** Format: date-time */
   at: string;
   /** @description Later ones have higher numbers. */
   id: string;
   /** @description Name of the source at that time. */
   name: string | null;
   read: boolean;
   /** @description Number of the event in its source; of a monitor and a schedule, of the run; of a profile, its version. */
   sequence: number;
   /**
    * Format: uuid
    * @description Id of the monitor, schedule, job, scrape, profile, rule of alerts, or channel.
    */
   source_id: string;
   /** @description What happened, in a line. */
   text: string;
   title: string;
   /** @description The source and what happened, such as `monitor.changed`. */
   type: string;
   /** @description The page of the dashboard that shows it. */
   url: string;
  };
  NotificationList: {
   items: components["schemas"]["Notification"][];
   next_cursor: string | null;
   /** @description All that are not read. */
   unread: number;
  };
  /** @description Either `ids` or `up_to`. */
  NotificationRead: {
   ids?: string[];
   /** @description All up to this id. */
   up_to?: string;
  };
  /**
   * @description An action in the page. The shorthand `{"click": "#a"}` and `action` instead of `type` are accepted too.
   * @example {
   *       "type": "click",
   *       "selector": "#accept",
   *       "optional": true,
   *       "timeout_ms": 1000
   *     }
   * @example {
   *       "type": "fill",
   *       "selector": "#q",
   *       "value": "router"
   *     }
   * @example {
   *       "type": "press",
   *       "key": "Enter"
   *     }
   * @example {
   *       "type": "wait_for_response",
   *       "url": "**\/api/search*",
   *       "capture": true
   *     }
   * @example {
   *       "type": "evaluate",
   *       "script": "document.title"
   *     }
   * @example {
   *       "type": "if",
   *       "selector": ".more",
   *       "then": [
   *         {
   *           "type": "click",
   *           "selector": ".more",
   *           "all": true
   *         }
   *       ]
   *     }
   */
  PageAction: components["schemas"]["ClickAction"] | components["schemas"]["FillAction"] | components["schemas"]["TypeAction"] | components["schemas"]["PressAction"] | components["schemas"]["SelectAction"] | components["schemas"]["CheckAction"] | components["schemas"]["UncheckAction"] | components["schemas"]["HoverAction"] | components["schemas"]["ScrollAction"] | components["schemas"]["InfiniteScrollAction"] | components["schemas"]["WaitAction"] | components["schemas"]["WaitForSelectorAction"] | components["schemas"]["WaitForLoadStateAction"] | components["schemas"]["WaitForUrlAction"] | components["schemas"]["WaitForResponseAction"] | components["schemas"]["WaitForFunctionAction"] | components["schemas"]["EvaluateAction"] | components["schemas"]["GotoAction"] | components["schemas"]["ReloadAction"] | components["schemas"]["BackAction"] | components["schemas"]["LoginAction"] | components["schemas"]["HideAction"] | components["schemas"]["RemoveAction"] | components["schemas"]["ScreenshotAction"] | components["schemas"]["ExtractAction"] | components["schemas"]["IfAction"];
  PageCounts: {
   changed: number;
   error: number;
   gone: number;
   new: number;
   same: number;
  };
  PageImage: {
   /** @description Alternative text. Empty if the image is only decoration. */
   alt: string | null;
   /** @description All files that the image is offered as, the best first. */
   candidates: {
    /** @description Pixels of the file for each CSS pixel. */
    density: number | null;
    url: string;
    /** @description Width of the file in pixels. */
    width: number | null;
   }[];
   /** @description As the page gives it, in CSS pixels. */
   height: number | null;
   /** @description The best candidate, absolute. */
   url: string;
   /** @description As the page gives it, in CSS pixels. */
   width: number | null;
  };
  PageLink: {
   /** @description Whether every link to this URL has `rel="nofollow"`. */
   nofollow: boolean;
   /** @description Tokens of the `rel` attribute, in lower case. */
   rel: string[];
   /** @description The visible text of the link on one line; if it has none, the alternative text of its image, its label or its title. */
   text: string;
   /** @description Absolute http or https URL, including its fragment. */
   url: string;
  };
  /** @description Metadata of the page. URLs are absolute. */
  PageMetadata: {
   /** @description Versions in other languages (`hreflang`). */
   alternates: {
    language: string;
    url: string;
   }[];
   author: string | null;
   canonical: string | null;
   charset: string | null;
   /** @description Media type used to parse the page. */
   content_type: string;
   description: string | null;
   /** @description Icon declared by the page. `/favicon.ico` is not assumed. */
   favicon: string | null;
   feeds: {
    title: string | null;
    type: string;
    url: string;
   }[];
   generator: string | null;
   image: string | null;
   /** @description JSON-LD blocks, at most 50 and 256 KiB in total. */
   json_ld: unknown[];
   keywords: string[];
   language: string | null;
   /** @description The date as written in the page. */
   modified: string | null;
   /** @description Names without the prefix `og:`. Other prefixes are kept. */
   open_graph: {
    [key: string]: string | string[];
   };
   /** @description The date as written in the page. */
   published: string | null;
   /** @description Directives of `<meta name="robots">`, in lower case. */
   robots: string[];
   site_name: string | null;
   title: string | null;
   /** @description Names without the prefix `twitter:`. */
   twitter: {
    [key: string]: string | string[];
   };
  };
  /** @description Presses a key or key combination, on an element or the focused element. */
  PressAction: {
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /** @description A Playwright key name: `Enter`, `ArrowDown`, `Control+A`, `a`. */
   key: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector?: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "press";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Prices have at most 6 decimals. */
  Prices: {
   /** @description A word such as EUR, and not `effort`. It is the `cost_unit` of responses. */
   currency: string;
   /** @description Prices of the own connection of the service: of an attempt, and of 10⁹ bytes both ways. Default: 0. */
   direct?: {
    price_per_gb?: number;
    price_per_request?: number;
   } | null;
   /** @description Prices of the language model. null: it has none. */
   model?: {
    price_per_million_tokens_in: number;
    price_per_million_tokens_out: number;
   } | null;
   /** @description Price of an attempt by each scraper. One that is left out has no price. */
   scrapers: {
    browser?: number;
    browser_stealth?: number;
    http?: number;
    http_impersonate?: number;
   };
  };
  PricesView: {
   /** @description null: nothing has a price. */
   prices: components["schemas"]["Prices"] | null;
   /**
    * @description `file`: the file of the operator, which this API cannot change.
    */
   source: "file" | "database";
  };
  /** @description Problem details (RFC 9457) of a request that was rejected before scraping. */
  Problem: {
   candidates?: components["schemas"]["Candidate"][];
   code: components["schemas"]["ErrorCode"];
   detail: string;
   errors: components["schemas"]["ErrorEntry"][];
   /** @description Number of all errors, if `errors` has only the first. */
   errors_total?: number;
   request_id: string;
   retryable: boolean;
   status: number;
   title: string;
   /** @description `{base_url}/api/v1/errors/#<code>` */
   type: string;
  };
  /** @description The state of a user at some sites, without its values. */
  Profile: {
   /** @description The channels that tell its owner that it is logged out. Others see none. */
   channels: string[];
   /** @description Number of cookies. Their values are never returned, except by `export/`. */
   cookies: number;
   /** Format: date-time */
   created_at: string;
   exit: components["schemas"]["ProfileExit"] | null;
   /** @description When the profile is deleted; null: never. */
   expires_at: string | null;
   /** @description Whether the action `login` can log in with it. */
   has_credentials: boolean;
   identity: components["schemas"]["ProfileIdentity"] | null;
   name: string;
   owner: {
    email: string | null;
    /** Format: uuid */
    id: string;
   };
   /**
    * Format: date-time
    * @description When its cookies or its storage changed last.
    */
   refreshed_at: string;
   shared: boolean;
   /** @description Registrable domains, or hosts that have none. Only they are asked with the profile. */
   sites: string[];
   /** @description Size of cookies, localStorage and IndexedDB as JSON. */
   size_bytes: number;
   /**
    * @description `logged_out`: a page that was fetched with it asked to log in. `empty`: it has no cookies and no storage.
    */
   state: "ready" | "logged_out" | "empty";
   /** @description The last use, to about a minute; null: never. */
   used_at: string | null;
   /** @description Your monitors and schedules that name the profile, at most 50. Only when one profile is read, with the scope `read`; else null. */
   used_by: {
    /** Format: uuid */
    id: string;
    name: string;
    type: "monitor" | "schedule";
   }[] | null;
  };
  ProfileCreate: {
   /** @description Ids of your channels (`/api/v1/channels/`), by which you are told that the profile is logged out. */
   channels?: string[];
   /** @description Cookies in the format of Netscape, as curl and extensions of browsers write it. Instead of `storage_state`. */
   cookies_txt?: string;
   credentials?: components["schemas"]["ProfileCredentials"];
   exit?: components["schemas"]["ProfileExit"];
   /**
    * Format: date-time
    * @description When the profile is deleted.
    */
   expires_at?: string;
   identity?: components["schemas"]["ProfileIdentity"];
   /** @description must be 1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit */
   name: string;
   /** @description Whether all users may use the profile. Only its owner may change and export it (default: false). */
   shared?: boolean;
   /** @description The sites that the profile is for, such as `example.com`. A host stands for its registrable domain by the public suffix list. Cookies and storage of other sites are left out. Default: the sites that the cookies and the storage belong to. */
   sites?: string[];
   /** @description Cookies, localStorage and IndexedDB in the format of `storageState()` of Playwright. */
   storage_state?: {
    cookies?: {
     /** @description `hasCrossSiteAncestor` of `partitionKey`. */
     _crHasCrossSiteAncestor?: boolean;
     /** @description With a leading dot, subdomains are included. */
     domain: string;
     /** @description The same as `expires`. */
     expirationDate?: number;
     /** @description Unix time in seconds. -1: a session cookie, kept until the scrape ends. */
     expires?: number;
     /** @description The same as `expires`. */
     expiry?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     firstPartyDomain?: string;
     /** @description true: subdomains of `domain` are excluded. */
     hostOnly?: boolean;
     httpOnly?: boolean;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     id?: number | string;
     name: string;
     /** @description The site of the top-level page that the cookie is for, such as `https://example.com`. */
     partitionKey?: string | {
      hasCrossSiteAncestor?: boolean;
      sourceOrigin?: string;
      topLevelSite?: string;
     };
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     partitionKeyOpaque?: boolean;
     path: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     priority?: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sameParty?: boolean;
     /** @description `Strict`, `Lax` or `None`, in any letter case. */
     sameSite?: string;
     secure?: boolean;
     /** @description true: a session cookie, whatever `expires` says. */
     session?: boolean;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     size?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sourcePort?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sourceScheme?: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     storeId?: string;
     value: string;
    }[];
    origins?: {
     indexedDB?: {
      name: string;
      stores: {
       autoIncrement: boolean;
       indexes: {
        keyPath?: string;
        keyPathArray?: string[];
        multiEntry: boolean;
        name: string;
        unique: boolean;
       }[];
       keyPath?: string;
       keyPathArray?: string[];
       name: string;
       records: {
        key?: unknown;
        keyEncoded?: unknown;
        value?: unknown;
        valueEncoded?: unknown;
       }[];
      }[];
      version: number;
     }[];
     localStorage: {
      name: string;
      value: string;
     }[];
     origin: string;
    }[];
   };
  };
  /** @description What the action `login` types into pages of `sites`. Write-only: they are kept encrypted, and never returned. */
  ProfileCredentials: {
   password: string;
   /** @description The secret of one-time codes (RFC 6238), as the site shows it to authenticator apps: Base32, or an otpauth:// URI. */
   totp_seed?: string;
   /** @description User name or e-mail; left out: the site has it. */
   username?: string;
  };
  /** @description The session of the proxy, and its country, of requests with the profile that name no `proxy.session`: the sites see one visitor. The type is that of `proxy`. */
  ProfileExit: {
   /** @description must be two letters (ISO 3166-1 alpha-2) */
   country?: string;
   /** @description must be 1 to 64 letters, digits, `_` or `-`: the session of the proxy, so that the exit stays the same */
   session: string;
  };
  /** @description As what a visitor the sites know the profile. Options of a request have precedence. */
  ProfileIdentity: {
   /**
    * @description The device that browsers emulate, as `scraper_options.device`.
    */
   device?: "Blackberry PlayBook" | "Blackberry PlayBook landscape" | "BlackBerry Z30" | "BlackBerry Z30 landscape" | "Galaxy Note 3" | "Galaxy Note 3 landscape" | "Galaxy Note II" | "Galaxy Note II landscape" | "Galaxy S III" | "Galaxy S III landscape" | "Galaxy S5" | "Galaxy S5 landscape" | "Galaxy S8" | "Galaxy S8 landscape" | "Galaxy S9+" | "Galaxy S9+ landscape" | "Galaxy S24" | "Galaxy S24 landscape" | "Galaxy A55" | "Galaxy A55 landscape" | "Galaxy Tab S4" | "Galaxy Tab S4 landscape" | "Galaxy Tab S9" | "Galaxy Tab S9 landscape" | "Galaxy Z Fold 6" | "Galaxy Z Fold 6 landscape" | "Galaxy Z Fold 6 Cover" | "Galaxy Z Fold 6 Cover landscape" | "Galaxy Z Fold 7" | "Galaxy Z Fold 7 landscape" | "Galaxy Z Fold 7 Cover" | "Galaxy Z Fold 7 Cover landscape" | "Galaxy Z Flip 6" | "Galaxy Z Flip 6 landscape" | "Galaxy Z Flip 6 Cover" | "Galaxy Z Flip 6 Cover landscape" | "Galaxy Z Flip 7" | "Galaxy Z Flip 7 landscape" | "Galaxy Z Flip 7 Cover" | "Galaxy Z Flip 7 Cover landscape" | "iPad (gen 5)" | "iPad (gen 5) landscape" | "iPad (gen 6)" | "iPad (gen 6) landscape" | "iPad (gen 7)" | "iPad (gen 7) landscape" | "iPad (gen 11)" | "iPad (gen 11) landscape" | "iPad Mini" | "iPad Mini landscape" | "iPad Pro 11" | "iPad Pro 11 landscape" | "iPhone 6" | "iPhone 6 landscape" | "iPhone 6 Plus" | "iPhone 6 Plus landscape" | "iPhone 7" | "iPhone 7 landscape" | "iPhone 7 Plus" | "iPhone 7 Plus landscape" | "iPhone 8" | "iPhone 8 landscape" | "iPhone 8 Plus" | "iPhone 8 Plus landscape" | "iPhone SE" | "iPhone SE landscape" | "iPhone SE (3rd gen)" | "iPhone SE (3rd gen) landscape" | "iPhone X" | "iPhone X landscape" | "iPhone XR" | "iPhone XR landscape" | "iPhone 11" | "iPhone 11 landscape" | "iPhone 11 Pro" | "iPhone 11 Pro landscape" | "iPhone 11 Pro Max" | "iPhone 11 Pro Max landscape" | "iPhone 12" | "iPhone 12 landscape" | "iPhone 12 Pro" | "iPhone 12 Pro landscape" | "iPhone 12 Pro Max" | "iPhone 12 Pro Max landscape" | "iPhone 12 Mini" | "iPhone 12 Mini landscape" | "iPhone 13" | "iPhone 13 landscape" | "iPhone 13 Pro" | "iPhone 13 Pro landscape" | "iPhone 13 Pro Max" | "iPhone 13 Pro Max landscape" | "iPhone 13 Mini" | "iPhone 13 Mini landscape" | "iPhone 14" | "iPhone 14 landscape" | "iPhone 14 Plus" | "iPhone 14 Plus landscape" | "iPhone 14 Pro" | "iPhone 14 Pro landscape" | "iPhone 14 Pro Max" | "iPhone 14 Pro Max landscape" | "iPhone 15" | "iPhone 15 landscape" | "iPhone 15 Plus" | "iPhone 15 Plus landscape" | "iPhone 15 Pro" | "iPhone 15 Pro landscape" | "iPhone 15 Pro Max" | "iPhone 15 Pro Max landscape" | "iPhone 16" | "iPhone 16 landscape" | "iPhone 16 Plus" | "iPhone 16 Plus landscape" | "iPhone 16 Pro" | "iPhone 16 Pro landscape" | "iPhone 16 Pro Max" | "iPhone 16 Pro Max landscape" | "iPhone 16e" | "iPhone 16e landscape" | "iPhone 17" | "iPhone 17 landscape" | "iPhone Air" | "iPhone Air landscape" | "iPhone 17 Pro" | "iPhone 17 Pro landscape" | "iPhone 17 Pro Max" | "iPhone 17 Pro Max landscape" | "iPhone 17e" | "iPhone 17e landscape" | "Kindle Fire HDX" | "Kindle Fire HDX landscape" | "LG Optimus L70" | "LG Optimus L70 landscape" | "Microsoft Lumia 550" | "Microsoft Lumia 550 landscape" | "Microsoft Lumia 950" | "Microsoft Lumia 950 landscape" | "Nexus 10" | "Nexus 10 landscape" | "Nexus 4" | "Nexus 4 landscape" | "Nexus 5" | "Nexus 5 landscape" | "Nexus 5X" | "Nexus 5X landscape" | "Nexus 6" | "Nexus 6 landscape" | "Nexus 6P" | "Nexus 6P landscape" | "Nexus 7" | "Nexus 7 landscape" | "Nokia Lumia 520" | "Nokia Lumia 520 landscape" | "Nokia N9" | "Nokia N9 landscape" | "Pixel 2" | "Pixel 2 landscape" | "Pixel 2 XL" | "Pixel 2 XL landscape" | "Pixel 3" | "Pixel 3 landscape" | "Pixel 4" | "Pixel 4 landscape" | "Pixel 4a (5G)" | "Pixel 4a (5G) landscape" | "Pixel 5" | "Pixel 5 landscape" | "Pixel 6" | "Pixel 6 landscape" | "Pixel 6 Pro" | "Pixel 6 Pro landscape" | "Pixel 6a" | "Pixel 6a landscape" | "Pixel 7" | "Pixel 7 landscape" | "Pixel 7 Pro" | "Pixel 7 Pro landscape" | "Pixel 7a" | "Pixel 7a landscape" | "Pixel 8" | "Pixel 8 landscape" | "Pixel 8 Pro" | "Pixel 8 Pro landscape" | "Pixel 8a" | "Pixel 8a landscape" | "Pixel 9" | "Pixel 9 landscape" | "Pixel 9 Pro" | "Pixel 9 Pro landscape" | "Pixel 9 Pro XL" | "Pixel 9 Pro XL landscape" | "Pixel 10" | "Pixel 10 landscape" | "Pixel 10 Pro" | "Pixel 10 Pro landscape" | "Pixel 10 Pro XL" | "Pixel 10 Pro XL landscape" | "Moto G4" | "Moto G4 landscape" | "Desktop Chrome HiDPI" | "Desktop Edge HiDPI" | "Desktop Firefox HiDPI" | "Desktop Safari" | "Desktop Chrome" | "Desktop Edge" | "Desktop Firefox";
   /** @description must be a language tag such as `de-CH`: the `Accept-Language`, and the language of browsers */
   locale?: string;
   /** @description must be printable ASCII: the `User-Agent` of requests with the profile */
   user_agent?: string;
  };
  ProfileList: {
   items: components["schemas"]["Profile"][];
   next_cursor: string | null;
  };
  /** @description Fields left out stay unchanged. New cookies or a new state replace all that were kept. */
  ProfilePatch: {
   /** @description Ids of your channels (`/api/v1/channels/`), by which you are told that the profile is logged out. */
   channels?: string[];
   /** @description Cookies in the format of Netscape, as curl and extensions of browsers write it. Instead of `storage_state`. */
   cookies_txt?: string;
   credentials?: components["schemas"]["ProfileCredentials"] | null;
   exit?: components["schemas"]["ProfileExit"] | null;
   expires_at?: string | null;
   identity?: components["schemas"]["ProfileIdentity"] | null;
   /** @description must be 1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit */
   name?: string;
   /** @description Whether all users may use the profile. Only its owner may change and export it (default: false). */
   shared?: boolean;
   /** @description The sites that the profile is for, such as `example.com`. A host stands for its registrable domain by the public suffix list. Cookies and storage of other sites are left out. Default: the sites that the cookies and the storage belong to. */
   sites?: string[];
   /** @description Cookies, localStorage and IndexedDB in the format of `storageState()` of Playwright. */
   storage_state?: {
    cookies?: {
     /** @description `hasCrossSiteAncestor` of `partitionKey`. */
     _crHasCrossSiteAncestor?: boolean;
     /** @description With a leading dot, subdomains are included. */
     domain: string;
     /** @description The same as `expires`. */
     expirationDate?: number;
     /** @description Unix time in seconds. -1: a session cookie, kept until the scrape ends. */
     expires?: number;
     /** @description The same as `expires`. */
     expiry?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     firstPartyDomain?: string;
     /** @description true: subdomains of `domain` are excluded. */
     hostOnly?: boolean;
     httpOnly?: boolean;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     id?: number | string;
     name: string;
     /** @description The site of the top-level page that the cookie is for, such as `https://example.com`. */
     partitionKey?: string | {
      hasCrossSiteAncestor?: boolean;
      sourceOrigin?: string;
      topLevelSite?: string;
     };
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     partitionKeyOpaque?: boolean;
     path: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     priority?: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sameParty?: boolean;
     /** @description `Strict`, `Lax` or `None`, in any letter case. */
     sameSite?: string;
     secure?: boolean;
     /** @description true: a session cookie, whatever `expires` says. */
     session?: boolean;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     size?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sourcePort?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sourceScheme?: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     storeId?: string;
     value: string;
    }[];
    origins?: {
     indexedDB?: {
      name: string;
      stores: {
       autoIncrement: boolean;
       indexes: {
        keyPath?: string;
        keyPathArray?: string[];
        multiEntry: boolean;
        name: string;
        unique: boolean;
       }[];
       keyPath?: string;
       keyPathArray?: string[];
       name: string;
       records: {
        key?: unknown;
        keyEncoded?: unknown;
        value?: unknown;
        valueEncoded?: unknown;
       }[];
      }[];
      version: number;
     }[];
     localStorage: {
      name: string;
      value: string;
     }[];
     origin: string;
    }[];
   };
  };
  ProxySettings: {
   /** @description Hosts to reach without the proxy: `example.com`, `.example.com` (its subdomains), or `*`. */
   bypass?: string[];
   /** @description City, as the pool or the proxy provider names it: letters, digits, spaces, `.`, `'`, `_`, `-` */
   city?: string;
   /** @description must be two letters (ISO 3166-1 alpha-2) */
   country?: string;
   /** @description Password for `server`. Never returned. */
   password?: string;
   /** @description Name of one pool of this type. */
   pool?: string;
   /** @description Region, as the pool or the proxy provider names it: letters, digits, spaces, `.`, `'`, `_`, `-` */
   region?: string;
   /**
    * @description When to change the exit IP address: for each attempt, once per request, or after a block.
    * @default per_attempt
    */
   rotate?: "per_attempt" | "per_request" | "on_block";
   /** @description Your own proxy: `http://`, `https://`, `socks5://` or `socks5h://`, then host and port. Without a scheme, it is an HTTP proxy. */
   server?: string;
   /** @description must be 1 to 64 letters, digits, `_` or `-` */
   session?: string;
   /** @default 600 */
   session_ttl_s?: number;
   /**
    * @description `custom`: the proxy in `server`. `none`: no proxy, if the operator allows it. If no pool is configured, `datacenter` connects directly, without a proxy.
    * @default datacenter
    */
   type?: "datacenter" | "residential" | "mobile" | "custom" | "none";
   /** @description User name for `server`. */
   username?: string;
  };
  ReadingRequest: {
   /** @description Rules by name, or `template:<name>` for those of a template. */
   extract?: {
    [key: string]: components["schemas"]["ExtractRule"];
   } | string;
   /** @description Extra outputs, returned in `scraper_data` under the same names; null if the page has none. `html`: the decoded document. `text`: the visible text, with line breaks between blocks and tabs between table cells. `links`: all links. `metadata`: title, description, Open Graph, JSON-LD and more. `markdown`: the page as Markdown. `main_html`: the main content as clean HTML. `structured`: JSON-LD, microdata, RDFa, tables, and what they describe. `images`: the images of the page. `feed`: the entries of a feed or sitemap. `json`: your schema filled, see the option `json`. `pdf`: the page printed, which takes a browser. */
   formats?: ("html" | "text" | "links" | "metadata" | "markdown" | "main_html" | "structured" | "images" | "feed" | "json" | "pdf")[];
   /** @description Fills your JSON Schema with what the page says. Setting `schema` or `prompt` also asks for the format `json`. Nothing is invented: what the page does not say is listed in `missing`. */
   json?: {
    /**
     * @description Each source also has the text of the page as `quote`.
     * @default false
     */
    evidence?: boolean;
    /**
     * @description What the model gets of the page. `structured`: only the structured data and tables of the page, which are then also all that is read without a model.
     * @default markdown
     */
    from?: "markdown" | "html" | "text" | "structured";
    /**
     * @description `auto`: the model of the operator, if there is one, looks for what the page does not say in its data and labels. `always`: it looks for everything; without a model the request is refused.
     * @default auto
     */
    model?: "auto" | "always" | "never";
    /** @description What to find, in words. Needs a model. With a schema, it explains the schema. */
    prompt?: string;
    /** @description A JSON Schema (2020-12), at most 32,768 characters: the data to find. */
    schema?: Record<string, unknown>;
   };
   /** @description What the main content is, for `only_main_content` and `main_html`. `scraper_data.main` says what it is. */
   main_content?: {
    /** @description CSS selectors of what does not belong to the main content. */
    exclude?: string[];
    /** @description CSS selectors of what is the main content. It is not searched for then. */
    include?: string[];
    /**
     * @description `page`: `links` and `images` are those of the page without its header, navigation, asides, footer and layers, whatever its main content is.
     * @default content
     */
    links_from?: "content" | "page";
    /**
     * @description Only in crawls: text that is on most pages of a host is left out of the main content, once the crawl has seen it on three pages.
     * @default false
     */
    site_boilerplate?: boolean;
   };
   /** @description How the Markdown is written. Setting any of these also asks for the format `markdown`. */
   markdown?: {
    /**
     * @description Where to begin, as `content.more` said.
     * @default 0
     */
    content_offset?: number;
    /**
     * @description Begin with title, URL and dates as YAML.
     * @default false
     */
    front_matter?: boolean;
    /**
     * @description Write tables that Markdown cannot express as HTML.
     * @default false
     */
    html?: boolean;
    /**
     * @description `alt`: only the alternative text.
     * @default all
     */
    images?: "all" | "alt" | "none";
    /**
     * @description `reference`: the URLs are at the end. `text`: without URLs.
     * @default inline
     */
    links?: "inline" | "reference" | "text";
    /** @description Return no more than this many UTF-16 units, cut between blocks. The warning `content.more` then has the offset of the rest. */
    max_chars?: number;
   };
   /**
    * @description Read `text`, `markdown`, `links`, `images`, `metadata`, `html` and the tables of `structured` from the main content only, without navigation, sidebars, consent layers and the like. `scraper_data.main` says what it is.
    * @default false
    */
   only_main_content?: boolean;
  };
  /** @description What was read from the content of a stored scrape. */
  ReadingResult: {
   /** @description Of the cost of the model. */
   cost_unit: string;
   /** @description What is missing or incomplete in `scraper_data`. */
   errors: components["schemas"]["ErrorEntry"][];
   /**
    * Format: uuid
    * @description Id of the stored record.
    */
   id: string;
   /** @description The model that was asked; null: none was. */
   model: {
    calls: number;
    /** @description null: the model has no price. */
    cost: number | null;
    name: string;
    tokens_in: number;
    tokens_out: number;
   } | null;
   scraper_data: components["schemas"]["ScraperData"];
   warnings: components["schemas"]["WarningEntry"][];
  };
  /** @description Number of records by outcome. Every outcome is included. */
  RecordOutcomes: {
   blocked: number;
   failed: number;
   ok: number;
   partial: number;
   planned: number;
   target_error: number;
   unaccepted: number;
  };
  /** @description Reloads the page and waits for its `load` event. */
  ReloadAction: {
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "reload";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Removes every matching element from the page. */
  RemoveAction: {
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "remove";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  RouterAsk: {
   /** @description Your own definition of success. All conditions must be met. */
   accept?: {
    /** @description Text that the content must contain. Case-sensitive. */
    contains?: string;
    /** @description A JSONPath (RFC 9535) that must match in the JSON content. */
    json_path?: string;
    /**
     * @description Minimum size of the decoded content.
     * @default 0
     */
    min_bytes?: number;
    /** @description Text that the content must not contain. Case-sensitive. */
    not_contains?: string;
    /** @description A CSS selector that must match in the HTML or XML page. */
    selector?: string;
    /** @description The status of the page must be one of these. */
    status?: number[];
   };
   /**
    * @description If true, other methods may be tried after those in `order`.
    * @default true
    */
   allow_fallbacks?: boolean;
   /**
    * @default none
    */
   archive?: "none" | "har" | "warc";
   cache?: {
    /** @default 0 */
    max_age_ms?: number;
    /**
     * @default off
     */
    mode?: "off" | "use" | "refresh" | "only";
   };
   /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
   channels?: string[];
   compare_to?: components["schemas"]["CompareTo"];
   /**
    * @description Plan the request without fetching anything.
    * @default false
    */
   dry_run?: boolean;
   /** @description Proxy types that may be tried after the type in `proxy`, in this order. */
   escalate_proxy?: false | ("datacenter" | "residential" | "mobile")[];
   /**
    * @description Vendors get the credentials of the request: `Authorization`, cookies, user and password of the URL. If false, a request with credentials uses no vendor.
    * @default false
    */
   forward_credentials?: boolean;
   /** @description Never use these. */
   ignore?: string[];
   /** @description Default: 3 with `auto`, 1 with a named scraper. */
   max_attempts?: number;
   /** @description Maximum cost of all attempts together, in `cost_unit`. 0: only free methods. Methods without a price are not used. */
   max_cost?: number;
   /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
   notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
   /**
    * @description What to do with a block page. `return`: respond with 200 and the page. `fail`: respond with 502 `target.blocked`; the page is still included.
    * @default return
    */
   on_blocked?: "return" | "fail";
   /** @description Use only these. */
   only?: string[];
   /** @description Try these first, in this order: `scraper` or `scraper/proxy_type`. */
   order?: string[];
   /**
    * @description What the stored record keeps. `metadata`: everything except content and headers. `none`: little more than the outcome.
    * @default full
    */
   retain?: "full" | "metadata" | "none";
   /**
    * @description How to treat robots.txt (RFC 9309). `report`: read it and include the result. `respect`: respond with 403 `policy.robots` if it forbids the page. The operator can enforce a stricter setting.
    * @default ignore
    */
   robots?: "ignore" | "report" | "respect";
   /**
    * @description What `auto` optimises for.
    * @default balanced
    */
   sort?: "balanced" | "cheapest" | "fastest" | "reliable";
   /** @description Labels for finding the scrape later. Names and values have at most 64 characters. */
   tags?: {
    [key: string]: string;
   };
   /**
    * @description If false, `router` in the response has only the basic fields.
    * @default true
    */
   trace?: boolean;
   webhook?: components["schemas"]["Webhook"];
  };
  /** @description How the page was fetched. With `router.trace: false` only the first six fields are included. */
  RouterMeta: {
   attempts?: components["schemas"]["Attempt"][];
   body_type?: ("json" | "form" | "raw" | "binary" | "multipart") | null;
   cache?: {
    age_ms: number | null;
    hit: boolean;
   };
   candidates?: components["schemas"]["Candidate"][];
   /** @description false: the request set `return_content: false`, so that `content` is null although there may be one. Else absent. */
   content_returned?: boolean;
   /** @description Cost items; their sum is `request_cost`. Free items are left out. Empty if `request_cost` is null. */
   cost_details?: {
    /** @description null: of the model, which belongs to no attempt. */
    attempt: number | null;
    cost: number;
    item: "scraper" | "vendor" | "proxy_request" | "proxy_traffic" | "model_tokens_in" | "model_tokens_out";
    /** @description The scraper, proxy type or model. */
    name: string;
    /** @description Attempts, requests, bytes sent and received, or tokens. */
    quantity: number;
    /** @description Price per attempt, request, 10⁹ bytes or 10⁶ tokens. */
    unit_price: number;
   }[];
   /** @description Currency set by the operator, or `effort` if no prices are configured. */
   cost_unit?: string;
   /** @description Whether no proxy was used, so that the target saw the address of this service. `proxy_type` is the type that was asked for, `datacenter` by default. null: there was no attempt. */
   direct?: boolean | null;
   /** @description What was done, why, and what it cost, in a sentence or two of plain English. */
   explanation?: string;
   model?: {
    calls: number;
    /** @description null: the model has no price. */
    cost: number | null;
    name: string;
    tokens_in: number;
    tokens_out: number;
   } | null;
   outcome: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
   proxy_type: ("datacenter" | "residential" | "mobile" | "custom" | "none") | null;
   redirects?: {
    status_code: number | null;
    url: string;
   }[];
   remote_ip?: string | null;
   request_cost: number | null;
   /** @description Request headers as sent to the target, with secrets masked. */
   request_headers: {
    [key: string]: string;
   };
   requested_scraper?: ("auto" | "http" | "http_impersonate" | "browser" | "browser_stealth") | string;
   robots?: {
    /** @description User agent whose rules were applied. */
    agent: string;
    allowed: boolean | null;
    mode: "report" | "respect";
    rule: string | null;
    status_code: number | null;
    /** @description URL of the robots.txt file. */
    url: string;
   } | null;
   scraper: (("http" | "http_impersonate" | "browser" | "browser_stealth") | string) | null;
   /**
    * Format: date-time
    * @description When the work began. `created_at` of the record is when the request was accepted.
    */
   started_at?: string;
   stopped?: {
    message: string;
    reason: "max_attempts" | "timeout" | "max_cost" | "method" | "sort" | "refused_before" | "answered";
   } | null;
   timing?: {
    actions: number | null;
    connect: number | null;
    dns: number | null;
    download: number | null;
    load: number | null;
    pause: number | null;
    queue: number | null;
    read?: number | null;
    tls: number | null;
    total: number | null;
    ttfb: number | null;
    wait: number | null;
   };
   verdict?: {
    by?: string | null;
    confidence: number;
    kind: "ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty";
    signals: string[];
   } | null;
   warnings: components["schemas"]["WarningEntry"][];
  };
  /** @description Either `cron` or `every_s`. */
  Schedule: {
   /** @description Five fields, such as `0 8 * * 1-5`. */
   cron?: string;
   /** @description Instead of `cron`: seconds between runs. */
   every_s?: number;
   /**
    * @description Time zone of `cron`, such as Europe/Berlin.
    * @default UTC
    */
   timezone?: string;
  };
  ScheduledJob: {
   channels: string[];
   /** Format: date-time */
   created_at: string;
   /** @description null: none, or it was deleted. */
   dataset: string | null;
   /** @description What is sent of each run, with secrets masked. */
   export: components["schemas"]["ExportRequest"] | null;
   /** Format: uuid */
   id: string;
   jitter_s: number;
   /** @description The job, with secrets masked; of a batch with `urls` (the first 1,000) and `requests_total` instead of `requests`. */
   job: Record<string, unknown>;
   /** @description The last that has ended or was missed. null: none yet. */
   last_run: components["schemas"]["ScheduledJobLastRun"] | null;
   name: string;
   next_run_at: string | null;
   notify_on: ("changed" | "failed" | "done" | "person_needed")[];
   overlap: "skip" | "queue";
   pause_reason: ("asked" | "key" | "user") | null;
   schedule: components["schemas"]["Schedule"];
   state: "active" | "paused";
   /**
    * Format: uuid
    * @description The owner.
    */
   user_id: string;
  };
  /** @description `job` is replaced as a whole. A run under way goes on as it began. */
  ScheduledJobChange: {
   /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
   channels?: string[];
   /** @description null: none any more. */
   dataset?: string | null;
   /** @description null: nothing is exported any more. */
   export?: components["schemas"]["ExportRequest"] | null;
   /**
    * @description Spreads the runs of those with the same schedule over this time.
    * @default 0
    */
   jitter_s?: number;
   job?: components["schemas"]["JobOfSchedule"];
   name?: string;
   /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
   notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
   /**
    * @description A run that is due while the one before has not ended is missed (`skip`), or begins afterwards (`queue`); at most one waits.
    * @default skip
    */
   overlap?: "skip" | "queue";
   schedule?: components["schemas"]["Schedule"];
  };
  ScheduledJobLastRun: {
   /** @description Of the job; null: there is none, or no prices are configured. */
   cost: number | null;
   ended_at: string | null;
   /** @description Of the export of its results; `failed`: given up. null: none was made. */
   export_state: ("pending" | "sending" | "done" | "failed") | null;
   /** @description Items of the job that failed. */
   failed: number;
   /** @description null: there is no job, or none any more. */
   job_id: string | null;
   job_state: ("queued" | "running" | "paused" | "done" | "cancelled" | "failed") | null;
   n: number;
   /** @description Items of the job that are `ok`. */
   ok: number;
   /** @description As of the run. */
   reason: string | null;
   state: "ended" | "missed";
  };
  ScheduledJobList: {
   items: components["schemas"]["ScheduledJob"][];
   next_cursor: string | null;
  };
  ScheduledJobRequest: {
   /** @description Ids of your channels (`/api/v1/channels/`), by which people are told. */
   channels?: string[];
   /**
    * Format: uuid
    * @description Id of the dataset that gets the data of the results.
    */
   dataset?: string;
   export?: components["schemas"]["ExportRequest"];
   /**
    * @description Spreads the runs of those with the same schedule over this time.
    * @default 0
    */
   jitter_s?: number;
   job: components["schemas"]["JobOfSchedule"];
   name: string;
   /** @description What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version. */
   notify_on?: ("changed" | "failed" | "done" | "person_needed")[];
   /**
    * @description A run that is due while the one before has not ended is missed (`skip`), or begins afterwards (`queue`); at most one waits.
    * @default skip
    */
   overlap?: "skip" | "queue";
   schedule: components["schemas"]["Schedule"];
  };
  ScheduledJobRun: {
   /** Format: date-time */
   due_at: string;
   ended_at: string | null;
   /** @description Of the results; null: none was made. */
   export: components["schemas"]["Export"] | null;
   /** @description Items of the job that failed; 0 without a job. */
   failed: number;
   job_id: string | null;
   /** @description null: there is no such job, or none any more. */
   job_state: ("queued" | "running" | "paused" | "done" | "cancelled" | "failed") | null;
   /**
    * Format: date-time
    * @description The last of the due times that were missed in a row.
    */
   last_due_at: string;
   /** @description The error in words. */
   message: string | null;
   /** @description Due times from `due_at` to `last_due_at` that were missed; at most 10,080 are counted at once. */
   missed: number;
   /** @description Numbers grow, and may have gaps. */
   n: number;
   /** @description Items of the job that are `ok`; 0 without a job. */
   ok: number;
   /** @description Why the run was missed: `down` (the service did not run), `overlap`, `paused`, or the code of the error that did not let the job start, such as `limit.jobs` and `budget.exhausted`. Of a run whose job was deleted before its end: `request.not_found`. */
   reason: string | null;
   started_at: string | null;
   /**
    * @description `waiting`: for the end of the run before. `missed`: nothing ran, for `reason`. `ended`: its job has ended, whatever its state.
    */
   state: "waiting" | "running" | "ended" | "missed";
  };
  ScheduledJobRunList: {
   items: components["schemas"]["ScheduledJobRun"][];
   next_cursor: string | null;
  };
  ScrapeChange: {
   added: number;
   /** @description Unified diff. */
   diff: string | null;
   /** @description Of `extract`, `json` and `structured`: values that differ. A missing value is null. */
   fields: {
    after: unknown;
    before: unknown;
    path: string;
   }[];
   /** @description Of `screenshot`: the share of pixels that differ. */
   picture: {
    height: number;
    share: number;
    width: number;
   } | null;
   /** @description The scrape that was compared with. */
   previous_id: string | null;
   /** @description Why it is an error, such as `signed_out`. */
   reason: string | null;
   removed: number;
   /** @description Share of lines that are the same. */
   similarity: number;
   state: "first" | "same" | "changed" | "gone" | "back" | "error";
  };
  ScrapeList: {
   items: components["schemas"]["ScrapeSummary"][];
   /** @description Cursor of the next page. null on the last page. A short or empty page can still have a next one. */
   next_cursor: string | null;
  };
  /** @description Problem details (RFC 9457) of a failed scrape. Also has every field of the scrape response. */
  ScrapeProblem: {
   code: components["schemas"]["ErrorCode"];
   content: string | null;
   content_encoding: ("utf-8" | "base64") | null;
   cookies: components["schemas"]["Cookie"][];
   detail: string;
   errors: components["schemas"]["ErrorEntry"][];
   final_url: string | null;
   /** @description Names in lower case; repeated headers are joined. */
   headers: {
    [key: string]: string;
   };
   id: string | null;
   request_id: string;
   retryable: boolean;
   router: components["schemas"]["RouterMeta"];
   scraper_data: components["schemas"]["ScraperData"];
   screenshot_url: string | null;
   status: number;
   /** @description Status of the target's response. */
   status_code: number | null;
   title: string;
   /** @description `{base_url}/api/v1/errors/#<code>` */
   type: string;
  };
  /** @description What a running scrape does now: `data` of an event `progress`. */
  ScrapeProgress: {
   /** @description The page action that runs in the phase `action`. null in other phases. */
   action: {
    /** @description Its number in `page_actions`, from 1. Actions in a branch of an `if` have the number of the `if`. */
    n: number;
    /** @description Number of `page_actions`. */
    of: number;
    type: string;
   } | null;
   /** @description The attempt that runs, or that begins after the wait. null: not known yet. */
   attempt: {
    n: number;
    /** @description The most attempts that there may be. */
    of: number;
    proxy_type: string;
    scraper: string;
   } | null;
   /** @description Time since the request had been received. */
   elapsed_ms: number;
   /**
    * @description `fetching`: the page is fetched; in a browser it also loads. `reading`: the response is judged, and formats and data are read from it.
    */
   phase: "waiting" | "fetching" | "action" | "reading";
   /** @description What a scrape that is `waiting` waits for. `other_request`: an equal request, whose first attempt shows which method works; `site`: its turn at the site: a free slot, or the end of a pause that the site asked for; `retry`: the pause before the same method is tried again; `proxy`: a free proxy; `browser`: a free slot of a browser, or for the browser to start; `worker`: a worker to take the scrape. null in other phases. */
   waiting_for: ("other_request" | "site" | "retry" | "proxy" | "browser" | "worker") | null;
  };
  /** @description The requested formats and extracted data. null if the page has none. */
  ScraperData: {
   /** @description Results of all page actions in order. For an `if`, only the actions of the branch that was run are included. */
   actions?: components["schemas"]["ActionResult"][];
   change?: components["schemas"]["ScrapeChange"];
   charset?: {
    name: string;
    source: string;
   };
   document?: components["schemas"]["DocumentInfo"];
   /** @description The page itself, if it was sent as an attachment, and the files that actions saved. */
   downloads?: components["schemas"]["Download"][];
   /** @description Extracted values by rule name: a string, number, boolean or object, a list of these, or null if nothing matched. */
   extract?: {
    [key: string]: unknown;
   } | null;
   /** @description The template whose rules were used, and its version. */
   extract_template?: {
    name: string;
    version: number;
   };
   feed?: components["schemas"]["Feed"] | null;
   html?: string | null;
   images?: components["schemas"]["PageImage"][] | null;
   json?: components["schemas"]["JsonResult"] | null;
   links?: components["schemas"]["PageLink"][] | null;
   main?: components["schemas"]["MainContent"] | null;
   /** @description The main content as HTML without scripts, styles and classes. */
   main_html?: string | null;
   /** @description CommonMark with tables of GFM. */
   markdown?: string | null;
   metadata?: components["schemas"]["PageMetadata"] | null;
   /** @description Requests that match `capture`, in the order the page sent them. Each redirect is an entry of its own. */
   network?: components["schemas"]["CapturedExchange"][];
   /** @description The printed page. null if it could not be printed. */
   pdf?: {
    bytes: number;
    pages: number;
    url: string | null;
   } | null;
   structured?: components["schemas"]["StructuredData"] | null;
   text?: string | null;
   vendor?: components["schemas"]["VendorUse"];
  };
  /** @description A stored scrape. Parts that were not kept are null or empty. */
  ScrapeRecord: {
   content: string | null;
   content_encoding: ("utf-8" | "base64") | null;
   cookies: components["schemas"]["Cookie"][];
   errors: components["schemas"]["ErrorEntry"][];
   final_url: string | null;
   /** @description Names in lower case; repeated headers are joined. */
   headers: {
    [key: string]: string;
   };
   /**
    * Format: uuid
    * @description Id of the stored record.
    */
   id: string;
   router: {
    attempts?: components["schemas"]["Attempt"][];
    body_type?: ("json" | "form" | "raw" | "binary" | "multipart") | null;
    cache?: {
     age_ms: number | null;
     hit: boolean;
    };
    candidates?: components["schemas"]["Candidate"][];
    /** @description false: the request set `return_content: false`, so that `content` is null although there may be one. Else absent. */
    content_returned?: boolean;
    /** @description Cost items; their sum is `request_cost`. Free items are left out. Empty if `request_cost` is null. */
    cost_details?: {
     /** @description null: of the model, which belongs to no attempt. */
     attempt: number | null;
     cost: number;
     item: "scraper" | "vendor" | "proxy_request" | "proxy_traffic" | "model_tokens_in" | "model_tokens_out";
     /** @description The scraper, proxy type or model. */
     name: string;
     /** @description Attempts, requests, bytes sent and received, or tokens. */
     quantity: number;
     /** @description Price per attempt, request, 10⁹ bytes or 10⁶ tokens. */
     unit_price: number;
    }[];
    /** @description Currency set by the operator, or `effort` if no prices are configured. */
    cost_unit?: string;
    /** Format: date-time */
    created_at: string;
    /** @description Whether no proxy was used, so that the target saw the address of this service. `proxy_type` is the type that was asked for, `datacenter` by default. null: there was no attempt. */
    direct?: boolean | null;
    /** @description What was done, why, and what it cost, in a sentence or two of plain English. */
    explanation?: string;
    /** @description Status of the response to the caller. null if the caller disconnected, or it was not stored. */
    http_status: number | null;
    /** @description The job that it is an item of; null: none. Only of a single record. */
    job_id?: string | null;
    /** @description Id of the API key used. null for a session of the dashboard. */
    key_id: string | null;
    model?: {
     calls: number;
     /** @description null: the model has no price. */
     cost: number | null;
     name: string;
     tokens_in: number;
     tokens_out: number;
    } | null;
    /** @description The run of a monitor that it belongs to; null: none. Only of a single record. */
    monitor?: {
     /** Format: uuid */
     id: string;
     n: number;
    } | null;
    outcome: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
    proxy_type: ("datacenter" | "residential" | "mobile" | "custom" | "none") | null;
    redirects?: {
     status_code: number | null;
     url: string;
    }[];
    remote_ip?: string | null;
    request_cost: number | null;
    /** @description Request headers as sent to the target, with secrets masked. */
    request_headers: {
     [key: string]: string;
    };
    requested_scraper?: ("auto" | "http" | "http_impersonate" | "browser" | "browser_stealth") | string;
    robots?: {
     /** @description User agent whose rules were applied. */
     agent: string;
     allowed: boolean | null;
     mode: "report" | "respect";
     rule: string | null;
     status_code: number | null;
     /** @description URL of the robots.txt file. */
     url: string;
    } | null;
    scraper: (("http" | "http_impersonate" | "browser" | "browser_stealth") | string) | null;
    /**
     * Format: date-time
     * @description When the work began. `created_at` of the record is when the request was accepted.
     */
    started_at?: string;
    stopped?: {
     message: string;
     reason: "max_attempts" | "timeout" | "max_cost" | "method" | "sort" | "refused_before" | "answered";
    } | null;
    timing?: {
     actions: number | null;
     connect: number | null;
     dns: number | null;
     download: number | null;
     load: number | null;
     pause: number | null;
     queue: number | null;
     read?: number | null;
     tls: number | null;
     total: number | null;
     ttfb: number | null;
     wait: number | null;
    };
    /**
     * Format: uuid
     * @description Owner of the scrape. Only in sessions of administrators.
     */
    user_id?: string;
    verdict?: {
     by?: string | null;
     confidence: number;
     kind: "ok" | "js_shell" | "challenge" | "captcha" | "block" | "wall" | "rate" | "error_page" | "net" | "empty";
     signals: string[];
    } | null;
    warnings: components["schemas"]["WarningEntry"][];
   };
   scraper_data: components["schemas"]["ScraperData"];
   screenshot_url: string | null;
   /** @description Status of the target's response. */
   status_code: number | null;
  };
  ScrapeRequest: {
   /**
    * @description Follow redirects. If false, the redirect response is the result.
    * @default true
    */
   allow_redirects?: boolean;
   /**
    * @description Browser to use (default: `chromium`). Browser only.
    */
   browser_type?: "chromium" | "firefox" | "webkit" | "chrome" | "msedge" | "edge";
   /** @description Cookies for the host of the URL: `{name: value}`, or an array of objects, `[name, value]` or `"name=value"`. Null leaves a cookie out. */
   cookies?: {
    [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
   } | ({
    /** @description `hasCrossSiteAncestor` of `partitionKey`. */
    _crHasCrossSiteAncestor?: boolean;
    domain?: string;
    /** @description The same as `expires`. */
    expirationDate?: number;
    /** @description Unix time in seconds. -1: a session cookie, kept until the scrape ends. */
    expires?: number;
    /** @description The same as `expires`. */
    expiry?: number;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    firstPartyDomain?: string;
    /** @description true: subdomains of `domain` are excluded. */
    hostOnly?: boolean;
    http_only?: boolean;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    id?: number | string;
    name: string;
    /** @description The site of the top-level page that the cookie is for, such as `https://example.com`. */
    partitionKey?: string | {
     hasCrossSiteAncestor?: boolean;
     sourceOrigin?: string;
     topLevelSite?: string;
    };
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    partitionKeyOpaque?: boolean;
    path?: string;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    priority?: string;
    /** @description `strict`, `lax` or `none`, in any letter case. */
    same_site?: string;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    sameParty?: boolean;
    secure?: boolean;
    /** @description true: a session cookie, whatever `expires` says. */
    session?: boolean;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    size?: number;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    sourcePort?: number;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    sourceScheme?: string;
    /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
    storeId?: string;
    value: (string | number | boolean) | null;
   } | [
    string,
    (string | number | boolean) | null
   ] | string)[];
   /** @description The request body. Sluice detects JSON, form or raw text. To choose the format yourself, use `$json`, `$form`, `$raw`, `$base64` or `$multipart`. */
   data?: unknown;
   /** @description Request headers, sent in this order: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"Name: value"`. An array as the value repeats the header; null leaves it out. */
   headers?: {
    [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
   } | ({
    name: string;
    value: (string | number | boolean) | null;
   } | [
    string,
    (string | number | boolean) | null
   ] | string)[];
   /**
    * @description Run the browser without a window. Browser only.
    * @default true
    */
   headless?: boolean;
   /**
    * @description GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.
    * @default GET
    */
   method?: string;
   /** @description Actions to run in the page, in order. Browser only. */
   page_actions?: components["schemas"]["PageAction"][];
   /**
    * @description `datacenter`, `residential`, `mobile`, a proxy URL (`host:port:user:password` works too), or an object.
    * @default datacenter
    */
   proxy?: string | components["schemas"]["ProxySettings"];
   /** @description Appended to the query string of the URL: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"name=value"`. An array as the value repeats the name; null leaves it out. Values are percent-encoded. */
   query?: {
    [key: string]: string | number | boolean | null | ((string | number | boolean) | null)[];
   } | ({
    name: string;
    value: (string | number | boolean) | null;
   } | [
    string,
    (string | number | boolean) | null
   ] | string)[];
   /** @description Routing options. A string is shorthand for `sort`. */
   router?: ("balanced" | "cheapest" | "fastest" | "reliable") | components["schemas"]["RouterAsk"];
   /**
    * @description `auto` picks the cheapest scraper likely to work, and falls back to others if it fails.
    * @default auto
    */
   scraper?: ("auto" | "http" | "http_impersonate" | "browser" | "browser_stealth") | string;
   scraper_options?: components["schemas"]["ScraperOptions"];
   /**
    * @description Take a screenshot. Browser only.
    * @default false
    */
   screenshot?: boolean;
   /**
    * @description Time limit for the whole request: queueing, all attempts and waits.
    * @default 60000
    */
   timeout_ms?: number;
   /** @description Absolute `http:` or `https:` URL, at most 8,192 characters. */
   url: string;
   /**
    * @description Load state to wait for (default: `load`). Browser only.
    */
   wait_for_load_state?: "load" | "domcontentloaded" | "networkidle" | "commit" | "networkidle0" | "networkidle2" | "complete";
   /** @description Wait until this element is visible: a CSS selector, `xpath=…` or `text=…`. `scraper_options.wait_for_selector_state` sets another state to wait for. Browser only. */
   wait_for_selector?: string;
   /** @description Additional fixed wait, after the other waits. Browser only. */
   wait_for_timeout_ms?: number;
  };
  ScrapeResponse: {
   content: string | null;
   content_encoding: ("utf-8" | "base64") | null;
   cookies: components["schemas"]["Cookie"][];
   errors: components["schemas"]["ErrorEntry"][];
   final_url: string | null;
   /** @description Names in lower case; repeated headers are joined. */
   headers: {
    [key: string]: string;
   };
   /**
    * Format: uuid
    * @description Id of the stored record.
    */
   id: string;
   router: components["schemas"]["RouterMeta"];
   scraper_data: components["schemas"]["ScraperData"];
   screenshot_url: string | null;
   /** @description Status of the target's response. */
   status_code: number | null;
  };
  /** @description Options of the scraper. */
  ScraperOptions: {
   /** @description Sub-resources to block. */
   block?: {
    /** @default false */
    ads?: boolean;
    resource_types?: ("stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "other")[];
    url_patterns?: string[];
   };
   /** @description Records the requests of the page that match one of these filters, in `scraper_data.network`: at most 500 requests and 5 MiB. Covers the page and its same-site frames, but not workers or cross-site frames. */
   capture?: {
    /**
     * @description Include the response bodies.
     * @default false
     */
    body?: boolean;
    method?: string;
    resource_type?: "document" | "stylesheet" | "image" | "media" | "font" | "script" | "texttrack" | "xhr" | "fetch" | "eventsource" | "manifest" | "other";
    /** @description A Playwright glob that must match the whole URL: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either. */
    url: string;
   }[];
   /**
    * @description Value of the `prefers-color-scheme` media feature.
    */
   color_scheme?: "light" | "dark" | "no-preference";
   /**
    * @description `base64` returns the raw bytes, whatever the content type. `auto` returns text as UTF-8 and everything else as base64.
    * @default auto
    */
   content_encoding?: "auto" | "base64";
   /**
    * @description Emulates this device from the list of Playwright: screen size, touch and `User-Agent`.
    */
   device?: "Blackberry PlayBook" | "Blackberry PlayBook landscape" | "BlackBerry Z30" | "BlackBerry Z30 landscape" | "Galaxy Note 3" | "Galaxy Note 3 landscape" | "Galaxy Note II" | "Galaxy Note II landscape" | "Galaxy S III" | "Galaxy S III landscape" | "Galaxy S5" | "Galaxy S5 landscape" | "Galaxy S8" | "Galaxy S8 landscape" | "Galaxy S9+" | "Galaxy S9+ landscape" | "Galaxy S24" | "Galaxy S24 landscape" | "Galaxy A55" | "Galaxy A55 landscape" | "Galaxy Tab S4" | "Galaxy Tab S4 landscape" | "Galaxy Tab S9" | "Galaxy Tab S9 landscape" | "Galaxy Z Fold 6" | "Galaxy Z Fold 6 landscape" | "Galaxy Z Fold 6 Cover" | "Galaxy Z Fold 6 Cover landscape" | "Galaxy Z Fold 7" | "Galaxy Z Fold 7 landscape" | "Galaxy Z Fold 7 Cover" | "Galaxy Z Fold 7 Cover landscape" | "Galaxy Z Flip 6" | "Galaxy Z Flip 6 landscape" | "Galaxy Z Flip 6 Cover" | "Galaxy Z Flip 6 Cover landscape" | "Galaxy Z Flip 7" | "Galaxy Z Flip 7 landscape" | "Galaxy Z Flip 7 Cover" | "Galaxy Z Flip 7 Cover landscape" | "iPad (gen 5)" | "iPad (gen 5) landscape" | "iPad (gen 6)" | "iPad (gen 6) landscape" | "iPad (gen 7)" | "iPad (gen 7) landscape" | "iPad (gen 11)" | "iPad (gen 11) landscape" | "iPad Mini" | "iPad Mini landscape" | "iPad Pro 11" | "iPad Pro 11 landscape" | "iPhone 6" | "iPhone 6 landscape" | "iPhone 6 Plus" | "iPhone 6 Plus landscape" | "iPhone 7" | "iPhone 7 landscape" | "iPhone 7 Plus" | "iPhone 7 Plus landscape" | "iPhone 8" | "iPhone 8 landscape" | "iPhone 8 Plus" | "iPhone 8 Plus landscape" | "iPhone SE" | "iPhone SE landscape" | "iPhone SE (3rd gen)" | "iPhone SE (3rd gen) landscape" | "iPhone X" | "iPhone X landscape" | "iPhone XR" | "iPhone XR landscape" | "iPhone 11" | "iPhone 11 landscape" | "iPhone 11 Pro" | "iPhone 11 Pro landscape" | "iPhone 11 Pro Max" | "iPhone 11 Pro Max landscape" | "iPhone 12" | "iPhone 12 landscape" | "iPhone 12 Pro" | "iPhone 12 Pro landscape" | "iPhone 12 Pro Max" | "iPhone 12 Pro Max landscape" | "iPhone 12 Mini" | "iPhone 12 Mini landscape" | "iPhone 13" | "iPhone 13 landscape" | "iPhone 13 Pro" | "iPhone 13 Pro landscape" | "iPhone 13 Pro Max" | "iPhone 13 Pro Max landscape" | "iPhone 13 Mini" | "iPhone 13 Mini landscape" | "iPhone 14" | "iPhone 14 landscape" | "iPhone 14 Plus" | "iPhone 14 Plus landscape" | "iPhone 14 Pro" | "iPhone 14 Pro landscape" | "iPhone 14 Pro Max" | "iPhone 14 Pro Max landscape" | "iPhone 15" | "iPhone 15 landscape" | "iPhone 15 Plus" | "iPhone 15 Plus landscape" | "iPhone 15 Pro" | "iPhone 15 Pro landscape" | "iPhone 15 Pro Max" | "iPhone 15 Pro Max landscape" | "iPhone 16" | "iPhone 16 landscape" | "iPhone 16 Plus" | "iPhone 16 Plus landscape" | "iPhone 16 Pro" | "iPhone 16 Pro landscape" | "iPhone 16 Pro Max" | "iPhone 16 Pro Max landscape" | "iPhone 16e" | "iPhone 16e landscape" | "iPhone 17" | "iPhone 17 landscape" | "iPhone Air" | "iPhone Air landscape" | "iPhone 17 Pro" | "iPhone 17 Pro landscape" | "iPhone 17 Pro Max" | "iPhone 17 Pro Max landscape" | "iPhone 17e" | "iPhone 17e landscape" | "Kindle Fire HDX" | "Kindle Fire HDX landscape" | "LG Optimus L70" | "LG Optimus L70 landscape" | "Microsoft Lumia 550" | "Microsoft Lumia 550 landscape" | "Microsoft Lumia 950" | "Microsoft Lumia 950 landscape" | "Nexus 10" | "Nexus 10 landscape" | "Nexus 4" | "Nexus 4 landscape" | "Nexus 5" | "Nexus 5 landscape" | "Nexus 5X" | "Nexus 5X landscape" | "Nexus 6" | "Nexus 6 landscape" | "Nexus 6P" | "Nexus 6P landscape" | "Nexus 7" | "Nexus 7 landscape" | "Nokia Lumia 520" | "Nokia Lumia 520 landscape" | "Nokia N9" | "Nokia N9 landscape" | "Pixel 2" | "Pixel 2 landscape" | "Pixel 2 XL" | "Pixel 2 XL landscape" | "Pixel 3" | "Pixel 3 landscape" | "Pixel 4" | "Pixel 4 landscape" | "Pixel 4a (5G)" | "Pixel 4a (5G) landscape" | "Pixel 5" | "Pixel 5 landscape" | "Pixel 6" | "Pixel 6 landscape" | "Pixel 6 Pro" | "Pixel 6 Pro landscape" | "Pixel 6a" | "Pixel 6a landscape" | "Pixel 7" | "Pixel 7 landscape" | "Pixel 7 Pro" | "Pixel 7 Pro landscape" | "Pixel 7a" | "Pixel 7a landscape" | "Pixel 8" | "Pixel 8 landscape" | "Pixel 8 Pro" | "Pixel 8 Pro landscape" | "Pixel 8a" | "Pixel 8a landscape" | "Pixel 9" | "Pixel 9 landscape" | "Pixel 9 Pro" | "Pixel 9 Pro landscape" | "Pixel 9 Pro XL" | "Pixel 9 Pro XL landscape" | "Pixel 10" | "Pixel 10 landscape" | "Pixel 10 Pro" | "Pixel 10 Pro landscape" | "Pixel 10 Pro XL" | "Pixel 10 Pro XL landscape" | "Moto G4" | "Moto G4 landscape" | "Desktop Chrome HiDPI" | "Desktop Edge HiDPI" | "Desktop Firefox HiDPI" | "Desktop Safari" | "Desktop Chrome" | "Desktop Edge" | "Desktop Firefox";
   /** @description Rules by name, or `template:<name>` for those of a template. */
   extract?: {
    [key: string]: components["schemas"]["ExtractRule"];
   } | string;
   /** @description Extra outputs, returned in `scraper_data` under the same names; null if the page has none. `html`: the decoded document. `text`: the visible text, with line breaks between blocks and tabs between table cells. `links`: all links. `metadata`: title, description, Open Graph, JSON-LD and more. `markdown`: the page as Markdown. `main_html`: the main content as clean HTML. `structured`: JSON-LD, microdata, RDFa, tables, and what they describe. `images`: the images of the page. `feed`: the entries of a feed or sitemap. `json`: your schema filled, see the option `json`. `pdf`: the page printed, which takes a browser. */
   formats?: ("html" | "text" | "links" | "metadata" | "markdown" | "main_html" | "structured" | "images" | "feed" | "json" | "pdf")[];
   /** @description The position that the page gets from the Geolocation API. Permission is granted to every page of the scrape. */
   geolocation?: {
    /**
     * @description Accuracy in metres.
     * @default 0
     */
    accuracy?: number;
    latitude: number;
    longitude: number;
   };
   /**
    * @description `true`: HTTP/2 only. `false`: HTTP/1.1 only. `auto`: negotiated with the target.
    * @default auto
    */
   http2?: "auto" | boolean;
   /**
    * @description Browser to imitate (default: `chrome`). A name without a version means the newest version listed. With `auto`, only `http_impersonate` is used.
    */
   impersonate?: "chrome" | "firefox" | "safari" | "edge" | "chrome_149" | "chrome_148" | "chrome_147" | "chrome_146" | "chrome_145" | "chrome_144" | "chrome_143" | "chrome_142" | "chrome_141" | "chrome_140" | "firefox_151" | "firefox_150" | "firefox_149" | "firefox_148" | "firefox_147" | "firefox_146" | "firefox_145" | "firefox_144" | "firefox_143" | "firefox_142" | "safari_26_4" | "safari_26_3" | "safari_26_2" | "safari_26_1" | "safari_26" | "safari_18_5" | "safari_ios_26_2" | "safari_ios_26" | "edge_148" | "edge_147" | "edge_146" | "edge_145" | "edge_144" | "edge_143" | "edge_142" | "edge_141" | "edge_140";
   /**
    * @description Run the scripts of the page.
    * @default true
    */
   javascript?: boolean;
   /** @description Fills your JSON Schema with what the page says. Setting `schema` or `prompt` also asks for the format `json`. Nothing is invented: what the page does not say is listed in `missing`. */
   json?: {
    /**
     * @description Each source also has the text of the page as `quote`.
     * @default false
     */
    evidence?: boolean;
    /**
     * @description What the model gets of the page. `structured`: only the structured data and tables of the page, which are then also all that is read without a model.
     * @default markdown
     */
    from?: "markdown" | "html" | "text" | "structured";
    /**
     * @description `auto`: the model of the operator, if there is one, looks for what the page does not say in its data and labels. `always`: it looks for everything; without a model the request is refused.
     * @default auto
     */
    model?: "auto" | "always" | "never";
    /** @description What to find, in words. Needs a model. With a schema, it explains the schema. */
    prompt?: string;
    /** @description A JSON Schema (2020-12), at most 32,768 characters: the data to find. */
    schema?: Record<string, unknown>;
   };
   /** @description A language tag such as `de-CH`. Sets `Accept-Language`, `navigator.language` and number formats. */
   locale?: string;
   /** @description What the main content is, for `only_main_content` and `main_html`. `scraper_data.main` says what it is. */
   main_content?: {
    /** @description CSS selectors of what does not belong to the main content. */
    exclude?: string[];
    /** @description CSS selectors of what is the main content. It is not searched for then. */
    include?: string[];
    /**
     * @description `page`: `links` and `images` are those of the page without its header, navigation, asides, footer and layers, whatever its main content is.
     * @default content
     */
    links_from?: "content" | "page";
    /**
     * @description Only in crawls: text that is on most pages of a host is left out of the main content, once the crawl has seen it on three pages.
     * @default false
     */
    site_boilerplate?: boolean;
   };
   /** @description How the Markdown is written. Setting any of these also asks for the format `markdown`. */
   markdown?: {
    /**
     * @description Where to begin, as `content.more` said.
     * @default 0
     */
    content_offset?: number;
    /**
     * @description Begin with title, URL and dates as YAML.
     * @default false
     */
    front_matter?: boolean;
    /**
     * @description Write tables that Markdown cannot express as HTML.
     * @default false
     */
    html?: boolean;
    /**
     * @description `alt`: only the alternative text.
     * @default all
     */
    images?: "all" | "alt" | "none";
    /**
     * @description `reference`: the URLs are at the end. `text`: without URLs.
     * @default inline
     */
    links?: "inline" | "reference" | "text";
    /** @description Return no more than this many UTF-16 units, cut between blocks. The warning `content.more` then has the offset of the rest. */
    max_chars?: number;
   };
   /**
    * @description Longer content is truncated. Counted after decompression.
    * @default 10485760
    */
   max_content_bytes?: number;
   /**
    * @description The scrape fails after this many redirects.
    * @default 20
    */
   max_redirects?: number;
   /**
    * @description Read `text`, `markdown`, `links`, `images`, `metadata`, `html` and the tables of `structured` from the main content only, without navigation, sidebars, consent layers and the like. `scraper_data.main` says what it is.
    * @default false
    */
   only_main_content?: boolean;
   /** @description How the page is printed. Setting any of them also asks for the format `pdf`. The file is in `scraper_data.pdf`, at most 50 MiB. Browser only. */
   pdf?: {
    /**
     * @description Paper size.
     * @default Letter
     */
    format?: "Letter" | "Legal" | "Tabloid" | "Ledger" | "A0" | "A1" | "A2" | "A3" | "A4" | "A5" | "A6";
    /** @default false */
    landscape?: boolean;
    /** @description Margins of the paper (default: none). */
    margin?: {
     bottom?: number | string;
     left?: number | string;
     right?: number | string;
     top?: number | string;
    };
    /**
     * @description Media type of the style sheets.
     * @default print
     */
    media?: "print" | "screen";
    /**
     * @description Make an outline of the headings.
     * @default false
     */
    outline?: boolean;
    /** @description Pages to print, such as `1-3, 5` (default: all). */
    page_ranges?: string;
    /**
     * @description Print background graphics.
     * @default false
     */
    print_background?: boolean;
    /** @default 1 */
    scale?: number;
    /**
     * @description Make a tagged (accessible) PDF.
     * @default false
     */
    tagged?: boolean;
   };
   /** @description A profile, by its name or as an object: cookies, localStorage and IndexedDB that are kept under a name. HTTP clients use its cookies alone. The key needs the scope `profiles`. */
   profile?: string | {
    /** @description must be the name of a profile */
    name: string;
    /**
     * @description If the site asks to log in, log in with the credentials of the profile, once, in a browser, and ask for the page again.
     * @default false
     */
    relogin?: boolean;
    /**
     * @description Whether cookies and storage that the site renews are kept after a good page.
     * @default on_success
     */
    save?: "never" | "on_success";
   };
   /**
    * @description Value of the `prefers-reduced-motion` media feature.
    */
   reduced_motion?: "reduce" | "no-preference";
   /**
    * @description `false`: `content` and `content_encoding` are null in the answer, in results of jobs and in messages to webhooks. The record keeps the content: `/api/v1/scrape/{id}/content/` and `…/read/` have it.
    * @default true
    */
   return_content?: boolean;
   /** @description Screenshot settings. Setting any of them also takes the screenshot. At most 16,384 pixels per side (WebP: 16,383) and 50 megapixels; a larger screenshot is cropped at the right and bottom, with the warning `screenshot.clamped`. */
   screenshot?: {
    /**
     * @description Capture the whole page, not just the visible part.
     * @default false
     */
    full_page?: boolean;
    /** @description Quality of JPEG and WebP images. */
    quality?: number;
    /** @description Capture only this element. Same syntax as `wait_for_selector`. */
    selector?: string;
    /**
     * @default png
     */
    type?: "png" | "jpeg" | "webp";
   };
   /** @description Cookies, `localStorage` and IndexedDB to set before the page loads, in the storage state format of Playwright. */
   storage_state?: {
    cookies?: {
     /** @description `hasCrossSiteAncestor` of `partitionKey`. */
     _crHasCrossSiteAncestor?: boolean;
     /** @description With a leading dot, subdomains are included. */
     domain: string;
     /** @description The same as `expires`. */
     expirationDate?: number;
     /** @description Unix time in seconds. -1: a session cookie, kept until the scrape ends. */
     expires?: number;
     /** @description The same as `expires`. */
     expiry?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     firstPartyDomain?: string;
     /** @description true: subdomains of `domain` are excluded. */
     hostOnly?: boolean;
     httpOnly?: boolean;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     id?: number | string;
     name: string;
     /** @description The site of the top-level page that the cookie is for, such as `https://example.com`. */
     partitionKey?: string | {
      hasCrossSiteAncestor?: boolean;
      sourceOrigin?: string;
      topLevelSite?: string;
     };
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     partitionKeyOpaque?: boolean;
     path: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     priority?: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sameParty?: boolean;
     /** @description `Strict`, `Lax` or `None`, in any letter case. */
     sameSite?: string;
     secure?: boolean;
     /** @description true: a session cookie, whatever `expires` says. */
     session?: boolean;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     size?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sourcePort?: number;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     sourceScheme?: string;
     /** @description Describes the browser that the cookie was exported from. Accepted, and changes nothing. */
     storeId?: string;
     value: string;
    }[];
    origins?: {
     indexedDB?: {
      name: string;
      stores: {
       autoIncrement: boolean;
       indexes: {
        keyPath?: string;
        keyPathArray?: string[];
        multiEntry: boolean;
        name: string;
        unique: boolean;
       }[];
       keyPath?: string;
       keyPathArray?: string[];
       name: string;
       records: {
        key?: unknown;
        keyEncoded?: unknown;
        value?: unknown;
        valueEncoded?: unknown;
       }[];
      }[];
      version: number;
     }[];
     localStorage: {
      name: string;
      value: string;
     }[];
     origin: string;
    }[];
   };
   /** @description An IANA time zone such as `Europe/Berlin`. */
   timezone?: string;
   /** @description The `User-Agent` header. If `headers` has one too, that one is sent. */
   user_agent?: string;
   /**
    * @description Verify the TLS certificate of the target. If false, invalid certificates are accepted.
    * @default true
    */
   verify_tls?: boolean;
   /** @description Viewport size in CSS pixels (default: 1280 × 720). Overrides the values of `device`. */
   viewport?: {
    device_scale_factor?: number;
    height?: number;
    /** @description Use the `<meta name="viewport">` of the page, and enable touch. */
    is_mobile?: boolean;
    width?: number;
   };
   /**
    * @description State that `wait_for_selector` waits for (default: `visible`).
    */
   wait_for_selector_state?: "visible" | "attached" | "hidden" | "detached";
  };
  ScrapeSummary: {
   content_bytes: number | null;
   /** Format: date-time */
   created_at: string;
   /** @description Whether no proxy was used. null: there was no attempt, or it is not stored. */
   direct: boolean | null;
   duration_ms: number;
   error_code: string | null;
   has_screenshot: boolean;
   host: string;
   http_status: number | null;
   /** Format: uuid */
   id: string;
   key_id: string | null;
   method: string | null;
   outcome: "planned" | "failed" | "blocked" | "unaccepted" | "partial" | "target_error" | "ok";
   proxy_type: string | null;
   request_cost: number | null;
   requested_scraper: string | null;
   scraper: string | null;
   /** @description Size of the stored screenshot. null: there is none. */
   screenshot_bytes: number | null;
   status_code: number | null;
   tags: {
    [key: string]: string;
   };
   url: string | null;
   /**
    * Format: uuid
    * @description Owner of the scrape. Only in sessions of administrators.
    */
   user_id?: string;
  };
  ScrapeTotals: {
   /** @description Total size of their contents. */
   content_bytes: number;
   /** @description Total of `request_cost`, in the unit that the prices had when each scrape ran. null if none has a cost. */
   cost: number | null;
   /** @description Currency set by the operator, or `effort` if no prices are configured. */
   cost_unit: string;
   /** @description Continues with the older records. null if all were examined. */
   next_cursor: string | null;
   outcomes: components["schemas"]["RecordOutcomes"];
   /** @description Records that match, dry runs included. */
   scrapes: number;
   /** @description Older records were not examined. null: all were. */
   searched_to: string | null;
   /** @description Length of a step. */
   step_seconds: number;
   /** @description Steps in which matching scrapes began, oldest first; at most 120. */
   steps: {
    /**
     * Format: date-time
     * @description Start of the step.
     */
    at: string;
    outcomes: components["schemas"]["RecordOutcomes"];
   }[];
   /** @description Records without a `request_cost`. */
   unpriced: number;
  };
  /** @description Takes a PNG screenshot of the viewport, the whole page or an element. `result` is `{name, url, width, height, type}`. */
  ScreenshotAction: {
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @default false */
   full_page?: boolean;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   name?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector?: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "screenshot";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Scrolls the page, or `container`: to the top or bottom, to a position, or until an element is in view. */
  ScrollAction: {
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   container?: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector?: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   to?: "top" | "bottom";
   /**
    */
   type: "scroll";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
   /** @description Pixels from the left edge of the viewport. */
   x?: number;
   /** @description Pixels from the top edge of the viewport. */
   y?: number;
  };
  /** @description Selects options of a `<select>`. `result.values` lists the selected values. */
  SelectAction: {
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   label?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "select";
   value?: string;
   values?: string[];
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  SiteLimits: {
   /** @description What attempts may cost on a day (UTC), in `cost_unit`. 0: nothing is fetched. */
   budget_day: number | null;
   /** @description The same of a month (UTC). */
   budget_month: number | null;
   /** @description Attempts that may run at once. It goes before `SLUICE_SITE_CONCURRENCY`. */
   concurrency: number | null;
   /** @description Currency set by the operator, or `effort` if no prices are configured. */
   cost_unit: string;
   /** @description Time between the starts of two attempts. */
   delay_ms: number | null;
   /** @description Without the port: the limits hold for all its ports together. */
   host: string;
   /** @description Spent by all users since 00:00 UTC, with the prices of attempts that run. null: the caller may not see that, or no prices are configured. */
   spent_day: number | null;
   /** @description The same since the first day of the month. */
   spent_month: number | null;
  };
  /** @description What is left out stays unchanged; null removes a limit. */
  SiteLimitsPatch: {
   /** @description What attempts may cost on a day (UTC), in `cost_unit`. 0: nothing is fetched. */
   budget_day?: number | null;
   /** @description The same of a month (UTC). */
   budget_month?: number | null;
   /** @description Attempts that may run at once. It goes before `SLUICE_SITE_CONCURRENCY`. */
   concurrency?: number | null;
   /** @description Time between the starts of two attempts. */
   delay_ms?: number | null;
  };
  /** @description A page in a sitemap, or a sitemap in an index. */
  SitemapEntry: {
   change_frequency: string | null;
   priority: number | null;
   updated: string | null;
   url: string;
  };
  /** @description Structured data and tables of the page. */
  StructuredData: {
   /** @description What the page is about, from all of the above, merged: a `type` and properties of schema.org. Each property is a list of `{value, from, path}`; `path` is a JSON Pointer into `structured`. */
   entities: ({
    type: string;
   } & {
    [key: string]: unknown;
   })[];
   /** @description The objects of all JSON-LD blocks, as the page writes them. */
   json_ld: {
    [key: string]: unknown;
   }[];
   /** @description The items of microdata: `{type, id, properties}`. */
   microdata: {
    [key: string]: unknown;
   }[];
   /** @description Names without the prefix `og:`. Other prefixes are kept. */
   open_graph: {
    [key: string]: string | string[];
   };
   /** @description RDFa as expanded JSON-LD. */
   rdfa: {
    [key: string]: unknown;
   }[];
   /** @description The tables with data. A cell that spans others is repeated in them. */
   tables: {
    caption: string | null;
    header: string[];
    rows: string[][];
   }[];
   /** @description Names without the prefix `twitter:`. */
   twitter: {
    [key: string]: string | string[];
   };
  };
  TryNow: {
   /** @description Numbers of items (`item`). Default: all that wait for a retry. */
   items?: number[];
  };
  /** @description Types text key by key, into an element or the focused element. */
  TypeAction: {
   delay_ms?: number;
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector?: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   text: string;
   /** @description Time limit for the action. Default: 5,000 ms plus the delays. */
   timeout_ms?: number;
   /**
    */
   type: "type";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Unchecks a checkbox. */
  UncheckAction: {
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "uncheck";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  UnreadCount: {
   unread: number;
  };
  /** @description The vendor that fetched the page. */
  VendorUse: {
   /**
    * @description Source of the cost: reported by the vendor, calculated from the prices of the operator, or unknown.
    */
   cost_source: "reported" | "estimated" | "unknown";
   credits: number | null;
   kind: "zyte" | "scrapfly" | "scrapingbee" | "scraperapi" | "zenrows" | "scrapedo" | "brightdata" | "oxylabs" | "firecrawl" | "browserless" | "flaresolverr" | "sluice" | "http";
   /** @description Name in the file of vendors. */
   name: string;
   request_id: string | null;
  };
  /** @description Waits for a fixed time. */
  WaitAction: {
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   ms: number;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description The action fails if the wait would be longer than this. */
   timeout_ms?: number;
   /**
    */
   type: "wait";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Waits until a script returns a truthy value. */
  WaitForFunctionAction: {
   /** @description A JSON value, available to the script as `arg`. */
   arg?: unknown;
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description An expression, or the body of an async function with the parameter `arg`. If the expression is a function, it is called with `arg`. You can use `await` in both. */
   script: string;
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "wait_for_function";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Waits until the page reaches a load state. `networkidle` waits at most 10 s, then continues with a warning. */
  WaitForLoadStateAction: {
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   state: "load" | "domcontentloaded" | "networkidle" | "commit" | "networkidle0" | "networkidle2" | "complete";
   /** @description Time limit for the action. Default: 5,000 ms; 15,000 ms with `networkidle`. */
   timeout_ms?: number;
   /**
    */
   type: "wait_for_load_state";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Waits for a response to a request of the page. A response received since the start of the previous action counts too. `result` is `{url, method, status}`. */
  WaitForResponseAction: {
   /**
    * @description `result` also has `resource_type`, `request_headers`, `headers`, `body`, `body_encoding`, `truncated`.
    * @default false
    */
   capture?: boolean;
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /** @description Case-insensitive. */
   method?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   status?: number;
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "wait_for_response";
   /** @description A Playwright glob: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either. */
   url: string;
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Waits until an element has the given state. */
  WaitForSelectorAction: {
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /** @description A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`. */
   selector: string | {
    nth?: number;
    type: "css" | "xpath" | "text";
    value: string;
   };
   /**
    * @default visible
    */
   state?: "visible" | "attached" | "hidden" | "detached";
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "wait_for_selector";
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  /** @description Waits until the URL of the page matches. */
  WaitForUrlAction: {
   /** @description Selector of an iframe. The other selectors of the action then apply inside it. */
   frame?: string;
   /** @description A name of your choice, repeated in the result of the action. */
   id?: string;
   /**
    * @description What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
    * @default stop
    */
   on_error?: "stop" | "continue" | "fail";
   /**
    * @description If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
    * @default false
    */
   optional?: boolean;
   /**
    * @description Time limit for the action.
    * @default 5000
    */
   timeout_ms?: number;
   /**
    */
   type: "wait_for_url";
   /** @description A Playwright glob: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either. */
   url: string;
   /**
    * @description Pause after the action.
    * @default 0
    */
   wait_after_ms?: number;
  };
  WarningCode: "proxy.direct" | "data.on_get" | "wait.networkidle_timeout" | "screenshot.clamped" | "vendor.not_told" | "vendor.key_masked" | "egress.blocked" | "egress.remote" | "content.gzip" | "charset.replaced" | "frames.unread" | "json_ld.unread" | "content.more" | "content.refetched" | "content.truncated" | "extract.ungrounded" | "extract.drift" | "profile.conflict" | "profile.not_saved" | "robots.disallowed" | "document.no_text" | "document.truncated" | "document.hidden" | "page.js_shell" | "page.empty" | "page.opened" | "page.download";
  WarningEntry: {
   attempt?: number;
   code: components["schemas"]["WarningCode"];
   details?: {
    [key: string]: unknown;
   };
   /** @constant */
   level: "warning";
   /** @description What is wrong, what is allowed, and what was given. */
   message: string;
   /** @description JSON Pointer (RFC 6901) into the request. */
   pointer?: string;
   /** @description Whether retrying the same request may succeed. */
   retryable: boolean;
   source: "request" | "service" | "route" | "proxy" | "vendor" | "target" | "browser" | "action" | "extract";
  };
  /** @description Where events are sent, signed as Standard Webhooks say. Missing members are taken from your default webhook. */
  Webhook: {
   /** @description What is sent; an empty list: nothing. Default: `done`, `failed` and `changed`. `page` and `item_failed`: each item that has ended. `changed`: of monitors. `logged_out`: of profiles, only by the default webhook. */
   events?: ("started" | "page" | "item_failed" | "done" | "changed" | "failed" | "cancelled" | "logged_out")[];
   /**
    * @description The form of messages of batches and crawls. `firecrawl`: as Firecrawl sends them, also signed by `X-Firecrawl-Signature`; the default of `include` is then `full`.
    * @default standard
    */
   format?: "standard" | "firecrawl";
   /** @description Headers to send. Their values are masked when the job is read. */
   headers?: {
    [key: string]: string;
   };
   /**
    * @description What is sent of the job and the item: their ids, what lists show (`metadata`, the default), or also the whole scrape, up to 10 MiB (`full`).
    */
   include?: "none" | "metadata" | "full";
   /** @description Any JSON object; sent with each message. */
   metadata?: Record<string, unknown>;
   /** @description http or https. Redirects are not followed. */
   url?: string;
  };
  WebhookDelivery: {
   /** @description The first 2 KiB of the last answer. Only with a session. */
   answer: string | null;
   /** Format: date-time */
   created_at: string;
   duration_ms: number | null;
   /** @description Why the last try failed. */
   error: string | null;
   /** @description `webhook-id` of the message, the same for each try. */
   id: string;
   last_at: string | null;
   /** @description When it is tried next; null: it has ended. */
   next_at: string | null;
   /** @description Number of the event in its source. */
   sequence: number;
   source: "job" | "scrape" | "monitor" | "profile" | "alert" | "channel" | "test";
   /**
    * Format: uuid
    * @description Id of the job, of the scrape, of the monitor, of the profile, of the channel of an alert, or of the test.
    */
   source_id: string;
   /**
    * @description `failed`: given up.
    */
   state: "queued" | "sending" | "delivered" | "failed";
   /** @description Status of the last answer; null: there was none. */
   status: number | null;
   tries: number;
   /** @description Such as `job.page`. */
   type: string;
   /** @description Of mail `mailto:`. The path of a Slack URL is masked. */
   url: string;
  };
  WebhookDeliveryList: {
   items: components["schemas"]["WebhookDelivery"][];
   next_cursor: string | null;
  };
  WebhookSecret: {
   /** @description The secret before the last rotation signs as well. */
   previous: string | null;
   previous_until: string | null;
   /** @description Signs all messages: `whsec_` and base64. */
   secret: string;
  };
 };
 responses: never;
 parameters: never;
 requestBodies: never;
 headers: never;
 pathItems: never;
}
export type ActionResult = components['schemas']['ActionResult'];
export type AsyncState = components['schemas']['AsyncState'];
export type Attempt = components['schemas']['Attempt'];
export type BackAction = components['schemas']['BackAction'];
export type BatchItem = components['schemas']['BatchItem'];
export type BatchRequest = components['schemas']['BatchRequest'];
export type CancelJobQuery = components['schemas']['CancelJobQuery'];
export type Candidate = components['schemas']['Candidate'];
export type CapturedExchange = components['schemas']['CapturedExchange'];
export type Change = components['schemas']['Change'];
export type Channel = components['schemas']['Channel'];
export type ChannelChange = components['schemas']['ChannelChange'];
export type ChannelList = components['schemas']['ChannelList'];
export type ChannelRequest = components['schemas']['ChannelRequest'];
export type ChannelTestResult = components['schemas']['ChannelTestResult'];
export type CheckAction = components['schemas']['CheckAction'];
export type ClickAction = components['schemas']['ClickAction'];
export type Compare = components['schemas']['Compare'];
export type ComparedScrape = components['schemas']['ComparedScrape'];
export type CompareRequest = components['schemas']['CompareRequest'];
export type CompareScrapesQuery = components['schemas']['CompareScrapesQuery'];
export type CompareTo = components['schemas']['CompareTo'];
export type Comparison = components['schemas']['Comparison'];
export type ComparisonItem = components['schemas']['ComparisonItem'];
export type Cookie = components['schemas']['Cookie'];
export type CrawlRequest = components['schemas']['CrawlRequest'];
export type Dataset = components['schemas']['Dataset'];
export type DatasetChange = components['schemas']['DatasetChange'];
export type DatasetColumn = components['schemas']['DatasetColumn'];
export type DatasetError = components['schemas']['DatasetError'];
export type DatasetImport = components['schemas']['DatasetImport'];
export type DatasetList = components['schemas']['DatasetList'];
export type DatasetRequest = components['schemas']['DatasetRequest'];
export type DatasetRow = components['schemas']['DatasetRow'];
export type DatasetRowList = components['schemas']['DatasetRowList'];
export type DatasetRun = components['schemas']['DatasetRun'];
export type DatasetRunList = components['schemas']['DatasetRunList'];
export type DefaultWebhook = components['schemas']['DefaultWebhook'];
export type DeleteChannelQuery = components['schemas']['DeleteChannelQuery'];
export type DeleteProfileQuery = components['schemas']['DeleteProfileQuery'];
export type DocumentInfo = components['schemas']['DocumentInfo'];
export type Download = components['schemas']['Download'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type ErrorEntry = components['schemas']['ErrorEntry'];
export type EvaluateAction = components['schemas']['EvaluateAction'];
export type Export = components['schemas']['Export'];
export type ExportDatasetQuery = components['schemas']['ExportDatasetQuery'];
export type ExportedProfile = components['schemas']['ExportedProfile'];
export type ExportError = components['schemas']['ExportError'];
export type ExportJobQuery = components['schemas']['ExportJobQuery'];
export type ExportList = components['schemas']['ExportList'];
export type ExportRequest = components['schemas']['ExportRequest'];
export type ExportScrapesQuery = components['schemas']['ExportScrapesQuery'];
export type ExportTarget = components['schemas']['ExportTarget'];
export type ExtractAction = components['schemas']['ExtractAction'];
export type ExtractRule = components['schemas']['ExtractRule'];
export type ExtractRuleObject = components['schemas']['ExtractRuleObject'];
export type ExtractRules = components['schemas']['ExtractRules'];
export type Feed = components['schemas']['Feed'];
export type FeedEntry = components['schemas']['FeedEntry'];
export type FillAction = components['schemas']['FillAction'];
export type GetExportFileQuery = components['schemas']['GetExportFileQuery'];
export type GetJobResultsQuery = components['schemas']['GetJobResultsQuery'];
export type GetPictureQuery = components['schemas']['GetPictureQuery'];
export type GetScrapeContentQuery = components['schemas']['GetScrapeContentQuery'];
export type GetScrapeFileQuery = components['schemas']['GetScrapeFileQuery'];
export type GetScrapeQuery = components['schemas']['GetScrapeQuery'];
export type GetScrapeTotalsQuery = components['schemas']['GetScrapeTotalsQuery'];
export type GetScreenshotQuery = components['schemas']['GetScreenshotQuery'];
export type GotoAction = components['schemas']['GotoAction'];
export type HideAction = components['schemas']['HideAction'];
export type HoverAction = components['schemas']['HoverAction'];
export type IfAction = components['schemas']['IfAction'];
export type ImportRequest = components['schemas']['ImportRequest'];
export type ImportResult = components['schemas']['ImportResult'];
export type InfiniteScrollAction = components['schemas']['InfiniteScrollAction'];
export type Job = components['schemas']['Job'];
export type JobAccepted = components['schemas']['JobAccepted'];
export type JobChange = components['schemas']['JobChange'];
export type JobError = components['schemas']['JobError'];
export type JobFolder = components['schemas']['JobFolder'];
export type JobFolders = components['schemas']['JobFolders'];
export type JobItem = components['schemas']['JobItem'];
export type JobList = components['schemas']['JobList'];
export type JobOfSchedule = components['schemas']['JobOfSchedule'];
export type JobResults = components['schemas']['JobResults'];
export type JobWait = components['schemas']['JobWait'];
export type JsonResult = components['schemas']['JsonResult'];
export type LastJobError = components['schemas']['LastJobError'];
export type ListChannelsQuery = components['schemas']['ListChannelsQuery'];
export type ListDatasetRowsQuery = components['schemas']['ListDatasetRowsQuery'];
export type ListDatasetRunsQuery = components['schemas']['ListDatasetRunsQuery'];
export type ListDatasetsQuery = components['schemas']['ListDatasetsQuery'];
export type ListedJobItem = components['schemas']['ListedJobItem'];
export type ListedJobItems = components['schemas']['ListedJobItems'];
export type ListJobFoldersQuery = components['schemas']['ListJobFoldersQuery'];
export type ListJobItemsQuery = components['schemas']['ListJobItemsQuery'];
export type ListJobsQuery = components['schemas']['ListJobsQuery'];
export type ListMonitorRunsQuery = components['schemas']['ListMonitorRunsQuery'];
export type ListMonitorsQuery = components['schemas']['ListMonitorsQuery'];
export type ListNotificationsQuery = components['schemas']['ListNotificationsQuery'];
export type ListProfilesQuery = components['schemas']['ListProfilesQuery'];
export type ListScheduleRunsQuery = components['schemas']['ListScheduleRunsQuery'];
export type ListSchedulesQuery = components['schemas']['ListSchedulesQuery'];
export type ListScrapesQuery = components['schemas']['ListScrapesQuery'];
export type ListWebhookDeliveriesQuery = components['schemas']['ListWebhookDeliveriesQuery'];
export type LoginAction = components['schemas']['LoginAction'];
export type MainContent = components['schemas']['MainContent'];
export type MapError = components['schemas']['MapError'];
export type MapRequest = components['schemas']['MapRequest'];
export type MapResult = components['schemas']['MapResult'];
export type Monitor = components['schemas']['Monitor'];
export type MonitorBatch = components['schemas']['MonitorBatch'];
export type MonitorChange = components['schemas']['MonitorChange'];
export type MonitorCrawl = components['schemas']['MonitorCrawl'];
export type MonitorLastRun = components['schemas']['MonitorLastRun'];
export type MonitorList = components['schemas']['MonitorList'];
export type MonitorPreview = components['schemas']['MonitorPreview'];
export type MonitorPreviewRequest = components['schemas']['MonitorPreviewRequest'];
export type MonitorRequest = components['schemas']['MonitorRequest'];
export type MonitorRun = components['schemas']['MonitorRun'];
export type MonitorRunList = components['schemas']['MonitorRunList'];
export type NoiseList = components['schemas']['NoiseList'];
export type Notification = components['schemas']['Notification'];
export type NotificationList = components['schemas']['NotificationList'];
export type NotificationRead = components['schemas']['NotificationRead'];
export type PageAction = components['schemas']['PageAction'];
export type PageCounts = components['schemas']['PageCounts'];
export type PageImage = components['schemas']['PageImage'];
export type PageLink = components['schemas']['PageLink'];
export type PageMetadata = components['schemas']['PageMetadata'];
export type PressAction = components['schemas']['PressAction'];
export type Prices = components['schemas']['Prices'];
export type PricesView = components['schemas']['PricesView'];
export type Problem = components['schemas']['Problem'];
export type Profile = components['schemas']['Profile'];
export type ProfileCreate = components['schemas']['ProfileCreate'];
export type ProfileCredentials = components['schemas']['ProfileCredentials'];
export type ProfileExit = components['schemas']['ProfileExit'];
export type ProfileIdentity = components['schemas']['ProfileIdentity'];
export type ProfileList = components['schemas']['ProfileList'];
export type ProfilePatch = components['schemas']['ProfilePatch'];
export type ProxySettings = components['schemas']['ProxySettings'];
export type ReadingRequest = components['schemas']['ReadingRequest'];
export type ReadingResult = components['schemas']['ReadingResult'];
export type RecordOutcomes = components['schemas']['RecordOutcomes'];
export type ReloadAction = components['schemas']['ReloadAction'];
export type RemoveAction = components['schemas']['RemoveAction'];
export type RouterAsk = components['schemas']['RouterAsk'];
export type RouterMeta = components['schemas']['RouterMeta'];
export type Schedule = components['schemas']['Schedule'];
export type ScheduledJob = components['schemas']['ScheduledJob'];
export type ScheduledJobChange = components['schemas']['ScheduledJobChange'];
export type ScheduledJobLastRun = components['schemas']['ScheduledJobLastRun'];
export type ScheduledJobList = components['schemas']['ScheduledJobList'];
export type ScheduledJobRequest = components['schemas']['ScheduledJobRequest'];
export type ScheduledJobRun = components['schemas']['ScheduledJobRun'];
export type ScheduledJobRunList = components['schemas']['ScheduledJobRunList'];
export type ScrapeChange = components['schemas']['ScrapeChange'];
export type ScrapeList = components['schemas']['ScrapeList'];
export type ScrapeProblem = components['schemas']['ScrapeProblem'];
export type ScrapeProgress = components['schemas']['ScrapeProgress'];
export type ScraperData = components['schemas']['ScraperData'];
export type ScrapeRecord = components['schemas']['ScrapeRecord'];
export type ScrapeRequest = components['schemas']['ScrapeRequest'];
export type ScrapeResponse = components['schemas']['ScrapeResponse'];
export type ScraperOptions = components['schemas']['ScraperOptions'];
export type ScrapeSummary = components['schemas']['ScrapeSummary'];
export type ScrapeTotals = components['schemas']['ScrapeTotals'];
export type ScreenshotAction = components['schemas']['ScreenshotAction'];
export type ScrollAction = components['schemas']['ScrollAction'];
export type SelectAction = components['schemas']['SelectAction'];
export type SiteLimits = components['schemas']['SiteLimits'];
export type SiteLimitsPatch = components['schemas']['SiteLimitsPatch'];
export type SitemapEntry = components['schemas']['SitemapEntry'];
export type StructuredData = components['schemas']['StructuredData'];
export type TryNow = components['schemas']['TryNow'];
export type TypeAction = components['schemas']['TypeAction'];
export type UncheckAction = components['schemas']['UncheckAction'];
export type UnreadCount = components['schemas']['UnreadCount'];
export type VendorUse = components['schemas']['VendorUse'];
export type WaitAction = components['schemas']['WaitAction'];
export type WaitForFunctionAction = components['schemas']['WaitForFunctionAction'];
export type WaitForLoadStateAction = components['schemas']['WaitForLoadStateAction'];
export type WaitForResponseAction = components['schemas']['WaitForResponseAction'];
export type WaitForSelectorAction = components['schemas']['WaitForSelectorAction'];
export type WaitForUrlAction = components['schemas']['WaitForUrlAction'];
export type WarningCode = components['schemas']['WarningCode'];
export type WarningEntry = components['schemas']['WarningEntry'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryList = components['schemas']['WebhookDeliveryList'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
