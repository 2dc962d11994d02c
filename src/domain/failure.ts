/**
 * What caused a failure. `request`: the caller; `route`: no route fits the request; `action` and `extract`: a page action,
 * or an extraction rule, of the request.
 */
export type FailureSource =
  | 'request'
  | 'service'
  | 'route'
  | 'proxy'
  | 'vendor'
  | 'target'
  | 'browser'
  | 'action'
  | 'extract';

/**
 * A change of a request that may avoid a failure: another scraper, a proxy of the type `residential`, twice the `timeout_ms`, or
 * `verify_tls: false`.
 */
export const RETRY_CHANGES = [
  'auto',
  'browser',
  'http_impersonate',
  'residential',
  'timeout',
  'unverified_tls',
] as const;
export type RetryChange = (typeof RETRY_CHANGES)[number];

export interface FailureKind {
  /** HTTP status of an answer with this cause; null: it appears only in `errors[]` or in records. */
  readonly status: number | null;
  readonly source: FailureSource;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** The `title` of RFC 9457: the same for every occurrence. */
  readonly title: string;
  /** What the caller can do. */
  readonly help: string;
  /** Changes of the request that may help, the most likely first. */
  readonly retry: readonly RetryChange[];
}

const kind = (
  status: number | null,
  source: FailureSource,
  retryable: boolean,
  title: string,
  help: string,
  retry: readonly RetryChange[] = [],
): FailureKind => ({ status, source, retryable, title, help, retry });

/**
 * Every public failure by its code. `GET /api/v1/errors/`, docs/errors.md and the OpenAPI enums are generated from this.
 * The arguments are in the order of `FailureKind`: status, source, retryable, title, help, retry.
 */
