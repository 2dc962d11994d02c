import {
  BROWSER_OPTIONS,
  type BrowserOptions,
  DEFAULT_BROWSER_OPTIONS,
  type LoadState,
} from '../../domain/browser-options.ts';
import type { PageAction } from '../../domain/page-action.ts';
import { isRequested } from '../schema/json-value.ts';
import { addProblem, type Problems } from '../schema/problems.ts';
import { withEngine } from './element-selector.ts';
import { type OptionParsers, readOptions } from './options.ts';
import type { ScrapeRequest } from './scrape-request-schema.ts';

/** What each name of a load state means: Playwright's names, Puppeteer's and that of `document.readyState`. */
export const LOAD_STATES = {
  commit: 'commit',
  domcontentloaded: 'domcontentloaded',
  load: 'load',
  networkidle: 'networkidle',
  networkidle0: 'networkidle',
  networkidle2: 'networkidle',
  complete: 'load',
} as const satisfies Readonly<Record<string, LoadState>>;

const PARSERS: Omit<OptionParsers<typeof BROWSER_OPTIONS>, 'page_actions'> = {
  browser_type: (type) => (type === 'edge' ? 'msedge' : type),
  wait_for_selector: (selector) => (selector === '' ? null : withEngine(selector)),
  wait_for_load_state: (state) => LOAD_STATES[state],
};

/** @param pageActions have been read */
export function readBrowserOptions(
  request: ScrapeRequest,
  pageActions: readonly PageAction[],
  problems: Problems,
): BrowserOptions {
  const parsers = { ...PARSERS, page_actions: () => pageActions };
  const browser = readOptions(
    { table: BROWSER_OPTIONS, defaults: DEFAULT_BROWSER_OPTIONS, parsers, at: '' },
    request,
    problems,
  );
  if (!isRequested(request.scraper_options?.screenshot)) return browser;
  if (request.screenshot === false)
    addProblem(
      problems,
      '/scraper_options/screenshot',
      'has no effect if `screenshot` is false; leave one of them out',
    );
  return { ...browser, screenshot: true };
}
