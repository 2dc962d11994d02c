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
import { createOptionsReader, type OptionParsers } from './options.ts';
import type { ScrapeRequest } from './scrape-request-schema.ts';

/** Names of Playwright, Puppeteer (`networkidle0`, `networkidle2`) and `document.readyState` (`complete`). */
export const LOAD_STATES = {
  commit: 'commit',
  domcontentloaded: 'domcontentloaded',
  load: 'load',
  networkidle: 'networkidle',
  networkidle0: 'networkidle',
  networkidle2: 'networkidle',
  complete: 'load',
} as const satisfies Readonly<Record<string, LoadState>>;

const PARSERS: OptionParsers<typeof BROWSER_OPTIONS> = {
  browser_type: (type) => (type === 'edge' ? 'msedge' : type),
  wait_for_selector: (selector) => (selector === '' ? null : withEngine(selector)),
  wait_for_load_state: (state) => LOAD_STATES[state],
  // `readPageActions` of parse-task.ts reads the actions, because it needs the time limit of the request.
  page_actions: () => DEFAULT_BROWSER_OPTIONS.pageActions,
};

export const BROWSER_OPTIONS_READER = createOptionsReader(
  BROWSER_OPTIONS,
  DEFAULT_BROWSER_OPTIONS,
  PARSERS,
  '',
);

/** @param pageActions the result of `readPageActions` of parse-task.ts */
export function readBrowserOptions(
  request: ScrapeRequest,
  pageActions: readonly PageAction[],
  problems: Problems,
): BrowserOptions {
  const browser = BROWSER_OPTIONS_READER.read(request, problems);
  // Options for the screenshot imply `screenshot: true`.
  const configuresScreenshot = isRequested(request.scraper_options?.screenshot);
  if (configuresScreenshot && request.screenshot === false)
    addProblem(
      problems,
      '/scraper_options/screenshot',
      'has no effect because `/screenshot` is false; leave one of them out',
    );
  if (pageActions.length === 0 && !configuresScreenshot) return browser;
  return { ...browser, pageActions, screenshot: browser.screenshot || configuresScreenshot };
}
