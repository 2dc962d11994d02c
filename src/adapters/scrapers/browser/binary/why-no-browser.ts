import type { BrowserType, FoundBrowser } from './found-browser.ts';

/** For the text of a refusal: what there is, or why there is nothing. */
export function whyNoBrowser(type: BrowserType, headless: boolean, all: readonly FoundBrowser[]): string {
  const wanted = `${type}${headless ? '' : ' with a window (headless: false)'}`;
  const reasons = all.filter((one) => one.type === type && one.reason !== null).map((one) => one.reason);
  const why = reasons.length === 0 ? 'it is not installed' : [...new Set(reasons)].join('; ');
  const usable = all.filter((one) => one.headless || one.headed);
  const here = usable.map((one) => `${one.type} ${one.version}${one.headed ? '' : ' (headless only)'}`);
  const rest = here.length === 0 ? 'none' : here.join(', ');
  return `The browser ${wanted} is not available here: ${why}. Available: ${rest}.`;
}
