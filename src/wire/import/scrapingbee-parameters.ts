import { readPlays, readScenario } from './scrapingbee-actions.ts';
import {
  type CallDraft,
  problem,
  type QueryApi,
  type ReplyBody,
  readChoice,
  readCookies,
  readFlag,
  readJsonParameter,
  readScript,
  readWhole,
} from './scrapingbee-draft.ts';
import { readRules, translateRules } from './scrapingbee-rules.ts';

/** The names of a parameter in the APIs that have it. */
type Names = Partial<Record<QueryApi, string>>;

/** Reads a value into the draft. @throws ParameterProblem */
type Apply = (draft: CallDraft, value: string, name: string) => void;

export interface Parameter {
  readonly names: Names;
  /** Only a browser can do it: a call without one is refused. */
  readonly browser?: true;
  readonly apply: Apply;
}

/** Sets a member of the scrape request, of `scraper_options`, of `proxy` or of `router`. */
const put =
  (
    part: 'request' | 'options' | 'proxy' | 'router',
    member: string,
    read: (value: string) => unknown,
  ): Apply =>
  (draft, value, name) => {
    draft[part][member] = read(value);
    const parent = { request: '', options: '/scraper_options', proxy: '/proxy', router: '/router' }[part];
    draft.sources.set(`${parent}/${member}`, name);
  };

/** Does something if the flag is true. */
const ifTrue =
  (apply: Apply): Apply =>
  (draft, value, name) => {
    if (readFlag(value)) apply(draft, value, name);
  };

const action =
  (read: (value: string) => readonly Record<string, unknown>[]): Apply =>
  (draft, value, name) => {
    draft.actions.push(...read(value));
    draft.sources.set('/page_actions', name);
  };

const body = (kind: ReplyBody): Apply =>
  ifTrue((draft, value, name) => {
    draft.body = kind;
    draft.replyOnly.push(`${name}=${value}`);
    if (kind === 'markdown' || kind === 'text') draft.options.formats = [kind];
  });

/** A flag of the reply, not of the scrape. */
const replyFlag = (member: 'json' | 'transparent'): Apply =>
  ifTrue((draft, value, name) => {
    draft[member] = true;
    draft.replyOnly.push(`${name}=${value}`);
  });

const refuse =
  (why: string): Apply =>
  (_draft, value) => {
    if (!/^(?:false|0|no)$/i.test(value)) problem(why);
  };

const screenshot =
  (member: 'full_page' | 'selector' | null): Apply =>
  (draft, value, name) => {
    if (member !== 'selector' && !readFlag(value)) return;
    draft.body = 'screenshot';
    draft.request.screenshot = true;
    if (member !== null)
      draft.options.screenshot = {
        ...(draft.options.screenshot as object | undefined),
        [member]: member === 'selector' ? value : true,
      };
    draft.sources.set('/scraper_options/screenshot', name);
  };

const premium: Apply = ifTrue((draft, _value, name) => {
  draft.proxy.type = 'residential';
  draft.sources.set('/proxy', name);
});

const stealth: Apply = ifTrue((draft, value, name) => {
  premium(draft, value, name);
  draft.browser = true;
});

/** Their country codes; `uk` is what ScraperAPI has for `gb`. */
const country = (value: string) => (value.toLowerCase() === 'uk' ? 'GB' : value.toUpperCase());

const LOAD_STATES = ['domcontentloaded', 'load', 'networkidle0', 'networkidle2'] as const;
const blockTypes = (draft: CallDraft, type: string): void => {
  const block = draft.options.block as { resource_types: string[] } | undefined;
  draft.options.block = { resource_types: [...(block?.resource_types ?? []), type] };
};

const NO_MODEL = 'is not available here: use `scraper_options.json` of `POST /api/v1/scrape/`';

/**
 * Every parameter that is known. A name that the API of the call has means what it means there; the names of the other
 * APIs are accepted as synonyms.
 */
