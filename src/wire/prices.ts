import { type Static, Type } from 'typebox';
import { type MicroUnits, microToCurrency } from '../base/numbers.ts';
import type { Prices } from '../domain/cost.ts';
import { closed, orNull } from '../domain/json-schema.ts';
import { SCRAPER_NAMES } from '../domain/scrapers.ts';
import { addProblem, type Problems } from './schema/problems.ts';

const MICRO = 1_000_000;
const MAX_PRICE = 1_000_000;
const Price = Type.Number({ minimum: 0, maximum: MAX_PRICE });

/** Prices as the API has them: the members of the file of `SLUICE_PRICES`. */
export const PriceMembers = {
  currency: Type.String({
    pattern: '^[A-Za-z][A-Za-z0-9_-]{0,15}$',
    description: 'A word such as EUR, and not `effort`. It is the `cost_unit` of responses.',
  }),
  scrapers: closed(Object.fromEntries(SCRAPER_NAMES.map((name) => [name, Type.Optional(Price)])), {
    description: 'Price of an attempt by each scraper. One that is left out has no price.',
  }),
  direct: Type.Optional(
    orNull(closed({ price_per_request: Type.Optional(Price), price_per_gb: Type.Optional(Price) }), {
      description:
        'Prices of the own connection of the service: of an attempt, and of 10⁹ bytes both ways. Default: 0.',
    }),
  ),
  model: Type.Optional(
    orNull(closed({ price_per_million_tokens_in: Price, price_per_million_tokens_out: Price }), {
      description: 'Prices of the language model. null: it has none.',
    }),
  ),
};

export const PricesBody = closed(PriceMembers, {
  title: 'Prices',
  description: 'Prices have at most 6 decimals.',
});
export type PricesBody = Static<typeof PricesBody>;

const micro = (price: number | undefined): MicroUnits => Math.round((price ?? 0) * MICRO);

/** Adds what the schema does not say. */
export function checkPrices({ currency, scrapers, direct, model }: PricesBody, problems: Problems): void {
  if (currency.toLowerCase() === 'effort') addProblem(problems, '/currency', 'must not be effort');
  if (Object.keys(scrapers).length === 0)
    addProblem(problems, '/scrapers', 'must contain the price of at least one scraper');
  for (const [member, prices] of Object.entries({ scrapers, direct, model }))
    for (const [name, price] of Object.entries((prices ?? {}) as Readonly<Record<string, number>>))
      if (micro(price) / MICRO !== price)
        addProblem(problems, `/${member}/${name}`, 'must have at most 6 decimals');
}

/** @param json as `PricesBody` */
export function pricesOf(json: object): Prices {
  const { currency, scrapers, direct, model } = json as PricesBody;
  return Object.freeze({
    currency,
    scrapers: Object.freeze(
      Object.fromEntries(
        Object.entries(scrapers as Readonly<Record<string, number>>).map(([name, price]) => [
          name,
          micro(price),
        ]),
      ),
    ),
    direct: Object.freeze({
      perRequest: micro(direct?.price_per_request),
      perGb: micro(direct?.price_per_gb),
    }),
    ...(model == null
      ? {}
      : {
          model: {
            tokensIn: micro(model.price_per_million_tokens_in),
            tokensOut: micro(model.price_per_million_tokens_out),
          },
        }),
  });
}

/** Prices as the API has them. */
export const pricesJson = ({ currency, scrapers, direct, model }: Prices) => ({
  currency,
  scrapers: Object.fromEntries(
    Object.entries(scrapers).map(([name, price]) => [name, microToCurrency(price)]),
  ),
  direct: {
    price_per_request: microToCurrency(direct.perRequest),
    price_per_gb: microToCurrency(direct.perGb),
  },
  model:
    model === undefined
      ? null
      : {
          price_per_million_tokens_in: microToCurrency(model.tokensIn),
          price_per_million_tokens_out: microToCurrency(model.tokensOut),
        },
});
