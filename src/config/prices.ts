import { createRequire } from 'node:module';
import type { MicroUnits } from '../base/numbers.ts';
import type { Prices } from '../domain/cost.ts';
import { type BuiltInScraper, SCRAPER_NAMES } from '../domain/scrapers.ts';
import { invalid, type ParsedVariable, valid } from './parsers.ts';

/** Micro-units in a unit of the currency. */
const MICRO = 1_000_000;
const MAX_PRICE = 1_000_000;
const CURRENCY = /^[A-Za-z][A-Za-z0-9_-]{0,15}$/;

/** Parses the file of `SLUICE_PRICES` (YAML or JSON). The message names everything that is wrong in it. */
export function parsePrices(text: string): ParsedVariable<Prices> {
  let file: unknown;
  try {
    // Loaded only if there is such a file, because loading `yaml` takes a tenth of the time of a start.
    const { parse }: typeof import('yaml') = createRequire(import.meta.url)('yaml');
    file = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    return invalid(`must name a file in YAML or JSON; ${firstLine(error)}`);
  }
  const problems: string[] = [];
  const top = readMembers(file, 'the file', ['currency', 'scrapers', 'direct', 'model'], problems);
  const scrapers = readMembers(top.scrapers, 'scrapers', SCRAPER_NAMES, problems);
  const direct = readMembers(top.direct, 'direct', ['price_per_request', 'price_per_gb'], problems);
  const modelNames = ['price_per_million_tokens_in', 'price_per_million_tokens_out'];
  const model = readMembers(top.model, 'model', modelNames, problems);
  const modelPrice = (name: string) => readPrice(model[name], `model.${name}`, problems);
  const { currency } = top;
  if (typeof currency !== 'string' || !CURRENCY.test(currency) || currency.toLowerCase() === 'effort')
    problems.push('`currency` must be a word such as EUR, of at most 16 characters, and not "effort"');
  if (top.scrapers === undefined) problems.push('`scrapers` must contain the price of at least one scraper');
  const scraperPrices: Partial<Record<BuiltInScraper, MicroUnits>> = {};
  for (const name of SCRAPER_NAMES)
    if (scrapers[name] !== undefined)
      scraperPrices[name] = readPrice(scrapers[name], `scrapers.${name}`, problems);
  const prices: Prices = {
    currency: String(currency),
    scrapers: Object.freeze(scraperPrices),
    direct: Object.freeze({
      perRequest: readPrice(direct.price_per_request ?? 0, 'direct.price_per_request', problems),
      perGb: readPrice(direct.price_per_gb ?? 0, 'direct.price_per_gb', problems),
    }),
    ...(top.model === undefined
      ? {}
      : {
          model: {
            tokensIn: modelPrice('price_per_million_tokens_in'),
            tokensOut: modelPrice('price_per_million_tokens_out'),
          },
        }),
  };
  return problems.length === 0 ? valid(Object.freeze(prices)) : invalid(problems.join('; '));
}

/** The members of the object at `path` in the file; empty if there is none. Problems are added to `problems`. */
function readMembers(
  value: unknown,
  path: string,
  allowed: readonly string[],
  problems: string[],
): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(`${path} must contain ${allowed.join(', ')}`);
    return {};
  }
  for (const name of Object.keys(value))
    if (!allowed.includes(name))
      problems.push(`${path} has no member ${JSON.stringify(name.slice(0, 40))}, only ${allowed.join(', ')}`);
  return value as Readonly<Record<string, unknown>>;
}

function readPrice(value: unknown, path: string, problems: string[]): MicroUnits {
  const micro = typeof value === 'number' ? Math.round(value * MICRO) : Number.NaN;
  if (micro >= 0 && micro <= MAX_PRICE * MICRO && micro / MICRO === value) return micro;
  problems.push(`\`${path}\` must be a number from 0 to ${MAX_PRICE} with at most 6 decimals`);
  return 0;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
}
