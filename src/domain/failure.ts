/**
 * Every public failure, once: what it is called, which status it has, who is to blame, whether the same request
 * may be sent again with hope. `GET /api/v1/errors/`, docs/errors.md and the OpenAPI enums are generated from it.
 */
export type Source = 'request' | 'service' | 'route' | 'proxy' | 'target' | 'browser' | 'action' | 'extract';

export interface FailureKind {
  /** HTTP status of an answer that has this as its cause; null: it only stands in `errors[]` or in records. */
  readonly status: number | null;
  readonly source: Source;
  readonly retryable: boolean;
  /** Short and the same for every occurrence (RFC 9457 `title`). */
  readonly title: string;
  /** What the caller should do about it; a sentence or two for the documentation. */
  readonly help: string;
}

const kind = (
  status: number | null,
  source: Source,
  retryable: boolean,
  title: string,
  help: string,
): FailureKind => ({ status, source, retryable, title, help });

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
    'The request does not fit the schema',
    'Each entry of `errors` points to one member and says what is allowed there. Unknown members are refused, and so is what this version does not offer yet.',
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
    'The Authorization header is malformed',
    'The scheme is `Api-Key` (or `Bearer`), followed by one space and the key.',
  ),
  'auth.invalid': kind(
    401,
    'request',
    false,
    'The API key is not valid',
    'The key is mistyped, unknown or revoked. Create a new one.',
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
    'It starts anew at 00:00 UTC. Raise the budget of the key, or use another one.',
  ),
  'auth.scope': kind(
    403,
    'request',
    false,
    'The key lacks the scope',
    'Use a key with the scope that the detail names.',
  ),
  'auth.ip': kind(
    403,
    'request',
    false,
    'The key may not be used from this address',
    'The key has an IP allow-list that the calling address is not on.',
  ),
  'auth.disabled': kind(403, 'request', false, 'The user is disabled', 'Ask the operator.'),
  'auth.origin': kind(
    403,
    'request',
    false,
    'The request does not come from the dashboard',
    'What changes something by session needs an `Origin` header that is the own origin of the service: that of `SLUICE_BASE_URL`, else the host that was called. Programs use a key instead.',
  ),
  'policy.domain': kind(
    403,
    'request',
    false,
    'The target domain is not allowed for this key',
    'The key has a list of target domains; the URL or a redirect led outside of it.',
  ),
  'policy.address': kind(
    403,
    'request',
    false,
    'The target address is not allowed',
    'Only public addresses may be reached. The operator can open others with `SLUICE_ALLOW_ADDRESSES`.',
  ),
  'policy.robots': kind(
    403,
    'request',
    false,
    'robots.txt forbids this URL',
    'The request or the operator asked to respect robots.txt. `details` names the rule.',
  ),
  'request.not_found': kind(
    404,
    'request',
    false,
    'Not found',
    'The path does not exist, or the record does not exist, was deleted or is not yours.',
  ),
  'request.method': kind(
    405,
    'request',
    false,
    'Method not allowed',
    'The `Allow` header names the methods of this path.',
  ),
  'request.slow': kind(
    408,
    'request',
    false,
    'The request took too long to arrive',
    'Send head and body without long pauses.',
  ),
  'screenshot.expired': kind(
    410,
    'request',
    false,
    'The screenshot link has expired',
    'Fetch the screenshot with the key at `GET /api/v1/scrape/{id}/screenshot`.',
  ),
  'request.too_large': kind(
    413,
    'request',
    false,
    'The request body is too large',
    'At most 5 MiB are accepted.',
  ),
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
    'No way of fetching fits the request',
    '`candidates` lists every way with the reason that excludes it.',
  ),
  'route.cost_cap': kind(
    422,
    'route',
    false,
    'No way of fetching is below the cost ceiling',
    'Raise `router.max_cost`.',
  ),
  'scraper.unavailable': kind(
    422,
    'route',
    false,
    'The scraper is not available here',
    '`GET /api/v1/scrapers/` tells which are, and why others are not.',
  ),
  'scraper.unsupported_option': kind(
    422,
    'route',
    false,
    'The scraper cannot honour an option',
    'The pointer names the option. Leave it out, or choose a scraper that has it.',
  ),
  'browser.unavailable': kind(
    422,
    'browser',
    false,
    'The browser is not installed',
    'The detail lists the browsers that are.',
  ),
  'proxy.pool_unconfigured': kind(
    422,
    'proxy',
    false,
    'No proxy pool of this type',
    'The operator has configured no pool of this type.',
  ),
  'proxy.country_unavailable': kind(
    422,
    'proxy',
    false,
    'No proxy in this country',
    'No pool serves the country; another one is never taken instead.',
  ),
  'proxy.forbidden': kind(
    422,
    'proxy',
    false,
    'This proxy setting is not allowed',
    'The operator does not allow it here.',
  ),
  'limit.concurrency': kind(
    429,
    'request',
    true,
    'Too many requests at once',
    'Wait for one of your running requests to end; `Retry-After` gives a pause.',
  ),
  'limit.sign_in': kind(
    429,
    'request',
    true,
    'Too many attempts to sign in',
    'Wait as long as `Retry-After` says. An administrator can make a link that sets a new password.',
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
    'The name servers did not answer, or answered with a failure.',
  ),
  'connect.refused': kind(
    502,
    'target',
    true,
    'The target refused the connection',
    'Nothing listens on that port, or a firewall refuses.',
  ),
  'connect.timeout': kind(
    502,
    'target',
    true,
    'No connection to the target in time',
    'The target did not answer to TCP within 10 s.',
  ),
  'connect.reset': kind(
    502,
    'target',
    true,
    'The target closed the connection',
    'The connection ended before an answer came.',
  ),
  'connect.unreachable': kind(
    502,
    'target',
    true,
    'The target is unreachable',
    'There is no route to the address.',
  ),
  'tls.invalid': kind(
    502,
    'target',
    false,
    'The TLS connection is not trustworthy',
    '`details.reason` says why. `scraper_options.verify_tls: false` skips the check of the certificate.',
  ),
  'http.protocol': kind(
    502,
    'target',
    true,
    'The answer is not HTTP',
    'What the target sent cannot be read as an HTTP answer.',
  ),
  'redirect.too_many': kind(
    502,
    'target',
    false,
    'Too many redirects',
    'Raise `scraper_options.max_redirects`, or look at `router.redirects` for a loop.',
  ),
  'redirect.invalid': kind(
    502,
    'target',
    false,
    'A redirect leads nowhere',
    'The `Location` cannot be parsed, or leads to another scheme than http and https.',
  ),
  'proxy.failed': kind(
    502,
    'proxy',
    true,
    'The proxy failed',
    '`details.reason` says how: auth, refused, dns, timeout, protocol or exhausted.',
  ),
  'target.blocked': kind(
    502,
    'target',
    false,
    'The target blocked the request',
    'What came is a bot wall, a captcha, a challenge or another wall instead of the page.',
  ),
  'action.failed': kind(
    502,
    'action',
    false,
    'A page action failed',
    'The pointer names the action; `scraper_data.actions` tells how far it came.',
  ),
  'browser.crashed': kind(
    502,
    'browser',
    true,
    'The browser was lost',
    'The browser ended before the page could be read.',
  ),
  'service.unavailable': kind(
    503,
    'service',
    true,
    'The service cannot take the request now',
    'It is shutting down or has no room; `Retry-After` gives a pause.',
  ),
  'service.storage': kind(
    503,
    'service',
    true,
    'The record cannot be stored',
    'The database or disk of the service fails; the operator has to look.',
  ),
  'browser.down': kind(
    503,
    'browser',
    true,
    'The browser does not start',
    'Plain HTTP goes on; the operator has to look.',
  ),
  'route.paced': kind(
    503,
    'route',
    true,
    'The site asked for a pause',
    'The pause is longer than the time of the request.',
  ),
  'timeout.total': kind(
    504,
    'service',
    true,
    'The time of the request is up',
    'Raise `timeout_ms`, or ask for less.',
  ),
  'timeout.attempt': kind(
    504,
    'service',
    true,
    'An attempt used up its share of the time',
    'Raise `timeout_ms`.',
  ),
  'accept.unmet': kind(
    null,
    'target',
    false,
    'The page does not meet `router.accept`',
    '`details` names the members that were not met.',
  ),
  'content.truncated': kind(
    null,
    'target',
    false,
    'The content was cut at the limit',
    'Raise `scraper_options.max_content_bytes`.',
  ),
  'content.incomplete': kind(
    null,
    'target',
    true,
    'The body broke off',
    'The target ended the connection before the body was whole; what came is delivered.',
  ),
  'content.decode_failed': kind(
    null,
    'target',
    false,
    'The body cannot be decoded',
    'The content coding of the answer is broken or unknown; what could be read is delivered.',
  ),
  'wait.selector_timeout': kind(
    null,
    'browser',
    false,
    'The selector did not appear',
    'The page is delivered as it was.',
  ),
  'wait.load_timeout': kind(
    null,
    'browser',
    false,
    'The load state was not reached',
    'The page is delivered as it was.',
  ),
  'screenshot.failed': kind(
    null,
    'browser',
    false,
    'The screenshot failed',
    'The page is delivered without.',
  ),
  'extract.failed': kind(
    null,
    'extract',
    false,
    'The extraction failed',
    'The pointer names the rule or format.',
  ),
  'request.cancelled': kind(
    null,
    'request',
    false,
    'The caller hung up',
    'Stands only in records: the connection was closed before the answer.',
  ),
} as const satisfies Record<string, FailureKind>;

