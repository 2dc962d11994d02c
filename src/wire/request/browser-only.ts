import { pointTo } from '../schema/pointer.ts';
import { BROWSER_OPTIONS } from './options-schema.ts';
import type { ScrapeRequest } from './request-schema.ts';

const OPTION_NAMES = Object.keys(BROWSER_OPTIONS);

/** Pointers of the members that only a browser can honour and that ask for something (contract §1). */
export function browserOnlyAsks(request: ScrapeRequest): readonly string[] {
  const options = request.scraper_options;
  const found: string[] = [];
  const note = (asks: boolean, at: string) => {
    if (asks) found.push(at);
  };
  note(request.browser_type !== undefined, '/browser_type');
  note(request.headless === false, '/headless');
  note(asksFor(request.wait_for_selector), '/wait_for_selector');
  note(asksFor(request.wait_for_timeout_ms), '/wait_for_timeout_ms');
  note(request.wait_for_load_state !== undefined, '/wait_for_load_state');
  note(asksFor(request.page_actions), '/page_actions');
  note(asksFor(request.screenshot), '/screenshot');
  if (options === undefined) return found;
  for (const name of OPTION_NAMES) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    // JavaScript is on by default: `false` is what asks for something.
    note(name === 'javascript' ? value === false : asksFor(value), pointTo('/scraper_options', name));
  }
  return found;
}

/** False for what asks for nothing: absent, false, 0, empty, and objects of nothing else. */
export function asksFor(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.values(value).some(asksFor);
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}
