import { METHODS, SCRAPER_NAMES, type ScraperName } from '../domain/job.ts';
import { componentized } from './openapi/components.ts';
import { BROWSER_OPTIONS, COMMON_OPTIONS, HTTP_OPTIONS } from './request/options-schema.ts';
import { closed } from './schema/build.ts';

const isBrowser = (name: ScraperName | 'auto'): boolean => name.startsWith('browser');

function capabilitiesOf(name: ScraperName | 'auto') {
  const browser = isBrowser(name) || name === 'auto';
  return {
    methods: isBrowser(name)
      ? METHODS.filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      : METHODS,
    javascript: browser,
    page_actions: browser,
    screenshot: browser,
    impersonation: name !== 'http',
  };
}

function optionsOf(name: ScraperName | 'auto'): unknown {
  const own =
    name === 'auto'
      ? { ...HTTP_OPTIONS, ...BROWSER_OPTIONS }
      : isBrowser(name)
        ? BROWSER_OPTIONS
        : HTTP_OPTIONS;
  return componentized(closed({ ...COMMON_OPTIONS, ...own }), (title) => ({ description: title }));
}

/**
 * The body of `GET /api/v1/scrapers/`.
 * @param reasonAgainst why a scraper cannot be used here; null: it can
 */
export function scrapersObject(reasonAgainst: (name: ScraperName) => string | null) {
  const reasons = SCRAPER_NAMES.map((name) => [name, reasonAgainst(name)] as const);
  const any = reasons.some(([, reason]) => reason === null);
  const all = [['auto', any ? null : 'no scraper is available'] as const, ...reasons];
  return {
    items: all.map(([name, reason]) => ({
      name,
      capabilities: capabilitiesOf(name),
      options: optionsOf(name),
      price: null,
      available: reason === null,
      reason,
    })),
  };
}
