# Made from the description of the API by scripts/generate-python-sdk.ts.
import sys
from typing import Any, Dict, List, Literal, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict

ActionResultError = TypedDict(
    "ActionResultError",
    {
        "code": "str",
        "message": "str",
    },
)

# Result of a page action.
ActionResult = TypedDict(
    "ActionResult",
    {
        # Position in `page_actions`. Actions inside an `if` have the index of the `if`, and follow it.
        "index": "int",
        "id": "Union[str, None]",
        "type": "str",
        "status": "Literal['ok', 'failed', 'skipped']",
        "duration_ms": "int",
        # Result of the action; depends on its type. Not stored if `router.retain` is not `full`.
        "result": NotRequired["Any"],
        "error": NotRequired["ActionResultError"],
    },
)

# The scrape has not ended.
AsyncState = TypedDict(
    "AsyncState",
    {
        # Id of the stored record.
        "id": "str",
        "state": "Literal['queued', 'running']",
    },
)

Attempt = TypedDict(
    "Attempt",
    {
        "n": "int",
        "scraper": "Union[Literal['http', 'http_impersonate', 'browser', 'browser_stealth'], str]",
        "proxy_type": "Literal['datacenter', 'residential', 'mobile', 'custom', 'none']",
        # Whether no proxy was used.
        "direct": NotRequired["bool"],
        "country": "Union[str, None]",
        "outcome": "Literal['ok', 'rejected', 'failed', 'cancelled']",
        "verdict": "Union[Literal['ok', 'js_shell', 'challenge', 'captcha', 'block', 'wall', 'rate', 'error_page', 'net', 'empty'], None]",
        "status_code": "Union[int, None]",
        "error_code": "Union[ErrorCode, None]",
        "duration_ms": "int",
        "bytes_out": "int",
        "bytes_in": "int",
        "cost": "Union[float, None]",
        "reason": "str",
        "reused": "List[str]",
    },
)

# Goes back to the previous page and waits for its `load` event.
BackAction = TypedDict(
    "BackAction",
    {
        "type": "Literal['back']",
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
    },
)

BatchItemHeaders = TypedDict(
    "BatchItemHeaders",
    {
        "name": "str",
        "value": "Union[Union[str, float, bool], None]",
    },
)

BatchItemQuery = TypedDict(
    "BatchItemQuery",
    {
        "name": "str",
        "value": "Union[Union[str, float, bool], None]",
    },
)

BatchItemCookiesPartitionKey = TypedDict(
    "BatchItemCookiesPartitionKey",
    {
        "topLevelSite": NotRequired["str"],
        "sourceOrigin": NotRequired["str"],
        "hasCrossSiteAncestor": NotRequired["bool"],
    },
)

