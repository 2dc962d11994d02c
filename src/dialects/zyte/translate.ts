import { isObject } from '../../domain/json-schema.ts';
import { type NetworkFilter, readActions, readFilters } from './actions.ts';
import { choice, flag, incompatible, problem, text } from './members.ts';

/** What the caller wants back. */
export interface Wanted {
  readonly httpResponseBody: boolean;
  readonly httpResponseHeaders: boolean;
  readonly browserHtml: boolean;
  readonly screenshot: boolean;
  readonly responseCookies: boolean;
  /** Members of the request that are sent back: `echoData`, `jobId`, `session`. */
  readonly echo: Readonly<Record<string, unknown>>;
  /** Their actions; null: none were given. */
  readonly actions: readonly { readonly action: string; readonly onError?: string }[] | null;
  /** null: `networkCapture` was not given. */
  readonly network: readonly NetworkFilter[] | null;
}

export interface TranslatedExtract {
  /** The body of `POST /api/v1/scrape/`. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly wanted: Wanted;
  /** JSON pointer into `request` → the member that it comes from. */
  readonly sources: ReadonlyMap<string, string>;
}

interface ExtractDraft {
  readonly request: Record<string, unknown>;
  readonly options: Record<string, unknown>;
  readonly proxy: Record<string, unknown>;
  readonly echo: Record<string, unknown>;
  readonly sources: Map<string, string>;
  mobile: boolean;
  network: readonly NetworkFilter[] | null;
}

interface Field {
  /** The kind of request that the member belongs to; absent: to both. */
  readonly only?: 'http' | 'browser';
  /** It asks for a part of the answer; false is the same as leaving it out. */
  readonly isOutput?: true;
  /** @throws ExtractProblem */
  readonly read: (draft: ExtractDraft, value: unknown, name: string) => void;
}

/** Sets a member of the scrape request, of `scraper_options` or of `proxy`. */
const put = (
  part: 'request' | 'options' | 'proxy',
  member: string,
  read: (value: unknown, name: string) => unknown,
  only?: 'http' | 'browser',
): Field => ({
  ...(only !== undefined && { only }),
  read: (draft, value, name) => {
    draft[part][member] = read(value, name);
    const parent = { request: '', options: '/scraper_options', proxy: '/proxy' }[part];
    draft.sources.set(`${parent}/${member}`, name);
  },
});

/** An output: read by `kindOf` and `wantedOf`. */
const output = (only?: 'http' | 'browser'): Field => ({
  ...(only !== undefined && { only }),
  isOutput: true,
  read: (_draft, value, name) => void flag(value, name),
});

const requestBody = (form: '$base64' | '$raw'): Field => ({
  only: 'http',
  read: (draft, value, name) => {
    if (draft.request.data !== undefined)
      incompatible('`httpRequestBody` and `httpRequestText` exclude each other');
    draft.request.data = { [form]: text(value, name) };
  },
});

const echoed: Field['read'] = (draft, value, name) => {
  draft.echo[name] = value;
};

const refused = (why: string): Field => ({
  read: (_draft, value, name) => {
    if (value !== false) problem(`\`${name}\` is not available: ${why}`);
  },
});

const NO_PAGE_TYPES =
  'pages are not extracted by type here; ask for httpResponseBody or browserHtml, or use `scraper_options.json` of POST /api/v1/scrape/';
const PAGE_TYPES = [
  ...['article', 'articleList', 'articleNavigation', 'forumThread', 'jobPosting', 'jobPostingNavigation'],
  ...['pageContent', 'product', 'productList', 'productNavigation', 'serp', 'customAttributes'],
];
const NO_CONTEXT = 'there are no sessions that the server manages; use session';

