import { createRequire } from 'node:module';
import type { Pool, PoolProxy, Pools } from '../../domain/pools.ts';
import type { ExitPrice } from '../../domain/prices.ts';
import { parseProxyUrl } from '../proxy-url.ts';
import { isObject } from '../schema/build.ts';
import { checker } from '../schema/checker.ts';
import { type Problems, wrong } from '../schema/problems.ts';
import { type PoolJson, PoolSchema, PoolsSchema } from './pools-schema.ts';
import { needsCountry, readTemplate } from './template.ts';

export type ReadPools =
  | { readonly pools: Pools; readonly problems: null }
  /** One line each; none holds a credential. */
  | { readonly pools: null; readonly problems: readonly string[] };

const checkFile = checker(PoolsSchema);
const checkPool = checker(PoolSchema);

/** The file of pools, YAML or JSON: whole, or everything that is wrong with it. Never throws. */
export function readPools(text: string): ReadPools {
  const problems: string[] = [];
  const take = (found: Problems) => problems.push(...found.map(({ message }) => withoutValues(message)));
  const file = parseText(text, problems);
  if (problems.length > 0) return { pools: null, problems };
  const outer: Problems = [];
  const list = isObject(file) && Array.isArray(file.pools) ? (file.pools as readonly unknown[]) : null;
  if (list === null) wrong(outer, '', 'must be an object with a list `pools`');
  else checkFile({ ...(file as object), pools: [] }, '', outer);
  take(outer);
  const pools: Pool[] = [];
  const names = new Set<string>();
  list?.forEach((json, at) => {
    const found: Problems = [];
    const place = `/pools/${at}`;
    if (checkPool(json, place, found)) {
      const pool = json as PoolJson;
      if (names.has(pool.name)) wrong(found, `${place}/name`, 'is already the name of another pool');
      names.add(pool.name);
      pools.push(readPool(pool, place, found));
    }
    take(found);
  });
  if (problems.length > 0) return { pools: null, problems };
  const allowNone = (file as { readonly allow_none?: boolean }).allow_none === true;
  return { pools: { pools, allowNone }, problems: null };
}

/** JSON is YAML, too. Texts of the parser are not passed on: they quote the file. */
function parseText(text: string, problems: string[]): unknown {
  // Only when there is such a file: most starts go without.
  const { LineCounter, parseDocument, visit }: typeof import('yaml') = createRequire(import.meta.url)('yaml');
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
  for (const { code, pos } of document.errors.slice(0, 10))
    problems.push(`line ${lineCounter.linePos(pos[0]).line} is not YAML (${code.toLowerCase()})`);
  if (problems.length > 0) return null;
  let aliases = 0;
  visit(document, {
    Alias() {
      aliases++;
    },
  });
  if (aliases > 0) problems.push('has aliases (`*name`), which are not supported');
  return aliases > 0 ? null : document.toJS();
}

function readPool(json: PoolJson, at: string, problems: Problems): Pool {
  const { name, type, proxies, template, countries = [] } = json;
  if ((proxies === undefined) === (template === undefined))
    wrong(problems, at, 'must have either `proxies` or `template`');
  const upper = countries.map((country) => country.toUpperCase());
  const list = (proxies ?? []).map((one, nth) => readProxy(one, upper, `${at}/proxies/${nth}`, problems));
  const seen = new Set<string>();
  list.forEach(({ server }, nth) => {
    const key = JSON.stringify([server, server.credentials?.read()]);
    if (seen.has(key)) wrong(problems, `${at}/proxies/${nth}`, 'is in the list twice');
    seen.add(key);
  });
  const gate = template === undefined ? null : readTemplate(template);
  if (typeof gate === 'string') wrong(problems, `${at}/template`, gate);
  if (template !== undefined && upper.length === 0 && needsCountry(template))
    wrong(problems, `${at}/countries`, 'is needed: the template has a country that is not in [brackets]');
  if (typeof gate === 'object' && gate?.takes.has('country') === false && upper.length > 1)
    wrong(problems, `${at}/template`, 'needs {country} to choose among several countries');
  return {
    name,
    type,
    proxies: list,
    template: typeof gate === 'string' ? null : gate,
    countries: upper.length > 0 ? upper : [...new Set(list.flatMap(({ country }) => country ?? []))],
    price: priceOf(json),
    concurrency: json.concurrency_per_proxy ?? null,
  };
}

type ProxyJson = NonNullable<PoolJson['proxies']>[number];

function readProxy(json: ProxyJson, countries: readonly string[], at: string, problems: Problems): PoolProxy {
  const { url, country, region, city } = typeof json === 'string' ? { url: json } : json;
  const server = parseProxyUrl(url);
  if (typeof server === 'string') wrong(problems, typeof json === 'string' ? at : `${at}/url`, server);
  const own = country?.toUpperCase() ?? (countries.length === 1 ? countries[0]! : null);
  if (own === null && countries.length > 1)
    wrong(problems, at, 'needs a `country` (as {url, country}): the pool has several');
  if (own !== null && countries.length > 0 && !countries.includes(own))
    wrong(problems, `${at}/country`, 'is not one of the `countries` of the pool');
  return {
    server: typeof server === 'string' ? { kind: 'http', host: '', port: 0, credentials: null } : server,
    country: own,
    region: region ?? null,
    city: city ?? null,
  };
}

function priceOf({ price_per_gb: perGb, price_per_request: perRequest }: PoolJson): ExitPrice | null {
  if (perGb === undefined && perRequest === undefined) return null;
  return { perGb: micro(perGb ?? 0), perRequest: micro(perRequest ?? 0) };
}

const micro = (price: number): number => Math.round(price * 1_000_000);

/** What was given may be a URL with a password. */
function withoutValues(message: string): string {
  return message.replace(/, got .*$/s, '');
}
