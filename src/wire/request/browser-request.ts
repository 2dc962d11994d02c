import { urlGlobProblem } from '../../base/url-patterns.ts';
import {
  type BrowserOptions,
  DEFAULT_BROWSER_OPTIONS,
  type LoadState,
} from '../../domain/browser-options.ts';
import { isRequested } from '../schema/json-value.ts';
import {
  addProblem,
  addUnavailable,
  addValueProblem,
  childPointer,
  type Problems,
} from '../schema/problems.ts';
import { BROWSER_OPTIONS, readCapture, readPicture } from './browser-options.ts';
import { readStorageState } from './cookies.ts';
import { withEngine } from './element-selector.ts';
import type { ScrapeRequest } from './scrape-request-schema.ts';
import type { ScraperOptionsField } from './scraper-options.ts';

export const LOAD_STATE_ALIASES: Readonly<Record<string, LoadState>> = {
  networkidle0: 'networkidle',
  networkidle2: 'networkidle',
  complete: 'load',
};
/** The browser's part of a request. */
export function readBrowserOptions(request: ScrapeRequest, problems: Problems): BrowserOptions {
  const options: ScraperOptionsField = request.scraper_options ?? {};
  const { browser_type: type, headless, wait_for_load_state: state, wait_for_selector: selector } = request;
  const { locale, timezone, viewport, color_scheme: colorScheme, block, geolocation } = options;
  if (locale && !isLocale(locale))
    addValueProblem(problems, '/scraper_options/locale', 'must be a language tag such as de-DE', locale);
  const zone = timezone ? timeZoneName(timezone) : null;
  if (timezone && zone === null)
    addValueProblem(
      problems,
      '/scraper_options/timezone',
      'must be a time zone such as Europe/Berlin',
      timezone,
    );
  if (block?.ads === true) addUnavailable(problems, '/scraper_options/block/ads');
  block?.url_patterns?.forEach((glob, at) => {
    const problem = urlGlobProblem(glob);
    if (problem !== null)
      addProblem(problems, `/scraper_options/block/url_patterns/${at}`, `is not a valid glob: ${problem}`);
  });
  const plain = DEFAULT_BROWSER_OPTIONS;
  return {
    type: type === undefined ? plain.type : type === 'edge' ? 'msedge' : (type as BrowserOptions['type']),
    headless: headless ?? true,
    loadState: state === undefined ? plain.loadState : (LOAD_STATE_ALIASES[state] ?? (state as LoadState)),
    selector: selector ? withEngine(selector) : null,
    selectorState:
      (options.wait_for_selector_state as BrowserOptions['selectorState']) ?? plain.selectorState,
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
    colorScheme: (colorScheme as BrowserOptions['colorScheme'] | undefined) ?? null,
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
function timeZoneName(zone: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return /^[a-z]/i.test(zone) ? timeZone : null;
  } catch {
    return null;
  }
}

const BROWSER_OPTION_NAMES = Object.keys(BROWSER_OPTIONS);

/** Pointers of the members that only a browser can honour and that ask for something (contract §1). */
export function browserOnlyPointers(request: ScrapeRequest): readonly string[] {
  const options = request.scraper_options;
  const found: string[] = [];
  const note = (asks: boolean, at: string) => {
    if (asks) found.push(at);
  };
  note(request.browser_type !== undefined, '/browser_type');
  note(request.headless === false, '/headless');
  note(isRequested(request.wait_for_selector), '/wait_for_selector');
  note(isRequested(request.wait_for_timeout_ms), '/wait_for_timeout_ms');
  note(request.wait_for_load_state !== undefined, '/wait_for_load_state');
  note(isRequested(request.page_actions), '/page_actions');
  note(isRequested(request.screenshot), '/screenshot');
  if (options === undefined) return found;
  for (const name of BROWSER_OPTION_NAMES) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    note(isOptionRequested(name, value), childPointer('/scraper_options', name));
  }
  return found;
}

function isOptionRequested(name: string, value: unknown): boolean {
  // JavaScript is on by default, and 0° is a place like any other.
  if (name === 'javascript') return value === false;
  return name === 'geolocation' ? value !== undefined : isRequested(value);
}
