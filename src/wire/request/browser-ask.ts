import { type BrowserAsk, type LoadState, PLAIN_BROWSER } from '../../domain/browser-ask.ts';
import { notAvailable, type Problems, wrong, wrongValue } from '../schema/problems.ts';
import type { ScraperOptionsAsk } from './options-schema.ts';
import type { ScrapeRequest } from './request-schema.ts';

const STATE_ALIASES: Readonly<Record<string, LoadState>> = {
  networkidle0: 'networkidle',
  networkidle2: 'networkidle',
  complete: 'load',
};
/** What browsers tell apart; a document is never blocked, and sockets cannot be told from the page in time. */
const BLOCKABLE = [
  'stylesheet',
  'image',
  'media',
  'font',
  'script',
  'texttrack',
  'xhr',
  'fetch',
  'eventsource',
  'manifest',
  'other',
];

/** The browser's part of a request. */
export function readBrowser(request: ScrapeRequest, problems: Problems): BrowserAsk {
  const options: ScraperOptionsAsk = request.scraper_options ?? {};
  const { browser_type: type, headless, wait_for_load_state: state, wait_for_selector: selector } = request;
  const { locale, timezone, viewport, color_scheme: colorScheme, block } = options;
  if (locale && !isLocale(locale))
    wrongValue(problems, '/scraper_options/locale', 'must be a language tag such as de-DE', locale);
  if (timezone && !isTimezone(timezone))
    wrongValue(problems, '/scraper_options/timezone', 'must be a time zone such as Europe/Berlin', timezone);
  if (block?.ads === true) notAvailable(problems, '/scraper_options/block/ads');
  block?.resource_types?.forEach((one, at) => {
    if (!BLOCKABLE.includes(one))
      wrong(
        problems,
        `/scraper_options/block/resource_types/${at}`,
        `must be one of ${BLOCKABLE.join(', ')}`,
      );
  });
  const plain = PLAIN_BROWSER;
  return {
    type: type === undefined ? plain.type : type === 'edge' ? 'msedge' : (type as BrowserAsk['type']),
    headless: headless ?? true,
    loadState: state === undefined ? plain.loadState : (STATE_ALIASES[state] ?? (state as LoadState)),
    selector: selector ? withEngine(selector) : null,
    selectorState: (options.wait_for_selector_state as BrowserAsk['selectorState']) ?? plain.selectorState,
    waitMs: request.wait_for_timeout_ms ?? 0,
    javascript: options.javascript ?? true,
    locale: locale || null,
    timezone: timezone || null,
    viewport: {
      width: viewport?.width ?? plain.viewport.width,
      height: viewport?.height ?? plain.viewport.height,
      scale: viewport?.device_scale_factor ?? 1,
      mobile: viewport?.is_mobile ?? false,
    },
    colorScheme: (colorScheme as BrowserAsk['colorScheme'] | undefined) ?? null,
    block: { types: block?.resource_types ?? [], urls: block?.url_patterns ?? [] },
  };
}

/** Contract §1: CSS, unless it says or shows that it is another kind. */
function withEngine(selector: string): string {
  if (/^(?:css|xpath|text)=/.test(selector)) return selector;
  return /^[/(]/.test(selector) ? `xpath=${selector}` : `css=${selector}`;
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function isTimezone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
