import { pointTo } from '../schema/pointer.ts';
import { asksFor } from './asks-for.ts';
import { BROWSER_OPTIONS } from './browser-options-schema.ts';
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
    note(asksOf(name, value), pointTo('/scraper_options', name));
  }
  return found;
}

function asksOf(name: string, value: unknown): boolean {
  // JavaScript is on by default, and 0° is a place like any other.
  if (name === 'javascript') return value === false;
  return name === 'geolocation' ? value !== undefined : asksFor(value);
}
