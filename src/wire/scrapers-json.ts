import { microToCurrency } from '../base/numbers.ts';
import { EFFORT_UNIT, type Prices } from '../domain/cost.ts';
import { METHODS } from '../domain/job.ts';
import { closed } from '../domain/json-schema.ts';
import { schemaMembers } from '../domain/option.ts';
import { honours, SCRAPER_OPTIONS } from '../domain/scraper-options.ts';
import { isBrowser, SCRAPER_NAMES, SCRAPERS, type ScraperName } from '../domain/scrapers.ts';
import type { BrowserReadiness, InstalledBrowser } from '../domain/system.ts';
import { componentized } from './openapi/components.ts';

/** @param names one scraper, or those that `auto` may choose from */
function capabilitiesOf(names: readonly ScraperName[]) {
  const browser = names.some(isBrowser);
  const allMethods = names.length === 0 || names.some((name) => SCRAPERS[name].allMethods);
  return {
    methods: allMethods ? METHODS : METHODS.filter((method) => method !== 'HEAD' && method !== 'OPTIONS'),
    javascript: browser,
    page_actions: browser,
    screenshot: browser,
    impersonation: names.some((name) => SCRAPERS[name].fingerprint > 0),
  };
}

function optionsOf(names: readonly ScraperName[]): unknown {
  const honoured = Object.entries(schemaMembers(SCRAPER_OPTIONS)).filter(([option]) =>
    names.some((name) => honours(name, `/scraper_options/${option}`)),
  );
  return componentized(closed(Object.fromEntries(honoured)), (title) => ({ description: title }));
}

const browserJson = ({
  type,
  version,
  ageDays,
  source,
  headless,
  headed,
  used,
  reason,
}: InstalledBrowser) => ({
  browser_type: type,
  version,
  build_age_days: ageDays,
  source,
  headless,
  headed,
  used,
  reason,
});

/**
 * The body of `GET /api/v1/scrapers/`.
 * @param reasonAgainst why a scraper cannot be used here; null: it can
 */
export function scrapersObject(
  reasonAgainst: (name: ScraperName) => string | null,
  browsers: readonly InstalledBrowser[],
  { sandbox }: Pick<BrowserReadiness, 'sandbox'>,
  prices: Prices | null,
) {
  const here = SCRAPER_NAMES.filter((name) => reasonAgainst(name) === null);
  const priceOf = (name: ScraperName | 'auto'): number | null => {
    const price = name === 'auto' ? undefined : prices?.scrapers[name];
    return price === undefined ? null : microToCurrency(price);
  };
  const line = (name: ScraperName | 'auto', names: readonly ScraperName[], reason: string | null) => ({
    name,
    capabilities: capabilitiesOf(names),
    options: optionsOf(names),
    price: priceOf(name),
    available: reason === null,
    reason,
  });
  return {
    cost_unit: prices?.currency ?? EFFORT_UNIT,
    items: [
      line('auto', here, here.length > 0 ? null : 'no scraper is available'),
      ...SCRAPER_NAMES.map((name) => line(name, [name], reasonAgainst(name))),
    ],
    browsers: { sandbox, items: browsers.map(browserJson) },
  };
}