export const FAILURES = {
  'request.invalid_json': kind(
    400,
    'request',
    false,
    'The body is not JSON',
    'Send one JSON object in UTF-8. The detail names the place where parsing stopped.',
  ),
  'request.validation': kind(
    400,
    'request',
    false,
    'The request does not match the schema',
    'Fix the members that `errors` points to; each entry says what is allowed. Unknown fields are refused, and so are options that this version does not have yet.',
  ),
  'auth.missing': kind(
    401,
    'request',
    false,
    'No API key',
    'Send the header `Authorization: Api-Key <key>`.',
  ),
  'auth.malformed': kind(
    401,
    'request',
    false,
    'The key is not given correctly',
    'Send one key: `Authorization: Api-Key <key>` or `Bearer <key>`, with one space before the key, or `X-API-Key: <key>`.',
  ),
  'auth.invalid': kind(
    401,
    'request',
    false,
    'The API key is not valid',
    'The key is mistyped, unknown or revoked. Create a new one.',
  ),
  'auth.second_factor': kind(
    401,
    'request',
    false,
    'A code is needed',
    'Send the code of your authenticator app, or a recovery code, as `code`. Each code works once.',
  ),
  'auth.expired': kind(
    401,
    'request',
    false,
    'The API key has expired',
    'Create a new key, or set a later expiry.',
  ),
  'budget.exhausted': kind(
    402,
    'request',
    false,
    'The daily budget of the key is used up',
    'Raise the budget of the key, use another key, or wait until 00:00 UTC, when the budget is reset.',
  ),
  'auth.scope': kind(
    403,
    'request',
    false,
    'The key does not have the required scope',
    'Use a key with the scope named in `detail`.',
  ),
  'auth.role': kind(
    403,
    'request',
    false,
    'Viewers can only read',
    'Ask an administrator for the role `user`.',
  ),
  'auth.ip': kind(
    403,
    'request',
    false,
    'The key may not be used from this address',
    'Add the calling address to the IP allow-list of the key, or call from an address on it.',
  ),
  'auth.disabled': kind(
    403,
    'request',
    false,
    'The user is disabled',
    'Ask an administrator to enable the user.',
  ),
  'auth.origin': kind(
    403,
    'request',
    false,
    'The request does not come from the dashboard',
    'Use an API key for programs. With a session, requests that change something need an `Origin` header with the origin of the service: that of `SLUICE_BASE_URL`, else the host that was called.',
  ),
  'policy.domain': kind(
    403,
    'request',
    false,
    'The target domain is not allowed for this key',
    'Add the domain to the target domains of the key, or use another key. The URL or a redirect leads to another domain.',
  ),
  'policy.address': kind(
    403,
    'request',
    false,
    'The target address is not allowed',
    'Use a public address. The operator can allow others with `SLUICE_ALLOW_ADDRESSES`.',
  ),
  'policy.robots': kind(
    403,
    'request',
    false,
    'robots.txt forbids this URL',
    'Choose another URL, or set `router.robots: ignore` if the operator allows it. `details` names the rule.',
  ),
  'request.not_found': kind(
    404,
    'request',
    false,
    'Not found',
    'Check the path and the id. The record may have been deleted or expired, or belong to another user.',
  ),
  'request.method': kind(
    405,
    'request',
    false,
    'Method not allowed',
    'Use one of the methods in the `Allow` header.',
  ),
  'request.slow': kind(
    408,
    'request',
    false,
    'The request took too long to arrive',
    'Send headers and body without long pauses.',
  ),
  'screenshot.expired': kind(
    410,
    'request',
    false,
    'The screenshot link has expired',
    'Fetch the screenshot with the key at `GET /api/v1/scrape/{id}/screenshot`.',
  ),
  'file.expired': kind(
    410,
    'request',
    false,
    'The link to the file has expired',
    'Fetch the file with the key at `GET /api/v1/scrape/{id}/files/{n}/`.',
  ),
  'record.expired': kind(
    410,
    'request',
    false,
    'The record has expired',
    'Scrape the page again. Records are kept for the number of days that the operator has set.',
  ),
  'settings.file': kind(
    409,
    'request',
    false,
    'The settings are in a file',
    'Edit the file that the variable named in `detail` points to; it is read again at once. To use this API instead, unset the variable and restart Sluice.',
  ),
  'job.state': kind(
    409,
    'request',
    false,
    'The state of the job does not allow this',
    'Read the job again, and use an action that its state allows. The detail names the state.',
  ),
  'idempotency.conflict': kind(
    409,
    'request',
    true,
    'The first request with this Idempotency-Key is still running',
    'Wait `Retry-After` seconds, and send the same request again.',
  ),
  'idempotency.unknown': kind(
    409,
    'request',
    false,
    'The result of the first request with this Idempotency-Key is not known',
    'Read the scrape with the id in `details.id`, if it is stored. Then decide whether to send the request with a new key.',
  ),
  'idempotency.mismatch': kind(
    422,
    'request',
    false,
    'The Idempotency-Key belongs to another request',
    'Use a new key for each request.',
  ),
  'request.upgrade': kind(
    501,
    'request',
    false,
    'The proxy port does not support WebSocket',
    'Connect to the site without the proxy port.',
  ),
  'request.too_large': kind(413, 'request', false, 'The request body is too large', 'Send at most 5 MiB.'),
  'request.media_type': kind(
    415,
    'request',
    false,
    'Unsupported media type',
    'Send `Content-Type: application/json`, without a Content-Encoding.',
  ),
  'route.none': kind(
    422,
    'route',
    false,
    'No scraper and proxy fit the request',
    'Relax one of the constraints: `candidates` lists every scraper and proxy with the reason that excludes it.',
  ),
  'route.cost_cap': kind(
    422,
    'route',
    false,
    'Every method costs more than the limit',
    'Raise `router.max_cost`.',
  ),
  'scraper.unavailable': kind(
    422,
    'route',
    false,
    'The scraper is not available here',
    'Choose another scraper, or leave it out. `GET /api/v1/scrapers/` lists those available here, and why others are not.',
  ),
  'scraper.unsupported_option': kind(
    422,
    'route',
    false,
    'The scraper does not support an option',
    'Leave out the option at `pointer`, or choose a scraper that supports it.',
  ),
  'browser.unavailable': kind(
    422,
    'browser',
    false,
    'The browser is not installed',
    'Choose one of the browsers listed in `detail`, or ask the operator to install it.',
  ),
  'proxy.pool_unconfigured': kind(
    422,
    'proxy',
    false,
    'No proxy pool of this type',
    'Choose another proxy type, or ask the operator to configure a pool of this type.',
  ),
  'proxy.country_unavailable': kind(
    422,
    'proxy',
    false,
    'No proxy in this country',
    'Choose another country or none: no pool serves this one, and another country is never used instead.',
  ),
  'proxy.forbidden': kind(
    422,
    'proxy',
    false,
    'This proxy setting is not allowed',
    'Leave it out, or ask the operator to allow it.',
  ),
  'record.no_content': kind(
    422,
    'request',
    false,
    'The record has no content',
    'Scrape the page again. `details.reason` is `retain` (it was not to be kept), `storage` (it was deleted to free space) or `no_page` (there was none).',
  ),
  'template.unknown': kind(
    422,
    'request',
    false,
    'There is no such template',
    'Create it with `POST /api/v1/templates/`, or check its name. Templates belong to a user.',
  ),
  'limit.concurrency': kind(
    429,
    'request',
    true,
    'Too many requests at once',
    'Wait for one of your running requests to finish, then retry after `Retry-After` seconds.',
  ),
  'limit.jobs': kind(429, 'request', true, 'Too many jobs', 'Wait for a job to end, or cancel one.'),
  'limit.monitors': kind(
    429,
    'request',
    false,
    'Too many monitors',
    'Delete a monitor that is no longer needed.',
  ),
  'limit.alerts': kind(429, 'request', false, 'Too many alerts', 'Delete a rule that is no longer needed.'),
  'limit.streams': kind(
    429,
    'request',
    true,
    'Too many streams',
    'Close a stream of events or results, or read results page by page.',
  ),
  'limit.items': kind(
    429,
    'request',
    true,
    'Too many items wait in jobs',
    'Wait until the running jobs have made progress.',
  ),
  'limit.sign_in': kind(
    429,
    'request',
    true,
    'Too many attempts to sign in',
    'Wait for `Retry-After` seconds. An administrator can create a link that sets a new password.',
  ),
  'limit.templates': kind(
    429,
    'request',
    false,
    'Too many templates',
    'Delete a template that you no longer need.',
  ),
  'limit.saved_requests': kind(
    429,
    'request',
    false,
    'Too many saved requests',
    'Delete a saved request that you no longer need.',
  ),
  'service.internal': kind(
    500,
    'service',
    false,
    'Internal error',
    'This is a bug in Sluice. Report it with the request id.',
  ),
  'dns.not_found': kind(
    502,
    'target',
    false,
    'The host name does not exist',
    'Check the spelling of the host.',
  ),
  'dns.failed': kind(
    502,
    'target',
    true,
    'The host name could not be resolved',
    'Retry later. The name servers did not respond, or reported a failure.',
  ),
  'connect.refused': kind(
    502,
    'target',
    true,
    'The target refused the connection',
    'Check the port, or retry later. Nothing listens on it, or a firewall refuses the connection.',
  ),
  'connect.timeout': kind(
    502,
    'target',
    true,
    'Connecting to the target timed out',
    'Retry later, or try another proxy type. The target did not accept a TCP connection within 10 s.',
    ['residential'],
  ),
  'connect.reset': kind(
    502,
    'target',
    true,
    'The target closed the connection',
    'Retry, or try another scraper or proxy type. The connection ended before a response arrived.',
    ['browser', 'residential'],
  ),
  'connect.unreachable': kind(
    502,
    'target',
    true,
    'The target is unreachable',
    'Check the address, or retry later: there is no route to it.',
  ),
  'tls.invalid': kind(
    502,
    'target',
    false,
    'The TLS certificate or connection is not valid',
    'Check `details.reason`. Set `scraper_options.verify_tls: false` to accept invalid certificates.',
    ['unverified_tls'],
  ),
  'http.protocol': kind(
    502,
    'target',
    true,
    'The response is not HTTP',
    'Check the port and the scheme: the target sent something that is not an HTTP response.',
  ),
  'redirect.too_many': kind(
    502,
    'target',
    false,
    'Too many redirects',
    'Check `router.redirects`. In a loop, the site usually wants a cookie, another scraper or another location; otherwise increase `scraper_options.max_redirects`.',
    ['browser', 'residential'],
  ),
  'redirect.invalid': kind(
    502,
    'target',
    false,
    'A redirect is invalid',
    'Set `allow_redirects: false` to get the redirect itself. Its `Location` cannot be parsed, or has a scheme other than http and https; or it is not ASCII, and `http_impersonate` cannot read it: use `http`, `browser` or `auto`.',
    ['auto'],
  ),
  'proxy.failed': kind(
    502,
    'proxy',
    true,
    'The proxy failed',
    'Retry, or choose another proxy. `details.reason` is auth, refused, dns, timeout, protocol or exhausted.',
    ['auto'],
  ),
  'target.blocked': kind(
    502,
    'target',
    false,
    'The target blocked the request',
    'Try `scraper: auto` with `escalate_proxy: [residential]`, or `scraper: browser`. If it is a login page, send cookies or `storage_state`.',
    ['browser', 'auto', 'residential'],
  ),
  'action.failed': kind(
    502,
    'action',
    false,
    'A page action failed',
    'Check the action at `pointer`. `scraper_data.actions` has the result of each action.',
  ),
  'browser.crashed': kind(
    502,
    'browser',
    true,
    'The browser crashed',
    'Retry. If it happens again with this page, try `scraper: http_impersonate`.',
    ['http_impersonate'],
  ),
  'vendor.failed': kind(
    502,
    'vendor',
    true,
    'The vendor did not fetch the page',
    'Use another scraper. If `details.reason` is `auth` or `credits`, ask the operator to check the account with the vendor.',
    ['auto'],
  ),
  'service.unavailable': kind(
    503,
    'service',
    true,
    'The service cannot take the request now',
    'Retry after `Retry-After` seconds: the service is shutting down or at capacity.',
  ),
  'service.storage': kind(
    503,
    'service',
    true,
    'The record cannot be stored',
    'Ask the operator to check the database and the disk of the service; retrying may succeed.',
  ),
  'browser.down': kind(
    503,
    'browser',
    true,
    'The browser does not start',
    'Use an HTTP scraper meanwhile, and ask the operator to check the log of the service.',
    ['http_impersonate'],
  ),
  'route.paced': kind(
    503,
    'route',
    true,
    'The site asked for a pause',
    'Retry after `Retry-After` seconds, or increase `timeout_ms`: the site asked for a longer pause than this request has time for.',
    ['timeout'],
  ),
  'timeout.total': kind(
    504,
    'service',
    true,
    'The request timed out',
    'Increase `timeout_ms`. If the target never responds, check that it is up, or try another proxy type.',
    ['timeout', 'residential'],
  ),
  'timeout.attempt': kind(
    504,
    'service',
    true,
    'An attempt timed out',
    'Increase `timeout_ms`: each attempt gets a share of it.',
    ['timeout'],
  ),
  'accept.unmet': kind(
    null,
    'target',
    false,
    'The page does not meet the accept conditions of the request',
    'Check the conditions listed in `details`. Relax them, or allow more attempts with `router.max_attempts`.',
    ['browser', 'auto'],
  ),
  'content.truncated': kind(
    null,
    'target',
    false,
    'The content was cut at the limit',
    'Increase `scraper_options.max_content_bytes`.',
  ),
  'content.incomplete': kind(
    null,
    'target',
    true,
    'The response body is incomplete',
    'Retry. The target closed the connection before the end of the body; the part received was returned.',
  ),
  'content.decode_failed': kind(
    null,
    'target',
    false,
    'The body cannot be decoded',
    'Retry, or try another scraper. The content coding of the response is broken or unknown; the readable part was returned.',
    ['browser'],
  ),
  'wait.selector_timeout': kind(
    null,
    'browser',
    false,
    'The selector was not found in time',
    'Check the selector, or increase `timeout_ms`. The page was returned as it was at that time.',
    ['timeout'],
  ),
  'wait.load_timeout': kind(
    null,
    'browser',
    false,
    'The load state was not reached in time',
    'Choose an earlier load state, such as `domcontentloaded`, or increase `timeout_ms`. The page was returned as it was at that time.',
    ['timeout'],
  ),
  'screenshot.failed': kind(
    null,
    'browser',
    false,
    'The screenshot failed',
    'Retry, or check the screenshot settings. The page was returned without the screenshot.',
  ),
  'pdf.failed': kind(
    null,
    'browser',
    false,
    'The page could not be printed',
    'Retry, or check `scraper_options.pdf`. The page was returned without the PDF.',
  ),
  'extract.failed': kind(
    null,
    'extract',
    false,
    'The extraction failed',
    'Check the rule or format at `pointer`. The page was returned without it.',
  ),
  'extract.model': kind(
    null,
    'extract',
    true,
    'The model gave no answer',
    'Read the record again with `read/`, which does not fetch the page. What needs no model was returned.',
  ),
  'document.unreadable': kind(
    null,
    'target',
    false,
    'The document cannot be read',
    'Open the content yourself: it is returned as base64. `details.reason` is encrypted, broken, too_large (memory) or timeout; for the last, increase `timeout_ms`.',
  ),
  'job.interrupted': kind(
    null,
    'service',
    true,
    'The process ended during the request',
    'The request may not be repeated without your consent. Check the target, then use retry-failed.',
  ),
  'job.cost_cap': kind(
    null,
    'request',
    false,
    'The cost limit of the job is reached',
    'Set a higher `max_cost` in a new job.',
  ),
  'skip.limit': kind(
    null,
    'request',
    false,
    'The job has reached its limit of pages',
    'Set a higher `limit`.',
  ),
  'skip.robots': kind(
    null,
    'target',
    false,
    'robots.txt forbids this URL',
    'Set `robots: ignore` in a new crawl if the operator allows it.',
  ),
  'skip.scope': kind(
    null,
    'request',
    false,
    'The URL is outside of the scope of the crawl',
    'Choose a wider `scope`, or add a start URL.',
  ),
  'skip.excluded': kind(
    null,
    'request',
    false,
    'The URL is excluded by a pattern',
    'Change `include` or `exclude` in a new crawl.',
  ),
  'skip.depth': kind(
    null,
    'request',
    false,
    'The URL is further from the start than the crawl goes',
    'Set a higher `max_depth` in a new crawl.',
  ),
  'skip.duplicate': kind(
    null,
    'target',
    false,
    'The page is the same as that of another URL',
    'Use the item of the other URL, which the message names.',
  ),
  'skip.trap': kind(
    null,
    'target',
    false,
    'The URL looks endless',
    'If you need such pages, list them in a batch, or raise `max_urls_per_pattern`. The message names the reason: a calendar, repeated segments, endless parameters, or one page for all URLs.',
  ),
  'skip.policy': kind(
    null,
    'request',
    false,
    'The key may not scrape this host',
    'Resume the job with a key that may.',
  ),
  'request.cancelled': kind(
    null,
    'request',
    false,
    'The client disconnected',
    'Keep the connection open until the response arrives. This code appears only in records.',
  ),
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof FAILURES;

/** Notices that are not errors, in `router.warnings[]` of answers. */
export const WARNINGS = {
  'proxy.direct': 'No pool has proxies of the requested type. Add one to use proxies.',
  'data.on_get': 'The body was sent with a GET or HEAD request; many servers ignore it.',
  'wait.networkidle_timeout':
    'The network did not become idle in time; the message names what was still open.',
  'screenshot.clamped': 'The screenshot was larger than allowed and was cropped.',
  'vendor.not_told': 'The vendor does not report everything; `details.members` lists what is missing.',
  'vendor.key_masked':
    'The answer of the vendor had its own key in it, which was replaced by `***`; `details.members` says where.',
  'egress.blocked': 'Sub-resources at non-public addresses were refused.',
  'egress.remote':
    'The page was loaded by a remote browser over its own network: only names and literal addresses were checked.',
  'content.gzip': 'The body is gzip although its `Content-Type` says text; it was returned as base64.',
  'charset.replaced': 'Some bytes were not valid in the charset of the page and were replaced by U+FFFD.',
  'frames.unread':
    'The page only shows documents in frames, and none of them could be read; `details.urls` lists them.',
  'json_ld.unread': 'A JSON-LD block cannot be parsed; `details.blocks` says where and why.',
  'content.more':
    'There is more Markdown: set `markdown.content_offset` to `details.content_offset` to get it.',
  'content.truncated':
    'The stored content is only the beginning of the page, so what was read from it may be incomplete.',
  'extract.ungrounded':
    'The model returned a value that is not in the page, so it was left out; `details.pointers` says which.',
  'extract.drift':
    'Rules of `extract` found something on this site before, and find nothing now; `details.rules` says which, and since when.',
  'robots.disallowed': 'The robots.txt of the site disallows this page; `router.robots` has the rule.',
  'document.no_text':
    'The document has no text. If it consists of pictures, a program that recognizes text in them (OCR) may read it.',
  'document.truncated': 'Only a part of the document was read; the message names the limit that was reached.',
  'page.js_shell': 'The page seems to need JavaScript. Try `scraper: browser` or `auto`.',
  'page.empty': 'The response has no content.',
  'page.opened': 'The page opened a new window, which was closed; the message says why it was not followed.',
  'page.download': 'The page started a download, which was not delivered.',
} as const satisfies Record<string, string>;

export type WarningCode = keyof typeof WARNINGS;

/** An expected failure, as a value. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  /** Number of the attempt, from 1, unless its page is the delivered one. */
  readonly attempt?: number;
  /** JSON pointer (RFC 6901) of the member of the request that is at fault. */
  readonly pointer?: string;
  /** Number of the line of a body of lines, from 1. */
  readonly line?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Warning {
  readonly code: WarningCode;
  readonly message: string;
  readonly pointer?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function failure(
  code: FailureCode,
  message: string,
  rest?: Pick<Failure, 'attempt' | 'pointer' | 'details'>,
): Failure {
  return rest === undefined ? { code, message } : { code, message, ...rest };
}

/** Distinguishes a failure from the other results of a function. */
export function isFailure<T>(result: T | Failure): result is Failure {
  return typeof result === 'object' && result !== null && 'code' in result && 'message' in result;
}
