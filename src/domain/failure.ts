import type { ScraperName } from './scrapers.ts';

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

type Facts = Omit<FailureKind, 'title' | 'help'>;

/** A failure that the same request meets again. @param retry changes of the request that may help */
const lasting = (status: number | null, source: FailureSource, ...retry: readonly RetryChange[]): Facts => ({
  status,
  source,
  retryable: false,
  retry,
});

/** A failure that may be gone later. */
const retryable = (...facts: Parameters<typeof lasting>): Facts => ({
  ...lasting(...facts),
  retryable: true,
});

/** Every public failure by its code. `GET /api/v1/errors/`, docs/errors.md and the OpenAPI enums are generated from this. */
export const FAILURES = {
  'request.invalid_json': {
    ...lasting(400, 'request'),
    title: 'The body is not JSON',
    help: 'Send one JSON object in UTF-8. The detail names the place where parsing stopped, or what the body has too much of.',
  },
  'request.validation': {
    ...lasting(400, 'request'),
    title: 'The request does not match the schema',
    help: 'Fix the members that `errors` points to; each entry says what is allowed. Unknown fields are refused, and so are options that this version does not have yet.',
  },
  'auth.missing': {
    ...lasting(401, 'request'),
    title: 'No API key',
    help: 'Send the header `Authorization: Api-Key <key>`.',
  },
  'auth.malformed': {
    ...lasting(401, 'request'),
    title: 'The key is not given correctly',
    help: 'Send one key: `Authorization: Api-Key <key>` or `Bearer <key>`, with one space before the key, or `X-API-Key: <key>`.',
  },
  'auth.invalid': {
    ...lasting(401, 'request'),
    title: 'The API key is not valid',
    help: 'The key is mistyped, unknown or revoked. Create a new one.',
  },
  'auth.second_factor': {
    ...lasting(401, 'request'),
    title: 'A code is needed',
    help: 'Send the code of your authenticator app, or a recovery code, as `code`. Each code works once.',
  },
  'auth.expired': {
    ...lasting(401, 'request'),
    title: 'The API key has expired',
    help: 'Create a new key, or set a later expiry.',
  },
  'budget.exhausted': {
    ...lasting(402, 'request'),
    title: 'The daily budget of the key is used up',
    help: 'Raise the budget of the key, use another key, or wait until 00:00 UTC, when the budget is reset.',
  },
  'auth.scope': {
    ...lasting(403, 'request'),
    title: 'The key does not have the required scope',
    help: 'Use a key with the scope named in `detail`.',
  },
  'auth.role': {
    ...lasting(403, 'request'),
    title: 'Viewers can only read',
    help: 'Ask an administrator for the role `user`.',
  },
  'auth.ip': {
    ...lasting(403, 'request'),
    title: 'The key may not be used from this address',
    help: 'Add the calling address to the IP allow-list of the key, or call from an address on it.',
  },
  'auth.disabled': {
    ...lasting(403, 'request'),
    title: 'The user is disabled',
    help: 'Ask an administrator to enable the user.',
  },
  'auth.origin': {
    ...lasting(403, 'request'),
    title: 'The request does not come from the dashboard',
    help: 'Use an API key for programs. With a session, requests that change something need an `Origin` header with the origin of the service: that of `SLUICE_BASE_URL`, else the host that was called.',
  },
  'policy.domain': {
    ...lasting(403, 'request'),
    title: 'The target domain is not allowed for this key',
    help: 'Add the domain to the target domains of the key, or use another key. The URL or a redirect leads to another domain.',
  },
  'policy.address': {
    ...lasting(403, 'request'),
    title: 'The target address is not allowed',
    help: 'Use a public address. The operator can allow others with `SLUICE_ALLOW_ADDRESSES`.',
  },
  'policy.robots': {
    ...lasting(403, 'request'),
    title: 'robots.txt forbids this URL',
    help: 'Choose another URL, or set `router.robots: ignore` if the operator allows it. `details` names the rule.',
  },
  'request.not_found': {
    ...lasting(404, 'request'),
    title: 'Not found',
    help: 'Check the path and the id. The record may have been deleted or expired, or belong to another user.',
  },
  'request.method': {
    ...lasting(405, 'request'),
    title: 'Method not allowed',
    help: 'Use one of the methods in the `Allow` header.',
  },
  'request.slow': {
    ...lasting(408, 'request'),
    title: 'The request took too long to arrive',
    help: 'Send headers and body without long pauses.',
  },
  'screenshot.expired': {
    ...lasting(410, 'request'),
    title: 'The screenshot link has expired',
    help: 'Fetch the screenshot with the key at `GET /api/v1/scrape/{id}/screenshot`.',
  },
  'file.expired': {
    ...lasting(410, 'request'),
    title: 'The link to the file has expired',
    help: 'Fetch the file with the key at `GET /api/v1/scrape/{id}/files/{n}/`.',
  },
  'record.expired': {
    ...lasting(410, 'request'),
    title: 'The record has expired',
    help: 'Scrape the page again. Records are kept for the number of days that the operator has set.',
  },
  'settings.file': {
    ...lasting(409, 'request'),
    title: 'The settings are in a file',
    help: 'Edit the file that the variable named in `detail` points to; it is read again at once, but for prices, which need a restart. To use this API instead, unset the variable and restart Sluice.',
  },
  'job.state': {
    ...lasting(409, 'request'),
    title: 'The state of the job does not allow this',
    help: 'Read the job again, and use an action that its state allows. The detail names the state.',
  },
  'channel.in_use': {
    ...lasting(409, 'request'),
    title: 'The channel is in use',
    help: 'Remove it from what `details.used_by` lists, or delete it with `?detach=1`.',
  },
  'idempotency.conflict': {
    ...retryable(409, 'request'),
    title: 'The first request with this Idempotency-Key is still running',
    help: 'Wait `Retry-After` seconds, and send the same request again.',
  },
  'idempotency.unknown': {
    ...lasting(409, 'request'),
    title: 'The result of the first request with this Idempotency-Key is not known',
    help: 'Read the scrape with the id in `details.id`, if it is stored. Then decide whether to send the request with a new key.',
  },
  'idempotency.mismatch': {
    ...lasting(422, 'request'),
    title: 'The Idempotency-Key belongs to another request',
    help: 'Use a new key for each request.',
  },
  'request.upgrade': {
    ...lasting(501, 'request'),
    title: 'The proxy port does not support WebSocket',
    help: 'Connect to the site without the proxy port.',
  },
  'request.too_large': {
    ...lasting(413, 'request'),
    title: 'The request body is too large',
    help: 'Send at most 5 MiB.',
  },
  'request.media_type': {
    ...lasting(415, 'request'),
    title: 'Unsupported media type',
    help: 'Send `Content-Type: application/json`, without a Content-Encoding.',
  },
  'route.none': {
    ...lasting(422, 'route'),
    title: 'No scraper and proxy fit the request',
    help: 'Relax one of the constraints: `candidates` lists every scraper and proxy with the reason that excludes it.',
  },
  'route.cost_cap': {
    ...lasting(422, 'route'),
    title: 'Every method costs more than the limit',
    help: 'Raise `router.max_cost`.',
  },
  'scraper.unavailable': {
    ...lasting(422, 'route'),
    title: 'The scraper is not available here',
    help: 'Choose another scraper, or leave it out. `GET /api/v1/scrapers/` lists those available here, and why others are not.',
  },
  'scraper.unsupported_option': {
    ...lasting(422, 'route'),
    title: 'The scraper does not support an option',
    help: 'Leave out the option at `pointer`, or choose a scraper that supports it.',
  },
  'browser.unavailable': {
    ...lasting(422, 'browser'),
    title: 'The browser is not installed',
    help: 'Choose one of the browsers listed in `detail`, or ask the operator to install it.',
  },
  'proxy.pool_unconfigured': {
    ...lasting(422, 'proxy'),
    title: 'No proxy pool of this type',
    help: 'Choose another proxy type, or ask the operator to configure a pool of this type.',
  },
  'proxy.country_unavailable': {
    ...lasting(422, 'proxy'),
    title: 'No proxy in this country',
    help: 'Choose another country or none: no pool serves this one, and another country is never used instead.',
  },
  'proxy.forbidden': {
    ...lasting(422, 'proxy'),
    title: 'This proxy setting is not allowed',
    help: 'Leave it out, or ask the operator to allow it.',
  },
  'record.no_content': {
    ...lasting(422, 'request'),
    title: 'The record has no content',
    help: 'Scrape the page again. `details.reason` is `retain` (it was not to be kept), `storage` (it was deleted to free space) or `no_page` (there was none).',
  },
  'test.host': {
    ...lasting(422, 'route'),
    title: 'This does not go together with test hosts',
    help: 'Scrape hosts below `sluice.test` without a proxy or vendor, and other hosts with a key that is no test key.',
  },
  'template.unknown': {
    ...lasting(422, 'request'),
    title: 'There is no such template',
    help: 'Create it with `POST /api/v1/templates/`, or check its name. Templates belong to a user.',
  },
  'profile.unknown': {
    ...lasting(422, 'request'),
    title: 'There is no such profile',
    help: 'Make it with `POST /api/v1/profiles/`, or check its name. It is one of yours, or one that its owner shares. It may have expired.',
  },
  'profile.site': {
    ...lasting(403, 'request'),
    title: 'The profile is not for this site',
    help: 'Leave the profile out, or add the site to its `sites`. A host stands for its registrable domain.',
  },
  'profile.owner': {
    ...lasting(403, 'request'),
    title: 'Only the owner of the profile may do this',
    help: 'With a profile that another user shares, leave out `evaluate`, `wait_for_function` and your own proxy server, and name the profile in `scraper_options.profile` to log in with it.',
  },
  'profile.logged_out': {
    ...lasting(422, 'request'),
    title: 'The profile is logged out',
    help: 'Log in again: renew the profile with `PATCH /api/v1/profiles/{name}/`, or by a scrape with the profile that logs in. With `relogin` in `scraper_options.profile`, a browser does this by itself. Then retry the failed items of the job.',
  },
  'profile.credentials': {
    ...lasting(422, 'request'),
    title: 'The profile has no credentials',
    help: 'Give it `credentials` with `PATCH /api/v1/profiles/{name}/`.',
  },
  'profile.unreadable': {
    ...lasting(422, 'request'),
    title: 'The profile cannot be opened',
    help: 'Its encryption key is gone from `SLUICE_ENCRYPTION_KEY`. Give the key back, or delete the profile and make it again.',
  },
  'limit.profiles': {
    ...lasting(429, 'request'),
    title: 'Too many profiles',
    help: 'Delete a profile that is no longer needed.',
  },
  'limit.concurrency': {
    ...retryable(429, 'request'),
    title: 'Too many requests at once',
    help: 'Wait for one of your running requests to finish, then retry after `Retry-After` seconds.',
  },
  'limit.jobs': {
    ...retryable(429, 'request'),
    title: 'Too many jobs',
    help: 'Wait for a job to end, or cancel one.',
  },
  'limit.monitors': {
    ...lasting(429, 'request'),
    title: 'Too many monitors',
    help: 'Delete a monitor that is no longer needed.',
  },
  'export.failed': {
    ...lasting(null, 'request'),
    title: 'The export was not taken',
    help: 'Check the target: whether it accepts the file, and has room for it.',
  },
  'limit.datasets': {
    ...lasting(429, 'request'),
    title: 'Too many datasets',
    help: 'Delete a dataset that is no longer needed.',
  },
  'limit.schedules': {
    ...lasting(429, 'request'),
    title: 'Too many schedules',
    help: 'Delete a schedule that is no longer needed.',
  },
  'limit.alerts': {
    ...lasting(429, 'request'),
    title: 'Too many alerts',
    help: 'Delete a rule that is no longer needed.',
  },
  'limit.channels': {
    ...lasting(429, 'request'),
    title: 'Too many channels',
    help: 'Delete a channel that is no longer needed.',
  },
  'limit.streams': {
    ...retryable(429, 'request'),
    title: 'Too many streams',
    help: 'Close a stream of events or results, or read results page by page.',
  },
  'limit.items': {
    ...retryable(429, 'request'),
    title: 'Too many items wait in jobs',
    help: 'Wait until the running jobs have made progress.',
  },
  'limit.site': {
    ...retryable(429, 'request'),
    title: 'The limits of the site allow no more now',
    help: 'Wait for `Retry-After` seconds, or ask an administrator to change the limits of the site. `details.limit` is concurrency, delay, budget_day or budget_month.',
  },
  'limit.sign_in': {
    ...retryable(429, 'request'),
    title: 'Too many attempts to sign in',
    help: 'Wait for `Retry-After` seconds. An administrator can create a link that sets a new password.',
  },
  'limit.templates': {
    ...lasting(429, 'request'),
    title: 'Too many templates',
    help: 'Delete a template that you no longer need.',
  },
  'limit.saved_requests': {
    ...lasting(429, 'request'),
    title: 'Too many saved requests',
    help: 'Delete a saved request that you no longer need.',
  },
  'service.internal': {
    ...lasting(500, 'service'),
    title: 'Internal error',
    help: 'This is a bug in Sluice. Report it with the request id.',
  },
  'dns.not_found': {
    ...lasting(502, 'target'),
    title: 'The host name does not exist',
    help: 'Check the spelling of the host.',
  },
  'dns.failed': {
    ...retryable(502, 'target'),
    title: 'The host name could not be resolved',
    help: 'Retry later. The name servers did not respond, or reported a failure.',
  },
  'connect.refused': {
    ...retryable(502, 'target'),
    title: 'The target refused the connection',
    help: 'Check the port, or retry later. Nothing listens on it, or a firewall refuses the connection.',
  },
  'connect.timeout': {
    ...retryable(502, 'target', 'residential'),
    title: 'Connecting to the target timed out',
    help: 'Retry later, or try another proxy type. The target did not accept a TCP connection within 10 s.',
  },
  'connect.reset': {
    ...retryable(502, 'target', 'browser', 'residential'),
    title: 'The target closed the connection',
    help: 'Retry, or try another scraper or proxy type. The connection ended before a response arrived.',
  },
  'connect.unreachable': {
    ...retryable(502, 'target'),
    title: 'The target is unreachable',
    help: 'Check the address, or retry later: there is no route to it.',
  },
  'tls.invalid': {
    ...lasting(502, 'target', 'unverified_tls'),
    title: 'The TLS certificate or connection is not valid',
    help: 'Check `details.reason`. Set `scraper_options.verify_tls: false` to accept invalid certificates.',
  },
  'http.protocol': {
    ...retryable(502, 'target'),
    title: 'The response is not HTTP',
    help: 'Check the port and the scheme: the target sent something that is not an HTTP response.',
  },
  'redirect.too_many': {
    ...lasting(502, 'target', 'browser', 'residential'),
    title: 'Too many redirects',
    help: 'Check `router.redirects`. In a loop, the site usually wants a cookie, another scraper or another location; otherwise increase `scraper_options.max_redirects`.',
  },
  'redirect.invalid': {
    ...lasting(502, 'target', 'auto'),
    title: 'A redirect is invalid',
    help: 'Set `allow_redirects: false` to get the redirect itself. Its `Location` cannot be parsed, or has a scheme other than http and https; or it is not ASCII, and `http_impersonate` cannot read it: use `http`, `browser` or `auto`.',
  },
  'proxy.failed': {
    ...retryable(502, 'proxy', 'auto'),
    title: 'The proxy failed',
    help: 'Retry, or choose another proxy. `details.reason` is auth, refused, dns, timeout, protocol or exhausted.',
  },
  'target.blocked': {
    ...lasting(502, 'target', 'browser', 'auto', 'residential'),
    title: 'The target blocked the request',
    help: 'Try `scraper: auto` with `escalate_proxy: [residential]`, or `scraper: browser`. If it is a login page, send cookies or `storage_state`.',
  },
  'target.status': {
    ...retryable(null, 'target'),
    title: 'The target answered with an error status',
    help: 'Nothing: the item of the job is tried again. It is the last error of an item while it waits for that.',
  },
  'action.failed': {
    ...lasting(502, 'action'),
    title: 'A page action failed',
    help: 'Check the action at `pointer`. `scraper_data.actions` has the result of each action.',
  },
  'action.refused': {
    ...lasting(502, 'action'),
    title: 'An action was refused beside a log-in',
    help: 'Scripts and captures may run in the next document after `login`, and `login` in a document in which no script of yours has run.',
  },
  'login.failed': {
    ...lasting(502, 'action'),
    title: 'The log-in failed',
    help: 'The message says at which step. Nothing was sent twice. Check the credentials of the profile and its `sites`.',
  },
  'browser.crashed': {
    ...retryable(502, 'browser', 'http_impersonate'),
    title: 'The browser crashed',
    help: 'Retry. If it happens again with this page, try `scraper: http_impersonate`.',
  },
  'vendor.failed': {
    ...retryable(502, 'vendor', 'auto'),
    title: 'The vendor did not fetch the page',
    help: 'Use another scraper. If `details.reason` is `auth` or `credits`, ask the operator to check the account with the vendor.',
  },
  'service.unavailable': {
    ...retryable(503, 'service'),
    title: 'The service cannot take the request now',
    help: 'Retry after `Retry-After` seconds: the service is shutting down or at capacity.',
  },
  'service.storage': {
    ...retryable(503, 'service'),
    title: 'The record cannot be stored',
    help: 'Ask the operator to check the database and the disk of the service; retrying may succeed.',
  },
  'browser.down': {
    ...retryable(503, 'browser', 'http_impersonate'),
    title: 'The browser does not start',
    help: 'Use an HTTP scraper meanwhile, and ask the operator to check the log of the service.',
  },
  'route.paced': {
    ...retryable(503, 'route', 'timeout'),
    title: 'The site asked for a pause',
    help: 'Retry after `Retry-After` seconds, or increase `timeout_ms`: the site asked for a longer pause than this request has time for.',
  },
  'timeout.total': {
    ...retryable(504, 'service', 'timeout', 'residential'),
    title: 'The request timed out',
    help: 'Increase `timeout_ms`. If the target never responds, check that it is up, or try another proxy type.',
  },
  'timeout.attempt': {
    ...retryable(504, 'service', 'timeout'),
    title: 'An attempt timed out',
    help: 'Increase `timeout_ms`: each attempt gets a share of it.',
  },
  'accept.unmet': {
    ...lasting(null, 'target', 'browser', 'auto'),
    title: 'The page does not meet the accept conditions of the request',
    help: 'Check the conditions listed in `details`. Relax them, or allow more attempts with `router.max_attempts`.',
  },
  'content.truncated': {
    ...lasting(null, 'target'),
    title: 'The content was cut at the limit',
    help: 'Increase `scraper_options.max_content_bytes`.',
  },
  'content.incomplete': {
    ...retryable(null, 'target'),
    title: 'The response body is incomplete',
    help: 'Retry. The target closed the connection before the end of the body; the part received was returned.',
  },
  'content.decode_failed': {
    ...lasting(null, 'target', 'browser'),
    title: 'The body cannot be decoded',
    help: 'Retry, or try another scraper. The content coding of the response is broken or unknown; the readable part was returned.',
  },
  'wait.selector_timeout': {
    ...lasting(null, 'browser', 'timeout'),
    title: 'The selector was not found in time',
    help: 'Check the selector, or increase `timeout_ms`. The page was returned as it was at that time.',
  },
  'wait.load_timeout': {
    ...lasting(null, 'browser', 'timeout'),
    title: 'The load state was not reached in time',
    help: 'Choose an earlier load state, such as `domcontentloaded`, or increase `timeout_ms`. The page was returned as it was at that time.',
  },
  'screenshot.failed': {
    ...lasting(null, 'browser'),
    title: 'The screenshot failed',
    help: 'Retry, or check the screenshot settings. The page was returned without the screenshot.',
  },
  'pdf.failed': {
    ...lasting(null, 'browser'),
    title: 'The page could not be printed',
    help: 'Retry, or check `scraper_options.pdf`. The page was returned without the PDF.',
  },
  'extract.failed': {
    ...lasting(null, 'extract'),
    title: 'The extraction failed',
    help: 'Check the rule or format at `pointer`. The page was returned without it.',
  },
  'extract.model': {
    ...retryable(null, 'extract'),
    title: 'The model gave no answer',
    help: 'Read the record again with `read/`, or the items of a job with `retry-failed/`: neither fetches the page. What needs no model was returned.',
  },
  'document.unreadable': {
    ...lasting(null, 'target'),
    title: 'The document cannot be read',
    help: 'Open the content yourself: it is returned as base64. `details.reason` is encrypted, broken, unsupported (a form that only Adobe programs show), too_large (memory) or timeout; for the last, increase `timeout_ms`.',
  },
  'job.interrupted': {
    ...retryable(500, 'service'),
    title: 'The process ended during the request',
    help: 'The request may not be repeated without your consent. Check the target, then use retry-failed.',
  },
  'job.cost_cap': {
    ...lasting(null, 'request'),
    title: 'The cost limit of the job is reached',
    help: 'Set a higher `max_cost` in a new job.',
  },
  'skip.limit': {
    ...lasting(null, 'request'),
    title: 'The job has reached its limit of pages',
    help: 'Set a higher `limit`.',
  },
  'skip.robots': {
    ...lasting(null, 'target'),
    title: 'robots.txt forbids this URL',
    help: 'Set `robots: ignore` in a new crawl if the operator allows it.',
  },
  'skip.scope': {
    ...lasting(null, 'request'),
    title: 'The URL is outside of the scope of the crawl',
    help: 'Choose a wider `scope`, or add a start URL.',
  },
  'skip.excluded': {
    ...lasting(null, 'request'),
    title: 'The URL is excluded by a pattern',
    help: 'Change `include` or `exclude` in a new crawl.',
  },
  'skip.depth': {
    ...lasting(null, 'request'),
    title: 'The URL is further from the start than the crawl goes',
    help: 'Set a higher `max_depth` in a new crawl.',
  },
  'skip.duplicate': {
    ...lasting(null, 'target'),
    title: 'The page is the same as that of another URL',
    help: 'Use the item of the other URL, which the message names.',
  },
  'skip.trap': {
    ...lasting(null, 'target'),
    title: 'The URL looks endless',
    help: 'If you need such pages, list them in a batch, or raise `max_urls_per_pattern`. The message names the reason: a calendar, repeated segments, endless parameters, or one page for all URLs.',
  },
  'skip.policy': {
    ...lasting(null, 'request'),
    title: 'The key may not scrape this host',
    help: 'Resume the job with a key that may.',
  },
  'request.cancelled': {
    ...lasting(null, 'request'),
    title: 'The client disconnected',
    help: 'Keep the connection open until the response arrives. This code appears only in records.',
  },
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
  'content.refetched':
    'The page was to be read again from its stored content, which is gone, so it was fetched again.',
  'content.truncated':
    'The stored content is only the beginning of the page, so what was read from it may be incomplete.',
  'extract.ungrounded':
    'The model returned a value that is not in the page, so it was left out; `details.pointers` says which.',
  'extract.drift':
    'Rules of `extract` found something on this site before, and find nothing now; `details.rules` says which, and since when.',
  'profile.conflict':
    'Another scrape with the profile got other values at the same time; the later ones were kept.',
  'profile.not_saved': 'What the site renewed could not be kept in the profile.',
  'robots.disallowed': 'The robots.txt of the site disallows this page; `router.robots` has the rule.',
  'document.no_text':
    'The document has no text. If it consists of pictures, a program that recognizes text in them (OCR) may read it.',
  'document.truncated': 'Only a part of the document was read; the message names the limit that was reached.',
  'document.hidden':
    'The document hides some of its parts, which were left out; `details` counts sheets, rows, columns, slides, shapes and characters.',
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
  /** That of the attempt; absent: it belongs to no attempt, or its page is the delivered one. */
  readonly scraper?: ScraperName;
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
