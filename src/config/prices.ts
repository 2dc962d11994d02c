import { createRequire } from 'node:module';
import type { MicroUnits } from '../base/numbers.ts';
import type { Prices } from '../domain/cost.ts';
import { SCRAPER_NAMES, type ScraperName } from '../domain/scrapers.ts';
import { invalid, type ParsedVariable, valid } from './parsers.ts';

const MILLION = 1_000_000;
const MOST = 1_000_000;
const CURRENCY = /^[A-Za-z][A-Za-z0-9_-]{0,15}$/;

/** The file of `SLUICE_PRICES`, YAML or JSON: the list, or all that is wrong with it. */
export function prices(text: string): ParsedVariable<Prices> {
  let file: unknown;
  try {
    // Only when there is such a file: it would take a tenth of the time of a start.
    const { parse }: typeof import('yaml') = createRequire(import.meta.url)('yaml');
    file = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    return invalid(`must name a file in YAML or JSON; ${firstLine(error)}`);
  }
  const problems: string[] = [];
  const top = members(file, 'the file', ['currency', 'scrapers', 'direct'], problems);
  const scrapers = members(top.scrapers, 'scrapers', SCRAPER_NAMES, problems);
  const direct = members(top.direct, 'direct', ['price_per_request', 'price_per_gb'], problems);
  const { currency } = top;
  if (typeof currency !== 'string' || !CURRENCY.test(currency) || currency.toLowerCase() === 'effort')
    problems.push('`currency` must be a word such as EUR, of at most 16 characters, and not "effort"');
  if (top.scrapers === undefined) problems.push('`scrapers` must contain the price of at least one scraper');
  const priced: Partial<Record<ScraperName, MicroUnits>> = {};
  for (const name of SCRAPER_NAMES)
    if (scrapers[name] !== undefined) priced[name] = micro(scrapers[name], `scrapers.${name}`, problems);
  const list: Prices = {
    currency: String(currency),
    scrapers: Object.freeze(priced),
    direct: Object.freeze({
      perRequest: micro(direct.price_per_request ?? 0, 'direct.price_per_request', problems),
      perGb: micro(direct.price_per_gb ?? 0, 'direct.price_per_gb', problems),
    }),
  };
  return problems.length === 0 ? valid(Object.freeze(list)) : invalid(problems.join('; '));
}

function members(
  given: unknown,
  where: string,
  allowed: readonly string[],
  problems: string[],
): Readonly<Record<string, unknown>> {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    problems.push(`${where} must contain ${allowed.join(', ')}`);
    return {};
  }
  for (const name of Object.keys(given))
    if (!allowed.includes(name))
      problems.push(
        `${where} has no member ${JSON.stringify(name.slice(0, 40))}, only ${allowed.join(', ')}`,
      );
  return given as Readonly<Record<string, unknown>>;
}

function micro(given: unknown, where: string, problems: string[]): MicroUnits {
  const whole = typeof given === 'number' ? Math.round(given * MILLION) : Number.NaN;
  if (whole >= 0 && whole <= MOST * MILLION && whole / MILLION === given) return whole;
  problems.push(`\`${where}\` must be a number from 0 to ${MOST} with at most 6 decimals`);
  return 0;
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
}
