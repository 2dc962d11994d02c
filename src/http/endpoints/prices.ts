import { closed, orNull } from '../../domain/json-schema.ts';
import { checkPrices, PricesBody, pricesJson } from '../../wire/prices.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import type { Problems } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json, nothing, problem } from '../core/responses.ts';
import { IN_FILE, Source } from '../operations/setting-entries.ts';

const VARIABLE = 'SLUICE_PRICES';
/** The setting that all prices are in. */
const NAME = 'all';

const PricesView = closed(
  { source: Source, prices: orNull(PricesBody, { description: 'null: nothing has a price.' }) },
  { title: 'PricesView' },
);

const EXAMPLE = {
  currency: 'EUR',
  scrapers: { http: 0, http_impersonate: 0.00001, browser: 0.0005 },
  direct: { price_per_gb: 0.01 },
};

const BODY = jsonBody(PricesBody, {
  examples: { usual: EXAMPLE },
  read: (body: JsonObject, problems: Problems): PricesBody => {
    const prices = body as unknown as PricesBody;
    checkPrices(prices, problems);
    return prices;
  },
});

/** @throws Refusal if the prices are in a file */
function refuseFile({ currentPrices }: Pick<EndpointDeps, 'currentPrices'>): void {
  if (currentPrices.isInFile)
    throw Refusal.of('settings.file', `${VARIABLE} is set: edit that file, and restart Sluice.`);
}

const view = ({ currentPrices }: Pick<EndpointDeps, 'currentPrices'>) => {
  const prices = currentPrices.current();
  return {
    source: currentPrices.isInFile ? ('file' as const) : ('database' as const),
    prices: prices === null ? null : pricesJson(prices),
  };
};

export const PRICES = [
  endpoint({
    method: 'get',
    path: '/api/v1/prices/',
    operationId: 'getPrices',
    summary: 'Get the prices',
    description: 'Prices of scrapers, of the own connection and of the language model. For administrators.',
    access: 'role:admin',
    responses: { 200: json('The prices.', PricesView) },
    handler: (_call, deps) => view(deps),
  }),
  endpoint({
    method: 'put',
    path: '/api/v1/prices/',
    operationId: 'setPrices',
    summary: 'Set the prices',
    description:
      'Replaces all of them. They hold for what is fetched from now on, here at once and on other replicas within about a second. What was counted keeps its cost; with another currency it counts as unpriced. For administrators.',
    access: 'role:admin',
    body: BODY,
    responses: { 200: json('The prices.', PricesView), 409: IN_FILE(VARIABLE) },
    audit: () => ({ action: 'prices.changed', target: null }),
    handler: async ({ body }, deps) => {
      refuseFile(deps);
      const { settings } = deps;
      const json = { ...body };
      // Another replica may create or remove them at the same time.
      for (;;) {
        if ((await settings.change('prices', NAME, () => json)) !== null) return view(deps);
        if ((await settings.create('prices', { name: NAME, json }, 1)) === 'created') return view(deps);
      }
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/prices/',
    operationId: 'deletePrices',
    summary: 'Remove the prices',
    description: 'Costs are not known from then on. Vendors with prices are not used, and tell so.',
    access: 'role:admin',
    responses: {
      204: nothing('Removed.'),
      404: problem('There are none: `request.not_found`.'),
      409: IN_FILE(VARIABLE),
    },
    audit: () => ({ action: 'prices.deleted', target: null }),
    handler: async (_call, deps) => {
      refuseFile(deps);
      if (!(await deps.settings.delete('prices', NAME)))
        throw Refusal.of('request.not_found', 'There are no prices.');
    },
  }),
];
