import type { FoundBrowser } from '../../../src/browser/engine/found-browser.ts';
import { chromiums } from './stage.ts';

/**
 * The browsers that a test for each browser takes: only the bundled headless shell, because full browsers take three times as
 * long, or the first one if it does not run here. With LONG=1, every Chromium of this machine.
 */
export async function testedChromiums(): Promise<readonly FoundBrowser[]> {
  const all = await chromiums();
  if (process.env.LONG === '1') return all;
  const chosen = all.find(({ source }) => source === 'package') ?? all[0];
  return chosen === undefined ? [] : [chosen];
}
