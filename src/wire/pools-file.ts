import { type Static, Type } from 'typebox';
import type { ExitPrice } from '../domain/cost.ts';
import { closed, isObject } from '../domain/json-schema.ts';
import type { Pool, PoolProxy, PoolServer, Pools, PoolTemplate, TemplateValues } from '../domain/pools.ts';
import { POOLED_TYPES } from '../domain/task.ts';
import { parseProxyUrl } from './proxy-url.ts';
import { addProblem, type Problems } from './schema/problems.ts';
import { parseSettingsText, withoutValues } from './schema/settings-text.ts';
import { checker } from './schema/validation.ts';

const Country = Type.String({
  pattern: '^[A-Za-z]{2}$',
  description: 'two letters (ISO 3166-1 alpha-2)',
});
const Price = (unit: string) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, description: `${unit}, in the currency of SLUICE_PRICES` });
const ProxyUrl = Type.String({
  maxLength: 4000,
  description:
    '`http://`, `https://`, `socks5://` or `socks5h://`, with user:password@ if need be, host and port; or `user:password@host:port` or `host:port:user:password`, of an HTTP proxy',
});

export const PoolSchema = closed(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$',
      description: 'letters, digits, `_`, `.`, `-`',
    }),
    type: Type.Enum([...POOLED_TYPES]),
    proxies: Type.Optional(
      Type.Array(
        Type.Union([
          ProxyUrl,
          closed({
            url: ProxyUrl,
            country: Type.Optional(Country),
            region: Type.Optional(Type.String({ maxLength: 100 })),
            city: Type.Optional(Type.String({ maxLength: 100 })),
          }),
        ]),
        { minItems: 1, maxItems: 20_000, description: 'A list of proxies. Either this or `template`.' },
      ),
    ),
    template: Type.Optional(
      Type.String({
        maxLength: 4000,
        description:
          'Gateway URL of a proxy provider with the placeholders {country} or {COUNTRY}, {region}, {city} and {session}. A part in [brackets] is left out if the request does not set its placeholder.',
      }),
    ),
    countries: Type.Optional(Type.Array(Country, { maxItems: 300, description: 'Countries of the exits.' })),
    price_per_gb: Type.Optional(Price('per 1,000,000,000 bytes sent and received')),
    price_per_request: Type.Optional(Price('per attempt')),
    concurrency_per_proxy: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100_000, description: 'concurrent attempts; others wait' }),
    ),
  },
  { title: 'Pool' },
);
export type PoolJson = Static<typeof PoolSchema>;

/** The file that `SLUICE_PROXIES` names, published as docs/proxies.schema.json. */
export const PoolsSchema = closed(
  {
    pools: Type.Array(PoolSchema, { maxItems: 1_000 }),
    allow_none: Type.Optional(
      Type.Boolean({ default: false, description: 'Whether callers may choose no proxy (`none`).' }),
    ),
  },
  { title: 'Proxy pools of Sluice' },
);