const FIELDS: Readonly<Record<string, Field>> = {
  url: put('request', 'url', text),
  httpResponseBody: output('http'),
  httpResponseHeaders: output(),
  browserHtml: output('browser'),
  screenshot: output('browser'),
  responseCookies: output(),
  httpRequestMethod: put('request', 'method', text, 'http'),
  httpRequestBody: requestBody('$base64'),
  httpRequestText: requestBody('$raw'),
  customHttpRequestHeaders: { only: 'http', read: readHeaders },
  requestHeaders: {
    only: 'browser',
    read: (draft, value) => {
      const { referer, ...rest } = isObject(value) ? value : problem('`requestHeaders` must be an object');
      const other = Object.keys(rest)[0];
      if (other !== undefined) problem(`Unrecognized field "${other}" in \`requestHeaders\``);
      if (referer !== undefined) draft.request.headers = { Referer: text(referer, 'requestHeaders.referer') };
    },
  },
  requestCookies: put('request', 'cookies', (value) => value),
  cookieManagement: {
    // Cookies are only those of the request in both.
    read: (_draft, value, name) => void choice(value, name, ['auto', 'discard']),
  },
  followRedirect: put('request', 'allow_redirects', flag, 'http'),
  // Browsers always verify, as theirs do.
  verifyCertificate: put('options', 'verify_tls', flag),
  device: {
    only: 'http',
    read: (draft, value, name) => {
      draft.mobile = choice(value, name, ['desktop', 'mobile']) === 'mobile';
    },
  },
  geolocation: put('proxy', 'country', text),
  ipType: put('proxy', 'type', (value, name) => choice(value, name, ['datacenter', 'residential'])),
  session: {
    read: (draft, value, name) => {
      const id = text(isObject(value) ? value.id : undefined, 'session.id');
      Object.assign(draft.proxy, { session: id, session_ttl_s: SESSION_S });
      echoed(draft, { id }, name);
    },
  },
  javascript: put('options', 'javascript', flag, 'browser'),
  viewport: { only: 'browser', read: readViewport },
  screenshotOptions: { only: 'browser', read: readScreenshot },
  actions: put('request', 'page_actions', readActions, 'browser'),
  networkCapture: {
    only: 'browser',
    read: (draft, value) => {
      draft.network = readFilters(value);
      draft.options.capture = draft.network.map(({ capture }) => capture);
    },
  },
  tags: {
    read: (draft, value, name) => {
      const tags = Object.entries(isObject(value) ? value : problem(`\`${name}\` must be an object`));
      draft.request.router = { tags: Object.fromEntries(tags.filter(([, tag]) => tag !== null)) };
    },
  },
  echoData: { read: echoed },
  jobId: { read: (draft, value, name) => echoed(draft, text(value, name), name) },
  includeIframes: refused('the HTML of a page has no frames'),
  sessionContext: refused(NO_CONTEXT),
  sessionContextParameters: refused(NO_CONTEXT),
  ...Object.fromEntries(
    PAGE_TYPES.flatMap((name) => [
      [name, refused(NO_PAGE_TYPES)],
      [`${name}Options`, refused(NO_PAGE_TYPES)],
    ]),
  ),
  extractFrom: refused(NO_PAGE_TYPES),
};

/** The members that are known. */
export const FIELD_NAMES: readonly string[] = Object.keys(FIELDS);

/** Where the members come from that `put` does not set. */
const OTHER_SOURCES = {
  '/data': 'httpRequestBody',
  '/headers': 'customHttpRequestHeaders',
  '/proxy/session': 'session.id',
  '/scraper_options/viewport': 'viewport',
  '/scraper_options/screenshot': 'screenshotOptions',
  '/scraper_options/capture': 'networkCapture',
  '/router/tags': 'tags',
};

/** How long their sessions last. */
const SESSION_S = 900;
/** Their clients wait for 200 s. */
const TIMEOUT_MS = 180_000;

function readHeaders(draft: ExtractDraft, value: unknown, field: string): void {
  if (!Array.isArray(value)) problem(`\`${field}\` must be a list`);
  // Of several headers with one name, the last one is sent.
  const headers = new Map<string, readonly [string, string]>();
  for (const header of value as readonly unknown[]) {
    if (!isObject(header)) problem(`\`${field}\` must be a list of objects`);
    const name = text(header.name, `${field}.name`);
    if (name.toLowerCase() === 'cookie') problem('The header Cookie cannot be set: use requestCookies');
    if (typeof header.value !== 'string') problem(`\`${field}.value\` must be a text`);
    headers.set(name.toLowerCase(), [name, header.value as string]);
  }
  draft.request.headers = Object.fromEntries(headers.values());
}

const DEFAULT_VIEWPORT = { width: 1920, height: 1080 };

function readViewport(draft: ExtractDraft, value: unknown): void {
  const { width, height, ...rest } = isObject(value) ? value : problem('`viewport` must be an object');
  const other = Object.keys(rest)[0];
  if (other !== undefined) problem(`Unrecognized field "${other}" in \`viewport\``);
  draft.options.viewport = {
    width: width ?? DEFAULT_VIEWPORT.width,
    height: height ?? DEFAULT_VIEWPORT.height,
  };
}

