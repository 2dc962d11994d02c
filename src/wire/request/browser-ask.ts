import { urlGlobProblem } from '../../base/url-glob.ts';
import { type BrowserAsk, type LoadState, PLAIN_BROWSER } from '../../domain/browser-ask.ts';
import { notAvailable, type Problems, wrong, wrongValue } from '../schema/problems.ts';
import { readCapture } from './capture-ask.ts';
import { withEngine } from './element-selector.ts';
import type { ScraperOptionsAsk } from './options-schema.ts';
import { readPicture } from './picture-ask.ts';
import type { ScrapeRequest } from './request-schema.ts';
import { readStorageState } from './storage-state.ts';

export const STATE_ALIASES: Readonly<Record<string, LoadState>> = {
  networkidle0: 'networkidle',
  networkidle2: 'networkidle',
  complete: 'load',
};
/** The browser's part of a request. */
export function readBrowser(request: ScrapeRequest, problems: Problems): BrowserAsk {
  const options: ScraperOptionsAsk = request.scraper_options ?? {};
  const { browser_type: type, headless, wait_for_load_state: state, wait_for_selector: selector } = request;
  const { locale, timezone, viewport, color_scheme: colorScheme, block, geolocation } = options;
  if (locale && !isLocale(locale))
    wrongValue(problems, '/scraper_options/locale', 'must be a language tag such as de-DE', locale);
  const zone = timezone ? zoneName(timezone) : null;
  if (timezone && zone === null)
    wrongValue(problems, '/scraper_options/timezone', 'must be a time zone such as Europe/Berlin', timezone);
  if (block?.ads === true) notAvailable(problems, '/scraper_options/block/ads');
  block?.url_patterns?.forEach((glob, at) => {
    const problem = urlGlobProblem(glob);
    if (problem !== null)
      wrong(problems, `/scraper_options/block/url_patterns/${at}`, `is not a valid glob: ${problem}`);
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
    timezone: zone,
    viewport: {
      width: viewport?.width ?? null,
      height: viewport?.height ?? null,
      scale: viewport?.device_scale_factor ?? null,
      mobile: viewport?.is_mobile ?? null,
    },
    device: options.device ?? null,
    geolocation: geolocation === undefined ? null : { accuracy: 0, ...geolocation },
    storage: readStorageState(options.storage_state, problems),
    picture: readPicture(request.screenshot, options.screenshot ?? {}, problems),
    capture: readCapture(options.capture ?? [], problems),
    colorScheme: (colorScheme as BrowserAsk['colorScheme'] | undefined) ?? null,
    block: { types: block?.resource_types ?? [], urls: block?.url_patterns ?? [] },
    actions: plain.actions,
  };
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** As browsers write it; null: it is none. An offset such as +01:00 is none to them. */
function zoneName(zone: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return /^[a-z]/i.test(zone) ? timeZone : null;
  } catch {
    return null;
  }
}
