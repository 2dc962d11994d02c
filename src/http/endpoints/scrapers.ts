import { Type } from 'typebox';
import { microToCurrency } from '../../base/numbers.ts';
import { BROWSER_TYPES } from '../../domain/browser-options.ts';
import { EFFORT_UNIT, type Prices } from '../../domain/cost.ts';
import { closed, orNull } from '../../domain/json-schema.ts';
import { schemaMembers } from '../../domain/option.ts';
import { honours, SCRAPER_OPTIONS } from '../../domain/scraper-options.ts';
import {
  type BuiltInScraper,
  isBrowser,
  SCRAPER_NAMES,
  SCRAPERS,
  type ScraperName,
} from '../../domain/scrapers.ts';
import type { BrowserReadiness, InstalledBrowser } from '../../domain/system.ts';
import { METHODS } from '../../domain/task.ts';
import { type VendorFacts, vendorHonours } from '../../domain/vendors.ts';
import { membersWithReferences } from '../../wire/schema/references.ts';
import { endpoint } from '../core/endpoint.ts';
import { json } from '../core/responses.ts';

const InstalledBrowserSchema = closed({
  browser_type: Type.Enum([...BROWSER_TYPES]),
  version: orNull(Type.String()),
  build_age_days: orNull(Type.Integer({ description: 'Days since the browser was built. null if unknown.' })),
  source: Type.Enum(['configured', 'installed', 'playwright', 'package'], {
    description: '`configured`: set by the operator. `package`: bundled with Sluice.',
  }),
  headless: Type.Boolean(),
  headed: Type.Boolean({ description: 'Whether it can run with `headless: false`.' }),
  used: Type.Boolean({
    description: 'Whether scrapes with this `browser_type` and `headless: true` use it.',
  }),
  reason: orNull(
    Type.String({
      description:
        'Why it is not used and which browser is used instead, or why it cannot run with `headless: false`.',
    }),
  ),
});

const ScraperList = closed(
  {
    cost_unit: Type.String({
      description: 'Currency set by the operator, or `effort` if no prices are configured.',
    }),
    items: Type.Array(
      closed({
        name: Type.String(),
        capabilities: closed({
          methods: Type.Array(Type.String()),
          javascript: Type.Boolean(),
          page_actions: Type.Boolean(),
          screenshot: Type.Boolean(),
          impersonation: Type.Boolean(),
        }),
        options: Type.Object(
          {},
          { additionalProperties: true, description: 'JSON Schema of `scraper_options` for this scraper.' },
        ),
        price: orNull(
          Type.Number({ minimum: 0, description: 'Price per attempt in `cost_unit`, without the proxy.' }),
        ),
        available: Type.Boolean(),
        reason: orNull(Type.String({ description: 'Why it is not available.' })),
      }),
    ),
    browsers: closed(
      {
        sandbox: Type.Enum(['on', 'off'], {
          description: '`off`: the operator has turned off the browser sandbox.',
        }),
        items: Type.Array(InstalledBrowserSchema, {
          description: 'Browsers on this machine, preferred ones first.',
        }),
      },
      { description: 'Browsers available to `scraper: browser`.' },
    ),
  },
  { title: 'ScraperList' },
);

/** @param names one scraper, or those that `auto` may choose from */
function capabilitiesOf(names: readonly BuiltInScraper[]) {
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

/** JSON Schema of the options that at least one of the scrapers supports. */
function optionsOf(names: readonly BuiltInScraper[]): object {
  const supported = Object.entries(schemaMembers(SCRAPER_OPTIONS)).filter(([option]) =>
    names.some((name) => honours(name, `/scraper_options/${option}`)),
  );
  return optionsSchema(supported);
}

function vendorItem(vendor: VendorFacts) {
  const { renders, methods, members } = vendor.capabilities;
  const honoured = Object.entries(schemaMembers(SCRAPER_OPTIONS)).filter(([option]) =>
    vendorHonours(vendor.capabilities, option),
  );
  const reason = vendor.isSpent() ? 'daily_cap' : vendor.resting();
  return {
    name: vendor.scraper,
    capabilities: {
      methods,
      javascript: renders,
      page_actions: members.has('/page_actions'),
      screenshot: members.has('/screenshot'),
      impersonation: true,
    },
    options: optionsSchema(honoured),
    price: vendor.usualPrice === null ? null : microToCurrency(vendor.usualPrice),
    available: reason === null,
    reason: reason === null ? null : `the vendor is left alone for a while: ${reason}`,
  };
}

const optionsSchema = (options: Parameters<typeof Object.fromEntries>[0]): object =>
  membersWithReferences(closed(Object.fromEntries(options)), (title) => ({ description: title }));

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
 * @param unavailableReason why a scraper is not available here; null if it is
 */
export function scrapersObject(
  unavailableReason: (name: ScraperName) => string | null,
  browsers: readonly InstalledBrowser[],
  { sandbox }: Pick<BrowserReadiness, 'sandbox'>,
  prices: Prices | null,
  vendors: readonly VendorFacts[] = [],
) {
  const available = SCRAPER_NAMES.filter((name) => unavailableReason(name) === null);
  const priceOf = (name: BuiltInScraper | 'auto'): number | null => {
    const price = name === 'auto' ? undefined : prices?.scrapers[name];
    return price === undefined ? null : microToCurrency(price);
  };
  const item = (name: BuiltInScraper | 'auto', names: readonly BuiltInScraper[], reason: string | null) => ({
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
      item('auto', available, available.length > 0 ? null : 'no scraper is available'),
      ...SCRAPER_NAMES.map((name) => item(name, [name], unavailableReason(name))),
      ...vendors.map(vendorItem),
    ],
    browsers: { sandbox, items: browsers.map(browserJson) },
  };
}

export const SCRAPER_LIST = [
  endpoint({
    method: 'get',
    path: '/api/v1/scrapers/',
    operationId: 'listScrapers',
    summary: 'List scrapers and browsers, and why some are unavailable',
    access: 'scope:read',
    responses: { 200: json('The scrapers.', ScraperList) },
    handler: async (_call, { pipeline, browsers, prices }) => {
      const anyTask = null;
      await pipeline.discover(anyTask);
      return scrapersObject(
        pipeline.unavailable,
        await browsers.list(),
        browsers.state(),
        prices,
        pipeline.vendors(),
      );
    },
  }),
];