BatchItemCookies = TypedDict(
    "BatchItemCookies",
    {
        "name": "str",
        "value": "Union[Union[str, float, bool], None]",
        "domain": NotRequired["str"],
        "path": NotRequired["str"],
        "secure": NotRequired["bool"],
        "http_only": NotRequired["bool"],
        # `strict`, `lax` or `none`, in any letter case.
        "same_site": NotRequired["str"],
        # Unix time in seconds. -1: a session cookie, kept until the scrape ends.
        "expires": NotRequired["float"],
        # The same as `expires`.
        "expirationDate": NotRequired["float"],
        # The same as `expires`.
        "expiry": NotRequired["float"],
        # true: a session cookie, whatever `expires` says.
        "session": NotRequired["bool"],
        # true: subdomains of `domain` are excluded.
        "hostOnly": NotRequired["bool"],
        # The site of the top-level page that the cookie is for, such as `https://example.com`.
        "partitionKey": NotRequired["Union[str, BatchItemCookiesPartitionKey]"],
        # `hasCrossSiteAncestor` of `partitionKey`.
        "_crHasCrossSiteAncestor": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "partitionKeyOpaque": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "id": NotRequired["Union[float, str]"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "storeId": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "firstPartyDomain": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "size": NotRequired["float"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "priority": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sameParty": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourceScheme": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourcePort": NotRequired["float"],
    },
)

# A scrape request, with an optional `ref`: your own name for it.
BatchItem = TypedDict(
    "BatchItem",
    {
        "ref": NotRequired["str"],
        # Absolute `http:` or `https:` URL, at most 8,192 characters.
        "url": NotRequired["str"],
        # GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.
        "method": NotRequired["str"],
        # Request headers, sent in this order: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"Name: value"`. An array as the value repeats the header; null leaves it out.
        "headers": NotRequired["Union[Dict[str, Union[str, float, bool, None, List[Union[Union[str, float, bool], None]]]], List[Union[BatchItemHeaders, List[Union[str, Union[Union[str, float, bool], None]]], str]]]"],
        # Appended to the query string of the URL: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"name=value"`. An array as the value repeats the name; null leaves it out. Values are percent-encoded.
        "query": NotRequired["Union[Dict[str, Union[str, float, bool, None, List[Union[Union[str, float, bool], None]]]], List[Union[BatchItemQuery, List[Union[str, Union[Union[str, float, bool], None]]], str]]]"],
        # The request body. Sluice detects JSON, form or raw text. To choose the format yourself, use `$json`, `$form`, `$raw`, `$base64` or `$multipart`.
        "data": NotRequired["Any"],
        # Cookies for the host of the URL: `{name: value}`, or an array of objects, `[name, value]` or `"name=value"`. Null leaves a cookie out.
        "cookies": NotRequired["Union[Dict[str, Union[str, float, bool, None, List[Union[Union[str, float, bool], None]]]], List[Union[BatchItemCookies, List[Union[str, Union[Union[str, float, bool], None]]], str]]]"],
        # Time limit for the whole request: queueing, all attempts and waits.
        "timeout_ms": NotRequired["float"],
        # Follow redirects. If false, the redirect response is the result.
        "allow_redirects": NotRequired["bool"],
        # Browser to use (default: `chromium`). Browser only.
        "browser_type": NotRequired["Literal['chromium', 'firefox', 'webkit', 'chrome', 'msedge', 'edge']"],
        # Run the browser without a window. Browser only.
        "headless": NotRequired["bool"],
        # Wait until this element is visible: a CSS selector, `xpath=…` or `text=…`. `scraper_options.wait_for_selector_state` sets another state to wait for. Browser only.
        "wait_for_selector": NotRequired["str"],
        # Additional fixed wait, after the other waits. Browser only.
        "wait_for_timeout_ms": NotRequired["float"],
        # Load state to wait for (default: `load`). Browser only.
        "wait_for_load_state": NotRequired["Literal['load', 'domcontentloaded', 'networkidle', 'commit', 'networkidle0', 'networkidle2', 'complete']"],
        # Actions to run in the page, in order. Browser only.
        "page_actions": NotRequired["List[PageAction]"],
        # Take a screenshot. Browser only.
        "screenshot": NotRequired["bool"],
        # `auto` picks the cheapest scraper likely to work, and falls back to others if it fails.
        "scraper": NotRequired["Union[Literal['auto', 'http', 'http_impersonate', 'browser', 'browser_stealth'], str]"],
        "scraper_options": NotRequired["ScraperOptions"],
        # `datacenter`, `residential`, `mobile`, a proxy URL (`host:port:user:password` works too), or an object.
        "proxy": NotRequired["Union[str, ProxySettings]"],
        # Routing options. A string is shorthand for `sort`.
        "router": NotRequired["Union[Literal['balanced', 'cheapest', 'fastest', 'reliable'], RouterAsk]"],
    },
)

BatchRequest = TypedDict(
    "BatchRequest",
    {
        "requests": "List[BatchItem]",
        # Members that every request gets that does not have them itself.
        "defaults": NotRequired["Dict[str, Any]"],
        # `skip`: requests that are not valid are skipped, and listed in the answer.
        "invalid": NotRequired["Literal['refuse', 'skip']"],
        # For lists.
        "name": NotRequired["str"],
        # Labels of the job. Names and values have at most 64 characters.
        "tags": NotRequired["Dict[str, str]"],
        # Any JSON object; given back with the job and in webhooks.
        "metadata": NotRequired["Dict[str, Any]"],
        # Among your own jobs, those with a higher priority go first.
        "priority": NotRequired["int"],
        # Items that may run at once. Default: as many as all your jobs together may run.
        "concurrency": NotRequired["int"],
        # Limit for the cost of all items together. When it is reached, the rest is skipped.
        "max_cost": NotRequired["float"],
        # How often an item is tried again whose scrape failed for a reason that may pass, after 1, 5 and 30 minutes or as long as `Retry-After` says.
        "retries": NotRequired["int"],
        # How long the results are kept after the end. Default: as long as other records.
        "expires_in_s": NotRequired["int"],
        # What becomes of items whose profile is logged out, and that do not log in by `relogin` or an action `login`. `stop`: they fail, and nothing is sent. `wait`: the job pauses until the profile is ready again. `continue`: they run with the profile as it is.
        "on_logged_out": NotRequired["Literal['stop', 'wait', 'continue']"],
        "webhook": NotRequired["Webhook"],
        # Ids of your channels (`/api/v1/channels/`), by which people are told.
        "channels": NotRequired["List[str]"],
        # What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version.
        "notify_on": NotRequired["List[Literal['changed', 'failed', 'done', 'person_needed']]"],
    },
)

CancelJobQuery = TypedDict(
    "CancelJobQuery",
    {
        # `1`: delete everything.
        "purge": NotRequired["Literal['0', '1']"],
    },
)

Candidate = TypedDict(
    "Candidate",
    {
        "scraper": "Union[Literal['http', 'http_impersonate', 'browser', 'browser_stealth'], str]",
        "proxy_type": "Literal['datacenter', 'residential', 'mobile', 'custom', 'none']",
        "est_cost": "Union[float, None]",
        "est_success": "Union[float, None]",
        "est_ms": "Union[int, None]",
        # All slots of the account at the vendor are taken: how long the attempt would wait for one.
        "est_wait_ms": NotRequired["int"],
        "selected": "bool",
        "excluded_by": "Union[str, None]",
    },
)

CapturedExchange = TypedDict(
    "CapturedExchange",
    {
        # URL without credentials.
        "url": "str",
        "method": "str",
        # null if there was no response.
        "status": "Union[int, None]",
        # `document`, `script`, `xhr`, `fetch` …
        "resource_type": "str",
        # Request headers as sent, with secrets masked.
        "request_headers": "Dict[str, str]",
        # Names in lower case; repeated headers are joined.
        "headers": "Dict[str, str]",
        # null if it was not requested, the response has none (a redirect), it was not received, or it is too long.
        "body": "Union[str, None]",
        "body_encoding": "Union[Literal['utf-8', 'base64'], None]",
        # Whether the body was truncated.
        "truncated": "bool",
        # Start, counted from that of the first entry. Absent in results of `wait_for_response`, and in records of earlier versions.
        "started_ms": NotRequired["int"],
        # Time to the last byte. null if it did not end.
        "duration_ms": NotRequired["Union[int, None]"],
    },
)

ChangeFields = TypedDict(
    "ChangeFields",
    {
        "path": "str",
        "before": "Any",
        "after": "Any",
    },
)

ChangePicture = TypedDict(
    "ChangePicture",
    {
        "share": "float",
        "width": "int",
        "height": "int",
    },
)

ChangePagesFields = TypedDict(
    "ChangePagesFields",
    {
        "path": "str",
        "before": "Any",
        "after": "Any",
    },
)

ChangePagesPicture = TypedDict(
    "ChangePagesPicture",
    {
        "share": "float",
        "width": "int",
        "height": "int",
    },
)

ChangePages = TypedDict(
    "ChangePages",
    {
        "url": "str",
        "scrape_id": "Union[str, None]",
        "state": "Literal['new', 'changed', 'gone', 'error']",
        # Why it is an error, such as `signed_out`.
        "reason": "Union[str, None]",
        # The scrape that was compared with.
        "previous_id": "Union[str, None]",
        "added": "int",
        "removed": "int",
        # Share of lines that are the same.
        "similarity": "float",
        # Unified diff.
        "diff": "Union[str, None]",
        # Of `extract`, `json` and `structured`: values that differ. A missing value is null.
        "fields": "List[ChangePagesFields]",
        # Of `screenshot`: the share of pixels that differ.
        "picture": "Union[ChangePagesPicture, None]",
    },
)

Change = TypedDict(
    "Change",
    {
        "state": "Literal['first', 'same', 'changed', 'gone', 'back', 'error']",
        # Why it is an error, such as `signed_out`.
        "reason": "Union[str, None]",
        # The scrape that was compared with.
        "previous_id": "Union[str, None]",
        "added": "int",
        "removed": "int",
        # Share of lines that are the same.
        "similarity": "float",
        # Unified diff.
        "diff": "Union[str, None]",
        # Of `extract`, `json` and `structured`: values that differ. A missing value is null.
        "fields": "List[ChangeFields]",
        # Of `screenshot`: the share of pixels that differ.
        "picture": "Union[ChangePicture, None]",
        # Of a crawl or a batch: those that are not the same, at most 1,000. Differences beyond 1,000,000 characters in all are left out.
        "pages": "List[ChangePages]",
        # Of a crawl or a batch: all pages by state.
        "counts": "Union[PageCounts, None]",
        # Of a crawl or a batch: why it did not see all pages, such as `skip.limit`. Then no page is `gone` because it was not found.
        "incomplete": "Union[str, None]",
    },
)

ChannelUsedBy = TypedDict(
    "ChannelUsedBy",
    {
        "type": "Literal['monitor', 'job', 'scrape', 'alert', 'schedule', 'profile']",
        "id": "str",
        "name": "Union[str, None]",
    },
)

Channel = TypedDict(
    "Channel",
    {
        "id": "str",
        "name": "str",
        "type": "Literal['webhook', 'email', 'slack']",
        # The path of a Slack URL is masked. Of `email` null.
        "url": "Union[str, None]",
        # With masked values.
        "headers": "Dict[str, str]",
        "to": "List[str]",
        # `failing`: the last try failed. `paused`: nothing is sent until it is resumed.
        "state": "Literal['ok', 'failing', 'paused']",
        # Since when all tries have failed.
        "failing_since": "Union[str, None]",
        # Why the last try failed.
        "last_error": "Union[str, None]",
        "last_delivered_at": "Union[str, None]",
        "created_at": "str",
        # What tells people by it, without jobs that have ended. At most 50.
        "used_by": "List[ChannelUsedBy]",
    },
)

# The type stays. `headers` replaces all of them; they must be given again with a `url` of another origin.
ChannelChange = TypedDict(
    "ChannelChange",
    {
        "name": NotRequired["str"],
        # Of `webhook` and `slack` (or what takes the same messages). http or https.
        "url": NotRequired["str"],
        # Of `webhook`: headers to send. Their values are masked when they are read.
        "headers": NotRequired["Dict[str, str]"],
        # Of `email`: addresses.
        "to": NotRequired["List[str]"],
    },
)

ChannelList = TypedDict(
    "ChannelList",
    {
        "items": "List[Channel]",
        "next_cursor": "Union[str, None]",
        # Types of channels that you can make. `email` only with a mail server (`SLUICE_SMTP_URL`).
        "channel_types": "List[Literal['webhook', 'email', 'slack']]",
    },
)

ChannelRequest = TypedDict(
    "ChannelRequest",
    {
        "name": "str",
        "type": "Literal['webhook', 'email', 'slack']",
        # Of `webhook` and `slack` (or what takes the same messages). http or https.
        "url": NotRequired["str"],
        # Of `webhook`: headers to send. Their values are masked when they are read.
        "headers": NotRequired["Dict[str, str]"],
        # Of `email`: addresses.
        "to": NotRequired["List[str]"],
    },
)

ChannelTestResult = TypedDict(
    "ChannelTestResult",
    {
        "ok": "bool",
        # Status of the answer; null: none, or mail.
        "status": "Union[int, None]",
        "error": "Union[str, None]",
        "duration_ms": "int",
    },
)

CheckActionSelector = TypedDict(
    "CheckActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Checks a checkbox or radio button, unless it is already checked.
CheckAction = TypedDict(
    "CheckAction",
    {
        "type": "Literal['check']",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": "Union[str, CheckActionSelector]",
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

ClickActionSelector = TypedDict(
    "ClickActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Clicks an element once it is visible and stable, or a point in the viewport.
ClickAction = TypedDict(
    "ClickAction",
    {
        "type": "Literal['click']",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": NotRequired["Union[str, ClickActionSelector]"],
        # Pixels from the left edge of the viewport.
        "x": NotRequired["float"],
        # Pixels from the top edge of the viewport.
        "y": NotRequired["float"],
        "button": NotRequired["Literal['left', 'right', 'middle']"],
        "click_count": NotRequired["int"],
        # Click every matching element in turn. `result.clicked` is the number of clicks.
        "all": NotRequired["bool"],
        # Fail if several elements match. Otherwise the first one is clicked, and `result` says so: `{clicked: 1, matches, text, note}`.
        "strict": NotRequired["bool"],
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

Compare = TypedDict(
    "Compare",
    {
        # What is compared. `markdown`, `text` and `main_html` are those of the main content.
        "format": NotRequired["Literal['markdown', 'text', 'main_html', 'extract', 'json', 'structured', 'screenshot', 'bytes']"],
        # Compare only what this CSS selector matches.
        "selector": NotRequired["Union[str, None]"],
        # What does not count: CSS selectors, `/regular expressions/` (of one with a group, only the group), `dates`, `relative_times`, `counters`, `order` (of lines).
        "ignore": NotRequired["List[str]"],
        # Share of lines that must differ; of pixels for `screenshot`.
        "min_change": NotRequired["float"],
    },
)

CompareRequest = TypedDict(
    "CompareRequest",
    {
        # A scrape request, without what the methods decide: `scraper`, and of `router` the members `order`, `only`, `ignore`, `allow_fallbacks` and `escalate_proxy`. If a method names a type of proxy, `proxy` may only be an object without `type`, `server`, `username` and `password`. `router.dry_run`, `webhook`, `channels`, `notify_on` and `compare_to` are refused.
        "request": "Dict[str, Any]",
        # The methods to compare: `scraper` or `scraper/proxy_type`, such as `http`, `auto`, `vendor:name` or `browser/residential`. A method without a type of proxy uses `request.proxy`.
        "ways": "List[str]",
    },
)

CompareScrapesQuery = TypedDict(
    "CompareScrapesQuery",
    {
        # Id of the record to compare with, usually the earlier one.
        "before": NotRequired["str"],
        # What is compared. `source`: the lines of the content as it was stored. `markdown`, `text` and `main_html` are those of the main content.
        "format": NotRequired["Literal['source', 'markdown', 'text', 'main_html', 'extract', 'json', 'structured']"],
    },
)

# Compares the page with a record of the same user, method, URL, country and device, as monitors do: `scraper_data.change`. Needs the scope `read`.
CompareTo = TypedDict(
    "CompareTo",
    {
        # `last`: the latest record that can be compared; or the id of a record.
        "record": "str",
        # What is compared. `markdown`, `text` and `main_html` are those of the main content.
        "format": NotRequired["Literal['markdown', 'text', 'main_html', 'extract', 'json', 'structured', 'screenshot', 'bytes']"],
        # Compare only what this CSS selector matches.
        "selector": NotRequired["Union[str, None]"],
        # What does not count: CSS selectors, `/regular expressions/` (of one with a group, only the group), `dates`, `relative_times`, `counters`, `order` (of lines).
        "ignore": NotRequired["List[str]"],
        # Only a record with this tag, as `name:value`.
        "tag": NotRequired["str"],
    },
)

ComparedScrape = TypedDict(
    "ComparedScrape",
    {
        # Id of the record, which has the whole result. null: it could not be stored.
        "id": "Union[str, None]",
        # Status of the target's response.
        "status_code": "Union[int, None]",
        "final_url": "Union[str, None]",
        # That delivered the page, or was tried last.
        "scraper": "Union[Union[Literal['http', 'http_impersonate', 'browser', 'browser_stealth'], str], None]",
        "proxy_type": "Union[str, None]",
        "verdict": "Union[Literal['ok', 'js_shell', 'challenge', 'captcha', 'block', 'wall', 'rate', 'error_page', 'net', 'empty'], None]",
        "content_bytes": "Union[int, None]",
        "attempts": "int",
        "warnings": "List[WarningEntry]",
        # As `router.explanation`.
        "explanation": "str",
    },
)

Comparison = TypedDict(
    "Comparison",
    {
        # In the order of `ways`.
        "items": "List[ComparisonItem]",
        # The method to use: of those that got the whole page, the cheapest, then the fastest. null: none did.
        "best": "Union[str, None]",
        # What 1,000 scrapes by the best method cost less than by the most expensive method that got the whole page. null: the costs are not known.
        "saved_per_1000": "Union[float, None]",
        # Currency set by the operator, or `effort` if no prices are configured.
        "cost_unit": "str",
    },
)

ComparisonItem = TypedDict(
    "ComparisonItem",
    {
        # As in the request.
        "way": "str",
        "outcome": "Literal['planned', 'failed', 'blocked', 'unaccepted', 'partial', 'target_error', 'ok']",
        # null: the method was refused before it began a scrape; `errors` says why.
        "scrape": "Union[ComparedScrape, None]",
        # Those of the scrape, or of its refusal. Pointers are those of a scrape request.
        "errors": "List[ErrorEntry]",
        # How alike its main content is to that of the best method: of all runs of three words in them, the share that is in both. Contents that are not text: 1 if all bytes are the same, otherwise 0. null: one of them has no content, or there is no best method.
        "likeness": "Union[float, None]",
        # Of the scrape.
        "duration_ms": "Union[int, None]",
        # In `cost_unit`. null: it is not known, or there was no scrape.
        "cost": "Union[float, None]",
    },
)

Cookie = TypedDict(
    "Cookie",
    {
        "name": "str",
        "value": "str",
        "domain": "str",
        "path": "str",
        "expires": "Union[float, None]",
        "secure": "bool",
        "http_only": "bool",
        "same_site": "Union[str, None]",
    },
)

CrawlRequestRules = TypedDict(
    "CrawlRequestRules",
    {
        "match": "str",
        "request": "Dict[str, Any]",
    },
)

CrawlRequest = TypedDict(
    "CrawlRequest",
    {
        "url": NotRequired["str"],
        # Several start URLs, instead of `url`.
        "urls": NotRequired["List[str]"],
        # Pages that are visited at most. Skipped URLs do not count.
        "limit": NotRequired["int"],
        # Links between a start URL and a page, at most.
        "max_depth": NotRequired["int"],
        # Which URLs belong to the start URLs: those on the same host (`www.` and the scheme do not matter), below the same path, on the same registrable domain, or all.
        "scope": NotRequired["Literal['host', 'path', 'domain', 'any']"],
        # Whether the sitemaps of the start URLs are used besides links (`include`), instead of links (`only`), or not.
        "sitemap": NotRequired["Literal['include', 'only', 'ignore']"],
        # Only URLs that match one of these are visited; start URLs always are. Globs (`/blog/**`, `*.pdf`) or regular expressions between slashes (`/^\/a[0-9]+/`, RE2). They are matched with path and query; those that begin with `http` with the whole URL.
        "include": NotRequired["List[str]"],
        # URLs that match one of these are not visited; start URLs always are. As in `include`.
        "exclude": NotRequired["List[str]"],
        # Also visits the feeds of pages, and what they list.
        "feeds": NotRequired["bool"],
        # `respect`: links with `rel=nofollow`, and all links of pages that ask for it, are not followed.
        "nofollow": NotRequired["Literal['ignore', 'respect']"],
        # Parameters that do not change the page, by names (`*` is any text) or regular expressions between slashes; `true`: all. They are dropped, as known tracking parameters always are.
        "ignore_query": NotRequired["Union[Literal[True], List[str]]"],
        # URLs of one form, such as `/item/#?page`, that are visited. Others are skipped with `skip.trap`.
        "max_urls_per_pattern": NotRequired["int"],
        # Pause between the starts of two requests to a host. A longer `Crawl-delay` of robots.txt counts, up to 60 s.
        "delay_ms": NotRequired["int"],
        # Requests to one host at the same time. The operator may have set a lower limit for all jobs.
        "per_host": NotRequired["int"],
        # `ignore` needs the permission of the operator.
        "robots": NotRequired["Literal['respect', 'ignore']"],
        # Members of the request for URLs that match, as in `include`. Of several rules, the last one counts.
        "rules": NotRequired["List[CrawlRequestRules]"],
        # Members of the scrape request for every page, but not `url`. Other hosts than those of the start URLs do not get its cookies and secret headers.
        "request": NotRequired["Dict[str, Any]"],
        # For lists.
        "name": NotRequired["str"],
        # Labels of the job. Names and values have at most 64 characters.
        "tags": NotRequired["Dict[str, str]"],
        # Any JSON object; given back with the job and in webhooks.
        "metadata": NotRequired["Dict[str, Any]"],
        # Among your own jobs, those with a higher priority go first.
        "priority": NotRequired["int"],
        # Items that may run at once. Default: as many as all your jobs together may run.
        "concurrency": NotRequired["int"],
        # Limit for the cost of all items together. When it is reached, the rest is skipped.
        "max_cost": NotRequired["float"],
        # How often an item is tried again whose scrape failed for a reason that may pass, after 1, 5 and 30 minutes or as long as `Retry-After` says.
        "retries": NotRequired["int"],
        # How long the results are kept after the end. Default: as long as other records.
        "expires_in_s": NotRequired["int"],
        # What becomes of items whose profile is logged out, and that do not log in by `relogin` or an action `login`. `stop`: they fail, and nothing is sent. `wait`: the job pauses until the profile is ready again. `continue`: they run with the profile as it is.
        "on_logged_out": NotRequired["Literal['stop', 'wait', 'continue']"],
        "webhook": NotRequired["Webhook"],
        # Ids of your channels (`/api/v1/channels/`), by which people are told.
        "channels": NotRequired["List[str]"],
        # What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version.
        "notify_on": NotRequired["List[Literal['changed', 'failed', 'done', 'person_needed']]"],
    },
)

Dataset = TypedDict(
    "Dataset",
    {
        "id": "str",
        "name": "str",
        # The owner.
        "user_id": "str",
        # null: URL and index.
        "key": "Union[List[str], None]",
        "columns": "List[DatasetColumn]",
        # Values of columns beyond the first 200, which are left out.
        "dropped": "int",
        "rows": "int",
        "created_at": "str",
    },
)

DatasetChange = TypedDict(
    "DatasetChange",
    {
        "name": NotRequired["str"],
    },
)

DatasetColumn = TypedDict(
    "DatasetColumn",
    {
        "name": "str",
        "type": "Literal['number', 'boolean', 'date-time', 'text', 'json']",
        # Values that the type could not hold; they are null.
        "nulls": "int",
    },
)

DatasetError = TypedDict(
    "DatasetError",
    {
        "code": "str",
        "message": "str",
    },
)

DatasetImport = TypedDict(
    "DatasetImport",
    {
        # A job that has ended.
        "job_id": "str",
    },
)

DatasetList = TypedDict(
    "DatasetList",
    {
        "items": "List[Dataset]",
        "next_cursor": "Union[str, None]",
    },
)

DatasetRequestColumns = TypedDict(
    "DatasetRequestColumns",
    {
        "name": "str",
        "type": "Literal['number', 'boolean', 'date-time', 'text', 'json']",
    },
)

DatasetRequest = TypedDict(
    "DatasetRequest",
    {
        "name": "str",
        # Columns that are there from the start. Others are added with the type of their first value.
        "columns": NotRequired["List[DatasetRequestColumns]"],
        # Columns by which rows of two runs are the same; default: URL and index.
        "key": NotRequired["List[str]"],
    },
)

DatasetRow = TypedDict(
    "DatasetRow",
    {
        # Its number, which never changes.
        "row": "int",
        "run": "int",
        "url": "str",
        # Position among the rows of the page.
        "index": "int",
        "status": "Union[int, None]",
        "title": "Union[str, None]",
        "scrape": "Union[str, None]",
        # By column; columns without a value are left out.
        "values": "Dict[str, Any]",
        # With `diff_to`: how it differs.
        "change": "Union[Literal['new', 'changed', 'gone'], None]",
        # Of a changed row: its values in the run `diff_to`.
        "before": "Any",
    },
)

DatasetRowList = TypedDict(
    "DatasetRowList",
    {
        "items": "List[DatasetRow]",
        # Cursor of the next page; null: there are no more. With filters or `diff_to`, a page may be short or empty although there is one.
        "next_cursor": "Union[str, None]",
    },
)

DatasetRun = TypedDict(
    "DatasetRun",
    {
        # Numbers grow, and may have gaps.
        "n": "int",
        "job_id": "str",
        "schedule_id": "Union[str, None]",
        # `importing`: results are being added. `deleting`: its rows go, because there are too many.
        "state": "Literal['importing', 'ended', 'failed', 'deleting']",
        "at": "str",
        "rows": "int",
        "error": "Union[DatasetError, None]",
    },
)

DatasetRunList = TypedDict(
    "DatasetRunList",
    {
        "items": "List[DatasetRun]",
        "next_cursor": "Union[str, None]",
    },
)

DefaultWebhook = TypedDict(
    "DefaultWebhook",
    {
        "webhook": "Union[Webhook, None]",
    },
)

DeleteChannelQuery = TypedDict(
    "DeleteChannelQuery",
    {
        # `1`: also removes it from all that uses it.
        "detach": NotRequired["Literal['0', '1']"],
    },
)

DeleteProfileQuery = TypedDict(
    "DeleteProfileQuery",
    {
        # Whose profile. Only for administrators; default: your own.
        "user_id": NotRequired["str"],
    },
)

# What is known about a document (PDF, DOCX, ODT, RTF, EPUB, PPTX, XLSX, XLS, ODS, CSV) whose formats were requested.
DocumentInfo = TypedDict(
    "DocumentInfo",
    {
        "kind": "Literal['pdf', 'docx', 'odt', 'rtf', 'epub', 'pptx', 'xlsx', 'xls', 'ods', 'csv']",
        # Pages of a PDF, slides, sheets or chapters. Null for kinds that have none before they are laid out.
        "pages": "Union[int, None]",
        "pages_read": "Union[int, None]",
        # Whether there is any text. False for a scan.
        "text_layer": "bool",
        "title": "Union[str, None]",
        "author": "Union[str, None]",
        "created": "Union[str, None]",
        # Whether only a part was read, because of a limit of time, pages or length.
        "truncated": "bool",
    },
)

Download = TypedDict(
    "Download",
    {
        "url": "Union[str, None]",
        # File name, without folders.
        "name": "str",
        # Media type.
        "type": "str",
        "bytes": "int",
        # URL that it was downloaded from.
        "from": "str",
    },
)

ErrorCode = Literal["request.invalid_json", "request.validation", "auth.missing", "auth.malformed", "auth.invalid", "auth.second_factor", "auth.expired", "budget.exhausted", "auth.scope", "auth.role", "auth.ip", "auth.disabled", "auth.origin", "policy.domain", "policy.address", "policy.robots", "request.not_found", "request.method", "request.slow", "screenshot.expired", "file.expired", "record.expired", "settings.file", "job.state", "channel.in_use", "idempotency.conflict", "idempotency.unknown", "idempotency.mismatch", "request.upgrade", "request.too_large", "request.media_type", "route.none", "route.cost_cap", "scraper.unavailable", "scraper.unsupported_option", "browser.unavailable", "proxy.pool_unconfigured", "proxy.country_unavailable", "proxy.forbidden", "record.no_content", "test.host", "template.unknown", "profile.unknown", "profile.site", "profile.owner", "profile.logged_out", "profile.credentials", "profile.unreadable", "limit.profiles", "limit.concurrency", "limit.jobs", "limit.monitors", "export.failed", "limit.datasets", "limit.schedules", "limit.alerts", "limit.channels", "limit.streams", "limit.items", "limit.site", "limit.sign_in", "limit.templates", "limit.saved_requests", "service.internal", "dns.not_found", "dns.failed", "connect.refused", "connect.timeout", "connect.reset", "connect.unreachable", "tls.invalid", "http.protocol", "redirect.too_many", "redirect.invalid", "proxy.failed", "target.blocked", "target.status", "action.failed", "action.refused", "login.failed", "browser.crashed", "vendor.failed", "service.unavailable", "service.storage", "browser.down", "route.paced", "timeout.total", "timeout.attempt", "accept.unmet", "content.truncated", "content.incomplete", "content.decode_failed", "wait.selector_timeout", "wait.load_timeout", "screenshot.failed", "pdf.failed", "extract.failed", "extract.model", "document.unreadable", "job.interrupted", "job.cost_cap", "skip.limit", "skip.robots", "skip.scope", "skip.excluded", "skip.depth", "skip.duplicate", "skip.trap", "skip.policy", "request.cancelled"]

ErrorEntryDetails = TypedDict(
    "ErrorEntryDetails",
    {
    },
)

ErrorEntry = TypedDict(
    "ErrorEntry",
    {
        "code": "ErrorCode",
        "level": "Literal['error']",
        # What is wrong, what is allowed, and what was given.
        "message": "str",
        "source": "Literal['request', 'service', 'route', 'proxy', 'vendor', 'target', 'browser', 'action', 'extract']",
        # Whether retrying the same request may succeed.
        "retryable": "bool",
        "attempt": NotRequired["int"],
        # JSON Pointer (RFC 6901) into the request.
        "pointer": NotRequired["str"],
        "details": NotRequired["ErrorEntryDetails"],
        "scraper": NotRequired["Union[Literal['http', 'http_impersonate', 'browser', 'browser_stealth'], str]"],
        # Number of the line, of a body of lines.
        "line": NotRequired["int"],
    },
)

# Runs a script in the page. `result` is its return value as JSON. If that exceeds 1 MiB, `result` is null, with the error `content.truncated`.
EvaluateAction = TypedDict(
    "EvaluateAction",
    {
        "type": "Literal['evaluate']",
        # An expression, or the body of an async function with the parameter `arg`. If the expression is a function, it is called with `arg`. You can use `await` in both.
        "script": "str",
        # A JSON value, available to the script as `arg`.
        "arg": NotRequired["Any"],
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

Export = TypedDict(
    "Export",
    {
        "id": "str",
        "job_id": "str",
        "schedule_id": "Union[str, None]",
        # Of the schedule.
        "run": "Union[int, None]",
        "format": "Literal['jsonl', 'csv', 'xlsx']",
        "target": "ExportTarget",
        # `failed`: given up.
        "state": "Literal['pending', 'sending', 'done', 'failed']",
        "tries": "int",
        # Of the latest answer of the target.
        "status": "Union[int, None]",
        # Of the latest try.
        "error": "Union[ExportError, None]",
        # Of the file.
        "bytes": "Union[int, None]",
        # The name of the object, or the URL without its query.
        "sent_to": "Union[str, None]",
        # Of `link`: works without a key until `url_expires_at`.
        "url": "Union[str, None]",
        "url_expires_at": "Union[str, None]",
        "next_try_at": "Union[str, None]",
        "created_at": "str",
        "ended_at": "Union[str, None]",
    },
)

ExportDatasetQuery = TypedDict(
    "ExportDatasetQuery",
    {
        # Format of the file.
        "format": NotRequired["Literal['jsonl', 'csv', 'xlsx']"],
        # Only rows of this run.
        "run": NotRequired["int"],
    },
)

ExportError = TypedDict(
    "ExportError",
    {
        "code": "str",
        "message": "str",
    },
)

ExportJobQuery = TypedDict(
    "ExportJobQuery",
    {
        # Format of the file.
        "format": NotRequired["Literal['jsonl', 'csv', 'xlsx', 'zip']"],
        # Only items in these states, separated by commas: ok, failed, skipped. Default: all of them.
        "state": NotRequired["str"],
    },
)

ExportList = TypedDict(
    "ExportList",
    {
        "items": "List[Export]",
    },
)

ExportRequest = TypedDict(
    "ExportRequest",
    {
        # As of `GET …/export/`.
        "format": "Literal['jsonl', 'csv', 'xlsx']",
        "target": "ExportTarget",
    },
)

ExportScrapesQuery = TypedDict(
    "ExportScrapesQuery",
    {
        # `jsonl`: one JSON object per line.
        "format": NotRequired["Literal['jsonl', 'csv']"],
        # Created at or after this time.
        "from": NotRequired["str"],
        # Created before this time.
        "to": NotRequired["str"],
        # Host of the target, or a pattern such as `*shop*` in which `*` matches any characters.
        "host": NotRequired["str"],
        # Text that the path or the query of the URL contains, in any case.
        "path": NotRequired["str"],
        # Only these records: at most 200 ids, separated by commas.
        "ids": NotRequired["str"],
        # Status of the target response.
        "status": NotRequired["int"],
        # Outcome of the scrape.
        "outcome": NotRequired["Literal['planned', 'failed', 'blocked', 'unaccepted', 'partial', 'target_error', 'ok']"],
        # Scraper that produced the result.
        "scraper": NotRequired["Union[Literal['http', 'http_impersonate', 'browser', 'browser_stealth'], str]"],
        # Code of the first error.
        "error_code": NotRequired["Literal['request.invalid_json', 'request.validation', 'auth.missing', 'auth.malformed', 'auth.invalid', 'auth.second_factor', 'auth.expired', 'budget.exhausted', 'auth.scope', 'auth.role', 'auth.ip', 'auth.disabled', 'auth.origin', 'policy.domain', 'policy.address', 'policy.robots', 'request.not_found', 'request.method', 'request.slow', 'screenshot.expired', 'file.expired', 'record.expired', 'settings.file', 'job.state', 'channel.in_use', 'idempotency.conflict', 'idempotency.unknown', 'idempotency.mismatch', 'request.upgrade', 'request.too_large', 'request.media_type', 'route.none', 'route.cost_cap', 'scraper.unavailable', 'scraper.unsupported_option', 'browser.unavailable', 'proxy.pool_unconfigured', 'proxy.country_unavailable', 'proxy.forbidden', 'record.no_content', 'test.host', 'template.unknown', 'profile.unknown', 'profile.site', 'profile.owner', 'profile.logged_out', 'profile.credentials', 'profile.unreadable', 'limit.profiles', 'limit.concurrency', 'limit.jobs', 'limit.monitors', 'export.failed', 'limit.datasets', 'limit.schedules', 'limit.alerts', 'limit.channels', 'limit.streams', 'limit.items', 'limit.site', 'limit.sign_in', 'limit.templates', 'limit.saved_requests', 'service.internal', 'dns.not_found', 'dns.failed', 'connect.refused', 'connect.timeout', 'connect.reset', 'connect.unreachable', 'tls.invalid', 'http.protocol', 'redirect.too_many', 'redirect.invalid', 'proxy.failed', 'target.blocked', 'target.status', 'action.failed', 'action.refused', 'login.failed', 'browser.crashed', 'vendor.failed', 'service.unavailable', 'service.storage', 'browser.down', 'route.paced', 'timeout.total', 'timeout.attempt', 'accept.unmet', 'content.truncated', 'content.incomplete', 'content.decode_failed', 'wait.selector_timeout', 'wait.load_timeout', 'screenshot.failed', 'pdf.failed', 'extract.failed', 'extract.model', 'document.unreadable', 'job.interrupted', 'job.cost_cap', 'skip.limit', 'skip.robots', 'skip.scope', 'skip.excluded', 'skip.depth', 'skip.duplicate', 'skip.trap', 'skip.policy', 'request.cancelled']"],
        # Id of the API key used.
        "key_id": NotRequired["str"],
        # A tag, as `name:value`.
        "tag": NotRequired["str"],
        # Owner of the scrape. Only for sessions of administrators, which see all users.
        "user_id": NotRequired["str"],
    },
)

# `link`: a signed link of the service, to the results as they are when it is used. `webhook`: a POST with the file as body, signed as Standard Webhooks say. `put`: a PUT. `s3`: an object in a bucket. In a change, a secret that is `***` stays.
ExportTarget = TypedDict(
    "ExportTarget",
    {
        "kind": "Literal['link', 'webhook', 'put', 's3']",
        # Of `webhook` and `put`: http or https. Redirects are not followed. Of `put`: Placeholders: `{date}` (2026-01-31) and `{time}` (235959) in UTC, `{name}`, `{run}`.
        "url": NotRequired["str"],
        # Of `webhook` and `put`. Their values are masked when read.
        "headers": NotRequired["Dict[str, str]"],
        # Of `s3`: base URL of the service.
        "endpoint": NotRequired["str"],
        # Of `s3`.
        "bucket": NotRequired["str"],
        # Of `s3`; default: us-east-1.
        "region": NotRequired["str"],
        # Of `s3`: the name of the object. Placeholders: `{date}` (2026-01-31) and `{time}` (235959) in UTC, `{name}`, `{run}`.
        "key": NotRequired["str"],
        # Of `s3`.
        "access_key_id": NotRequired["str"],
        # Of `s3`; masked when read.
        "secret_access_key": NotRequired["str"],
        # Of `s3`: the bucket is in the path instead of the host name.
        "path_style": NotRequired["bool"],
        # Of `link`: how long the link works; default: a week. The results may expire before.
        "expires_in_s": NotRequired["int"],
    },
)

ExportedProfileStorageStateCookiesPartitionKey = TypedDict(
    "ExportedProfileStorageStateCookiesPartitionKey",
    {
        "topLevelSite": NotRequired["str"],
        "sourceOrigin": NotRequired["str"],
        "hasCrossSiteAncestor": NotRequired["bool"],
    },
)

ExportedProfileStorageStateCookies = TypedDict(
    "ExportedProfileStorageStateCookies",
    {
        "name": "str",
        "value": "str",
        # With a leading dot, subdomains are included.
        "domain": "str",
        "path": "str",
        # Unix time in seconds. -1: a session cookie, kept until the scrape ends.
        "expires": NotRequired["float"],
        "httpOnly": NotRequired["bool"],
        "secure": NotRequired["bool"],
        # `Strict`, `Lax` or `None`, in any letter case.
        "sameSite": NotRequired["str"],
        # The same as `expires`.
        "expirationDate": NotRequired["float"],
        # The same as `expires`.
        "expiry": NotRequired["float"],
        # true: a session cookie, whatever `expires` says.
        "session": NotRequired["bool"],
        # true: subdomains of `domain` are excluded.
        "hostOnly": NotRequired["bool"],
        # The site of the top-level page that the cookie is for, such as `https://example.com`.
        "partitionKey": NotRequired["Union[str, ExportedProfileStorageStateCookiesPartitionKey]"],
        # `hasCrossSiteAncestor` of `partitionKey`.
        "_crHasCrossSiteAncestor": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "partitionKeyOpaque": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "id": NotRequired["Union[float, str]"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "storeId": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "firstPartyDomain": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "size": NotRequired["float"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "priority": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sameParty": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourceScheme": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourcePort": NotRequired["float"],
    },
)

ExportedProfileStorageStateOriginsLocalStorage = TypedDict(
    "ExportedProfileStorageStateOriginsLocalStorage",
    {
        "name": "str",
        "value": "str",
    },
)

ExportedProfileStorageStateOriginsIndexedDBStoresRecords = TypedDict(
    "ExportedProfileStorageStateOriginsIndexedDBStoresRecords",
    {
        "key": NotRequired["Any"],
        "keyEncoded": NotRequired["Any"],
        "value": NotRequired["Any"],
        "valueEncoded": NotRequired["Any"],
    },
)

ExportedProfileStorageStateOriginsIndexedDBStoresIndexes = TypedDict(
    "ExportedProfileStorageStateOriginsIndexedDBStoresIndexes",
    {
        "name": "str",
        "keyPath": NotRequired["str"],
        "keyPathArray": NotRequired["List[str]"],
        "multiEntry": "bool",
        "unique": "bool",
    },
)

ExportedProfileStorageStateOriginsIndexedDBStores = TypedDict(
    "ExportedProfileStorageStateOriginsIndexedDBStores",
    {
        "name": "str",
        "autoIncrement": "bool",
        "keyPath": NotRequired["str"],
        "keyPathArray": NotRequired["List[str]"],
        "records": "List[ExportedProfileStorageStateOriginsIndexedDBStoresRecords]",
        "indexes": "List[ExportedProfileStorageStateOriginsIndexedDBStoresIndexes]",
    },
)

ExportedProfileStorageStateOriginsIndexedDB = TypedDict(
    "ExportedProfileStorageStateOriginsIndexedDB",
    {
        "name": "str",
        "version": "int",
        "stores": "List[ExportedProfileStorageStateOriginsIndexedDBStores]",
    },
)

ExportedProfileStorageStateOrigins = TypedDict(
    "ExportedProfileStorageStateOrigins",
    {
        "origin": "str",
        "localStorage": "List[ExportedProfileStorageStateOriginsLocalStorage]",
        "indexedDB": NotRequired["List[ExportedProfileStorageStateOriginsIndexedDB]"],
    },
)

ExportedProfileStorageState = TypedDict(
    "ExportedProfileStorageState",
    {
        "cookies": NotRequired["List[ExportedProfileStorageStateCookies]"],
        "origins": NotRequired["List[ExportedProfileStorageStateOrigins]"],
    },
)

# A profile with its values: a password for its sites.
ExportedProfile = TypedDict(
    "ExportedProfile",
    {
        "name": "str",
        "storage_state": "ExportedProfileStorageState",
    },
)

# Extracts data from the page in its current state. `result` has the format of `scraper_data.extract`.
ExtractAction = TypedDict(
    "ExtractAction",
    {
        "type": "Literal['extract']",
        "schema": "Dict[str, ExtractRule]",
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

# `"css"` or `"//xpath"` for the text, `"css@attribute"` for an attribute, or an object. In a nested rule, `"@attribute"` reads the outer element itself.
ExtractRule = Union[str, "ExtractRuleObject"]

ExtractRuleObject = TypedDict(
    "ExtractRuleObject",
    {
        # A CSS selector, or XPath 1.0: `xpath=…` (or a leading `/`, `(` or `./`). In nested rules a CSS selector searches the descendants of the outer element, which is `:scope`; for XPath it is the context node (`.`).
        "selector": "str",
        # `item`: the first match, or null. `list`: all matches in document order; may be empty.
        "type": NotRequired["Literal['item', 'list']"],
        "output": NotRequired["Union[str, List[str], ExtractRules]"],
        # A regular expression in the syntax of RE2. The value is its first group, or all that it matches. `item`: the first match in any of the elements. `list`: all matches in all of them.
        "regex": NotRequired["str"],
        # `number`: the first number in the text. `date`: as RFC 3339. `url`: absolute. `trim`: without white space at both ends. `lower`: in lower case. A text that has no such value is passed over.
        "transform": NotRequired["Literal['number', 'date', 'url', 'trim', 'lower']"],
    },
)

ExtractRules = Dict[str, "ExtractRule"]

# A feed or a sitemap. URLs are absolute.
Feed = TypedDict(
    "Feed",
    {
        "kind": "Literal['rss', 'rdf', 'atom', 'json_feed', 'sitemap', 'sitemap_index']",
        "title": "Union[str, None]",
        "description": "Union[str, None]",
        # The page that the feed belongs to.
        "url": "Union[str, None]",
        "language": "Union[str, None]",
        "updated": "Union[str, None]",
        # URL of the next part of the feed.
        "next": "Union[str, None]",
        "items": "List[Union[FeedEntry, SitemapEntry]]",
        # Whether the feed has more entries than these.
        "truncated": "bool",
    },
)

FeedEntryAttachments = TypedDict(
    "FeedEntryAttachments",
    {
        "url": "str",
        "type": "Union[str, None]",
        "bytes": "Union[int, None]",
    },
)

# An entry of RSS, Atom or JSON Feed.
FeedEntry = TypedDict(
    "FeedEntry",
    {
        "id": "Union[str, None]",
        "url": "Union[str, None]",
        # Without markup.
        "title": "Union[str, None]",
        # Text or HTML, as the feed has it.
        "summary": "Union[str, None]",
        # Text or HTML, as the feed has it.
        "content": "Union[str, None]",
        "published": "Union[str, None]",
        "updated": "Union[str, None]",
        "authors": "List[str]",
        "categories": "List[str]",
        "image": "Union[str, None]",
        "attachments": "List[FeedEntryAttachments]",
    },
)

FillActionSelector = TypedDict(
    "FillActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Sets the text of a field.
FillAction = TypedDict(
    "FillAction",
    {
        "type": "Literal['fill']",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": "Union[str, FillActionSelector]",
        "value": "str",
        # Replace the current text. If false, the value is appended.
        "clear": NotRequired["bool"],
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

GetExportFileQuery = TypedDict(
    "GetExportFileQuery",
    {
        # Part of a signed link: expiry as Unix time in seconds.
        "expires": NotRequired["int"],
        # Part of a signed link; replaces the API key.
        "signature": NotRequired["str"],
    },
)

GetJobResultsQuery = TypedDict(
    "GetJobResultsQuery",
    {
        # `next_cursor` of the previous page.
        "cursor": NotRequired["str"],
        # Items per page.
        "limit": NotRequired["int"],
        # What is returned of each scrape: nothing, its `scraper_data` (`formats`), or the whole scrape (`full`).
        "include": NotRequired["Literal['none', 'formats', 'full']"],
        # Only items in these states, separated by commas: ok, failed, skipped. Default: all of them.
        "state": NotRequired["str"],
        # Only items whose URLs are in this folder or below it, such as `example.com/docs/` (as `GET …/folders/` lists them).
        "folder": NotRequired["str"],
        # `1`, with `Accept: application/x-ndjson`: the stream goes on until the job has ended.
        "follow": NotRequired["Literal['0', '1']"],
    },
)

GetPictureQuery = TypedDict(
    "GetPictureQuery",
    {
        # Part of a signed link: expiry as Unix time in seconds.
        "expires": NotRequired["int"],
        # Part of a signed link; replaces the API key.
        "signature": NotRequired["str"],
    },
)

GetScrapeContentQuery = TypedDict(
    "GetScrapeContentQuery",
    {
        # `1`: for display in a sandboxed frame of the dashboard instead. Only HTML, text and images.
        "view": NotRequired["Literal['1']"],
    },
)

GetScrapeFileQuery = TypedDict(
    "GetScrapeFileQuery",
    {
        # Part of a signed link: expiry as Unix time in seconds.
        "expires": NotRequired["int"],
        # Part of a signed link; replaces the API key.
        "signature": NotRequired["str"],
    },
)

GetScrapeQuery = TypedDict(
    "GetScrapeQuery",
    {
        # How long to wait for the end of an asynchronous scrape.
        "wait_ms": NotRequired["int"],
        # Whether `content` and `content_encoding` are in the answer. Default: as the request of the scrape said, `true` if it said nothing.
        "return_content": NotRequired["Literal['true', 'false']"],
    },
)

GetScrapeTotalsQuery = TypedDict(
    "GetScrapeTotalsQuery",
    {
        # `next_cursor` of the previous response. Keep the filters unchanged.
        "cursor": NotRequired["str"],
        # Created at or after this time.
        "from": NotRequired["str"],
        # Created before this time.
        "to": NotRequired["str"],
        # Host of the target, or a pattern such as `*shop*` in which `*` matches any characters.
        "host": NotRequired["str"],
        # Text that the path or the query of the URL contains, in any case.
        "path": NotRequired["str"],
        # Only these records: at most 200 ids, separated by commas.
        "ids": NotRequired["str"],
        # Status of the target response.
        "status": NotRequired["int"],
        # Outcome of the scrape.
        "outcome": NotRequired["Literal['planned', 'failed', 'blocked', 'unaccepted', 'partial', 'target_error', 'ok']"],
        # Scraper that produced the result.
        "scraper": NotRequired["Union[Literal['http', 'http_impersonate', 'browser', 'browser_stealth'], str]"],
        # Code of the first error.
        "error_code": NotRequired["Literal['request.invalid_json', 'request.validation', 'auth.missing', 'auth.malformed', 'auth.invalid', 'auth.second_factor', 'auth.expired', 'budget.exhausted', 'auth.scope', 'auth.role', 'auth.ip', 'auth.disabled', 'auth.origin', 'policy.domain', 'policy.address', 'policy.robots', 'request.not_found', 'request.method', 'request.slow', 'screenshot.expired', 'file.expired', 'record.expired', 'settings.file', 'job.state', 'channel.in_use', 'idempotency.conflict', 'idempotency.unknown', 'idempotency.mismatch', 'request.upgrade', 'request.too_large', 'request.media_type', 'route.none', 'route.cost_cap', 'scraper.unavailable', 'scraper.unsupported_option', 'browser.unavailable', 'proxy.pool_unconfigured', 'proxy.country_unavailable', 'proxy.forbidden', 'record.no_content', 'test.host', 'template.unknown', 'profile.unknown', 'profile.site', 'profile.owner', 'profile.logged_out', 'profile.credentials', 'profile.unreadable', 'limit.profiles', 'limit.concurrency', 'limit.jobs', 'limit.monitors', 'export.failed', 'limit.datasets', 'limit.schedules', 'limit.alerts', 'limit.channels', 'limit.streams', 'limit.items', 'limit.site', 'limit.sign_in', 'limit.templates', 'limit.saved_requests', 'service.internal', 'dns.not_found', 'dns.failed', 'connect.refused', 'connect.timeout', 'connect.reset', 'connect.unreachable', 'tls.invalid', 'http.protocol', 'redirect.too_many', 'redirect.invalid', 'proxy.failed', 'target.blocked', 'target.status', 'action.failed', 'action.refused', 'login.failed', 'browser.crashed', 'vendor.failed', 'service.unavailable', 'service.storage', 'browser.down', 'route.paced', 'timeout.total', 'timeout.attempt', 'accept.unmet', 'content.truncated', 'content.incomplete', 'content.decode_failed', 'wait.selector_timeout', 'wait.load_timeout', 'screenshot.failed', 'pdf.failed', 'extract.failed', 'extract.model', 'document.unreadable', 'job.interrupted', 'job.cost_cap', 'skip.limit', 'skip.robots', 'skip.scope', 'skip.excluded', 'skip.depth', 'skip.duplicate', 'skip.trap', 'skip.policy', 'request.cancelled']"],
        # Id of the API key used.
        "key_id": NotRequired["str"],
        # A tag, as `name:value`.
        "tag": NotRequired["str"],
        # Owner of the scrape. Only for sessions of administrators, which see all users.
        "user_id": NotRequired["str"],
    },
)

GetScreenshotQuery = TypedDict(
    "GetScreenshotQuery",
    {
        # Part of a signed link: expiry as Unix time in seconds.
        "expires": NotRequired["int"],
        # Part of a signed link; replaces the API key.
        "signature": NotRequired["str"],
    },
)

# Navigates to another page and waits for its `load` event. The same address and domain rules apply as for `url`.
GotoAction = TypedDict(
    "GotoAction",
    {
        "type": "Literal['goto']",
        # Absolute `http:` or `https:` URL, at most 8,192 characters.
        "url": "str",
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
    },
)

HideActionSelector = TypedDict(
    "HideActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Sets `display: none` on every matching element.
HideAction = TypedDict(
    "HideAction",
    {
        "type": "Literal['hide']",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": "Union[str, HideActionSelector]",
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

HoverActionSelector = TypedDict(
    "HoverActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Moves the mouse pointer over an element.
HoverAction = TypedDict(
    "HoverAction",
    {
        "type": "Literal['hover']",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": "Union[str, HoverActionSelector]",
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

IfActionSelector = TypedDict(
    "IfActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Runs one of two lists of actions; can be nested three levels deep. `result.branch` is `then`, `else` or null. The results of the branch follow, with the same `index`.
IfAction = TypedDict(
    "IfAction",
    {
        "type": "Literal['if']",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": NotRequired["Union[str, IfActionSelector]"],
        # Status of the current page.
        "status_code": NotRequired["Union[int, List[int]]"],
        # Actions to run if the element is visible, or the status matches.
        "then": NotRequired["List[PageAction]"],
        # Actions to run otherwise.
        "else": NotRequired["List[PageAction]"],
        # How long to wait for the element. Default: checks once, without waiting.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

ImportRequestHar = TypedDict(
    "ImportRequestHar",
    {
    },
)

ImportRequest = TypedDict(
    "ImportRequest",
    {
        # A curl command, as it is typed into a POSIX shell (bash, zsh), or copied from a browser.
        "curl": NotRequired["str"],
        # Contents of the files that the curl command reads (`@file`), as Base64, by the names in the command.
        "files": NotRequired["Dict[str, Any]"],
        # An HTTP archive (HAR 1.2), as JSON or as its text.
        "har": NotRequired["Union[str, ImportRequestHar]"],
        # Which entry of the archive, counted from 0. Without it, the first document.
        "entry": NotRequired["int"],
        # URL of a call of ScrapingBee, ScraperAPI, ScrapingAnt or Scrape.do, or its query alone. The key is not needed.
        "scrapingbee": NotRequired["str"],
    },
)

# The body of `POST /api/v1/scrape/` that does the same.
ImportResultRequest = TypedDict(
    "ImportResultRequest",
    {
    },
)

ImportResult = TypedDict(
    "ImportResult",
    {
        # The body of `POST /api/v1/scrape/` that does the same.
        "request": "ImportResultRequest",
        # What has no effect on the request, as it was written.
        "ignored": "List[str]",
    },
)

InfiniteScrollActionUntilSelector = TypedDict(
    "InfiniteScrollActionUntilSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

InfiniteScrollActionClickSelector = TypedDict(
    "InfiniteScrollActionClickSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

InfiniteScrollActionContainer = TypedDict(
    "InfiniteScrollActionContainer",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Scrolls to the bottom repeatedly, or clicks a “load more” button, until nothing more loads: no new content for 2 s and no pending requests. `result` is `{scrolls, reason}`; `reason` is `end`, `until_selector` or `max_scrolls`.
InfiniteScrollAction = TypedDict(
    "InfiniteScrollAction",
    {
        "type": "Literal['infinite_scroll']",
        "max_scrolls": NotRequired["int"],
        # Pause after each scroll or click.
        "delay_ms": NotRequired["float"],
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "until_selector": NotRequired["Union[str, InfiniteScrollActionUntilSelector]"],
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "click_selector": NotRequired["Union[str, InfiniteScrollActionClickSelector]"],
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "container": NotRequired["Union[str, InfiniteScrollActionContainer]"],
        # Time limit for the action. Default: 30,000 ms plus the delays.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

JobPause = TypedDict(
    "JobPause",
    {
        "reason": "Literal['asked', 'key', 'user', 'budget', 'storage', 'profile']",
        "since": "str",
        "resumes_at": "Union[str, None]",
    },
)

# Items by state; `found` is their sum.
JobCounts = TypedDict(
    "JobCounts",
    {
        "found": "int",
        "queued": "int",
        "running": "int",
        "ok": "int",
        "failed": "int",
        "skipped": "int",
    },
)

Job = TypedDict(
    "Job",
    {
        "id": "str",
        "kind": "Literal['scrape', 'batch', 'crawl']",
        "name": "Union[str, None]",
        # The name, or else host and path of the first URL.
        "label": "Union[str, None]",
        # The owner.
        "user_id": "str",
        "state": "Literal['queued', 'running', 'paused', 'done', 'cancelled', 'failed']",
        # Why the job starts no items now; null: it is not paused.
        "pause": "Union[JobPause, None]",
        # Why nothing (more) is started now. `retry`: the last try went wrong. `site_limit`: the limits of the site allow no attempt now. `pace`: the pause between two requests to the host. `host_limit`: as many run on the host as may. `concurrency`: all places of the job, of your jobs or of the service are taken. `max_cost`: what runs may use up `max_cost`. `paused`, `key`, `user`, `budget`, `storage`, `profile` (it is logged out): the job is paused. null: nothing waits, or it starts in a moment.
        "waiting": "Union[JobWait, None]",
        # When the first item that waits for a retry is tried again; null: none waits for one.
        "next_try_at": "Union[str, None]",
        # The last try of an item that went wrong. It stays when the item succeeds later.
        "last_error": "Union[LastJobError, None]",
        # Items by state; `found` is their sum.
        "counts": "JobCounts",
        # URLs that were found again; they are no items.
        "duplicates": "int",
        # Skipped URLs that are no items, because the job has 100,000 skipped items already or a page too many links.
        "unlisted": "int",
        # Scrapes by outcome.
        "outcomes": "Dict[str, int]",
        # Of all scrapes so far; null: no prices are configured.
        "cost": "Union[float, None]",
        # Items that ended per second, since the start.
        "rate_per_s": "Union[float, None]",
        # Estimated seconds until the end.
        "eta_s": "Union[int, None]",
        # From the start to the end, or until now; null: it has not started.
        "duration_ms": "Union[int, None]",
        # Share of `ok` among the items that ended as `ok` or `failed`; null: none has.
        "ok_share": "Union[float, None]",
        "error": "Union[JobError, None]",
        "tags": "Dict[str, str]",
        "metadata": "Any",
        "priority": "int",
        "concurrency": "Union[int, None]",
        # The monitor whose run it is.
        "monitor_id": "Union[str, None]",
        # The schedule whose run it is.
        "schedule_id": "Union[str, None]",
        "created_at": "str",
        "started_at": "Union[str, None]",
        "ended_at": "Union[str, None]",
        "expires_at": "Union[str, None]",
        # The request as received, with secrets masked; of a batch without `requests`.
        "request": "Dict[str, Any]",
    },
)

JobAcceptedInvalid = TypedDict(
    "JobAcceptedInvalid",
    {
        "pointer": "str",
        "line": NotRequired["int"],
        "message": "str",
    },
)

JobAccepted = TypedDict(
    "JobAccepted",
    {
        "id": "str",
        "state": "Literal['queued']",
        # With `invalid: skip`: the first requests that are not valid, and why.
        "invalid": NotRequired["List[JobAcceptedInvalid]"],
        "invalid_total": NotRequired["int"],
    },
)

JobChange = TypedDict(
    "JobChange",
    {
        "concurrency": NotRequired["Union[int, None]"],
        # Among your own jobs, those with a higher priority go first.
        "priority": NotRequired["int"],
        # Visits of a crawl. It holds for URLs that are found from now on.
        "limit": NotRequired["int"],
    },
)

JobError = TypedDict(
    "JobError",
    {
        "code": "str",
        "message": "str",
    },
)

# Items by state; `found` is their sum.
JobFolderCounts = TypedDict(
    "JobFolderCounts",
    {
        "found": "int",
        "queued": "int",
        "running": "int",
        "ok": "int",
        "failed": "int",
        "skipped": "int",
    },
)

JobFolder = TypedDict(
    "JobFolder",
    {
        # Host and path of the URLs, up to a slash: `example.com/docs/`. The folder that was asked for means the items directly in it.
        "folder": "str",
        # Items by state; `found` is their sum.
        "counts": "JobFolderCounts",
    },
)

JobFolders = TypedDict(
    "JobFolders",
    {
        "items": "List[JobFolder]",
        "next_cursor": "Union[str, None]",
    },
)

JobItem = TypedDict(
    "JobItem",
    {
        # Number of the item in the job; `parent` is one.
        "item": "int",
        # Position in the order of ends; null: it has not ended.
        "n": "Union[int, None]",
        "ref": "Union[str, None]",
        "url": "str",
        "depth": "int",
        "parent": "Union[int, None]",
        "state": "Literal['queued', 'running', 'ok', 'failed', 'skipped']",
        "tries": "int",
        "outcome": "Union[str, None]",
        # What went wrong. Of an item that waits for a retry: with its last try.
        "error": "Union[JobError, None]",
        # When it is tried again; null: it waits for no retry.
        "next_try_at": "Union[str, None]",
        "ended_at": "Union[str, None]",
        # Of the last scrape, as the next three members.
        "status_code": "Union[int, None]",
        "verdict": "Union[Literal['ok', 'js_shell', 'challenge', 'captcha', 'block', 'wall', 'rate', 'error_page', 'net', 'empty'], None]",
        "title": "Union[str, None]",
        # Length of the content.
        "bytes": "Union[int, None]",
        # Id of the last scrape; with `include=full` the scrape itself. null: there is none.
        "scrape": "Any",
        # Why a content that was stored is no longer there: `storage`: it was deleted to free storage, or on request; `retention`: it has expired; `retain`: the request set `router.retain`, so only the webhook got it. null: it is there, or there was none, or it was not asked for.
        "gone": "Union[Literal['storage', 'retention', 'retain'], None]",
        # What the formats gave; null: there is none, or it was not asked for.
        "scraper_data": "Any",
    },
)

JobList = TypedDict(
    "JobList",
    {
        "items": "List[Job]",
        "next_cursor": "Union[str, None]",
    },
)

# `kind` (`scrape`, `batch`, `crawl`), and the members of `POST /api/v1/scrape/`, `/api/v1/batches/` or `/api/v1/crawls/`. The kind `search` is not available yet.
JobOfSchedule = Dict[str, Any]

JobResults = TypedDict(
    "JobResults",
    {
        "items": "List[JobItem]",
        # Cursor of the next page. null: there are no more results, and there will be none.
        "next_cursor": "Union[str, None]",
    },
)

JobWait = TypedDict(
    "JobWait",
    {
        "reason": "Literal['retry', 'site_limit', 'pace', 'host_limit', 'concurrency', 'max_cost', 'paused', 'key', 'user', 'budget', 'storage', 'profile']",
        # Not before this time; null: it is not known.
        "until": "Union[str, None]",
    },
)

JsonResultInvalid = TypedDict(
    "JsonResultInvalid",
    {
        # A JSON pointer into `value`.
        "pointer": "str",
        "message": "str",
    },
)

JsonResultSources = TypedDict(
    "JsonResultSources",
    {
        # `og`: Open Graph. `text`: text of the page, its title or a `meta` element. `model`: found in the page by the model.
        "from": "Literal['json_ld', 'microdata', 'rdfa', 'og', 'table', 'text', 'model']",
        # A JSON pointer into `structured`, or into a page that is JSON.
        "path": NotRequired["str"],
        # CSS selector of the element.
        "selector": NotRequired["str"],
        # The text of the page that says so.
        "quote": NotRequired["str"],
    },
)

JsonResultModel = TypedDict(
    "JsonResultModel",
    {
        "name": "str",
        "tokens_in": "int",
        "tokens_out": "int",
    },
)

# Your JSON Schema filled with what the page says.
JsonResult = TypedDict(
    "JsonResult",
    {
        # Data by your schema. What the page does not say is left out, or null if the schema requires it and allows null.
        "value": "Any",
        # Whether `value` matches your schema.
        "valid": "bool",
        # What the page does not say.
        "missing": "List[str]",
        # What does not match your schema, apart from what is missing.
        "invalid": "List[JsonResultInvalid]",
        # Where each value is in the page, by JSON pointer into `value`.
        "sources": "Dict[str, JsonResultSources]",
        # The model that looked for what was missing; null: none was asked.
        "model": "Union[JsonResultModel, None]",
    },
)

LastJobError = TypedDict(
    "LastJobError",
    {
        "code": "str",
        "message": "str",
        "item": "int",
        "url": "str",
        "at": "str",
    },
)

ListChannelsQuery = TypedDict(
    "ListChannelsQuery",
    {
        # Per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page.
        "cursor": NotRequired["str"],
    },
)

ListDatasetRowsQuery = TypedDict(
    "ListDatasetRowsQuery",
    {
        # A JSON list of `{"column", "op", "value"}`: rows that pass all. `op`: eq, ne, lt, le, gt, ge, contains, starts (both without regard to case), null, not_null. Columns of each row: `$url`, `$status`, `$title`.
        "filter": NotRequired["str"],
        # A column, with `-` before it from the greatest value on; rows without a value come last. Texts are sorted by their first 48 bytes, in lower case. Default: the newest rows first.
        "sort": NotRequired["str"],
        # Only rows of this run.
        "run": NotRequired["int"],
        # The number of a run: rows of `run` (default: the latest one) that are new or have changed since, then those that are gone. Without `filter` and `sort`.
        "diff_to": NotRequired["int"],
        # Rows per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page.
        "cursor": NotRequired["str"],
    },
)

ListDatasetRunsQuery = TypedDict(
    "ListDatasetRunsQuery",
    {
        # Per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page.
        "cursor": NotRequired["str"],
    },
)

ListDatasetsQuery = TypedDict(
    "ListDatasetsQuery",
    {
        # Only those whose name contains this text, ASCII letters in any case.
        "q": NotRequired["str"],
        # Per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page.
        "cursor": NotRequired["str"],
    },
)

ListJobFoldersQuery = TypedDict(
    "ListJobFoldersQuery",
    {
        # The folder whose folders are listed, such as `example.com/docs/`. Default: the hosts.
        "folder": NotRequired["str"],
        # Folders per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page.
        "cursor": NotRequired["str"],
    },
)

ListJobItemsQuery = TypedDict(
    "ListJobItemsQuery",
    {
        # Only items in these states, separated by commas: queued, running, ok, failed, skipped. Default: all of them.
        "state": NotRequired["str"],
        # Only items whose URL or title contains this text, ASCII letters in any case. A page searches 10,000 items, so it may be short or empty although there is a next one.
        "q": NotRequired["str"],
        # Only items whose URLs are in this folder or below it, such as `example.com/docs/` (as `GET …/folders/` lists them).
        "folder": NotRequired["str"],
        # Only items with this error. Searched as with `q`.
        "error_code": NotRequired["Literal['request.invalid_json', 'request.validation', 'auth.missing', 'auth.malformed', 'auth.invalid', 'auth.second_factor', 'auth.expired', 'budget.exhausted', 'auth.scope', 'auth.role', 'auth.ip', 'auth.disabled', 'auth.origin', 'policy.domain', 'policy.address', 'policy.robots', 'request.not_found', 'request.method', 'request.slow', 'screenshot.expired', 'file.expired', 'record.expired', 'settings.file', 'job.state', 'channel.in_use', 'idempotency.conflict', 'idempotency.unknown', 'idempotency.mismatch', 'request.upgrade', 'request.too_large', 'request.media_type', 'route.none', 'route.cost_cap', 'scraper.unavailable', 'scraper.unsupported_option', 'browser.unavailable', 'proxy.pool_unconfigured', 'proxy.country_unavailable', 'proxy.forbidden', 'record.no_content', 'test.host', 'template.unknown', 'profile.unknown', 'profile.site', 'profile.owner', 'profile.logged_out', 'profile.credentials', 'profile.unreadable', 'limit.profiles', 'limit.concurrency', 'limit.jobs', 'limit.monitors', 'export.failed', 'limit.datasets', 'limit.schedules', 'limit.alerts', 'limit.channels', 'limit.streams', 'limit.items', 'limit.site', 'limit.sign_in', 'limit.templates', 'limit.saved_requests', 'service.internal', 'dns.not_found', 'dns.failed', 'connect.refused', 'connect.timeout', 'connect.reset', 'connect.unreachable', 'tls.invalid', 'http.protocol', 'redirect.too_many', 'redirect.invalid', 'proxy.failed', 'target.blocked', 'target.status', 'action.failed', 'action.refused', 'login.failed', 'browser.crashed', 'vendor.failed', 'service.unavailable', 'service.storage', 'browser.down', 'route.paced', 'timeout.total', 'timeout.attempt', 'accept.unmet', 'content.truncated', 'content.incomplete', 'content.decode_failed', 'wait.selector_timeout', 'wait.load_timeout', 'screenshot.failed', 'pdf.failed', 'extract.failed', 'extract.model', 'document.unreadable', 'job.interrupted', 'job.cost_cap', 'skip.limit', 'skip.robots', 'skip.scope', 'skip.excluded', 'skip.depth', 'skip.duplicate', 'skip.trap', 'skip.policy', 'request.cancelled']"],
        # By number, by the order of ends, by status or by size. Items that have none of it are not listed then.
        "sort": NotRequired["Literal['item', 'ended', 'status_code', 'bytes']"],
        # Ascending or descending.
        "order": NotRequired["Literal['asc', 'desc']"],
        # Items per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page, with the same `sort` and `order`.
        "cursor": NotRequired["str"],
    },
)

ListJobsQuery = TypedDict(
    "ListJobsQuery",
    {
        # Only jobs whose name or first URL contains this text, in any case. A page searches 10,000 jobs, so it may be short or empty although there is a next one.
        "q": NotRequired["str"],
        # Only jobs of this kind.
        "kind": NotRequired["Literal['scrape', 'batch', 'crawl']"],
        # Only jobs in this state.
        "state": NotRequired["Literal['queued', 'running', 'paused', 'done', 'cancelled', 'failed']"],
        # Owner. Only for sessions of administrators, which see the jobs of all users.
        "user_id": NotRequired["str"],
        # A tag, as `name:value`.
        "tag": NotRequired["str"],
        # Created at or after this time.
        "from": NotRequired["str"],
        # Created before this time.
        "to": NotRequired["str"],
        # Also jobs that are runs of monitors and schedules.
        "with_runs": NotRequired["bool"],
        # By creation, label, duration, cost, or share of `ok` items. All but `created` sort the newest 10,000 jobs within `from` and `to`.
        "sort": NotRequired["Literal['created', 'name', 'duration', 'cost', 'ok_share']"],
        # Ascending or descending.
        "order": NotRequired["Literal['asc', 'desc']"],
        # Jobs per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page, with the same filters, `sort` and `order`.
        "cursor": NotRequired["str"],
    },
)

ListMonitorRunsQuery = TypedDict(
    "ListMonitorRunsQuery",
    {
        # Per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page.
        "cursor": NotRequired["str"],
    },
)

ListMonitorsQuery = TypedDict(
    "ListMonitorsQuery",
    {
        # Only those whose name contains this text, ASCII letters in any case.
        "q": NotRequired["str"],
        # Per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page, with the same `sort` and `order`.
        "cursor": NotRequired["str"],
        # By creation, name, next run, or latest change.
        "sort": NotRequired["Literal['created', 'name', 'next_run', 'changed']"],
        # Ascending or descending. Default: `desc`, by name and next run `asc`.
        "order": NotRequired["Literal['asc', 'desc']"],
    },
)

ListNotificationsQuery = TypedDict(
    "ListNotificationsQuery",
    {
        # `1`: only those that are not read.
        "unread": NotRequired["Literal['0', '1']"],
        # Per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page.
        "cursor": NotRequired["str"],
    },
)

ListProfilesQuery = TypedDict(
    "ListProfilesQuery",
    {
        # Of this user, or `all`. Only for administrators and viewers; default: your own.
        "user_id": NotRequired["str"],
        # Per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page.
        "cursor": NotRequired["str"],
    },
)

ListScheduleRunsQuery = TypedDict(
    "ListScheduleRunsQuery",
    {
        # Per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page.
        "cursor": NotRequired["str"],
    },
)

ListSchedulesQuery = TypedDict(
    "ListSchedulesQuery",
    {
        # Only those whose name contains this text, ASCII letters in any case.
        "q": NotRequired["str"],
        # Per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page, with the same `sort` and `order`.
        "cursor": NotRequired["str"],
        # By creation, name, or next run.
        "sort": NotRequired["Literal['created', 'name', 'next_run']"],
        # Ascending or descending. Default: `desc`, by name and next run `asc`.
        "order": NotRequired["Literal['asc', 'desc']"],
    },
)

ListScrapesQuery = TypedDict(
    "ListScrapesQuery",
    {
        # Maximum number of records per page.
        "limit": NotRequired["int"],
        # By start time: newest first (`desc`) or oldest first (`asc`).
        "order": NotRequired["Literal['asc', 'desc']"],
        # `next_cursor` of the previous page. Keep order and filters unchanged.
        "cursor": NotRequired["str"],
        # Created at or after this time.
        "from": NotRequired["str"],
        # Created before this time.
        "to": NotRequired["str"],
        # Host of the target, or a pattern such as `*shop*` in which `*` matches any characters.
        "host": NotRequired["str"],
        # Text that the path or the query of the URL contains, in any case.
        "path": NotRequired["str"],
        # Only these records: at most 200 ids, separated by commas.
        "ids": NotRequired["str"],
        # Status of the target response.
        "status": NotRequired["int"],
        # Outcome of the scrape.
        "outcome": NotRequired["Literal['planned', 'failed', 'blocked', 'unaccepted', 'partial', 'target_error', 'ok']"],
        # Scraper that produced the result.
        "scraper": NotRequired["Union[Literal['http', 'http_impersonate', 'browser', 'browser_stealth'], str]"],
        # Code of the first error.
        "error_code": NotRequired["Literal['request.invalid_json', 'request.validation', 'auth.missing', 'auth.malformed', 'auth.invalid', 'auth.second_factor', 'auth.expired', 'budget.exhausted', 'auth.scope', 'auth.role', 'auth.ip', 'auth.disabled', 'auth.origin', 'policy.domain', 'policy.address', 'policy.robots', 'request.not_found', 'request.method', 'request.slow', 'screenshot.expired', 'file.expired', 'record.expired', 'settings.file', 'job.state', 'channel.in_use', 'idempotency.conflict', 'idempotency.unknown', 'idempotency.mismatch', 'request.upgrade', 'request.too_large', 'request.media_type', 'route.none', 'route.cost_cap', 'scraper.unavailable', 'scraper.unsupported_option', 'browser.unavailable', 'proxy.pool_unconfigured', 'proxy.country_unavailable', 'proxy.forbidden', 'record.no_content', 'test.host', 'template.unknown', 'profile.unknown', 'profile.site', 'profile.owner', 'profile.logged_out', 'profile.credentials', 'profile.unreadable', 'limit.profiles', 'limit.concurrency', 'limit.jobs', 'limit.monitors', 'export.failed', 'limit.datasets', 'limit.schedules', 'limit.alerts', 'limit.channels', 'limit.streams', 'limit.items', 'limit.site', 'limit.sign_in', 'limit.templates', 'limit.saved_requests', 'service.internal', 'dns.not_found', 'dns.failed', 'connect.refused', 'connect.timeout', 'connect.reset', 'connect.unreachable', 'tls.invalid', 'http.protocol', 'redirect.too_many', 'redirect.invalid', 'proxy.failed', 'target.blocked', 'target.status', 'action.failed', 'action.refused', 'login.failed', 'browser.crashed', 'vendor.failed', 'service.unavailable', 'service.storage', 'browser.down', 'route.paced', 'timeout.total', 'timeout.attempt', 'accept.unmet', 'content.truncated', 'content.incomplete', 'content.decode_failed', 'wait.selector_timeout', 'wait.load_timeout', 'screenshot.failed', 'pdf.failed', 'extract.failed', 'extract.model', 'document.unreadable', 'job.interrupted', 'job.cost_cap', 'skip.limit', 'skip.robots', 'skip.scope', 'skip.excluded', 'skip.depth', 'skip.duplicate', 'skip.trap', 'skip.policy', 'request.cancelled']"],
        # Id of the API key used.
        "key_id": NotRequired["str"],
        # A tag, as `name:value`.
        "tag": NotRequired["str"],
        # Owner of the scrape. Only for sessions of administrators, which see all users.
        "user_id": NotRequired["str"],
    },
)

ListWebhookDeliveriesQuery = TypedDict(
    "ListWebhookDeliveriesQuery",
    {
        # Only of this job, scrape, monitor, schedule, rule of alerts or channel: of its webhook, and to the channels that were told of its events.
        "source": NotRequired["str"],
        # Only in this state.
        "state": NotRequired["Literal['queued', 'sending', 'delivered', 'failed']"],
        # Deliveries per page.
        "limit": NotRequired["int"],
        # `next_cursor` of the previous page.
        "cursor": NotRequired["str"],
    },
)

ListedJobItem = TypedDict(
    "ListedJobItem",
    {
        # Number of the item in the job; `parent` is one.
        "item": "int",
        # Position in the order of ends; null: it has not ended.
        "n": "Union[int, None]",
        "ref": "Union[str, None]",
        "url": "str",
        "depth": "int",
        "parent": "Union[int, None]",
        "state": "Literal['queued', 'running', 'ok', 'failed', 'skipped']",
        "tries": "int",
        "outcome": "Union[str, None]",
        # What went wrong. Of an item that waits for a retry: with its last try.
        "error": "Union[JobError, None]",
        # When it is tried again; null: it waits for no retry.
        "next_try_at": "Union[str, None]",
        "ended_at": "Union[str, None]",
        # Of the last scrape, as the next three members.
        "status_code": "Union[int, None]",
        "verdict": "Union[Literal['ok', 'js_shell', 'challenge', 'captcha', 'block', 'wall', 'rate', 'error_page', 'net', 'empty'], None]",
        "title": "Union[str, None]",
        # Length of the content.
        "bytes": "Union[int, None]",
        # Id of the last scrape.
        "scrape": "Union[str, None]",
        # Why nothing (more) is started now. `retry`: the last try went wrong. `site_limit`: the limits of the site allow no attempt now. `pace`: the pause between two requests to the host. `host_limit`: as many run on the host as may. `concurrency`: all places of the job, of your jobs or of the service are taken. `max_cost`: what runs may use up `max_cost`. `paused`, `key`, `user`, `budget`, `storage`, `profile` (it is logged out): the job is paused. null: nothing waits, or it starts in a moment.
        "waiting": "Union[JobWait, None]",
    },
)

ListedJobItems = TypedDict(
    "ListedJobItems",
    {
        "items": "List[ListedJobItem]",
        # Cursor of the next page; null: there is none. With `q`, a page may be short or empty although there is one.
        "next_cursor": "Union[str, None]",
    },
)

# Logs in with the credentials of a profile: user name, password and one-time code, on one page or one after the other. They are typed only into frames of the `sites` of the profile, by https. Until the next document, scripts and captures are refused, and pictures are blank. `result.steps` lists what was typed.
LoginAction = TypedDict(
    "LoginAction",
    {
        "type": "Literal['login']",
        # Name of a profile that has credentials.
        "profile": "str",
        # Time limit for all steps together. Default: 30,000 ms.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
    },
)

MainContentBox = TypedDict(
    "MainContentBox",
    {
        "x": "int",
        "y": "int",
        "width": "int",
        "height": "int",
    },
)

# In crawls with `site_boilerplate`: what was left out because most pages have it.
MainContentBoilerplate = TypedDict(
    "MainContentBoilerplate",
    {
        "blocks": "int",
        "characters": "int",
    },
)

# What the main content of the page is.
MainContent = TypedDict(
    "MainContent",
    {
        "kind": "Literal['article', 'listing', 'product', 'discussion', 'document', 'other']",
        "confidence": "float",
        # A CSS selector that finds its first element; not the title, if it is outside.
        "selector": "str",
        # The share of the visible text of the page that it has.
        "share_of_text": "float",
        # How it was found, in a word.
        "method": "str",
        # The smallest rectangle around its elements in the screenshot, in pixels of the picture. null: there is no screenshot, it does not show them, or where they are is unknown, as for stored pages.
        "box": "Union[MainContentBox, None]",
        # In crawls with `site_boilerplate`: what was left out because most pages have it.
        "boilerplate": NotRequired["MainContentBoilerplate"],
    },
)

MapError = TypedDict(
    "MapError",
    {
        "code": "str",
        "message": "str",
    },
)

MapRequest = TypedDict(
    "MapRequest",
    {
        "url": "str",
        # Only URLs that contain all of these words, in the URL or the title.
        "search": NotRequired["str"],
        # URLs that are returned at most.
        "limit": NotRequired["int"],
        # Which URLs belong to the start URLs: those on the same host (`www.` and the scheme do not matter), below the same path, on the same registrable domain, or all.
        "scope": NotRequired["Literal['host', 'path', 'domain', 'any']"],
        # Whether the sitemaps of the start URLs are used besides links (`include`), instead of links (`only`), or not.
        "sitemap": NotRequired["Literal['include', 'only', 'ignore']"],
        # Only URLs that match one of these are visited; start URLs always are. Globs (`/blog/**`, `*.pdf`) or regular expressions between slashes (`/^\/a[0-9]+/`, RE2). They are matched with path and query; those that begin with `http` with the whole URL.
        "include": NotRequired["List[str]"],
        # URLs that match one of these are not visited; start URLs always are. As in `include`.
        "exclude": NotRequired["List[str]"],
        # Whether URLs that robots.txt forbids are dropped. `ignore` needs the permission of the operator.
        "robots": NotRequired["Literal['respect', 'ignore']"],
        # What was found by then is returned.
        "timeout_ms": NotRequired["int"],
        # Members of the scrape request for the page, such as `scraper` and `proxy`; not `url` and `timeout_ms`.
        "request": NotRequired["Dict[str, Any]"],
    },
)

MapResultItems = TypedDict(
    "MapResultItems",
    {
        "url": "str",
        # `record`: an earlier scrape of yours.
        "source": "Literal['sitemap', 'page', 'feed', 'record']",
        "title": "Union[str, None]",
        "last_modified": "Union[str, None]",
    },
)

MapResultPage = TypedDict(
    "MapResultPage",
    {
        "url": "str",
        # Status of the response; null: there was none.
        "status": "Union[int, None]",
        "error": "Union[MapError, None]",
    },
)

MapResultSitemaps = TypedDict(
    "MapResultSitemaps",
    {
        "url": "str",
        # Status of the response; null: there was none.
        "status": "Union[int, None]",
        "urls": "int",
        "error": "Union[MapError, None]",
    },
)

MapResult = TypedDict(
    "MapResult",
    {
        "items": "List[MapResultItems]",
        # The page whose links were read; null with `sitemap: only`.
        "page": "Union[MapResultPage, None]",
        # The sitemaps in the order in which they were read.
        "sitemaps": "List[MapResultSitemaps]",
        # How many URLs are not in `items`, by reason.
        "dropped": "Dict[str, int]",
        # There are more URLs than `limit`.
        "truncated": "bool",
    },
)

Monitor = TypedDict(
    "Monitor",
    {
        "id": "str",
        "name": "str",
        # The owner.
        "user_id": "str",
        "state": "Literal['active', 'paused']",
        "pause_reason": "Union[Literal['asked', 'key', 'user'], None]",
        "kind": "Literal['request', 'crawl', 'batch']",
        # The request, with secrets masked; of a batch with `urls` instead of `requests`.
        "request": "Dict[str, Any]",
        "schedule": "Schedule",
        "jitter_s": "int",
        "compare": "Compare",
        "keep": "int",
        # With masked headers. null: nothing is sent.
        "webhook": "Union[Webhook, None]",
        "channels": "List[str]",
        "notify_on": "List[Literal['changed', 'failed', 'done', 'person_needed']]",
        "next_run_at": "Union[str, None]",
        "created_at": "str",
        # The last run that found a change.
        "changed_at": "Union[str, None]",
        # The last that has ended. null: none yet.
        "last_run": "Union[MonitorLastRun, None]",
        # Runs so far, skipped ones included.
        "runs": "int",
        "errors_in_a_row": "int",
    },
)

MonitorBatch = TypedDict(
    "MonitorBatch",
    {
        "requests": "List[BatchItem]",
        # Members that every request gets that does not have them itself.
        "defaults": NotRequired["Dict[str, Any]"],
    },
)

# With `compare`, `request`, `crawl` or `batch`, the next run is the first again, and a run under way ends without a result.
MonitorChange = TypedDict(
    "MonitorChange",
    {
        "name": NotRequired["str"],
        # A scrape request.
        "request": NotRequired["Dict[str, Any]"],
        "crawl": NotRequired["MonitorCrawl"],
        "batch": NotRequired["MonitorBatch"],
        "schedule": NotRequired["Schedule"],
        # Spreads the runs of those with the same schedule over this time.
        "jitter_s": NotRequired["int"],
        "compare": NotRequired["Compare"],
        # null: nothing is sent any more.
        "webhook": NotRequired["Union[Webhook, None]"],
        # The newest runs that are kept, as many that found a change, and as many that were errors.
        "keep": NotRequired["int"],
        # Ids of your channels (`/api/v1/channels/`), by which people are told.
        "channels": NotRequired["List[str]"],
        # What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version.
        "notify_on": NotRequired["List[Literal['changed', 'failed', 'done', 'person_needed']]"],
    },
)

MonitorCrawlRules = TypedDict(
    "MonitorCrawlRules",
    {
        "match": "str",
        "request": "Dict[str, Any]",
    },
)

MonitorCrawl = TypedDict(
    "MonitorCrawl",
    {
        "url": NotRequired["str"],
        # Several start URLs, instead of `url`.
        "urls": NotRequired["List[str]"],
        # Pages that are visited at most. Skipped URLs do not count.
        "limit": NotRequired["int"],
        # Links between a start URL and a page, at most.
        "max_depth": NotRequired["int"],
        # Which URLs belong to the start URLs: those on the same host (`www.` and the scheme do not matter), below the same path, on the same registrable domain, or all.
        "scope": NotRequired["Literal['host', 'path', 'domain', 'any']"],
        # Whether the sitemaps of the start URLs are used besides links (`include`), instead of links (`only`), or not.
        "sitemap": NotRequired["Literal['include', 'only', 'ignore']"],
        # Only URLs that match one of these are visited; start URLs always are. Globs (`/blog/**`, `*.pdf`) or regular expressions between slashes (`/^\/a[0-9]+/`, RE2). They are matched with path and query; those that begin with `http` with the whole URL.
        "include": NotRequired["List[str]"],
        # URLs that match one of these are not visited; start URLs always are. As in `include`.
        "exclude": NotRequired["List[str]"],
        # Also visits the feeds of pages, and what they list.
        "feeds": NotRequired["bool"],
        # `respect`: links with `rel=nofollow`, and all links of pages that ask for it, are not followed.
        "nofollow": NotRequired["Literal['ignore', 'respect']"],
        # Parameters that do not change the page, by names (`*` is any text) or regular expressions between slashes; `true`: all. They are dropped, as known tracking parameters always are.
        "ignore_query": NotRequired["Union[Literal[True], List[str]]"],
        # URLs of one form, such as `/item/#?page`, that are visited. Others are skipped with `skip.trap`.
        "max_urls_per_pattern": NotRequired["int"],
        # Pause between the starts of two requests to a host. A longer `Crawl-delay` of robots.txt counts, up to 60 s.
        "delay_ms": NotRequired["int"],
        # Requests to one host at the same time. The operator may have set a lower limit for all jobs.
        "per_host": NotRequired["int"],
        # `ignore` needs the permission of the operator.
        "robots": NotRequired["Literal['respect', 'ignore']"],
        # Members of the request for URLs that match, as in `include`. Of several rules, the last one counts.
        "rules": NotRequired["List[MonitorCrawlRules]"],
        # Members of the scrape request for every page, but not `url`. Other hosts than those of the start URLs do not get its cookies and secret headers.
        "request": NotRequired["Dict[str, Any]"],
        # Among your own jobs, those with a higher priority go first.
        "priority": NotRequired["int"],
        # Items that may run at once. Default: as many as all your jobs together may run.
        "concurrency": NotRequired["int"],
        # Limit for the cost of all items together. When it is reached, the rest is skipped.
        "max_cost": NotRequired["float"],
        # How often an item is tried again whose scrape failed for a reason that may pass, after 1, 5 and 30 minutes or as long as `Retry-After` says.
        "retries": NotRequired["int"],
    },
)

MonitorLastRun = TypedDict(
    "MonitorLastRun",
    {
        "n": "int",
        "ended_at": "Union[str, None]",
        # null: no prices are configured, or its records are deleted.
        "cost": "Union[float, None]",
    },
)

MonitorList = TypedDict(
    "MonitorList",
    {
        "items": "List[Monitor]",
        "next_cursor": "Union[str, None]",
    },
)

MonitorPreviewIgnored = TypedDict(
    "MonitorPreviewIgnored",
    {
        # All selectors together; others one by one.
        "rules": "List[str]",
        # Lines that are left out, or of which a part is.
        "lines": "int",
        "examples": "List[str]",
    },
)

MonitorPreview = TypedDict(
    "MonitorPreview",
    {
        # The record of the page.
        "scrape_id": "str",
        # The page: of a crawl the first start URL, of a batch the first request.
        "url": "str",
        "format": "Literal['markdown', 'text', 'main_html', 'extract', 'json', 'structured', 'screenshot', 'bytes']",
        # The lines that are compared, or data as JSON. null: a picture, bytes, or nothing.
        "text": "Union[str, None]",
        # The text is cut after 100,000 characters.
        "truncated": "bool",
        # Size of what is compared.
        "bytes": "Union[int, None]",
        # Of `screenshot`: the picture.
        "screenshot_url": "Union[str, None]",
        # What `ignore` leaves out.
        "ignored": "List[MonitorPreviewIgnored]",
        # Why the page cannot be compared, as in runs; null: it can.
        "reason": "Union[str, None]",
    },
)

# One of `request`, `crawl` and `batch`, as of a monitor. Of a crawl the first start URL is scraped, of a batch the first request.
MonitorPreviewRequest = TypedDict(
    "MonitorPreviewRequest",
    {
        # A scrape request.
        "request": NotRequired["Dict[str, Any]"],
        "crawl": NotRequired["MonitorCrawl"],
        "batch": NotRequired["MonitorBatch"],
        "compare": NotRequired["Compare"],
    },
)

MonitorRequest = TypedDict(
    "MonitorRequest",
    {
        "name": "str",
        # A scrape request.
        "request": NotRequired["Dict[str, Any]"],
        "crawl": NotRequired["MonitorCrawl"],
        "batch": NotRequired["MonitorBatch"],
        "schedule": "Schedule",
        # Spreads the runs of those with the same schedule over this time.
        "jitter_s": NotRequired["int"],
        "compare": NotRequired["Compare"],
        "webhook": NotRequired["Webhook"],
        # The newest runs that are kept, as many that found a change, and as many that were errors.
        "keep": NotRequired["int"],
        # Ids of your channels (`/api/v1/channels/`), by which people are told.
        "channels": NotRequired["List[str]"],
        # What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version.
        "notify_on": NotRequired["List[Literal['changed', 'failed', 'done', 'person_needed']]"],
        # When the first run begins, with which later ones are compared.
        "first_run": NotRequired["Literal['now', 'scheduled']"],
    },
)

MonitorRun = TypedDict(
    "MonitorRun",
    {
        "n": "int",
        "state": "Literal['running', 'ended', 'skipped']",
        "due_at": "str",
        "started_at": "Union[str, None]",
        "ended_at": "Union[str, None]",
        "job_id": "Union[str, None]",
        "scrape_id": "Union[str, None]",
        # null: the run has not ended, or was skipped.
        "change": "Union[Change, None]",
    },
)

MonitorRunList = TypedDict(
    "MonitorRunList",
    {
        "items": "List[MonitorRun]",
        "next_cursor": "Union[str, None]",
    },
)

NoiseListItems = TypedDict(
    "NoiseListItems",
    {
        # An entry for `compare.ignore`.
        "ignore": "str",
        # Comparisons in which it would have hidden a change.
        "runs": "int",
        # Comparisons.
        "of": "int",
        "examples": "List[str]",
    },
)

NoiseList = TypedDict(
    "NoiseList",
    {
        "items": "List[NoiseListItems]",
    },
)

Notification = TypedDict(
    "Notification",
    {
        # Later ones have higher numbers.
        "id": "str",
        # The source and what happened, such as `monitor.changed`.
        "type": "str",
        "at": "str",
        "read": "bool",
        # Id of the monitor, schedule, job, scrape, profile, rule of alerts, or channel.
        "source_id": "str",
        # Number of the event in its source; of a monitor and a schedule, of the run; of a profile, its version.
        "sequence": "int",
        # Name of the source at that time.
        "name": "Union[str, None]",
        "title": "str",
        # What happened, in a line.
        "text": "str",
        # The page of the dashboard that shows it.
        "url": "str",
    },
)

NotificationList = TypedDict(
    "NotificationList",
    {
        "items": "List[Notification]",
        "next_cursor": "Union[str, None]",
        # All that are not read.
        "unread": "int",
    },
)

# Either `ids` or `up_to`.
NotificationRead = TypedDict(
    "NotificationRead",
    {
        "ids": NotRequired["List[str]"],
        # All up to this id.
        "up_to": NotRequired["str"],
    },
)

# An action in the page. The shorthand `{"click": "#a"}` and `action` instead of `type` are accepted too.
PageAction = Union["ClickAction", "FillAction", "TypeAction", "PressAction", "SelectAction", "CheckAction", "UncheckAction", "HoverAction", "ScrollAction", "InfiniteScrollAction", "WaitAction", "WaitForSelectorAction", "WaitForLoadStateAction", "WaitForUrlAction", "WaitForResponseAction", "WaitForFunctionAction", "EvaluateAction", "GotoAction", "ReloadAction", "BackAction", "LoginAction", "HideAction", "RemoveAction", "ScreenshotAction", "ExtractAction", "IfAction"]

PageCounts = TypedDict(
    "PageCounts",
    {
        "new": "int",
        "changed": "int",
        "gone": "int",
        "same": "int",
        "error": "int",
    },
)

PageImageCandidates = TypedDict(
    "PageImageCandidates",
    {
        "url": "str",
        # Width of the file in pixels.
        "width": "Union[float, None]",
        # Pixels of the file for each CSS pixel.
        "density": "Union[float, None]",
    },
)

PageImage = TypedDict(
    "PageImage",
    {
        # The best candidate, absolute.
        "url": "str",
        # Alternative text. Empty if the image is only decoration.
        "alt": "Union[str, None]",
        # As the page gives it, in CSS pixels.
        "width": "Union[float, None]",
        # As the page gives it, in CSS pixels.
        "height": "Union[float, None]",
        # All files that the image is offered as, the best first.
        "candidates": "List[PageImageCandidates]",
    },
)

PageLink = TypedDict(
    "PageLink",
    {
        # Absolute http or https URL, including its fragment.
        "url": "str",
        # The visible text of the link on one line; if it has none, the alternative text of its image, its label or its title.
        "text": "str",
        # Tokens of the `rel` attribute, in lower case.
        "rel": "List[str]",
        # Whether every link to this URL has `rel="nofollow"`.
        "nofollow": "bool",
    },
)

PageMetadataFeeds = TypedDict(
    "PageMetadataFeeds",
    {
        "url": "str",
        "type": "str",
        "title": "Union[str, None]",
    },
)

PageMetadataAlternates = TypedDict(
    "PageMetadataAlternates",
    {
        "language": "str",
        "url": "str",
    },
)

# Metadata of the page. URLs are absolute.
PageMetadata = TypedDict(
    "PageMetadata",
    {
        "title": "Union[str, None]",
        "description": "Union[str, None]",
        "canonical": "Union[str, None]",
        "language": "Union[str, None]",
        "author": "Union[str, None]",
        "site_name": "Union[str, None]",
        "image": "Union[str, None]",
        # Icon declared by the page. `/favicon.ico` is not assumed.
        "favicon": "Union[str, None]",
        "keywords": "List[str]",
        # The date as written in the page.
        "published": "Union[str, None]",
        # The date as written in the page.
        "modified": "Union[str, None]",
        "generator": "Union[str, None]",
        # Directives of `<meta name="robots">`, in lower case.
        "robots": "List[str]",
        "charset": "Union[str, None]",
        # Media type used to parse the page.
        "content_type": "str",
        # Names without the prefix `og:`. Other prefixes are kept.
        "open_graph": "Dict[str, Union[str, List[str]]]",
        # Names without the prefix `twitter:`.
        "twitter": "Dict[str, Union[str, List[str]]]",
        # JSON-LD blocks, at most 50 and 256 KiB in total.
        "json_ld": "List[Any]",
        "feeds": "List[PageMetadataFeeds]",
        # Versions in other languages (`hreflang`).
        "alternates": "List[PageMetadataAlternates]",
    },
)

PressActionSelector = TypedDict(
    "PressActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Presses a key or key combination, on an element or the focused element.
PressAction = TypedDict(
    "PressAction",
    {
        "type": "Literal['press']",
        # A Playwright key name: `Enter`, `ArrowDown`, `Control+A`, `a`.
        "key": "str",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": NotRequired["Union[str, PressActionSelector]"],
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

# Price of an attempt by each scraper. One that is left out has no price.
PricesScrapers = TypedDict(
    "PricesScrapers",
    {
        "http": NotRequired["float"],
        "http_impersonate": NotRequired["float"],
        "browser": NotRequired["float"],
        "browser_stealth": NotRequired["float"],
    },
)

PricesDirect = TypedDict(
    "PricesDirect",
    {
        "price_per_request": NotRequired["float"],
        "price_per_gb": NotRequired["float"],
    },
)

PricesModel = TypedDict(
    "PricesModel",
    {
        "price_per_million_tokens_in": "float",
        "price_per_million_tokens_out": "float",
    },
)

# Prices have at most 6 decimals.
Prices = TypedDict(
    "Prices",
    {
        # A word such as EUR, and not `effort`. It is the `cost_unit` of responses.
        "currency": "str",
        # Price of an attempt by each scraper. One that is left out has no price.
        "scrapers": "PricesScrapers",
        # Prices of the own connection of the service: of an attempt, and of 10⁹ bytes both ways. Default: 0.
        "direct": NotRequired["Union[PricesDirect, None]"],
        # Prices of the language model. null: it has none.
        "model": NotRequired["Union[PricesModel, None]"],
    },
)

PricesView = TypedDict(
    "PricesView",
    {
        # `file`: the file of the operator, which this API cannot change.
        "source": "Literal['file', 'database']",
        # null: nothing has a price.
        "prices": "Union[Prices, None]",
    },
)

# Problem details (RFC 9457) of a request that was rejected before scraping.
Problem = TypedDict(
    "Problem",
    {
        # `{base_url}/api/v1/errors/#<code>`
        "type": "str",
        "title": "str",
        "status": "int",
        "detail": "str",
        "code": "ErrorCode",
        "request_id": "str",
        "retryable": "bool",
        "errors": "List[ErrorEntry]",
        # Number of all errors, if `errors` has only the first.
        "errors_total": NotRequired["int"],
        "candidates": NotRequired["List[Candidate]"],
    },
)

ProfileOwner = TypedDict(
    "ProfileOwner",
    {
        "id": "str",
        "email": "Union[str, None]",
    },
)

ProfileUsedBy = TypedDict(
    "ProfileUsedBy",
    {
        "type": "Literal['monitor', 'schedule']",
        "id": "str",
        "name": "str",
    },
)

# The state of a user at some sites, without its values.
Profile = TypedDict(
    "Profile",
    {
        "name": "str",
        # Registrable domains, or hosts that have none. Only they are asked with the profile.
        "sites": "List[str]",
        # Number of cookies. Their values are never returned, except by `export/`.
        "cookies": "int",
        # Size of cookies, localStorage and IndexedDB as JSON.
        "size_bytes": "int",
        "identity": "Union[ProfileIdentity, None]",
        "exit": "Union[ProfileExit, None]",
        "shared": "bool",
        # Whether the action `login` can log in with it.
        "has_credentials": "bool",
        # The channels that tell its owner that it is logged out. Others see none.
        "channels": "List[str]",
        "owner": "ProfileOwner",
        # Your monitors and schedules that name the profile, at most 50. Only when one profile is read, with the scope `read`; else null.
        "used_by": "Union[List[ProfileUsedBy], None]",
        "created_at": "str",
        # When its cookies or its storage changed last.
        "refreshed_at": "str",
        # The last use, to about a minute; null: never.
        "used_at": "Union[str, None]",
        # When the profile is deleted; null: never.
        "expires_at": "Union[str, None]",
        # `logged_out`: a page that was fetched with it asked to log in. `empty`: it has no cookies and no storage.
        "state": "Literal['ready', 'logged_out', 'empty']",
    },
)

ProfileCreateStorageStateCookiesPartitionKey = TypedDict(
    "ProfileCreateStorageStateCookiesPartitionKey",
    {
        "topLevelSite": NotRequired["str"],
        "sourceOrigin": NotRequired["str"],
        "hasCrossSiteAncestor": NotRequired["bool"],
    },
)

ProfileCreateStorageStateCookies = TypedDict(
    "ProfileCreateStorageStateCookies",
    {
        "name": "str",
        "value": "str",
        # With a leading dot, subdomains are included.
        "domain": "str",
        "path": "str",
        # Unix time in seconds. -1: a session cookie, kept until the scrape ends.
        "expires": NotRequired["float"],
        "httpOnly": NotRequired["bool"],
        "secure": NotRequired["bool"],
        # `Strict`, `Lax` or `None`, in any letter case.
        "sameSite": NotRequired["str"],
        # The same as `expires`.
        "expirationDate": NotRequired["float"],
        # The same as `expires`.
        "expiry": NotRequired["float"],
        # true: a session cookie, whatever `expires` says.
        "session": NotRequired["bool"],
        # true: subdomains of `domain` are excluded.
        "hostOnly": NotRequired["bool"],
        # The site of the top-level page that the cookie is for, such as `https://example.com`.
        "partitionKey": NotRequired["Union[str, ProfileCreateStorageStateCookiesPartitionKey]"],
        # `hasCrossSiteAncestor` of `partitionKey`.
        "_crHasCrossSiteAncestor": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "partitionKeyOpaque": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "id": NotRequired["Union[float, str]"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "storeId": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "firstPartyDomain": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "size": NotRequired["float"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "priority": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sameParty": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourceScheme": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourcePort": NotRequired["float"],
    },
)

ProfileCreateStorageStateOriginsLocalStorage = TypedDict(
    "ProfileCreateStorageStateOriginsLocalStorage",
    {
        "name": "str",
        "value": "str",
    },
)

ProfileCreateStorageStateOriginsIndexedDBStoresRecords = TypedDict(
    "ProfileCreateStorageStateOriginsIndexedDBStoresRecords",
    {
        "key": NotRequired["Any"],
        "keyEncoded": NotRequired["Any"],
        "value": NotRequired["Any"],
        "valueEncoded": NotRequired["Any"],
    },
)

ProfileCreateStorageStateOriginsIndexedDBStoresIndexes = TypedDict(
    "ProfileCreateStorageStateOriginsIndexedDBStoresIndexes",
    {
        "name": "str",
        "keyPath": NotRequired["str"],
        "keyPathArray": NotRequired["List[str]"],
        "multiEntry": "bool",
        "unique": "bool",
    },
)

ProfileCreateStorageStateOriginsIndexedDBStores = TypedDict(
    "ProfileCreateStorageStateOriginsIndexedDBStores",
    {
        "name": "str",
        "autoIncrement": "bool",
        "keyPath": NotRequired["str"],
        "keyPathArray": NotRequired["List[str]"],
        "records": "List[ProfileCreateStorageStateOriginsIndexedDBStoresRecords]",
        "indexes": "List[ProfileCreateStorageStateOriginsIndexedDBStoresIndexes]",
    },
)

ProfileCreateStorageStateOriginsIndexedDB = TypedDict(
    "ProfileCreateStorageStateOriginsIndexedDB",
    {
        "name": "str",
        "version": "int",
        "stores": "List[ProfileCreateStorageStateOriginsIndexedDBStores]",
    },
)

ProfileCreateStorageStateOrigins = TypedDict(
    "ProfileCreateStorageStateOrigins",
    {
        "origin": "str",
        "localStorage": "List[ProfileCreateStorageStateOriginsLocalStorage]",
        "indexedDB": NotRequired["List[ProfileCreateStorageStateOriginsIndexedDB]"],
    },
)

# Cookies, localStorage and IndexedDB in the format of `storageState()` of Playwright.
ProfileCreateStorageState = TypedDict(
    "ProfileCreateStorageState",
    {
        "cookies": NotRequired["List[ProfileCreateStorageStateCookies]"],
        "origins": NotRequired["List[ProfileCreateStorageStateOrigins]"],
    },
)

ProfileCreate = TypedDict(
    "ProfileCreate",
    {
        # must be 1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit
        "name": "str",
        # The sites that the profile is for, such as `example.com`. A host stands for its registrable domain by the public suffix list. Cookies and storage of other sites are left out. Default: the sites that the cookies and the storage belong to.
        "sites": NotRequired["List[str]"],
        # Cookies, localStorage and IndexedDB in the format of `storageState()` of Playwright.
        "storage_state": NotRequired["ProfileCreateStorageState"],
        # Cookies in the format of Netscape, as curl and extensions of browsers write it. Instead of `storage_state`.
        "cookies_txt": NotRequired["str"],
        # Whether all users may use the profile. Only its owner may change and export it (default: false).
        "shared": NotRequired["bool"],
        # Ids of your channels (`/api/v1/channels/`), by which you are told that the profile is logged out.
        "channels": NotRequired["List[str]"],
        "identity": NotRequired["ProfileIdentity"],
        "exit": NotRequired["ProfileExit"],
        "credentials": NotRequired["ProfileCredentials"],
        # When the profile is deleted.
        "expires_at": NotRequired["str"],
    },
)

# What the action `login` types into pages of `sites`. Write-only: they are kept encrypted, and never returned.
ProfileCredentials = TypedDict(
    "ProfileCredentials",
    {
        # User name or e-mail; left out: the site has it.
        "username": NotRequired["str"],
        "password": "str",
        # The secret of one-time codes (RFC 6238), as the site shows it to authenticator apps: Base32, or an otpauth:// URI.
        "totp_seed": NotRequired["str"],
    },
)

# The session of the proxy, and its country, of requests with the profile that name no `proxy.session`: the sites see one visitor. The type is that of `proxy`.
ProfileExit = TypedDict(
    "ProfileExit",
    {
        # must be two letters (ISO 3166-1 alpha-2)
        "country": NotRequired["str"],
        # must be 1 to 64 letters, digits, `_` or `-`: the session of the proxy, so that the exit stays the same
        "session": "str",
    },
)

# As what a visitor the sites know the profile. Options of a request have precedence.
ProfileIdentity = TypedDict(
    "ProfileIdentity",
    {
        # must be printable ASCII: the `User-Agent` of requests with the profile
        "user_agent": NotRequired["str"],
        # The device that browsers emulate, as `scraper_options.device`.
        "device": NotRequired["Literal['Blackberry PlayBook', 'Blackberry PlayBook landscape', 'BlackBerry Z30', 'BlackBerry Z30 landscape', 'Galaxy Note 3', 'Galaxy Note 3 landscape', 'Galaxy Note II', 'Galaxy Note II landscape', 'Galaxy S III', 'Galaxy S III landscape', 'Galaxy S5', 'Galaxy S5 landscape', 'Galaxy S8', 'Galaxy S8 landscape', 'Galaxy S9+', 'Galaxy S9+ landscape', 'Galaxy S24', 'Galaxy S24 landscape', 'Galaxy A55', 'Galaxy A55 landscape', 'Galaxy Tab S4', 'Galaxy Tab S4 landscape', 'Galaxy Tab S9', 'Galaxy Tab S9 landscape', 'Galaxy Z Fold 6', 'Galaxy Z Fold 6 landscape', 'Galaxy Z Fold 6 Cover', 'Galaxy Z Fold 6 Cover landscape', 'Galaxy Z Fold 7', 'Galaxy Z Fold 7 landscape', 'Galaxy Z Fold 7 Cover', 'Galaxy Z Fold 7 Cover landscape', 'Galaxy Z Flip 6', 'Galaxy Z Flip 6 landscape', 'Galaxy Z Flip 6 Cover', 'Galaxy Z Flip 6 Cover landscape', 'Galaxy Z Flip 7', 'Galaxy Z Flip 7 landscape', 'Galaxy Z Flip 7 Cover', 'Galaxy Z Flip 7 Cover landscape', 'iPad (gen 5)', 'iPad (gen 5) landscape', 'iPad (gen 6)', 'iPad (gen 6) landscape', 'iPad (gen 7)', 'iPad (gen 7) landscape', 'iPad (gen 11)', 'iPad (gen 11) landscape', 'iPad Mini', 'iPad Mini landscape', 'iPad Pro 11', 'iPad Pro 11 landscape', 'iPhone 6', 'iPhone 6 landscape', 'iPhone 6 Plus', 'iPhone 6 Plus landscape', 'iPhone 7', 'iPhone 7 landscape', 'iPhone 7 Plus', 'iPhone 7 Plus landscape', 'iPhone 8', 'iPhone 8 landscape', 'iPhone 8 Plus', 'iPhone 8 Plus landscape', 'iPhone SE', 'iPhone SE landscape', 'iPhone SE (3rd gen)', 'iPhone SE (3rd gen) landscape', 'iPhone X', 'iPhone X landscape', 'iPhone XR', 'iPhone XR landscape', 'iPhone 11', 'iPhone 11 landscape', 'iPhone 11 Pro', 'iPhone 11 Pro landscape', 'iPhone 11 Pro Max', 'iPhone 11 Pro Max landscape', 'iPhone 12', 'iPhone 12 landscape', 'iPhone 12 Pro', 'iPhone 12 Pro landscape', 'iPhone 12 Pro Max', 'iPhone 12 Pro Max landscape', 'iPhone 12 Mini', 'iPhone 12 Mini landscape', 'iPhone 13', 'iPhone 13 landscape', 'iPhone 13 Pro', 'iPhone 13 Pro landscape', 'iPhone 13 Pro Max', 'iPhone 13 Pro Max landscape', 'iPhone 13 Mini', 'iPhone 13 Mini landscape', 'iPhone 14', 'iPhone 14 landscape', 'iPhone 14 Plus', 'iPhone 14 Plus landscape', 'iPhone 14 Pro', 'iPhone 14 Pro landscape', 'iPhone 14 Pro Max', 'iPhone 14 Pro Max landscape', 'iPhone 15', 'iPhone 15 landscape', 'iPhone 15 Plus', 'iPhone 15 Plus landscape', 'iPhone 15 Pro', 'iPhone 15 Pro landscape', 'iPhone 15 Pro Max', 'iPhone 15 Pro Max landscape', 'iPhone 16', 'iPhone 16 landscape', 'iPhone 16 Plus', 'iPhone 16 Plus landscape', 'iPhone 16 Pro', 'iPhone 16 Pro landscape', 'iPhone 16 Pro Max', 'iPhone 16 Pro Max landscape', 'iPhone 16e', 'iPhone 16e landscape', 'iPhone 17', 'iPhone 17 landscape', 'iPhone Air', 'iPhone Air landscape', 'iPhone 17 Pro', 'iPhone 17 Pro landscape', 'iPhone 17 Pro Max', 'iPhone 17 Pro Max landscape', 'iPhone 17e', 'iPhone 17e landscape', 'Kindle Fire HDX', 'Kindle Fire HDX landscape', 'LG Optimus L70', 'LG Optimus L70 landscape', 'Microsoft Lumia 550', 'Microsoft Lumia 550 landscape', 'Microsoft Lumia 950', 'Microsoft Lumia 950 landscape', 'Nexus 10', 'Nexus 10 landscape', 'Nexus 4', 'Nexus 4 landscape', 'Nexus 5', 'Nexus 5 landscape', 'Nexus 5X', 'Nexus 5X landscape', 'Nexus 6', 'Nexus 6 landscape', 'Nexus 6P', 'Nexus 6P landscape', 'Nexus 7', 'Nexus 7 landscape', 'Nokia Lumia 520', 'Nokia Lumia 520 landscape', 'Nokia N9', 'Nokia N9 landscape', 'Pixel 2', 'Pixel 2 landscape', 'Pixel 2 XL', 'Pixel 2 XL landscape', 'Pixel 3', 'Pixel 3 landscape', 'Pixel 4', 'Pixel 4 landscape', 'Pixel 4a (5G)', 'Pixel 4a (5G) landscape', 'Pixel 5', 'Pixel 5 landscape', 'Pixel 6', 'Pixel 6 landscape', 'Pixel 6 Pro', 'Pixel 6 Pro landscape', 'Pixel 6a', 'Pixel 6a landscape', 'Pixel 7', 'Pixel 7 landscape', 'Pixel 7 Pro', 'Pixel 7 Pro landscape', 'Pixel 7a', 'Pixel 7a landscape', 'Pixel 8', 'Pixel 8 landscape', 'Pixel 8 Pro', 'Pixel 8 Pro landscape', 'Pixel 8a', 'Pixel 8a landscape', 'Pixel 9', 'Pixel 9 landscape', 'Pixel 9 Pro', 'Pixel 9 Pro landscape', 'Pixel 9 Pro XL', 'Pixel 9 Pro XL landscape', 'Pixel 10', 'Pixel 10 landscape', 'Pixel 10 Pro', 'Pixel 10 Pro landscape', 'Pixel 10 Pro XL', 'Pixel 10 Pro XL landscape', 'Moto G4', 'Moto G4 landscape', 'Desktop Chrome HiDPI', 'Desktop Edge HiDPI', 'Desktop Firefox HiDPI', 'Desktop Safari', 'Desktop Chrome', 'Desktop Edge', 'Desktop Firefox']"],
        # must be a language tag such as `de-CH`: the `Accept-Language`, and the language of browsers
        "locale": NotRequired["str"],
    },
)

ProfileList = TypedDict(
    "ProfileList",
    {
        "items": "List[Profile]",
        "next_cursor": "Union[str, None]",
    },
)

ProfilePatchStorageStateCookiesPartitionKey = TypedDict(
    "ProfilePatchStorageStateCookiesPartitionKey",
    {
        "topLevelSite": NotRequired["str"],
        "sourceOrigin": NotRequired["str"],
        "hasCrossSiteAncestor": NotRequired["bool"],
    },
)

ProfilePatchStorageStateCookies = TypedDict(
    "ProfilePatchStorageStateCookies",
    {
        "name": "str",
        "value": "str",
        # With a leading dot, subdomains are included.
        "domain": "str",
        "path": "str",
        # Unix time in seconds. -1: a session cookie, kept until the scrape ends.
        "expires": NotRequired["float"],
        "httpOnly": NotRequired["bool"],
        "secure": NotRequired["bool"],
        # `Strict`, `Lax` or `None`, in any letter case.
        "sameSite": NotRequired["str"],
        # The same as `expires`.
        "expirationDate": NotRequired["float"],
        # The same as `expires`.
        "expiry": NotRequired["float"],
        # true: a session cookie, whatever `expires` says.
        "session": NotRequired["bool"],
        # true: subdomains of `domain` are excluded.
        "hostOnly": NotRequired["bool"],
        # The site of the top-level page that the cookie is for, such as `https://example.com`.
        "partitionKey": NotRequired["Union[str, ProfilePatchStorageStateCookiesPartitionKey]"],
        # `hasCrossSiteAncestor` of `partitionKey`.
        "_crHasCrossSiteAncestor": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "partitionKeyOpaque": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "id": NotRequired["Union[float, str]"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "storeId": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "firstPartyDomain": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "size": NotRequired["float"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "priority": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sameParty": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourceScheme": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourcePort": NotRequired["float"],
    },
)

ProfilePatchStorageStateOriginsLocalStorage = TypedDict(
    "ProfilePatchStorageStateOriginsLocalStorage",
    {
        "name": "str",
        "value": "str",
    },
)

ProfilePatchStorageStateOriginsIndexedDBStoresRecords = TypedDict(
    "ProfilePatchStorageStateOriginsIndexedDBStoresRecords",
    {
        "key": NotRequired["Any"],
        "keyEncoded": NotRequired["Any"],
        "value": NotRequired["Any"],
        "valueEncoded": NotRequired["Any"],
    },
)

ProfilePatchStorageStateOriginsIndexedDBStoresIndexes = TypedDict(
    "ProfilePatchStorageStateOriginsIndexedDBStoresIndexes",
    {
        "name": "str",
        "keyPath": NotRequired["str"],
        "keyPathArray": NotRequired["List[str]"],
        "multiEntry": "bool",
        "unique": "bool",
    },
)

ProfilePatchStorageStateOriginsIndexedDBStores = TypedDict(
    "ProfilePatchStorageStateOriginsIndexedDBStores",
    {
        "name": "str",
        "autoIncrement": "bool",
        "keyPath": NotRequired["str"],
        "keyPathArray": NotRequired["List[str]"],
        "records": "List[ProfilePatchStorageStateOriginsIndexedDBStoresRecords]",
        "indexes": "List[ProfilePatchStorageStateOriginsIndexedDBStoresIndexes]",
    },
)

ProfilePatchStorageStateOriginsIndexedDB = TypedDict(
    "ProfilePatchStorageStateOriginsIndexedDB",
    {
        "name": "str",
        "version": "int",
        "stores": "List[ProfilePatchStorageStateOriginsIndexedDBStores]",
    },
)

ProfilePatchStorageStateOrigins = TypedDict(
    "ProfilePatchStorageStateOrigins",
    {
        "origin": "str",
        "localStorage": "List[ProfilePatchStorageStateOriginsLocalStorage]",
        "indexedDB": NotRequired["List[ProfilePatchStorageStateOriginsIndexedDB]"],
    },
)

# Cookies, localStorage and IndexedDB in the format of `storageState()` of Playwright.
ProfilePatchStorageState = TypedDict(
    "ProfilePatchStorageState",
    {
        "cookies": NotRequired["List[ProfilePatchStorageStateCookies]"],
        "origins": NotRequired["List[ProfilePatchStorageStateOrigins]"],
    },
)

# Fields left out stay unchanged. New cookies or a new state replace all that were kept.
ProfilePatch = TypedDict(
    "ProfilePatch",
    {
        # must be 1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit
        "name": NotRequired["str"],
        # The sites that the profile is for, such as `example.com`. A host stands for its registrable domain by the public suffix list. Cookies and storage of other sites are left out. Default: the sites that the cookies and the storage belong to.
        "sites": NotRequired["List[str]"],
        # Cookies, localStorage and IndexedDB in the format of `storageState()` of Playwright.
        "storage_state": NotRequired["ProfilePatchStorageState"],
        # Cookies in the format of Netscape, as curl and extensions of browsers write it. Instead of `storage_state`.
        "cookies_txt": NotRequired["str"],
        # Whether all users may use the profile. Only its owner may change and export it (default: false).
        "shared": NotRequired["bool"],
        # Ids of your channels (`/api/v1/channels/`), by which you are told that the profile is logged out.
        "channels": NotRequired["List[str]"],
        "identity": NotRequired["Union[ProfileIdentity, None]"],
        "exit": NotRequired["Union[ProfileExit, None]"],
        "credentials": NotRequired["Union[ProfileCredentials, None]"],
        "expires_at": NotRequired["Union[str, None]"],
    },
)

ProxySettings = TypedDict(
    "ProxySettings",
    {
        # `custom`: the proxy in `server`. `none`: no proxy, if the operator allows it. If no pool is configured, `datacenter` connects directly, without a proxy.
        "type": NotRequired["Literal['datacenter', 'residential', 'mobile', 'custom', 'none']"],
        # Your own proxy: `http://`, `https://`, `socks5://` or `socks5h://`, then host and port. Without a scheme, it is an HTTP proxy.
        "server": NotRequired["str"],
        # User name for `server`.
        "username": NotRequired["str"],
        # Password for `server`. Never returned.
        "password": NotRequired["str"],
        # Hosts to reach without the proxy: `example.com`, `.example.com` (its subdomains), or `*`.
        "bypass": NotRequired["List[str]"],
        # Name of one pool of this type.
        "pool": NotRequired["str"],
        # must be two letters (ISO 3166-1 alpha-2)
        "country": NotRequired["str"],
        # Region, as the pool or the proxy provider names it: letters, digits, spaces, `.`, `'`, `_`, `-`
        "region": NotRequired["str"],
        # City, as the pool or the proxy provider names it: letters, digits, spaces, `.`, `'`, `_`, `-`
        "city": NotRequired["str"],
        # must be 1 to 64 letters, digits, `_` or `-`
        "session": NotRequired["str"],
        "session_ttl_s": NotRequired["int"],
        # When to change the exit IP address: for each attempt, once per request, or after a block.
        "rotate": NotRequired["Literal['per_attempt', 'per_request', 'on_block']"],
    },
)

# What the main content is, for `only_main_content` and `main_html`. `scraper_data.main` says what it is.
ReadingRequestMainContent = TypedDict(
    "ReadingRequestMainContent",
    {
        # CSS selectors of what is the main content. It is not searched for then.
        "include": NotRequired["List[str]"],
        # CSS selectors of what does not belong to the main content.
        "exclude": NotRequired["List[str]"],
        # Only in crawls: text that is on most pages of a host is left out of the main content, once the crawl has seen it on three pages.
        "site_boilerplate": NotRequired["bool"],
        # `page`: `links` and `images` are those of the page without its header, navigation, asides, footer and layers, whatever its main content is.
        "links_from": NotRequired["Literal['content', 'page']"],
    },
)

# How the Markdown is written. Setting any of these also asks for the format `markdown`.
ReadingRequestMarkdown = TypedDict(
    "ReadingRequestMarkdown",
    {
        # `reference`: the URLs are at the end. `text`: without URLs.
        "links": NotRequired["Literal['inline', 'reference', 'text']"],
        # `alt`: only the alternative text.
        "images": NotRequired["Literal['all', 'alt', 'none']"],
        # Write tables that Markdown cannot express as HTML.
        "html": NotRequired["bool"],
        # Begin with title, URL and dates as YAML.
        "front_matter": NotRequired["bool"],
        # Return no more than this many UTF-16 units, cut between blocks. The warning `content.more` then has the offset of the rest.
        "max_chars": NotRequired["int"],
        # Where to begin, as `content.more` said.
        "content_offset": NotRequired["int"],
    },
)

# Fills your JSON Schema with what the page says. Setting `schema` or `prompt` also asks for the format `json`. Nothing is invented: what the page does not say is listed in `missing`.
ReadingRequestJson = TypedDict(
    "ReadingRequestJson",
    {
        # A JSON Schema (2020-12), at most 32,768 characters: the data to find.
        "schema": NotRequired["Dict[str, Any]"],
        # What to find, in words. Needs a model. With a schema, it explains the schema.
        "prompt": NotRequired["str"],
        # What the model gets of the page. `structured`: only the structured data and tables of the page, which are then also all that is read without a model.
        "from": NotRequired["Literal['markdown', 'html', 'text', 'structured']"],
        # `auto`: the model of the operator, if there is one, looks for what the page does not say in its data and labels. `always`: it looks for everything; without a model the request is refused.
        "model": NotRequired["Literal['auto', 'always', 'never']"],
        # Each source also has the text of the page as `quote`.
        "evidence": NotRequired["bool"],
    },
)

ReadingRequest = TypedDict(
    "ReadingRequest",
    {
        # Extra outputs, returned in `scraper_data` under the same names; null if the page has none. `html`: the decoded document. `text`: the visible text, with line breaks between blocks and tabs between table cells. `links`: all links. `metadata`: title, description, Open Graph, JSON-LD and more. `markdown`: the page as Markdown. `main_html`: the main content as clean HTML. `structured`: JSON-LD, microdata, RDFa, tables, and what they describe. `images`: the images of the page. `feed`: the entries of a feed or sitemap. `json`: your schema filled, see the option `json`. `pdf`: the page printed, which takes a browser.
        "formats": NotRequired["List[Literal['html', 'text', 'links', 'metadata', 'markdown', 'main_html', 'structured', 'images', 'feed', 'json', 'pdf']]"],
        # Read `text`, `markdown`, `links`, `images`, `metadata`, `html` and the tables of `structured` from the main content only, without navigation, sidebars, consent layers and the like. `scraper_data.main` says what it is.
        "only_main_content": NotRequired["bool"],
        # What the main content is, for `only_main_content` and `main_html`. `scraper_data.main` says what it is.
        "main_content": NotRequired["ReadingRequestMainContent"],
        # How the Markdown is written. Setting any of these also asks for the format `markdown`.
        "markdown": NotRequired["ReadingRequestMarkdown"],
        # Fills your JSON Schema with what the page says. Setting `schema` or `prompt` also asks for the format `json`. Nothing is invented: what the page does not say is listed in `missing`.
        "json": NotRequired["ReadingRequestJson"],
        # Rules by name, or `template:<name>` for those of a template.
        "extract": NotRequired["Union[Dict[str, ExtractRule], str]"],
    },
)

# Calls of the model for the format `json`, also those that failed.
ReadingResultModel = TypedDict(
    "ReadingResultModel",
    {
        "name": "str",
        "calls": "int",
        "tokens_in": "int",
        "tokens_out": "int",
        # null: the model has no price.
        "cost": "Union[float, None]",
    },
)

# What was read from the content of a stored scrape.
ReadingResult = TypedDict(
    "ReadingResult",
    {
        # Id of the stored record.
        "id": "str",
        "scraper_data": "ScraperData",
        # What is missing or incomplete in `scraper_data`.
        "errors": "List[ErrorEntry]",
        "warnings": "List[WarningEntry]",
        # The model that was asked; null: none was.
        "model": "Union[ReadingResultModel, None]",
        # Of the cost of the model.
        "cost_unit": "str",
    },
)

# Number of records by outcome. Every outcome is included.
RecordOutcomes = TypedDict(
    "RecordOutcomes",
    {
        "planned": "int",
        "failed": "int",
        "blocked": "int",
        "unaccepted": "int",
        "partial": "int",
        "target_error": "int",
        "ok": "int",
    },
)

# Reloads the page and waits for its `load` event.
ReloadAction = TypedDict(
    "ReloadAction",
    {
        "type": "Literal['reload']",
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
    },
)

RemoveActionSelector = TypedDict(
    "RemoveActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Removes every matching element from the page.
RemoveAction = TypedDict(
    "RemoveAction",
    {
        "type": "Literal['remove']",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": "Union[str, RemoveActionSelector]",
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

# Your own definition of success. All conditions must be met.
RouterAskAccept = TypedDict(
    "RouterAskAccept",
    {
        # The status of the page must be one of these.
        "status": NotRequired["List[int]"],
        # A CSS selector that must match in the HTML or XML page.
        "selector": NotRequired["str"],
        # Text that the content must contain. Case-sensitive.
        "contains": NotRequired["str"],
        # Text that the content must not contain. Case-sensitive.
        "not_contains": NotRequired["str"],
        # Minimum size of the decoded content.
        "min_bytes": NotRequired["int"],
        # A JSONPath (RFC 9535) that must match in the JSON content.
        "json_path": NotRequired["str"],
    },
)

RouterAskCache = TypedDict(
    "RouterAskCache",
    {
        "mode": NotRequired["Literal['off', 'use', 'refresh', 'only']"],
        "max_age_ms": NotRequired["float"],
    },
)

RouterAsk = TypedDict(
    "RouterAsk",
    {
        # What `auto` optimises for.
        "sort": NotRequired["Literal['balanced', 'cheapest', 'fastest', 'reliable']"],
        # Try these first, in this order: `scraper` or `scraper/proxy_type`.
        "order": NotRequired["List[str]"],
        # Use only these.
        "only": NotRequired["List[str]"],
        # Never use these.
        "ignore": NotRequired["List[str]"],
        # If true, other methods may be tried after those in `order`.
        "allow_fallbacks": NotRequired["bool"],
        # Default: 3 with `auto`, 1 with a named scraper.
        "max_attempts": NotRequired["int"],
        # Maximum cost of all attempts together, in `cost_unit`. 0: only free methods. Methods without a price are not used.
        "max_cost": NotRequired["float"],
        # Vendors get the credentials of the request: `Authorization`, cookies, user and password of the URL. If false, a request with credentials uses no vendor.
        "forward_credentials": NotRequired["bool"],
        # Proxy types that may be tried after the type in `proxy`, in this order.
        "escalate_proxy": NotRequired["Union[Literal[False], List[Literal['datacenter', 'residential', 'mobile']]]"],
        # Your own definition of success. All conditions must be met.
        "accept": NotRequired["RouterAskAccept"],
        # What to do with a block page. `return`: respond with 200 and the page. `fail`: respond with 502 `target.blocked`; the page is still included.
        "on_blocked": NotRequired["Literal['return', 'fail']"],
        # How to treat robots.txt (RFC 9309). `report`: read it and include the result. `respect`: respond with 403 `policy.robots` if it forbids the page. The operator can enforce a stricter setting.
        "robots": NotRequired["Literal['ignore', 'report', 'respect']"],
        "cache": NotRequired["RouterAskCache"],
        # Plan the request without fetching anything.
        "dry_run": NotRequired["bool"],
        # If false, `router` in the response has only the basic fields.
        "trace": NotRequired["bool"],
        # Labels for finding the scrape later. Names and values have at most 64 characters.
        "tags": NotRequired["Dict[str, str]"],
        # What the stored record keeps. `metadata`: everything except content and headers. `none`: little more than the outcome.
        "retain": NotRequired["Literal['full', 'metadata', 'none']"],
        "webhook": NotRequired["Webhook"],
        # Ids of your channels (`/api/v1/channels/`), by which people are told.
        "channels": NotRequired["List[str]"],
        # What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version.
        "notify_on": NotRequired["List[Literal['changed', 'failed', 'done', 'person_needed']]"],
        "compare_to": NotRequired["CompareTo"],
        "archive": NotRequired["Literal['none', 'har', 'warc']"],
    },
)

# Why `auto` gave up before every method was tried. null if it did not.
RouterMetaStopped = TypedDict(
    "RouterMetaStopped",
    {
        "reason": "Literal['max_attempts', 'timeout', 'max_cost', 'method', 'sort', 'refused_before', 'answered']",
        "message": "str",
    },
)

RouterMetaVerdict = TypedDict(
    "RouterMetaVerdict",
    {
        "kind": "Literal['ok', 'js_shell', 'challenge', 'captcha', 'block', 'wall', 'rate', 'error_page', 'net', 'empty']",
        "confidence": "float",
        "signals": "List[str]",
        "by": NotRequired["Union[str, None]"],
    },
)

RouterMetaCostDetails = TypedDict(
    "RouterMetaCostDetails",
    {
        # null: of the model, which belongs to no attempt.
        "attempt": "Union[int, None]",
        "item": "Literal['scraper', 'vendor', 'proxy_request', 'proxy_traffic', 'model_tokens_in', 'model_tokens_out']",
        # The scraper, proxy type or model.
        "name": "str",
        # Attempts, requests, bytes sent and received, or tokens.
        "quantity": "int",
        # Price per attempt, request, 10⁹ bytes or 10⁶ tokens.
        "unit_price": "float",
        "cost": "float",
    },
)

# Calls of the model for the format `json`, also those that failed.
RouterMetaModel = TypedDict(
    "RouterMetaModel",
    {
        "name": "str",
        "calls": "int",
        "tokens_in": "int",
        "tokens_out": "int",
        # null: the model has no price.
        "cost": "Union[float, None]",
    },
)

# Result of the robots.txt check. null if robots.txt was not read.
RouterMetaRobots = TypedDict(
    "RouterMetaRobots",
    {
        "mode": "Literal['report', 'respect']",
        # URL of the robots.txt file.
        "url": "str",
        # User agent whose rules were applied.
        "agent": "str",
        "allowed": "Union[bool, None]",
        "rule": "Union[str, None]",
        "status_code": "Union[int, None]",
    },
)

RouterMetaCache = TypedDict(
    "RouterMetaCache",
    {
        "hit": "bool",
        "age_ms": "Union[float, None]",
    },
)

RouterMetaTiming = TypedDict(
    "RouterMetaTiming",
    {
        "queue": "Union[int, None]",
        "pause": "Union[int, None]",
        "dns": "Union[int, None]",
        "connect": "Union[int, None]",
        "tls": "Union[int, None]",
        "ttfb": "Union[int, None]",
        "download": "Union[int, None]",
        "load": "Union[int, None]",
        "wait": "Union[int, None]",
        "actions": "Union[int, None]",
        "read": NotRequired["Union[int, None]"],
        "total": "Union[int, None]",
    },
)

RouterMetaRedirects = TypedDict(
    "RouterMetaRedirects",
    {
        "url": "str",
        "status_code": "Union[int, None]",
    },
)

# How the page was fetched. With `router.trace: false` only the first six fields are included.
RouterMeta = TypedDict(
    "RouterMeta",
    {
        # false: the request set `return_content: false`, so that `content` is null although there may be one. Else absent.
        "content_returned": NotRequired["bool"],
        "scraper": "Union[Union[Literal['http', 'http_impersonate', 'browser', 'browser_stealth'], str], None]",
        # Request headers as sent to the target, with secrets masked.
        "request_headers": "Dict[str, str]",
        "request_cost": "Union[float, None]",
        "proxy_type": "Union[Literal['datacenter', 'residential', 'mobile', 'custom', 'none'], None]",
        # Whether no proxy was used, so that the target saw the address of this service. `proxy_type` is the type that was asked for, `datacenter` by default. null: there was no attempt.
        "direct": NotRequired["Union[bool, None]"],
        "outcome": "Literal['planned', 'failed', 'blocked', 'unaccepted', 'partial', 'target_error', 'ok']",
        "warnings": "List[WarningEntry]",
        "requested_scraper": NotRequired["Union[Literal['auto', 'http', 'http_impersonate', 'browser', 'browser_stealth'], str]"],
        # When the work began. `created_at` of the record is when the request was accepted.
        "started_at": NotRequired["str"],
        "attempts": NotRequired["List[Attempt]"],
        "candidates": NotRequired["List[Candidate]"],
        "stopped": NotRequired["Union[RouterMetaStopped, None]"],
        # What was done, why, and what it cost, in a sentence or two of plain English.
        "explanation": NotRequired["str"],
        "verdict": NotRequired["Union[RouterMetaVerdict, None]"],
        # Currency set by the operator, or `effort` if no prices are configured.
        "cost_unit": NotRequired["str"],
        # Cost items; their sum is `request_cost`. Free items are left out. Empty if `request_cost` is null.
        "cost_details": NotRequired["List[RouterMetaCostDetails]"],
        "model": NotRequired["Union[RouterMetaModel, None]"],
        "robots": NotRequired["Union[RouterMetaRobots, None]"],
        "cache": NotRequired["RouterMetaCache"],
        "timing": NotRequired["RouterMetaTiming"],
        "redirects": NotRequired["List[RouterMetaRedirects]"],
        "remote_ip": NotRequired["Union[str, None]"],
        "body_type": NotRequired["Union[Literal['json', 'form', 'raw', 'binary', 'multipart'], None]"],
    },
)

# Either `cron` or `every_s`.
Schedule = TypedDict(
    "Schedule",
    {
        # Five fields, such as `0 8 * * 1-5`.
        "cron": NotRequired["str"],
        # Time zone of `cron`, such as Europe/Berlin.
        "timezone": NotRequired["str"],
        # Instead of `cron`: seconds between runs.
        "every_s": NotRequired["int"],
    },
)

ScheduledJob = TypedDict(
    "ScheduledJob",
    {
        "id": "str",
        "name": "str",
        # The owner.
        "user_id": "str",
        "state": "Literal['active', 'paused']",
        "pause_reason": "Union[Literal['asked', 'key', 'user'], None]",
        # The job, with secrets masked; of a batch with `urls` (the first 1,000) and `requests_total` instead of `requests`.
        "job": "Dict[str, Any]",
        "schedule": "Schedule",
        "jitter_s": "int",
        "overlap": "Literal['skip', 'queue']",
        # null: none, or it was deleted.
        "dataset": "Union[str, None]",
        "channels": "List[str]",
        "notify_on": "List[Literal['changed', 'failed', 'done', 'person_needed']]",
        # What is sent of each run, with secrets masked.
        "export": "Union[ExportRequest, None]",
        "next_run_at": "Union[str, None]",
        # The last that has ended or was missed. null: none yet.
        "last_run": "Union[ScheduledJobLastRun, None]",
        "created_at": "str",
    },
)

# `job` is replaced as a whole. A run under way goes on as it began.
ScheduledJobChange = TypedDict(
    "ScheduledJobChange",
    {
        "name": NotRequired["str"],
        "job": NotRequired["JobOfSchedule"],
        "schedule": NotRequired["Schedule"],
        # Spreads the runs of those with the same schedule over this time.
        "jitter_s": NotRequired["int"],
        # A run that is due while the one before has not ended is missed (`skip`), or begins afterwards (`queue`); at most one waits.
        "overlap": NotRequired["Literal['skip', 'queue']"],
        # null: nothing is exported any more.
        "export": NotRequired["Union[ExportRequest, None]"],
        # null: none any more.
        "dataset": NotRequired["Union[str, None]"],
        # Ids of your channels (`/api/v1/channels/`), by which people are told.
        "channels": NotRequired["List[str]"],
        # What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version.
        "notify_on": NotRequired["List[Literal['changed', 'failed', 'done', 'person_needed']]"],
    },
)

ScheduledJobLastRun = TypedDict(
    "ScheduledJobLastRun",
    {
        "n": "int",
        "state": "Literal['ended', 'missed']",
        # As of the run.
        "reason": "Union[str, None]",
        "ended_at": "Union[str, None]",
        # null: there is no job, or none any more.
        "job_id": "Union[str, None]",
        "job_state": "Union[Literal['queued', 'running', 'paused', 'done', 'cancelled', 'failed'], None]",
        # Items of the job that are `ok`.
        "ok": "int",
        # Items of the job that failed.
        "failed": "int",
        # Of the job; null: there is none, or no prices are configured.
        "cost": "Union[float, None]",
        # Of the export of its results; `failed`: given up. null: none was made.
        "export_state": "Union[Literal['pending', 'sending', 'done', 'failed'], None]",
    },
)

ScheduledJobList = TypedDict(
    "ScheduledJobList",
    {
        "items": "List[ScheduledJob]",
        "next_cursor": "Union[str, None]",
    },
)

ScheduledJobRequest = TypedDict(
    "ScheduledJobRequest",
    {
        "name": "str",
        "job": "JobOfSchedule",
        "schedule": "Schedule",
        # Spreads the runs of those with the same schedule over this time.
        "jitter_s": NotRequired["int"],
        # A run that is due while the one before has not ended is missed (`skip`), or begins afterwards (`queue`); at most one waits.
        "overlap": NotRequired["Literal['skip', 'queue']"],
        "export": NotRequired["ExportRequest"],
        # Id of the dataset that gets the data of the results.
        "dataset": NotRequired["str"],
        # Ids of your channels (`/api/v1/channels/`), by which people are told.
        "channels": NotRequired["List[str]"],
        # What people are told of, by the channels and by the notifications of the dashboard. Default: of monitors `changed` and `failed`; of schedules `failed`; of jobs with `channels` `done` and `failed`, without them nothing. `changed` is for monitors. `person_needed` is not available in this version.
        "notify_on": NotRequired["List[Literal['changed', 'failed', 'done', 'person_needed']]"],
    },
)

ScheduledJobRun = TypedDict(
    "ScheduledJobRun",
    {
        # Numbers grow, and may have gaps.
        "n": "int",
        # `waiting`: for the end of the run before. `missed`: nothing ran, for `reason`. `ended`: its job has ended, whatever its state.
        "state": "Literal['waiting', 'running', 'ended', 'missed']",
        # Why the run was missed: `down` (the service did not run), `overlap`, `paused`, or the code of the error that did not let the job start, such as `limit.jobs` and `budget.exhausted`. Of a run whose job was deleted before its end: `request.not_found`.
        "reason": "Union[str, None]",
        # The error in words.
        "message": "Union[str, None]",
        "due_at": "str",
        # The last of the due times that were missed in a row.
        "last_due_at": "str",
        # Due times from `due_at` to `last_due_at` that were missed; at most 10,080 are counted at once.
        "missed": "int",
        "started_at": "Union[str, None]",
        "ended_at": "Union[str, None]",
        "job_id": "Union[str, None]",
        # Of the results; null: none was made.
        "export": "Union[Export, None]",
        # null: there is no such job, or none any more.
        "job_state": "Union[Literal['queued', 'running', 'paused', 'done', 'cancelled', 'failed'], None]",
        # Items of the job that are `ok`; 0 without a job.
        "ok": "int",
        # Items of the job that failed; 0 without a job.
        "failed": "int",
    },
)

ScheduledJobRunList = TypedDict(
    "ScheduledJobRunList",
    {
        "items": "List[ScheduledJobRun]",
        "next_cursor": "Union[str, None]",
    },
)

ScrapeChangeFields = TypedDict(
    "ScrapeChangeFields",
    {
        "path": "str",
        "before": "Any",
        "after": "Any",
    },
)

ScrapeChangePicture = TypedDict(
    "ScrapeChangePicture",
    {
        "share": "float",
        "width": "int",
        "height": "int",
    },
)

ScrapeChange = TypedDict(
    "ScrapeChange",
    {
        "state": "Literal['first', 'same', 'changed', 'gone', 'back', 'error']",
        # Why it is an error, such as `signed_out`.
        "reason": "Union[str, None]",
        # The scrape that was compared with.
        "previous_id": "Union[str, None]",
        "added": "int",
        "removed": "int",
        # Share of lines that are the same.
        "similarity": "float",
        # Unified diff.
        "diff": "Union[str, None]",
        # Of `extract`, `json` and `structured`: values that differ. A missing value is null.
        "fields": "List[ScrapeChangeFields]",
        # Of `screenshot`: the share of pixels that differ.
        "picture": "Union[ScrapeChangePicture, None]",
    },
)

ScrapeList = TypedDict(
    "ScrapeList",
    {
        "items": "List[ScrapeSummary]",
        # Cursor of the next page. null on the last page. A short or empty page can still have a next one.
        "next_cursor": "Union[str, None]",
    },
)

# Problem details (RFC 9457) of a failed scrape. Also has every field of the scrape response.
ScrapeProblem = TypedDict(
    "ScrapeProblem",
    {
        # `{base_url}/api/v1/errors/#<code>`
        "type": "str",
        "title": "str",
        "status": "int",
        "detail": "str",
        "code": "ErrorCode",
        "request_id": "str",
        "retryable": "bool",
        "errors": "List[ErrorEntry]",
        "id": "Union[str, None]",
        # Status of the target's response.
        "status_code": "Union[int, None]",
        "final_url": "Union[str, None]",
        # Names in lower case; repeated headers are joined.
        "headers": "Dict[str, str]",
        "content": "Union[str, None]",
        "content_encoding": "Union[Literal['utf-8', 'base64'], None]",
        "cookies": "List[Cookie]",
        "screenshot_url": "Union[str, None]",
        "scraper_data": "ScraperData",
        "router": "RouterMeta",
    },
)

ScrapeProgressAttempt = TypedDict(
    "ScrapeProgressAttempt",
    {
        "n": "int",
        # The most attempts that there may be.
        "of": "int",
        "scraper": "str",
        "proxy_type": "str",
    },
)

ScrapeProgressAction = TypedDict(
    "ScrapeProgressAction",
    {
        # Its number in `page_actions`, from 1. Actions in a branch of an `if` have the number of the `if`.
        "n": "int",
        # Number of `page_actions`.
        "of": "int",
        "type": "str",
    },
)

# What a running scrape does now: `data` of an event `progress`.
ScrapeProgress = TypedDict(
    "ScrapeProgress",
    {
        # `fetching`: the page is fetched; in a browser it also loads. `reading`: the response is judged, and formats and data are read from it.
        "phase": "Literal['waiting', 'fetching', 'action', 'reading']",
        # What a scrape that is `waiting` waits for. `other_request`: an equal request, whose first attempt shows which method works; `site`: its turn at the site: a free slot, or the end of a pause that the site asked for; `retry`: the pause before the same method is tried again; `proxy`: a free proxy; `browser`: a free slot of a browser, or for the browser to start; `worker`: a worker to take the scrape. null in other phases.
        "waiting_for": "Union[Literal['other_request', 'site', 'retry', 'proxy', 'browser', 'worker'], None]",
        # The attempt that runs, or that begins after the wait. null: not known yet.
        "attempt": "Union[ScrapeProgressAttempt, None]",
        # The page action that runs in the phase `action`. null in other phases.
        "action": "Union[ScrapeProgressAction, None]",
        # Time since the request had been received.
        "elapsed_ms": "int",
    },
)

# Why `auto` gave up before every method was tried. null if it did not.
ScrapeRecordRouterStopped = TypedDict(
    "ScrapeRecordRouterStopped",
    {
        "reason": "Literal['max_attempts', 'timeout', 'max_cost', 'method', 'sort', 'refused_before', 'answered']",
        "message": "str",
    },
)

ScrapeRecordRouterVerdict = TypedDict(
    "ScrapeRecordRouterVerdict",
    {
        "kind": "Literal['ok', 'js_shell', 'challenge', 'captcha', 'block', 'wall', 'rate', 'error_page', 'net', 'empty']",
        "confidence": "float",
        "signals": "List[str]",
        "by": NotRequired["Union[str, None]"],
    },
)

ScrapeRecordRouterCostDetails = TypedDict(
    "ScrapeRecordRouterCostDetails",
    {
        # null: of the model, which belongs to no attempt.
        "attempt": "Union[int, None]",
        "item": "Literal['scraper', 'vendor', 'proxy_request', 'proxy_traffic', 'model_tokens_in', 'model_tokens_out']",
        # The scraper, proxy type or model.
        "name": "str",
        # Attempts, requests, bytes sent and received, or tokens.
        "quantity": "int",
        # Price per attempt, request, 10⁹ bytes or 10⁶ tokens.
        "unit_price": "float",
        "cost": "float",
    },
)

# Calls of the model for the format `json`, also those that failed.
ScrapeRecordRouterModel = TypedDict(
    "ScrapeRecordRouterModel",
    {
        "name": "str",
        "calls": "int",
        "tokens_in": "int",
        "tokens_out": "int",
        # null: the model has no price.
        "cost": "Union[float, None]",
    },
)

# Result of the robots.txt check. null if robots.txt was not read.
ScrapeRecordRouterRobots = TypedDict(
    "ScrapeRecordRouterRobots",
    {
        "mode": "Literal['report', 'respect']",
        # URL of the robots.txt file.
        "url": "str",
        # User agent whose rules were applied.
        "agent": "str",
        "allowed": "Union[bool, None]",
        "rule": "Union[str, None]",
        "status_code": "Union[int, None]",
    },
)

ScrapeRecordRouterCache = TypedDict(
    "ScrapeRecordRouterCache",
    {
        "hit": "bool",
        "age_ms": "Union[float, None]",
    },
)

ScrapeRecordRouterTiming = TypedDict(
    "ScrapeRecordRouterTiming",
    {
        "queue": "Union[int, None]",
        "pause": "Union[int, None]",
        "dns": "Union[int, None]",
        "connect": "Union[int, None]",
        "tls": "Union[int, None]",
        "ttfb": "Union[int, None]",
        "download": "Union[int, None]",
        "load": "Union[int, None]",
        "wait": "Union[int, None]",
        "actions": "Union[int, None]",
        "read": NotRequired["Union[int, None]"],
        "total": "Union[int, None]",
    },
)

ScrapeRecordRouterRedirects = TypedDict(
    "ScrapeRecordRouterRedirects",
    {
        "url": "str",
        "status_code": "Union[int, None]",
    },
)

ScrapeRecordRouterMonitor = TypedDict(
    "ScrapeRecordRouterMonitor",
    {
        "id": "str",
        "n": "int",
    },
)

ScrapeRecordRouter = TypedDict(
    "ScrapeRecordRouter",
    {
        # false: the request set `return_content: false`, so that `content` is null although there may be one. Else absent.
        "content_returned": NotRequired["bool"],
        "scraper": "Union[Union[Literal['http', 'http_impersonate', 'browser', 'browser_stealth'], str], None]",
        # Request headers as sent to the target, with secrets masked.
        "request_headers": "Dict[str, str]",
        "request_cost": "Union[float, None]",
        "proxy_type": "Union[Literal['datacenter', 'residential', 'mobile', 'custom', 'none'], None]",
        # Whether no proxy was used, so that the target saw the address of this service. `proxy_type` is the type that was asked for, `datacenter` by default. null: there was no attempt.
        "direct": NotRequired["Union[bool, None]"],
        "outcome": "Literal['planned', 'failed', 'blocked', 'unaccepted', 'partial', 'target_error', 'ok']",
        "warnings": "List[WarningEntry]",
        "requested_scraper": NotRequired["Union[Literal['auto', 'http', 'http_impersonate', 'browser', 'browser_stealth'], str]"],
        # When the work began. `created_at` of the record is when the request was accepted.
        "started_at": NotRequired["str"],
        "attempts": NotRequired["List[Attempt]"],
        "candidates": NotRequired["List[Candidate]"],
        "stopped": NotRequired["Union[ScrapeRecordRouterStopped, None]"],
        # What was done, why, and what it cost, in a sentence or two of plain English.
        "explanation": NotRequired["str"],
        "verdict": NotRequired["Union[ScrapeRecordRouterVerdict, None]"],
        # Currency set by the operator, or `effort` if no prices are configured.
        "cost_unit": NotRequired["str"],
        # Cost items; their sum is `request_cost`. Free items are left out. Empty if `request_cost` is null.
        "cost_details": NotRequired["List[ScrapeRecordRouterCostDetails]"],
        "model": NotRequired["Union[ScrapeRecordRouterModel, None]"],
        "robots": NotRequired["Union[ScrapeRecordRouterRobots, None]"],
        "cache": NotRequired["ScrapeRecordRouterCache"],
        "timing": NotRequired["ScrapeRecordRouterTiming"],
        "redirects": NotRequired["List[ScrapeRecordRouterRedirects]"],
        "remote_ip": NotRequired["Union[str, None]"],
        "body_type": NotRequired["Union[Literal['json', 'form', 'raw', 'binary', 'multipart'], None]"],
        "created_at": "str",
        # Status of the response to the caller. null if the caller disconnected, or it was not stored.
        "http_status": "Union[int, None]",
        # Id of the API key used. null for a session of the dashboard.
        "key_id": "Union[str, None]",
        # Owner of the scrape. Only in sessions of administrators.
        "user_id": NotRequired["str"],
        # The job that it is an item of; null: none. Only of a single record.
        "job_id": NotRequired["Union[str, None]"],
        # The run of a monitor that it belongs to; null: none. Only of a single record.
        "monitor": NotRequired["Union[ScrapeRecordRouterMonitor, None]"],
    },
)

# A stored scrape. Parts that were not kept are null or empty.
ScrapeRecord = TypedDict(
    "ScrapeRecord",
    {
        # Id of the stored record.
        "id": "str",
        # Status of the target's response.
        "status_code": "Union[int, None]",
        "final_url": "Union[str, None]",
        # Names in lower case; repeated headers are joined.
        "headers": "Dict[str, str]",
        "content": "Union[str, None]",
        "content_encoding": "Union[Literal['utf-8', 'base64'], None]",
        "cookies": "List[Cookie]",
        "errors": "List[ErrorEntry]",
        "screenshot_url": "Union[str, None]",
        "scraper_data": "ScraperData",
        "router": "ScrapeRecordRouter",
    },
)

ScrapeRequestHeaders = TypedDict(
    "ScrapeRequestHeaders",
    {
        "name": "str",
        "value": "Union[Union[str, float, bool], None]",
    },
)

ScrapeRequestQuery = TypedDict(
    "ScrapeRequestQuery",
    {
        "name": "str",
        "value": "Union[Union[str, float, bool], None]",
    },
)

ScrapeRequestCookiesPartitionKey = TypedDict(
    "ScrapeRequestCookiesPartitionKey",
    {
        "topLevelSite": NotRequired["str"],
        "sourceOrigin": NotRequired["str"],
        "hasCrossSiteAncestor": NotRequired["bool"],
    },
)

ScrapeRequestCookies = TypedDict(
    "ScrapeRequestCookies",
    {
        "name": "str",
        "value": "Union[Union[str, float, bool], None]",
        "domain": NotRequired["str"],
        "path": NotRequired["str"],
        "secure": NotRequired["bool"],
        "http_only": NotRequired["bool"],
        # `strict`, `lax` or `none`, in any letter case.
        "same_site": NotRequired["str"],
        # Unix time in seconds. -1: a session cookie, kept until the scrape ends.
        "expires": NotRequired["float"],
        # The same as `expires`.
        "expirationDate": NotRequired["float"],
        # The same as `expires`.
        "expiry": NotRequired["float"],
        # true: a session cookie, whatever `expires` says.
        "session": NotRequired["bool"],
        # true: subdomains of `domain` are excluded.
        "hostOnly": NotRequired["bool"],
        # The site of the top-level page that the cookie is for, such as `https://example.com`.
        "partitionKey": NotRequired["Union[str, ScrapeRequestCookiesPartitionKey]"],
        # `hasCrossSiteAncestor` of `partitionKey`.
        "_crHasCrossSiteAncestor": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "partitionKeyOpaque": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "id": NotRequired["Union[float, str]"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "storeId": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "firstPartyDomain": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "size": NotRequired["float"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "priority": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sameParty": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourceScheme": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourcePort": NotRequired["float"],
    },
)

ScrapeRequest = TypedDict(
    "ScrapeRequest",
    {
        # Absolute `http:` or `https:` URL, at most 8,192 characters.
        "url": "str",
        # GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.
        "method": NotRequired["str"],
        # Request headers, sent in this order: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"Name: value"`. An array as the value repeats the header; null leaves it out.
        "headers": NotRequired["Union[Dict[str, Union[str, float, bool, None, List[Union[Union[str, float, bool], None]]]], List[Union[ScrapeRequestHeaders, List[Union[str, Union[Union[str, float, bool], None]]], str]]]"],
        # Appended to the query string of the URL: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"name=value"`. An array as the value repeats the name; null leaves it out. Values are percent-encoded.
        "query": NotRequired["Union[Dict[str, Union[str, float, bool, None, List[Union[Union[str, float, bool], None]]]], List[Union[ScrapeRequestQuery, List[Union[str, Union[Union[str, float, bool], None]]], str]]]"],
        # The request body. Sluice detects JSON, form or raw text. To choose the format yourself, use `$json`, `$form`, `$raw`, `$base64` or `$multipart`.
        "data": NotRequired["Any"],
        # Cookies for the host of the URL: `{name: value}`, or an array of objects, `[name, value]` or `"name=value"`. Null leaves a cookie out.
        "cookies": NotRequired["Union[Dict[str, Union[str, float, bool, None, List[Union[Union[str, float, bool], None]]]], List[Union[ScrapeRequestCookies, List[Union[str, Union[Union[str, float, bool], None]]], str]]]"],
        # Time limit for the whole request: queueing, all attempts and waits.
        "timeout_ms": NotRequired["float"],
        # Follow redirects. If false, the redirect response is the result.
        "allow_redirects": NotRequired["bool"],
        # Browser to use (default: `chromium`). Browser only.
        "browser_type": NotRequired["Literal['chromium', 'firefox', 'webkit', 'chrome', 'msedge', 'edge']"],
        # Run the browser without a window. Browser only.
        "headless": NotRequired["bool"],
        # Wait until this element is visible: a CSS selector, `xpath=…` or `text=…`. `scraper_options.wait_for_selector_state` sets another state to wait for. Browser only.
        "wait_for_selector": NotRequired["str"],
        # Additional fixed wait, after the other waits. Browser only.
        "wait_for_timeout_ms": NotRequired["float"],
        # Load state to wait for (default: `load`). Browser only.
        "wait_for_load_state": NotRequired["Literal['load', 'domcontentloaded', 'networkidle', 'commit', 'networkidle0', 'networkidle2', 'complete']"],
        # Actions to run in the page, in order. Browser only.
        "page_actions": NotRequired["List[PageAction]"],
        # Take a screenshot. Browser only.
        "screenshot": NotRequired["bool"],
        # `auto` picks the cheapest scraper likely to work, and falls back to others if it fails.
        "scraper": NotRequired["Union[Literal['auto', 'http', 'http_impersonate', 'browser', 'browser_stealth'], str]"],
        "scraper_options": NotRequired["ScraperOptions"],
        # `datacenter`, `residential`, `mobile`, a proxy URL (`host:port:user:password` works too), or an object.
        "proxy": NotRequired["Union[str, ProxySettings]"],
        # Routing options. A string is shorthand for `sort`.
        "router": NotRequired["Union[Literal['balanced', 'cheapest', 'fastest', 'reliable'], RouterAsk]"],
    },
)

ScrapeResponse = TypedDict(
    "ScrapeResponse",
    {
        # Id of the stored record.
        "id": "str",
        # Status of the target's response.
        "status_code": "Union[int, None]",
        "final_url": "Union[str, None]",
        # Names in lower case; repeated headers are joined.
        "headers": "Dict[str, str]",
        "content": "Union[str, None]",
        "content_encoding": "Union[Literal['utf-8', 'base64'], None]",
        "cookies": "List[Cookie]",
        "errors": "List[ErrorEntry]",
        "screenshot_url": "Union[str, None]",
        "scraper_data": "ScraperData",
        "router": "RouterMeta",
    },
)

ScrapeSummary = TypedDict(
    "ScrapeSummary",
    {
        "id": "str",
        "created_at": "str",
        "url": "Union[str, None]",
        "host": "str",
        "method": "Union[str, None]",
        "requested_scraper": "Union[str, None]",
        "scraper": "Union[str, None]",
        "proxy_type": "Union[str, None]",
        # Whether no proxy was used. null: there was no attempt, or it is not stored.
        "direct": "Union[bool, None]",
        "http_status": "Union[int, None]",
        "status_code": "Union[int, None]",
        "outcome": "Literal['planned', 'failed', 'blocked', 'unaccepted', 'partial', 'target_error', 'ok']",
        "error_code": "Union[str, None]",
        "duration_ms": "int",
        "content_bytes": "Union[int, None]",
        "request_cost": "Union[float, None]",
        "tags": "Dict[str, str]",
        "key_id": "Union[str, None]",
        "has_screenshot": "bool",
        # Size of the stored screenshot. null: there is none.
        "screenshot_bytes": "Union[int, None]",
        # Owner of the scrape. Only in sessions of administrators.
        "user_id": NotRequired["str"],
    },
)

ScrapeTotalsSteps = TypedDict(
    "ScrapeTotalsSteps",
    {
        # Start of the step.
        "at": "str",
        "outcomes": "RecordOutcomes",
    },
)

ScrapeTotals = TypedDict(
    "ScrapeTotals",
    {
        # Records that match, dry runs included.
        "scrapes": "int",
        "outcomes": "RecordOutcomes",
        # Total size of their contents.
        "content_bytes": "int",
        # Total of `request_cost`, in the unit that the prices had when each scrape ran. null if none has a cost.
        "cost": "Union[float, None]",
        # Records without a `request_cost`.
        "unpriced": "int",
        # Currency set by the operator, or `effort` if no prices are configured.
        "cost_unit": "str",
        # Length of a step.
        "step_seconds": "int",
        # Steps in which matching scrapes began, oldest first; at most 120.
        "steps": "List[ScrapeTotalsSteps]",
        # Older records were not examined. null: all were.
        "searched_to": "Union[str, None]",
        # Continues with the older records. null if all were examined.
        "next_cursor": "Union[str, None]",
    },
)

ScraperDataCharset = TypedDict(
    "ScraperDataCharset",
    {
        "name": "str",
        "source": "str",
    },
)

# The template whose rules were used, and its version.
ScraperDataExtractTemplate = TypedDict(
    "ScraperDataExtractTemplate",
    {
        "name": "str",
        "version": "int",
    },
)

ScraperDataPdf = TypedDict(
    "ScraperDataPdf",
    {
        "url": "Union[str, None]",
        "bytes": "int",
        "pages": "int",
    },
)

# The requested formats and extracted data. null if the page has none.
ScraperData = TypedDict(
    "ScraperData",
    {
        "vendor": NotRequired["VendorUse"],
        "charset": NotRequired["ScraperDataCharset"],
        "html": NotRequired["Union[str, None]"],
        "text": NotRequired["Union[str, None]"],
        "links": NotRequired["Union[List[PageLink], None]"],
        "metadata": NotRequired["Union[PageMetadata, None]"],
        # CommonMark with tables of GFM.
        "markdown": NotRequired["Union[str, None]"],
        # The main content as HTML without scripts, styles and classes.
        "main_html": NotRequired["Union[str, None]"],
        "structured": NotRequired["Union[StructuredData, None]"],
        "images": NotRequired["Union[List[PageImage], None]"],
        "feed": NotRequired["Union[Feed, None]"],
        "json": NotRequired["Union[JsonResult, None]"],
        "main": NotRequired["Union[MainContent, None]"],
        "document": NotRequired["DocumentInfo"],
        # The template whose rules were used, and its version.
        "extract_template": NotRequired["ScraperDataExtractTemplate"],
        # Extracted values by rule name: a string, number, boolean or object, a list of these, or null if nothing matched.
        "extract": NotRequired["Union[Dict[str, Any], None]"],
        "change": NotRequired["ScrapeChange"],
        # Results of all page actions in order. For an `if`, only the actions of the branch that was run are included.
        "actions": NotRequired["List[ActionResult]"],
        # The printed page. null if it could not be printed.
        "pdf": NotRequired["Union[ScraperDataPdf, None]"],
        # The page itself, if it was sent as an attachment, and the files that actions saved.
        "downloads": NotRequired["List[Download]"],
        # Requests that match `capture`, in the order the page sent them. Each redirect is an entry of its own.
        "network": NotRequired["List[CapturedExchange]"],
    },
)

# What the main content is, for `only_main_content` and `main_html`. `scraper_data.main` says what it is.
ScraperOptionsMainContent = TypedDict(
    "ScraperOptionsMainContent",
    {
        # CSS selectors of what is the main content. It is not searched for then.
        "include": NotRequired["List[str]"],
        # CSS selectors of what does not belong to the main content.
        "exclude": NotRequired["List[str]"],
        # Only in crawls: text that is on most pages of a host is left out of the main content, once the crawl has seen it on three pages.
        "site_boilerplate": NotRequired["bool"],
        # `page`: `links` and `images` are those of the page without its header, navigation, asides, footer and layers, whatever its main content is.
        "links_from": NotRequired["Literal['content', 'page']"],
    },
)

# How the Markdown is written. Setting any of these also asks for the format `markdown`.
ScraperOptionsMarkdown = TypedDict(
    "ScraperOptionsMarkdown",
    {
        # `reference`: the URLs are at the end. `text`: without URLs.
        "links": NotRequired["Literal['inline', 'reference', 'text']"],
        # `alt`: only the alternative text.
        "images": NotRequired["Literal['all', 'alt', 'none']"],
        # Write tables that Markdown cannot express as HTML.
        "html": NotRequired["bool"],
        # Begin with title, URL and dates as YAML.
        "front_matter": NotRequired["bool"],
        # Return no more than this many UTF-16 units, cut between blocks. The warning `content.more` then has the offset of the rest.
        "max_chars": NotRequired["int"],
        # Where to begin, as `content.more` said.
        "content_offset": NotRequired["int"],
    },
)

# Fills your JSON Schema with what the page says. Setting `schema` or `prompt` also asks for the format `json`. Nothing is invented: what the page does not say is listed in `missing`.
ScraperOptionsJson = TypedDict(
    "ScraperOptionsJson",
    {
        # A JSON Schema (2020-12), at most 32,768 characters: the data to find.
        "schema": NotRequired["Dict[str, Any]"],
        # What to find, in words. Needs a model. With a schema, it explains the schema.
        "prompt": NotRequired["str"],
        # What the model gets of the page. `structured`: only the structured data and tables of the page, which are then also all that is read without a model.
        "from": NotRequired["Literal['markdown', 'html', 'text', 'structured']"],
        # `auto`: the model of the operator, if there is one, looks for what the page does not say in its data and labels. `always`: it looks for everything; without a model the request is refused.
        "model": NotRequired["Literal['auto', 'always', 'never']"],
        # Each source also has the text of the page as `quote`.
        "evidence": NotRequired["bool"],
    },
)

# Viewport size in CSS pixels (default: 1280 × 720). Overrides the values of `device`.
ScraperOptionsViewport = TypedDict(
    "ScraperOptionsViewport",
    {
        "width": NotRequired["int"],
        "height": NotRequired["int"],
        "device_scale_factor": NotRequired["float"],
        # Use the `<meta name="viewport">` of the page, and enable touch.
        "is_mobile": NotRequired["bool"],
    },
)

# The position that the page gets from the Geolocation API. Permission is granted to every page of the scrape.
ScraperOptionsGeolocation = TypedDict(
    "ScraperOptionsGeolocation",
    {
        "latitude": "float",
        "longitude": "float",
        # Accuracy in metres.
        "accuracy": NotRequired["float"],
    },
)

# Sub-resources to block.
ScraperOptionsBlock = TypedDict(
    "ScraperOptionsBlock",
    {
        "resource_types": NotRequired["List[Literal['stylesheet', 'image', 'media', 'font', 'script', 'texttrack', 'xhr', 'fetch', 'eventsource', 'manifest', 'other']]"],
        "url_patterns": NotRequired["List[str]"],
        "ads": NotRequired["bool"],
    },
)

# Screenshot settings. Setting any of them also takes the screenshot. At most 16,384 pixels per side (WebP: 16,383) and 50 megapixels; a larger screenshot is cropped at the right and bottom, with the warning `screenshot.clamped`.
ScraperOptionsScreenshot = TypedDict(
    "ScraperOptionsScreenshot",
    {
        # Capture the whole page, not just the visible part.
        "full_page": NotRequired["bool"],
        # Capture only this element. Same syntax as `wait_for_selector`.
        "selector": NotRequired["str"],
        "type": NotRequired["Literal['png', 'jpeg', 'webp']"],
        # Quality of JPEG and WebP images.
        "quality": NotRequired["int"],
    },
)

# Margins of the paper (default: none).
ScraperOptionsPdfMargin = TypedDict(
    "ScraperOptionsPdfMargin",
    {
        "top": NotRequired["Union[float, str]"],
        "right": NotRequired["Union[float, str]"],
        "bottom": NotRequired["Union[float, str]"],
        "left": NotRequired["Union[float, str]"],
    },
)

# How the page is printed. Setting any of them also asks for the format `pdf`. The file is in `scraper_data.pdf`, at most 50 MiB. Browser only.
ScraperOptionsPdf = TypedDict(
    "ScraperOptionsPdf",
    {
        # Paper size.
        "format": NotRequired["Literal['Letter', 'Legal', 'Tabloid', 'Ledger', 'A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6']"],
        "landscape": NotRequired["bool"],
        "scale": NotRequired["float"],
        # Margins of the paper (default: none).
        "margin": NotRequired["ScraperOptionsPdfMargin"],
        # Pages to print, such as `1-3, 5` (default: all).
        "page_ranges": NotRequired["str"],
        # Print background graphics.
        "print_background": NotRequired["bool"],
        # Media type of the style sheets.
        "media": NotRequired["Literal['print', 'screen']"],
        # Make a tagged (accessible) PDF.
        "tagged": NotRequired["bool"],
        # Make an outline of the headings.
        "outline": NotRequired["bool"],
    },
)

ScraperOptionsCapture = TypedDict(
    "ScraperOptionsCapture",
    {
        # A Playwright glob that must match the whole URL: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either.
        "url": "str",
        "method": NotRequired["str"],
        "resource_type": NotRequired["Literal['document', 'stylesheet', 'image', 'media', 'font', 'script', 'texttrack', 'xhr', 'fetch', 'eventsource', 'manifest', 'other']"],
        # Include the response bodies.
        "body": NotRequired["bool"],
    },
)

ScraperOptionsStorageStateCookiesPartitionKey = TypedDict(
    "ScraperOptionsStorageStateCookiesPartitionKey",
    {
        "topLevelSite": NotRequired["str"],
        "sourceOrigin": NotRequired["str"],
        "hasCrossSiteAncestor": NotRequired["bool"],
    },
)

ScraperOptionsStorageStateCookies = TypedDict(
    "ScraperOptionsStorageStateCookies",
    {
        "name": "str",
        "value": "str",
        # With a leading dot, subdomains are included.
        "domain": "str",
        "path": "str",
        # Unix time in seconds. -1: a session cookie, kept until the scrape ends.
        "expires": NotRequired["float"],
        "httpOnly": NotRequired["bool"],
        "secure": NotRequired["bool"],
        # `Strict`, `Lax` or `None`, in any letter case.
        "sameSite": NotRequired["str"],
        # The same as `expires`.
        "expirationDate": NotRequired["float"],
        # The same as `expires`.
        "expiry": NotRequired["float"],
        # true: a session cookie, whatever `expires` says.
        "session": NotRequired["bool"],
        # true: subdomains of `domain` are excluded.
        "hostOnly": NotRequired["bool"],
        # The site of the top-level page that the cookie is for, such as `https://example.com`.
        "partitionKey": NotRequired["Union[str, ScraperOptionsStorageStateCookiesPartitionKey]"],
        # `hasCrossSiteAncestor` of `partitionKey`.
        "_crHasCrossSiteAncestor": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "partitionKeyOpaque": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "id": NotRequired["Union[float, str]"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "storeId": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "firstPartyDomain": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "size": NotRequired["float"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "priority": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sameParty": NotRequired["bool"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourceScheme": NotRequired["str"],
        # Describes the browser that the cookie was exported from. Accepted, and changes nothing.
        "sourcePort": NotRequired["float"],
    },
)

ScraperOptionsStorageStateOriginsLocalStorage = TypedDict(
    "ScraperOptionsStorageStateOriginsLocalStorage",
    {
        "name": "str",
        "value": "str",
    },
)

ScraperOptionsStorageStateOriginsIndexedDBStoresRecords = TypedDict(
    "ScraperOptionsStorageStateOriginsIndexedDBStoresRecords",
    {
        "key": NotRequired["Any"],
        "keyEncoded": NotRequired["Any"],
        "value": NotRequired["Any"],
        "valueEncoded": NotRequired["Any"],
    },
)

ScraperOptionsStorageStateOriginsIndexedDBStoresIndexes = TypedDict(
    "ScraperOptionsStorageStateOriginsIndexedDBStoresIndexes",
    {
        "name": "str",
        "keyPath": NotRequired["str"],
        "keyPathArray": NotRequired["List[str]"],
        "multiEntry": "bool",
        "unique": "bool",
    },
)

ScraperOptionsStorageStateOriginsIndexedDBStores = TypedDict(
    "ScraperOptionsStorageStateOriginsIndexedDBStores",
    {
        "name": "str",
        "autoIncrement": "bool",
        "keyPath": NotRequired["str"],
        "keyPathArray": NotRequired["List[str]"],
        "records": "List[ScraperOptionsStorageStateOriginsIndexedDBStoresRecords]",
        "indexes": "List[ScraperOptionsStorageStateOriginsIndexedDBStoresIndexes]",
    },
)

ScraperOptionsStorageStateOriginsIndexedDB = TypedDict(
    "ScraperOptionsStorageStateOriginsIndexedDB",
    {
        "name": "str",
        "version": "int",
        "stores": "List[ScraperOptionsStorageStateOriginsIndexedDBStores]",
    },
)

ScraperOptionsStorageStateOrigins = TypedDict(
    "ScraperOptionsStorageStateOrigins",
    {
        "origin": "str",
        "localStorage": "List[ScraperOptionsStorageStateOriginsLocalStorage]",
        "indexedDB": NotRequired["List[ScraperOptionsStorageStateOriginsIndexedDB]"],
    },
)

# Cookies, `localStorage` and IndexedDB to set before the page loads, in the storage state format of Playwright.
ScraperOptionsStorageState = TypedDict(
    "ScraperOptionsStorageState",
    {
        "cookies": NotRequired["List[ScraperOptionsStorageStateCookies]"],
        "origins": NotRequired["List[ScraperOptionsStorageStateOrigins]"],
    },
)

ScraperOptionsProfile = TypedDict(
    "ScraperOptionsProfile",
    {
        # must be the name of a profile
        "name": "str",
        # Whether cookies and storage that the site renews are kept after a good page.
        "save": NotRequired["Literal['never', 'on_success']"],
        # If the site asks to log in, log in with the credentials of the profile, once, in a browser, and ask for the page again.
        "relogin": NotRequired["bool"],
    },
)

# Options of the scraper.
ScraperOptions = TypedDict(
    "ScraperOptions",
    {
        # Longer content is truncated. Counted after decompression.
        "max_content_bytes": NotRequired["int"],
        # Verify the TLS certificate of the target. If false, invalid certificates are accepted.
        "verify_tls": NotRequired["bool"],
        # The scrape fails after this many redirects.
        "max_redirects": NotRequired["int"],
        # `base64` returns the raw bytes, whatever the content type. `auto` returns text as UTF-8 and everything else as base64.
        "content_encoding": NotRequired["Literal['auto', 'base64']"],
        # `false`: `content` and `content_encoding` are null in the answer, in results of jobs and in messages to webhooks. The record keeps the content: `/api/v1/scrape/{id}/content/` and `…/read/` have it.
        "return_content": NotRequired["bool"],
        # The `User-Agent` header. If `headers` has one too, that one is sent.
        "user_agent": NotRequired["str"],
        # Extra outputs, returned in `scraper_data` under the same names; null if the page has none. `html`: the decoded document. `text`: the visible text, with line breaks between blocks and tabs between table cells. `links`: all links. `metadata`: title, description, Open Graph, JSON-LD and more. `markdown`: the page as Markdown. `main_html`: the main content as clean HTML. `structured`: JSON-LD, microdata, RDFa, tables, and what they describe. `images`: the images of the page. `feed`: the entries of a feed or sitemap. `json`: your schema filled, see the option `json`. `pdf`: the page printed, which takes a browser.
        "formats": NotRequired["List[Literal['html', 'text', 'links', 'metadata', 'markdown', 'main_html', 'structured', 'images', 'feed', 'json', 'pdf']]"],
        # Read `text`, `markdown`, `links`, `images`, `metadata`, `html` and the tables of `structured` from the main content only, without navigation, sidebars, consent layers and the like. `scraper_data.main` says what it is.
        "only_main_content": NotRequired["bool"],
        # What the main content is, for `only_main_content` and `main_html`. `scraper_data.main` says what it is.
        "main_content": NotRequired["ScraperOptionsMainContent"],
        # How the Markdown is written. Setting any of these also asks for the format `markdown`.
        "markdown": NotRequired["ScraperOptionsMarkdown"],
        # Fills your JSON Schema with what the page says. Setting `schema` or `prompt` also asks for the format `json`. Nothing is invented: what the page does not say is listed in `missing`.
        "json": NotRequired["ScraperOptionsJson"],
        # Rules by name, or `template:<name>` for those of a template.
        "extract": NotRequired["Union[Dict[str, ExtractRule], str]"],
        # `true`: HTTP/2 only. `false`: HTTP/1.1 only. `auto`: negotiated with the target.
        "http2": NotRequired["Union[Literal['auto'], bool]"],
        # Browser to imitate (default: `chrome`). A name without a version means the newest version listed. With `auto`, only `http_impersonate` is used.
        "impersonate": NotRequired["Literal['chrome', 'firefox', 'safari', 'edge', 'chrome_149', 'chrome_148', 'chrome_147', 'chrome_146', 'chrome_145', 'chrome_144', 'chrome_143', 'chrome_142', 'chrome_141', 'chrome_140', 'firefox_151', 'firefox_150', 'firefox_149', 'firefox_148', 'firefox_147', 'firefox_146', 'firefox_145', 'firefox_144', 'firefox_143', 'firefox_142', 'safari_26_4', 'safari_26_3', 'safari_26_2', 'safari_26_1', 'safari_26', 'safari_18_5', 'safari_ios_26_2', 'safari_ios_26', 'edge_148', 'edge_147', 'edge_146', 'edge_145', 'edge_144', 'edge_143', 'edge_142', 'edge_141', 'edge_140']"],
        # A language tag such as `de-CH`. Sets `Accept-Language`, `navigator.language` and number formats.
        "locale": NotRequired["str"],
        # An IANA time zone such as `Europe/Berlin`.
        "timezone": NotRequired["str"],
        # Viewport size in CSS pixels (default: 1280 × 720). Overrides the values of `device`.
        "viewport": NotRequired["ScraperOptionsViewport"],
        # Emulates this device from the list of Playwright: screen size, touch and `User-Agent`.
        "device": NotRequired["Literal['Blackberry PlayBook', 'Blackberry PlayBook landscape', 'BlackBerry Z30', 'BlackBerry Z30 landscape', 'Galaxy Note 3', 'Galaxy Note 3 landscape', 'Galaxy Note II', 'Galaxy Note II landscape', 'Galaxy S III', 'Galaxy S III landscape', 'Galaxy S5', 'Galaxy S5 landscape', 'Galaxy S8', 'Galaxy S8 landscape', 'Galaxy S9+', 'Galaxy S9+ landscape', 'Galaxy S24', 'Galaxy S24 landscape', 'Galaxy A55', 'Galaxy A55 landscape', 'Galaxy Tab S4', 'Galaxy Tab S4 landscape', 'Galaxy Tab S9', 'Galaxy Tab S9 landscape', 'Galaxy Z Fold 6', 'Galaxy Z Fold 6 landscape', 'Galaxy Z Fold 6 Cover', 'Galaxy Z Fold 6 Cover landscape', 'Galaxy Z Fold 7', 'Galaxy Z Fold 7 landscape', 'Galaxy Z Fold 7 Cover', 'Galaxy Z Fold 7 Cover landscape', 'Galaxy Z Flip 6', 'Galaxy Z Flip 6 landscape', 'Galaxy Z Flip 6 Cover', 'Galaxy Z Flip 6 Cover landscape', 'Galaxy Z Flip 7', 'Galaxy Z Flip 7 landscape', 'Galaxy Z Flip 7 Cover', 'Galaxy Z Flip 7 Cover landscape', 'iPad (gen 5)', 'iPad (gen 5) landscape', 'iPad (gen 6)', 'iPad (gen 6) landscape', 'iPad (gen 7)', 'iPad (gen 7) landscape', 'iPad (gen 11)', 'iPad (gen 11) landscape', 'iPad Mini', 'iPad Mini landscape', 'iPad Pro 11', 'iPad Pro 11 landscape', 'iPhone 6', 'iPhone 6 landscape', 'iPhone 6 Plus', 'iPhone 6 Plus landscape', 'iPhone 7', 'iPhone 7 landscape', 'iPhone 7 Plus', 'iPhone 7 Plus landscape', 'iPhone 8', 'iPhone 8 landscape', 'iPhone 8 Plus', 'iPhone 8 Plus landscape', 'iPhone SE', 'iPhone SE landscape', 'iPhone SE (3rd gen)', 'iPhone SE (3rd gen) landscape', 'iPhone X', 'iPhone X landscape', 'iPhone XR', 'iPhone XR landscape', 'iPhone 11', 'iPhone 11 landscape', 'iPhone 11 Pro', 'iPhone 11 Pro landscape', 'iPhone 11 Pro Max', 'iPhone 11 Pro Max landscape', 'iPhone 12', 'iPhone 12 landscape', 'iPhone 12 Pro', 'iPhone 12 Pro landscape', 'iPhone 12 Pro Max', 'iPhone 12 Pro Max landscape', 'iPhone 12 Mini', 'iPhone 12 Mini landscape', 'iPhone 13', 'iPhone 13 landscape', 'iPhone 13 Pro', 'iPhone 13 Pro landscape', 'iPhone 13 Pro Max', 'iPhone 13 Pro Max landscape', 'iPhone 13 Mini', 'iPhone 13 Mini landscape', 'iPhone 14', 'iPhone 14 landscape', 'iPhone 14 Plus', 'iPhone 14 Plus landscape', 'iPhone 14 Pro', 'iPhone 14 Pro landscape', 'iPhone 14 Pro Max', 'iPhone 14 Pro Max landscape', 'iPhone 15', 'iPhone 15 landscape', 'iPhone 15 Plus', 'iPhone 15 Plus landscape', 'iPhone 15 Pro', 'iPhone 15 Pro landscape', 'iPhone 15 Pro Max', 'iPhone 15 Pro Max landscape', 'iPhone 16', 'iPhone 16 landscape', 'iPhone 16 Plus', 'iPhone 16 Plus landscape', 'iPhone 16 Pro', 'iPhone 16 Pro landscape', 'iPhone 16 Pro Max', 'iPhone 16 Pro Max landscape', 'iPhone 16e', 'iPhone 16e landscape', 'iPhone 17', 'iPhone 17 landscape', 'iPhone Air', 'iPhone Air landscape', 'iPhone 17 Pro', 'iPhone 17 Pro landscape', 'iPhone 17 Pro Max', 'iPhone 17 Pro Max landscape', 'iPhone 17e', 'iPhone 17e landscape', 'Kindle Fire HDX', 'Kindle Fire HDX landscape', 'LG Optimus L70', 'LG Optimus L70 landscape', 'Microsoft Lumia 550', 'Microsoft Lumia 550 landscape', 'Microsoft Lumia 950', 'Microsoft Lumia 950 landscape', 'Nexus 10', 'Nexus 10 landscape', 'Nexus 4', 'Nexus 4 landscape', 'Nexus 5', 'Nexus 5 landscape', 'Nexus 5X', 'Nexus 5X landscape', 'Nexus 6', 'Nexus 6 landscape', 'Nexus 6P', 'Nexus 6P landscape', 'Nexus 7', 'Nexus 7 landscape', 'Nokia Lumia 520', 'Nokia Lumia 520 landscape', 'Nokia N9', 'Nokia N9 landscape', 'Pixel 2', 'Pixel 2 landscape', 'Pixel 2 XL', 'Pixel 2 XL landscape', 'Pixel 3', 'Pixel 3 landscape', 'Pixel 4', 'Pixel 4 landscape', 'Pixel 4a (5G)', 'Pixel 4a (5G) landscape', 'Pixel 5', 'Pixel 5 landscape', 'Pixel 6', 'Pixel 6 landscape', 'Pixel 6 Pro', 'Pixel 6 Pro landscape', 'Pixel 6a', 'Pixel 6a landscape', 'Pixel 7', 'Pixel 7 landscape', 'Pixel 7 Pro', 'Pixel 7 Pro landscape', 'Pixel 7a', 'Pixel 7a landscape', 'Pixel 8', 'Pixel 8 landscape', 'Pixel 8 Pro', 'Pixel 8 Pro landscape', 'Pixel 8a', 'Pixel 8a landscape', 'Pixel 9', 'Pixel 9 landscape', 'Pixel 9 Pro', 'Pixel 9 Pro landscape', 'Pixel 9 Pro XL', 'Pixel 9 Pro XL landscape', 'Pixel 10', 'Pixel 10 landscape', 'Pixel 10 Pro', 'Pixel 10 Pro landscape', 'Pixel 10 Pro XL', 'Pixel 10 Pro XL landscape', 'Moto G4', 'Moto G4 landscape', 'Desktop Chrome HiDPI', 'Desktop Edge HiDPI', 'Desktop Firefox HiDPI', 'Desktop Safari', 'Desktop Chrome', 'Desktop Edge', 'Desktop Firefox']"],
        # Value of the `prefers-color-scheme` media feature.
        "color_scheme": NotRequired["Literal['light', 'dark', 'no-preference']"],
        # Value of the `prefers-reduced-motion` media feature.
        "reduced_motion": NotRequired["Literal['reduce', 'no-preference']"],
        # The position that the page gets from the Geolocation API. Permission is granted to every page of the scrape.
        "geolocation": NotRequired["ScraperOptionsGeolocation"],
        # Run the scripts of the page.
        "javascript": NotRequired["bool"],
        # Sub-resources to block.
        "block": NotRequired["ScraperOptionsBlock"],
        # Screenshot settings. Setting any of them also takes the screenshot. At most 16,384 pixels per side (WebP: 16,383) and 50 megapixels; a larger screenshot is cropped at the right and bottom, with the warning `screenshot.clamped`.
        "screenshot": NotRequired["ScraperOptionsScreenshot"],
        # How the page is printed. Setting any of them also asks for the format `pdf`. The file is in `scraper_data.pdf`, at most 50 MiB. Browser only.
        "pdf": NotRequired["ScraperOptionsPdf"],
        # State that `wait_for_selector` waits for (default: `visible`).
        "wait_for_selector_state": NotRequired["Literal['visible', 'attached', 'hidden', 'detached']"],
        # Records the requests of the page that match one of these filters, in `scraper_data.network`: at most 500 requests and 5 MiB. Covers the page and its same-site frames, but not workers or cross-site frames.
        "capture": NotRequired["List[ScraperOptionsCapture]"],
        # Cookies, `localStorage` and IndexedDB to set before the page loads, in the storage state format of Playwright.
        "storage_state": NotRequired["ScraperOptionsStorageState"],
        # A profile, by its name or as an object: cookies, localStorage and IndexedDB that are kept under a name. HTTP clients use its cookies alone. The key needs the scope `profiles`.
        "profile": NotRequired["Union[str, ScraperOptionsProfile]"],
    },
)

ScreenshotActionSelector = TypedDict(
    "ScreenshotActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Takes a PNG screenshot of the viewport, the whole page or an element. `result` is `{name, url, width, height, type}`.
ScreenshotAction = TypedDict(
    "ScreenshotAction",
    {
        "type": "Literal['screenshot']",
        "name": NotRequired["str"],
        "full_page": NotRequired["bool"],
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": NotRequired["Union[str, ScreenshotActionSelector]"],
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

ScrollActionSelector = TypedDict(
    "ScrollActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

ScrollActionContainer = TypedDict(
    "ScrollActionContainer",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Scrolls the page, or `container`: to the top or bottom, to a position, or until an element is in view.
ScrollAction = TypedDict(
    "ScrollAction",
    {
        "type": "Literal['scroll']",
        "to": NotRequired["Literal['top', 'bottom']"],
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": NotRequired["Union[str, ScrollActionSelector]"],
        # Pixels from the left edge of the viewport.
        "x": NotRequired["float"],
        # Pixels from the top edge of the viewport.
        "y": NotRequired["float"],
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "container": NotRequired["Union[str, ScrollActionContainer]"],
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

SelectActionSelector = TypedDict(
    "SelectActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Selects options of a `<select>`. `result.values` lists the selected values.
SelectAction = TypedDict(
    "SelectAction",
    {
        "type": "Literal['select']",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": "Union[str, SelectActionSelector]",
        "value": NotRequired["str"],
        "values": NotRequired["List[str]"],
        "label": NotRequired["str"],
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

SiteLimits = TypedDict(
    "SiteLimits",
    {
        # Without the port: the limits hold for all its ports together.
        "host": "str",
        # Attempts that may run at once. It goes before `SLUICE_SITE_CONCURRENCY`.
        "concurrency": "Union[int, None]",
        # Time between the starts of two attempts.
        "delay_ms": "Union[int, None]",
        # What attempts may cost on a day (UTC), in `cost_unit`. 0: nothing is fetched.
        "budget_day": "Union[float, None]",
        # The same of a month (UTC).
        "budget_month": "Union[float, None]",
        # Currency set by the operator, or `effort` if no prices are configured.
        "cost_unit": "str",
        # Spent by all users since 00:00 UTC, with the prices of attempts that run. null: the caller may not see that, or no prices are configured.
        "spent_day": "Union[float, None]",
        # The same since the first day of the month.
        "spent_month": "Union[float, None]",
    },
)

# What is left out stays unchanged; null removes a limit.
SiteLimitsPatch = TypedDict(
    "SiteLimitsPatch",
    {
        # Attempts that may run at once. It goes before `SLUICE_SITE_CONCURRENCY`.
        "concurrency": NotRequired["Union[int, None]"],
        # Time between the starts of two attempts.
        "delay_ms": NotRequired["Union[int, None]"],
        # What attempts may cost on a day (UTC), in `cost_unit`. 0: nothing is fetched.
        "budget_day": NotRequired["Union[float, None]"],
        # The same of a month (UTC).
        "budget_month": NotRequired["Union[float, None]"],
    },
)

# A page in a sitemap, or a sitemap in an index.
SitemapEntry = TypedDict(
    "SitemapEntry",
    {
        "url": "str",
        "updated": "Union[str, None]",
        "change_frequency": "Union[str, None]",
        "priority": "Union[float, None]",
    },
)

StructuredDataJsonLd = TypedDict(
    "StructuredDataJsonLd",
    {
    },
)

StructuredDataMicrodata = TypedDict(
    "StructuredDataMicrodata",
    {
    },
)

StructuredDataRdfa = TypedDict(
    "StructuredDataRdfa",
    {
    },
)

StructuredDataTables = TypedDict(
    "StructuredDataTables",
    {
        "caption": "Union[str, None]",
        "header": "List[str]",
        "rows": "List[List[str]]",
    },
)

StructuredDataEntities = TypedDict(
    "StructuredDataEntities",
    {
        "type": "str",
    },
)

# Structured data and tables of the page.
StructuredData = TypedDict(
    "StructuredData",
    {
        # The objects of all JSON-LD blocks, as the page writes them.
        "json_ld": "List[StructuredDataJsonLd]",
        # The items of microdata: `{type, id, properties}`.
        "microdata": "List[StructuredDataMicrodata]",
        # RDFa as expanded JSON-LD.
        "rdfa": "List[StructuredDataRdfa]",
        # Names without the prefix `og:`. Other prefixes are kept.
        "open_graph": "Dict[str, Union[str, List[str]]]",
        # Names without the prefix `twitter:`.
        "twitter": "Dict[str, Union[str, List[str]]]",
        # The tables with data. A cell that spans others is repeated in them.
        "tables": "List[StructuredDataTables]",
        # What the page is about, from all of the above, merged: a `type` and properties of schema.org. Each property is a list of `{value, from, path}`; `path` is a JSON Pointer into `structured`.
        "entities": "List[StructuredDataEntities]",
    },
)

TryNow = TypedDict(
    "TryNow",
    {
        # Numbers of items (`item`). Default: all that wait for a retry.
        "items": NotRequired["List[int]"],
    },
)

TypeActionSelector = TypedDict(
    "TypeActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Types text key by key, into an element or the focused element.
TypeAction = TypedDict(
    "TypeAction",
    {
        "type": "Literal['type']",
        "text": "str",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": NotRequired["Union[str, TypeActionSelector]"],
        "delay_ms": NotRequired["float"],
        # Time limit for the action. Default: 5,000 ms plus the delays.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

UncheckActionSelector = TypedDict(
    "UncheckActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Unchecks a checkbox.
UncheckAction = TypedDict(
    "UncheckAction",
    {
        "type": "Literal['uncheck']",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": "Union[str, UncheckActionSelector]",
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

UnreadCount = TypedDict(
    "UnreadCount",
    {
        "unread": "int",
    },
)

# The vendor that fetched the page.
VendorUse = TypedDict(
    "VendorUse",
    {
        # Name in the file of vendors.
        "name": "str",
        "kind": "Literal['zyte', 'scrapfly', 'scrapingbee', 'scraperapi', 'zenrows', 'scrapedo', 'brightdata', 'oxylabs', 'firecrawl', 'browserless', 'flaresolverr', 'sluice', 'http']",
        "request_id": "Union[str, None]",
        "credits": "Union[float, None]",
        # Source of the cost: reported by the vendor, calculated from the prices of the operator, or unknown.
        "cost_source": "Literal['reported', 'estimated', 'unknown']",
    },
)

# Waits for a fixed time.
WaitAction = TypedDict(
    "WaitAction",
    {
        "type": "Literal['wait']",
        "ms": "float",
        # The action fails if the wait would be longer than this.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
    },
)

# Waits until a script returns a truthy value.
WaitForFunctionAction = TypedDict(
    "WaitForFunctionAction",
    {
        "type": "Literal['wait_for_function']",
        # An expression, or the body of an async function with the parameter `arg`. If the expression is a function, it is called with `arg`. You can use `await` in both.
        "script": "str",
        # A JSON value, available to the script as `arg`.
        "arg": NotRequired["Any"],
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

# Waits until the page reaches a load state. `networkidle` waits at most 10 s, then continues with a warning.
WaitForLoadStateAction = TypedDict(
    "WaitForLoadStateAction",
    {
        "type": "Literal['wait_for_load_state']",
        "state": "Literal['load', 'domcontentloaded', 'networkidle', 'commit', 'networkidle0', 'networkidle2', 'complete']",
        # Time limit for the action. Default: 5,000 ms; 15,000 ms with `networkidle`.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
    },
)

# Waits for a response to a request of the page. A response received since the start of the previous action counts too. `result` is `{url, method, status}`.
WaitForResponseAction = TypedDict(
    "WaitForResponseAction",
    {
        "type": "Literal['wait_for_response']",
        # A Playwright glob: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either.
        "url": "str",
        # Case-insensitive.
        "method": NotRequired["str"],
        "status": NotRequired["int"],
        # `result` also has `resource_type`, `request_headers`, `headers`, `body`, `body_encoding`, `truncated`.
        "capture": NotRequired["bool"],
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

WaitForSelectorActionSelector = TypedDict(
    "WaitForSelectorActionSelector",
    {
        "type": "Literal['css', 'xpath', 'text']",
        "value": "str",
        "nth": NotRequired["int"],
    },
)

# Waits until an element has the given state.
WaitForSelectorAction = TypedDict(
    "WaitForSelectorAction",
    {
        "type": "Literal['wait_for_selector']",
        # A CSS selector, `xpath=…` (or a leading `/` or `(`), or `text=…`.
        "selector": "Union[str, WaitForSelectorActionSelector]",
        "state": NotRequired["Literal['visible', 'attached', 'hidden', 'detached']"],
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

# Waits until the URL of the page matches.
WaitForUrlAction = TypedDict(
    "WaitForUrlAction",
    {
        "type": "Literal['wait_for_url']",
        # A Playwright glob: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either.
        "url": "str",
        # Time limit for the action.
        "timeout_ms": NotRequired["float"],
        # What to do if the action fails. `stop`: skip the remaining actions, and return the page with the error. `continue`: run the next action. `fail`: like `stop`, but respond with 502 `action.failed`.
        "on_error": NotRequired["Literal['stop', 'continue', 'fail']"],
        # A name of your choice, repeated in the result of the action.
        "id": NotRequired["str"],
        # If the element is not visible within `timeout_ms`, the action is `skipped` instead of failing.
        "optional": NotRequired["bool"],
        # Pause after the action.
        "wait_after_ms": NotRequired["float"],
        # Selector of an iframe. The other selectors of the action then apply inside it.
        "frame": NotRequired["str"],
    },
)

WarningCode = Literal["proxy.direct", "data.on_get", "wait.networkidle_timeout", "screenshot.clamped", "vendor.not_told", "vendor.key_masked", "egress.blocked", "egress.remote", "content.gzip", "charset.replaced", "frames.unread", "json_ld.unread", "content.more", "content.refetched", "content.truncated", "extract.ungrounded", "extract.drift", "profile.conflict", "profile.not_saved", "robots.disallowed", "document.no_text", "document.truncated", "document.hidden", "page.js_shell", "page.empty", "page.opened", "page.download"]

WarningEntryDetails = TypedDict(
    "WarningEntryDetails",
    {
    },
)

WarningEntry = TypedDict(
    "WarningEntry",
    {
        "code": "WarningCode",
        "level": "Literal['warning']",
        # What is wrong, what is allowed, and what was given.
        "message": "str",
        "source": "Literal['request', 'service', 'route', 'proxy', 'vendor', 'target', 'browser', 'action', 'extract']",
        # Whether retrying the same request may succeed.
        "retryable": "bool",
        "attempt": NotRequired["int"],
        # JSON Pointer (RFC 6901) into the request.
        "pointer": NotRequired["str"],
        "details": NotRequired["WarningEntryDetails"],
    },
)

# Where events are sent, signed as Standard Webhooks say. Missing members are taken from your default webhook.
Webhook = TypedDict(
    "Webhook",
    {
        # http or https. Redirects are not followed.
        "url": NotRequired["str"],
        # What is sent; an empty list: nothing. Default: `done`, `failed` and `changed`. `page` and `item_failed`: each item that has ended. `changed`: of monitors. `logged_out`: of profiles, only by the default webhook.
        "events": NotRequired["List[Literal['started', 'page', 'item_failed', 'done', 'changed', 'failed', 'cancelled', 'logged_out']]"],
        # Headers to send. Their values are masked when the job is read.
        "headers": NotRequired["Dict[str, str]"],
        # What is sent of the job and the item: their ids, what lists show (`metadata`, the default), or also the whole scrape, up to 10 MiB (`full`).
        "include": NotRequired["Literal['none', 'metadata', 'full']"],
        # Any JSON object; sent with each message.
        "metadata": NotRequired["Dict[str, Any]"],
        # The form of messages of batches and crawls. `firecrawl`: as Firecrawl sends them, also signed by `X-Firecrawl-Signature`; the default of `include` is then `full`.
        "format": NotRequired["Literal['standard', 'firecrawl']"],
    },
)

WebhookDelivery = TypedDict(
    "WebhookDelivery",
    {
        # `webhook-id` of the message, the same for each try.
        "id": "str",
        "source": "Literal['job', 'scrape', 'monitor', 'profile', 'alert', 'channel', 'test']",
        # Id of the job, of the scrape, of the monitor, of the profile, of the channel of an alert, or of the test.
        "source_id": "str",
        # Such as `job.page`.
        "type": "str",
        # Number of the event in its source.
        "sequence": "int",
        # Of mail `mailto:`. The path of a Slack URL is masked.
        "url": "str",
        # `failed`: given up.
        "state": "Literal['queued', 'sending', 'delivered', 'failed']",
        "tries": "int",
        "created_at": "str",
        # When it is tried next; null: it has ended.
        "next_at": "Union[str, None]",
        "last_at": "Union[str, None]",
        # Status of the last answer; null: there was none.
        "status": "Union[int, None]",
        # Why the last try failed.
        "error": "Union[str, None]",
        "duration_ms": "Union[int, None]",
        # The first 2 KiB of the last answer. Only with a session.
        "answer": "Union[str, None]",
    },
)

WebhookDeliveryList = TypedDict(
    "WebhookDeliveryList",
    {
        "items": "List[WebhookDelivery]",
        "next_cursor": "Union[str, None]",
    },
)

WebhookSecret = TypedDict(
    "WebhookSecret",
    {
        # Signs all messages: `whsec_` and base64.
        "secret": "str",
        # The secret before the last rotation signs as well.
        "previous": "Union[str, None]",
        "previous_until": "Union[str, None]",
    },
)