export type FailureCode = keyof typeof FAILURES;

/** Notices: nothing went wrong, but the caller should know. They stand in `router.warnings[]`. */
export const WARNINGS = {
  'proxy.direct': 'No datacenter pool is configured: the request left from the own address of this host.',
  'data.on_get': 'The body was sent with a GET or HEAD request; many servers ignore it.',
  'wait.networkidle_timeout': 'The network did not become idle; the message names what was still open.',
  'screenshot.clamped': 'The screenshot was larger than allowed and was cut.',
  'egress.blocked': 'Sub-resources at addresses that may not be reached were refused.',
  'charset.replaced': 'Some bytes were not valid in the charset of the page and were replaced by U+FFFD.',
  'robots.disallowed': 'robots.txt of the site asks not to fetch this page; `router.robots` tells the rule.',
  'page.js_shell': 'The page seems to need JavaScript.',
  'page.empty': 'The answer has no content.',
  'page.opened':
    'The page opened a window of its own, which was closed; the message says why it was not followed.',
  'page.download': 'The page wanted a file to be kept, which was not fetched.',
} as const satisfies Record<string, string>;

export type WarningCode = keyof typeof WARNINGS;

/** Something that went wrong, as a value. `attempt` and `pointer` are added where they are known. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  /** 1-based number of the attempt, when it was not the one that was delivered. */
  readonly attempt?: number;
  /** RFC 6901 pointer into the request, without `#`. */
  readonly pointer?: string;
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
