import { Type } from 'typebox';
import { browserOnly, placeholder } from './json-schema.ts';
import {
  BROWSERS,
  defaultValues,
  type OptionValues,
  option,
  PLAYWRIGHT,
  parsedOption,
  taskValue,
} from './option.ts';
import type { PageAction } from './page-action.ts';
import { parsePlainSelector } from './plain-selector.ts';

export const BROWSER_TYPES = ['chromium', 'chrome', 'msedge', 'firefox', 'webkit'] as const;
export type BrowserType = (typeof BROWSER_TYPES)[number];

export type LoadState = 'commit' | 'domcontentloaded' | 'load' | 'networkidle';

/** The options for browsers at the top level of the request (contract §1), not in `scraper_options`. */
export const BROWSER_OPTIONS = {
  browser_type: parsedOption({
    schema: Type.Enum(['chromium', 'firefox', 'webkit', 'chrome', 'msedge', 'edge']),
    default: taskValue<BrowserType>('chromium'),
    defaultNeedsSupport: true,
    ...browserOnly('Browser to use (default: `chromium`).'),
    honouredBy: BROWSERS,
  }),
  headless: option({
    schema: Type.Boolean(),
    default: true,
    ...browserOnly('Run the browser without a window.'),
    honouredBy: PLAYWRIGHT,
  }),
  /** The value in the task has the prefix of its selector engine: `css=`, `xpath=`, `text=`. */
  wait_for_selector: parsedOption({
    schema: Type.String({ maxLength: 2000 }),
    default: taskValue<string | null>(null),
    ...browserOnly(
      'Wait until this element is visible: a CSS selector, `xpath=…` or `text=…`. `scraper_options.wait_for_selector_state` sets another state to wait for.',
    ),
    honouredBy: PLAYWRIGHT,
    cdpHonours: (selector) => selector === null || parsePlainSelector(selector) !== null,
  }),
  wait_for_timeout_ms: option({
    schema: Type.Number({ minimum: 0, maximum: 60_000 }),
    default: null,
    ...browserOnly('Additional fixed wait, after the other waits.'),
    honouredBy: BROWSERS,
  }),
  wait_for_load_state: parsedOption({
    schema: Type.Enum([
      'load',
      'domcontentloaded',
      'networkidle',
      'commit',
      'networkidle0',
      'networkidle2',
      'complete',
    ]),
    default: taskValue<LoadState>('load'),
    defaultNeedsSupport: true,
    ...browserOnly('Load state to wait for (default: `load`).'),
    honouredBy: BROWSERS,
  }),
  page_actions: parsedOption({
    schema: Type.Array(placeholder<Readonly<Record<string, unknown>>>('PageAction', 'object'), {
      maxItems: 50,
    }),
    default: taskValue<readonly PageAction[]>([]),
    ...browserOnly('Actions to run in the page, in order.'),
    honouredBy: PLAYWRIGHT,
  }),
  screenshot: option({
    schema: Type.Boolean(),
    default: false,
    ...browserOnly('Take a screenshot.'),
    honouredBy: BROWSERS,
  }),
};

export type BrowserOptions = OptionValues<typeof BROWSER_OPTIONS>;
export const DEFAULT_BROWSER_OPTIONS: BrowserOptions = defaultValues(BROWSER_OPTIONS);

/**
 * The part of `timeout_ms` kept back for reading the page: waits and actions end before it. 10 %, but at least 1 s, at
 * most 5 s, and never more than a third (contract §1, `timeout_ms`).
 */
export function readReserveMs(timeoutMs: number): number {
  return Math.min(Math.max(timeoutMs / 10, 1000), 5000, timeoutMs / 3);
}