const JPEG_QUALITY = 75;

function readScreenshot(draft: ExtractDraft, value: unknown): void {
  const options = isObject(value) ? value : problem('`screenshotOptions` must be an object');
  const { format = 'jpeg', fullPage = false, ...rest } = options;
  const other = Object.keys(rest)[0];
  if (other !== undefined) problem(`Unrecognized field "${other}" in \`screenshotOptions\``);
  const type = choice(format, 'screenshotOptions.format', ['png', 'jpeg']);
  draft.options.screenshot = {
    type,
    ...(type === 'jpeg' && { quality: JPEG_QUALITY }),
    full_page: flag(fullPage, 'screenshotOptions.fullPage'),
  };
}

/**
 * Translates the body of `POST /v1/extract`.
 * @throws ExtractProblem
 */
export function translateExtract(body: unknown): TranslatedExtract {
  if (!isObject(body)) return problem('The body must be a JSON object');
  const draft: ExtractDraft = {
    request: {},
    options: {},
    proxy: {},
    echo: {},
    sources: new Map(Object.entries(OTHER_SOURCES)),
    mobile: false,
    network: null,
  };
  // null asks for nothing.
  const given = Object.entries(body).filter(([, value]) => value !== null);
  for (const [name, value] of given) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name]! : problem(`Unrecognized field "${name}"`);
    field.read(draft, value, name);
  }
  if (body.url === undefined) return problem('`url` is missing');
  const kind = kindOf(given);
  const wrong = given.find(([name, value]) => {
    const { only, isOutput } = FIELDS[name]!;
    return only !== undefined && only !== kind && !(isOutput === true && value === false);
  });
  if (wrong !== undefined)
    return incompatible(
      `\`${wrong[0]}\` cannot be combined with ${kind === 'http' ? 'HTTP' : 'browser'} requests`,
    );
  return { request: requestOf(draft, kind, body), wanted: wantedOf(draft, body), sources: draft.sources };
}

/** Whether it is a request of theirs by HTTP or in a browser: the outputs say it. @throws ExtractProblem */
function kindOf(given: readonly (readonly [string, unknown])[]): 'http' | 'browser' {
  const outputs = given.flatMap(([name, value]) => (value === true ? [name] : []));
  if (outputs.includes('browserHtml') || outputs.includes('screenshot')) return 'browser';
  if (outputs.includes('httpResponseBody') || outputs.includes('httpResponseHeaders')) return 'http';
  return problem(
    'At least one of `httpResponseBody`, `browserHtml`, `screenshot` and `httpResponseHeaders` must be true',
  );
}

function requestOf(
  { request, options, proxy, mobile }: ExtractDraft,
  kind: 'http' | 'browser',
  { screenshot }: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const all = { timeout_ms: TIMEOUT_MS, ...request, ...(Object.keys(proxy).length > 0 && { proxy }) };
  if (kind === 'browser') {
    const { verify_tls: _always, screenshot: picture, ...rest } = options;
    return {
      ...all,
      scraper: 'browser',
      ...(screenshot === true && { screenshot: true }),
      scraper_options: {
        viewport: DEFAULT_VIEWPORT,
        ...rest,
        ...(screenshot === true && { screenshot: picture ?? { type: 'jpeg', quality: JPEG_QUALITY } }),
      },
    };
  }
  return {
    ...all,
    scraper: mobile ? 'http_impersonate' : 'auto',
    scraper_options: {
      // Theirs does not verify certificates unless it is told to.
      verify_tls: false,
      content_encoding: 'base64',
      ...options,
      ...(mobile && { impersonate: 'safari_ios_26' }),
    },
    ...(!mobile && {
      router: { ...(request.router as object | undefined), only: ['http', 'http_impersonate'] },
    }),
  };
}

function wantedOf({ echo, network }: ExtractDraft, body: Readonly<Record<string, unknown>>): Wanted {
  return {
    httpResponseBody: body.httpResponseBody === true,
    httpResponseHeaders: body.httpResponseHeaders === true,
    browserHtml: body.browserHtml === true,
    screenshot: body.screenshot === true,
    responseCookies: body.responseCookies === true,
    echo,
    actions: (body.actions as Wanted['actions'] | undefined) ?? null,
    network,
  };
}