export const PARAMETERS: readonly Parameter[] = [
  {
    names: { scrapingbee: 'render_js', scraperapi: 'render', scrapingant: 'browser', scrapedo: 'render' },
    apply: (draft, value) => {
      draft.browser = readFlag(value);
    },
  },
  // Waiting
  {
    names: { scrapingbee: 'wait', scrapedo: 'customWait' },
    browser: true,
    apply: put('request', 'wait_for_timeout_ms', readWhole),
  },
  {
    names: {
      scrapingbee: 'wait_for',
      scraperapi: 'wait_for_selector',
      scrapingant: 'wait_for_selector',
      scrapedo: 'waitSelector',
    },
    browser: true,
    apply: (draft, value, name) => {
      put('request', 'wait_for_selector', String)(draft, value, name);
      // They wait until the element exists, not until it is visible.
      draft.options.wait_for_selector_state = 'attached';
    },
  },
  {
    names: { scrapingbee: 'wait_browser', scrapedo: 'waitUntil' },
    browser: true,
    apply: put('request', 'wait_for_load_state', (value) => readChoice(value, LOAD_STATES)),
  },
  {
    names: { scrapingbee: 'timeout', scrapedo: 'timeout' },
    apply: put('request', 'timeout_ms', readWhole),
  },
  {
    names: { scrapingant: 'timeout' },
    apply: put('request', 'timeout_ms', (value) => readWhole(value) * 1000),
  },
  // In the page
  { names: { scrapingbee: 'js_scenario' }, browser: true, apply: action(readScenario) },
  { names: { scrapedo: 'playWithBrowser' }, browser: true, apply: action(readPlays) },
  {
    names: { scrapingbee: 'js_snippet', scrapingant: 'js_snippet' },
    browser: true,
    apply: action((value) => [{ type: 'evaluate', script: readScript(value), on_error: 'fail' }]),
  },
  {
    names: { scrapingbee: 'block_resources', scrapedo: 'blockResources' },
    apply: (draft, value) => {
      draft.block = readFlag(value);
    },
  },
  {
    names: { scrapingant: 'block_resource' },
    browser: true,
    apply: (draft, value, name) => {
      blockTypes(draft, value);
      draft.sources.set('/scraper_options/block', name);
    },
  },
  {
    names: { scrapingbee: 'block_ads' },
    apply: refuse('is not available: there are no lists of advertisers here'),
  },
  {
    names: { scrapingbee: 'device', scraperapi: 'device_type', scrapedo: 'device' },
    apply: (draft, value) => {
      draft.mobile = readChoice(value, ['desktop', 'mobile']) === 'mobile';
    },
  },
  {
    names: { scrapingbee: 'window_width', scrapedo: 'width' },
    browser: true,
    apply: (draft, value, name) => {
      draft.viewport.width = readWhole(value);
      draft.sources.set('/scraper_options/viewport/width', name);
    },
  },
  {
    names: { scrapingbee: 'window_height', scrapedo: 'height' },
    browser: true,
    apply: (draft, value, name) => {
      draft.viewport.height = readWhole(value);
      draft.sources.set('/scraper_options/viewport/height', name);
    },
  },
  // Proxies
  {
    names: { scrapingbee: 'premium_proxy', scraperapi: 'premium', scrapedo: 'super' },
    apply: premium,
  },
  { names: { scrapingbee: 'stealth_proxy', scraperapi: 'ultra_premium' }, apply: stealth },
  {
    names: { scrapingant: 'proxy_type' },
    apply: put('proxy', 'type', (value) => readChoice(value, ['datacenter', 'residential'])),
  },
  {
    names: {
      scrapingbee: 'country_code',
      scraperapi: 'country_code',
      scrapingant: 'proxy_country',
      scrapedo: 'geoCode',
    },
    apply: put('proxy', 'country', country),
  },
  {
    names: { scrapingbee: 'session_id', scraperapi: 'session_number', scrapedo: 'sessionId' },
    apply: put('proxy', 'session', String),
  },
  { names: { scrapingbee: 'own_proxy' }, apply: put('proxy', 'server', String) },
  // What is sent
  {
    names: { scrapingbee: 'cookies', scrapingant: 'cookies', scrapedo: 'setCookies' },
    apply: put('request', 'cookies', readCookies),
  },
  {
    names: { scrapingbee: 'forward_headers', scrapedo: 'extraHeaders' },
    apply: ifTrue((draft) => {
      draft.forward = 'prefixed';
    }),
  },
  {
    names: { scrapingbee: 'forward_headers_pure' },
    apply: ifTrue((draft) => {
      draft.forward = 'prefixed';
    }),
  },
  {
    names: { scraperapi: 'keep_headers', scrapedo: 'customHeaders' },
    apply: ifTrue((draft) => {
      draft.forward = 'all';
    }),
  },
  {
    names: { scrapedo: 'forwardHeaders' },
    apply: ifTrue((draft) => {
      draft.forward = 'all';
    }),
  },
  {
    names: { scraperapi: 'follow_redirect' },
    apply: put('request', 'allow_redirects', readFlag),
  },
  {
    names: { scrapedo: 'disableRedirection' },
    apply: put('request', 'allow_redirects', (value) => !readFlag(value)),
  },
  // The reply
  { names: { scrapingbee: 'json_response' }, apply: replyFlag('json') },
  {
    names: { scrapingbee: 'transparent_status_code', scrapedo: 'transparentResponse' },
    apply: replyFlag('transparent'),
  },
  {
    names: { scrapingbee: 'return_page_source', scrapingant: 'return_page_source' },
    apply: body('source'),
  },
  { names: { scrapingbee: 'return_page_markdown' }, apply: body('markdown') },
  { names: { scrapingbee: 'return_page_text' }, apply: body('text') },
  {
    names: { scraperapi: 'output_format', scrapedo: 'output' },
    apply: (draft, value, name) => {
      const kind = readChoice(value, ['raw', 'markdown', 'text']);
      if (kind !== 'raw') body(kind)(draft, 'true', name);
    },
  },
  {
    names: { scrapingbee: 'extract_rules' },
    apply: (draft, value, name) => {
      draft.rules = readRules(value);
      draft.options.extract = translateRules(draft.rules);
      draft.sources.set('/scraper_options/extract', name);
      draft.body = 'extract';
      if (/"table_(?:json|array)"/.test(value))
        draft.replyOnly.push('the form of the tables in extract_rules');
    },
  },
  { names: { scrapingbee: 'screenshot' }, browser: true, apply: screenshot(null) },
  { names: { scrapingbee: 'screenshot_full_page' }, browser: true, apply: screenshot('full_page') },
  { names: { scrapingbee: 'screenshot_selector' }, browser: true, apply: screenshot('selector') },
  // The account
  {
    names: { scraperapi: 'max_cost' },
    apply: put('router', 'max_cost', (value) =>
      /^\d{1,9}(?:\.\d{1,6})?$/.test(value) ? Number(value) : problem('must be a number'),
    ),
  },
  { names: { scrapingbee: 'tag' }, apply: put('router', 'tags', (tag) => ({ tag })) },
  {
    names: { scrapedo: 'disableRetry' },
    apply: ifTrue((draft) => {
      draft.router.max_attempts = 1;
    }),
  },
  // What they say about themselves, or what is done anyway.
  { names: { scraperapi: 'scraper_sdk' }, apply: () => {} },
  { names: { scraperapi: 'scaper_sdk' }, apply: () => {} },
  { names: { scraperapi: 'binary_target' }, apply: (_draft, value) => void readFlag(value) },
  // What cannot be done
  {
    names: { scrapingbee: 'custom_google' },
    apply: refuse('is not available: search pages have no API here'),
  },
  {
    names: { scrapingbee: 'scraping_config' },
    apply: refuse('is not available: send the parameters that are stored under this name'),
  },
  { names: { scrapingbee: 'ai_query' }, apply: refuse(NO_MODEL) },
  { names: { scrapingbee: 'ai_selector' }, apply: refuse(NO_MODEL) },
  {
    names: { scrapingbee: 'ai_extract_rules' },
    apply: (_draft, value) => {
      readJsonParameter(value);
      problem(NO_MODEL);
    },
  },
  { names: { scraperapi: 'autoparse' }, apply: refuse('is not available: use extract_rules') },
  {
    names: { scraperapi: 'retry_404' },
    apply: refuse('is not available: a 404 is a reply like any other'),
  },
  {
    names: { scrapedo: 'regionalGeoCode' },
    apply: refuse('is not available: choose a country with geoCode'),
  },
  { names: { scrapedo: 'returnJSON' }, apply: refuse('is not available: use json_response') },
  { names: { scrapedo: 'screenShot' }, apply: refuse('is not available: use screenshot') },
  { names: { scrapedo: 'fullScreenShot' }, apply: refuse('is not available: use screenshot_full_page') },
  {
    names: { scrapedo: 'particularScreenShot' },
    apply: refuse('is not available: use screenshot_selector'),
  },
  {
    names: { scrapedo: 'callback' },
    apply: refuse('is not available: use the webhooks of `POST /api/v1/batches/`'),
  },
];

/** The parameter that has the key. */
export const KEY_NAMES: Readonly<Record<QueryApi, string>> = {
  scrapingbee: 'api_key',
  scraperapi: 'api_key',
  scrapingant: 'x-api-key',
  scrapedo: 'token',
};

/** The parameter with this name, first in the API of the call, then in any. */
export function parameterOf(api: QueryApi, name: string): Parameter | undefined {
  return (
    PARAMETERS.find(({ names }) => names[api] === name) ??
    PARAMETERS.find(({ names }) => Object.values(names).includes(name))
  );
}