const PLACEHOLDER = /\{(country|COUNTRY|region|city|session)\}/g;
/** A part in brackets with a placeholder. */
const OPTIONAL_PART = /\[([^[\]]*\{[^[\]]*)\]/g;
const SAMPLE_VALUES: TemplateValues = { country: 'DE', region: 'a', city: 'a', session: 'a' };
type PlaceholderName = 'country' | 'region' | 'city' | 'session';

/** Parses a template, and tries it with and without its optional placeholders. An invalid one gives a message for the operator. */
function readTemplate(text: string): PoolTemplate | string {
  const unknown = /\{[^{}]*\}/.exec(text.replace(PLACEHOLDER, ''));
  if (unknown !== null) return 'supports only {country}, {COUNTRY}, {region}, {city} and {session}';
  const required = text.replace(OPTIONAL_PART, '');
  for (const name of ['region', 'city'])
    if (required.includes(`{${name}}`))
      return `must have {${name}} in [brackets]: not every request sets it; write \`[-${name}-{${name}}]\``;
  const placeholders = new Set<PlaceholderName>();
  for (const [, name] of text.matchAll(PLACEHOLDER)) placeholders.add(name!.toLowerCase() as PlaceholderName);
  for (const values of [SAMPLE_VALUES, { ...SAMPLE_VALUES, region: null, city: null }]) {
    const parsed = parseProxyUrl(fillTemplate(text, values));
    if (typeof parsed === 'string') return parsed;
  }
  // The URL is valid with all other values too, because they are percent-encoded.
  return { placeholders, server: (values) => parseProxyUrl(fillTemplate(text, values)) as PoolServer };
}

/** Whether `{country}` is outside of brackets. */
function requiresCountry(text: string): boolean {
  return /\{country\}/i.test(text.replace(OPTIONAL_PART, ''));
}

function fillTemplate(text: string, values: TemplateValues): string {
  const hasAllValues = (part: string) =>
    Array.from(part.matchAll(PLACEHOLDER)).every(([, name]) => placeholderValue(name!, values) !== null);
  return text
    .replace(OPTIONAL_PART, (_, part: string) => (hasAllValues(part) ? part : ''))
    .replace(PLACEHOLDER, (_, name: string) => placeholderValue(name, values) ?? '');
}

/** Proxy providers expect lower case, and `_` instead of spaces. */
function placeholderValue(name: string, values: TemplateValues): string | null {
  if (name === 'COUNTRY') return values.country;
  const value = values[name as PlaceholderName];
  if (value === null || name === 'session') return value;
  return encodeURIComponent(value.toLowerCase().replace(/ +/g, '_'));
}

type ParsedPools =
  | { readonly settings: Pools; readonly entries: readonly PoolJson[]; readonly problems: null }
  /** Each is one line without credentials. */
  | { readonly settings: null; readonly problems: readonly string[] };

const checkFile = checker(PoolsSchema);
const checkPool = checker(PoolSchema);

/** Parses the pools file (YAML or JSON). If it has problems, none of its pools are returned. Never throws. */
export function readPools(text: string): ParsedPools {
  const problems: string[] = [];
  const addMessages = (found: Problems) =>
    problems.push(...found.map(({ message }) => withoutValues(message)));
  const file = parseSettingsText(text, problems);
  if (problems.length > 0) return { settings: null, problems };
  const fileProblems: Problems = [];
  const list = isObject(file) && Array.isArray(file.pools) ? (file.pools as readonly unknown[]) : null;
  if (list === null) addProblem(fileProblems, '', 'must be an object with a list `pools`');
  // The pools are checked one by one below, because one check of them all would stop at `MAX_PROBLEMS`.
  else checkFile({ ...(file as object), pools: [] }, '', fileProblems);
  addMessages(fileProblems);
  const pools: Pool[] = [];
  const entries: PoolJson[] = [];
  const names = new Set<string>();
  list?.forEach((json, index) => {
    const poolProblems: Problems = [];
    const pointer = `/pools/${index}`;
    const pool = readPoolEntry(json, pointer, poolProblems);
    if (pool !== null) {
      if (names.has(pool.name))
        addProblem(poolProblems, `${pointer}/name`, 'is already the name of another pool');
      names.add(pool.name);
      pools.push(pool);
      entries.push(json as PoolJson);
    }
    addMessages(poolProblems);
  });
  if (problems.length > 0) return { settings: null, problems };
  const allowNone = (file as { readonly allow_none?: boolean }).allow_none === true;
  return { settings: { pools, allowNone }, entries, problems: null };
}

/** Checks one pool, as an entry of the file or of its own. @returns null: it does not match the schema. After any problem it must not be used */
export function readPoolEntry(json: unknown, pointer: string, problems: Problems): Pool | null {
  return checkPool(json, pointer, problems) ? readPool(json as PoolJson, pointer, problems) : null;
}

function readPool(json: PoolJson, pointer: string, problems: Problems): Pool {
  const { name, type, proxies, template, countries = [] } = json;
  if ((proxies === undefined) === (template === undefined))
    addProblem(problems, pointer, 'must have either `proxies` or `template`');
  const poolCountries = countries.map((country) => country.toUpperCase());
  const list = (proxies ?? []).map((proxy, index) =>
    readProxy(proxy, poolCountries, `${pointer}/proxies/${index}`, problems),
  );
  const earlierServers = new Set<string>();
  list.forEach(({ server }, index) => {
    const serverText = JSON.stringify([server, server.credentials?.read()]);
    if (earlierServers.has(serverText))
      addProblem(problems, `${pointer}/proxies/${index}`, 'is in the list twice');
    earlierServers.add(serverText);
  });
  const parsedTemplate = template === undefined ? null : readTemplate(template);
  if (typeof parsedTemplate === 'string') addProblem(problems, `${pointer}/template`, parsedTemplate);
  if (template !== undefined && poolCountries.length === 0 && requiresCountry(template))
    addProblem(
      problems,
      `${pointer}/countries`,
      'is needed: the template has a country that is not in [brackets]',
    );
  if (
    typeof parsedTemplate === 'object' &&
    parsedTemplate?.placeholders.has('country') === false &&
    poolCountries.length > 1
  )
    addProblem(problems, `${pointer}/template`, 'needs {country} to choose among several countries');
  return {
    name,
    type,
    proxies: list,
    template: typeof parsedTemplate === 'string' ? null : parsedTemplate,
    countries:
      poolCountries.length > 0 ? poolCountries : [...new Set(list.flatMap(({ country }) => country ?? []))],
    price: priceOf(json),
    concurrency: json.concurrency_per_proxy ?? null,
  };
}

type ProxyJson = NonNullable<PoolJson['proxies']>[number];

/** @param countries of the pool; if there is only one, it is the country of every proxy */
function readProxy(
  json: ProxyJson,
  countries: readonly string[],
  pointer: string,
  problems: Problems,
): PoolProxy {
  const { url, country, region, city } = typeof json === 'string' ? { url: json } : json;
  const server = parseProxyUrl(url);
  if (typeof server === 'string')
    addProblem(problems, typeof json === 'string' ? pointer : `${pointer}/url`, server);
  const proxyCountry = country?.toUpperCase() ?? (countries.length === 1 ? countries[0]! : null);
  if (proxyCountry === null && countries.length > 1)
    addProblem(problems, pointer, 'needs a `country` (as {url, country}): the pool has several');
  if (proxyCountry !== null && countries.length > 0 && !countries.includes(proxyCountry))
    addProblem(problems, `${pointer}/country`, 'is not one of the `countries` of the pool');
  // With a problem, the file is refused and the server is never used.
  return {
    server: typeof server === 'string' ? { kind: 'http', host: '', port: 0, credentials: null } : server,
    country: proxyCountry,
    region: region ?? null,
    city: city ?? null,
  };
}

function priceOf({ price_per_gb: perGb, price_per_request: perRequest }: PoolJson): ExitPrice | null {
  if (perGb === undefined && perRequest === undefined) return null;
  return { perGb: toMicro(perGb ?? 0), perRequest: toMicro(perRequest ?? 0) };
}

const toMicro = (price: number): number => Math.round(price * 1_000_000);
