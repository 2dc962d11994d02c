import type { PoolJson } from './pools-file.ts';
import { normaliseProxyUrl } from './proxy-url.ts';
import type { JsonObject } from './schema/body-parser.ts';
import { addProblem, type Problems } from './schema/problems.ts';

/** Stands for credentials, in responses; and in requests for those that are stored. */
export const MASK = '***';
const HAS_MASK = /:\/\/\*\*\*@/;

/** The URL of a proxy, or a template, with `***` in the place of user and password. */
export function maskProxyUrl(url: string): string {
  const text = normaliseProxyUrl(url);
  const at = text.lastIndexOf('@');
  if (at === -1) return text;
  const scheme = text.slice(0, text.indexOf('://') + 3);
  return `${scheme}${MASK}${text.slice(at)}`;
}

type ProxyJson = NonNullable<PoolJson['proxies']>[number];

const urlOf = (proxy: ProxyJson): string => (typeof proxy === 'string' ? proxy : proxy.url);
const withUrl = (proxy: ProxyJson, url: string): ProxyJson =>
  typeof proxy === 'string' ? url : { ...proxy, url };

/** The entry of a pool without credentials. */
export function maskPool<P extends Pick<PoolJson, 'proxies' | 'template'>>(pool: P): P {
  const { proxies, template } = pool;
  return {
    ...pool,
    ...(proxies !== undefined && {
      proxies: proxies.map((proxy) => withUrl(proxy, maskProxyUrl(urlOf(proxy)))),
    }),
    ...(template !== undefined && { template: maskProxyUrl(template) }),
  };
}

/**
 * Puts the stored credentials in the place of `***`. Of proxies with the same address, the first masked one gets the credentials of
 * the first stored one, and so on; so all of them must be there, or none.
 * @param pool an entry that matches the schema
 */
export function unmaskPool<P extends Pick<PoolJson, 'proxies' | 'template'>>(
  pool: P,
  stored: Pick<PoolJson, 'proxies' | 'template'>,
  problems: Problems,
): P {
  const { proxies, template } = pool;
  return {
    ...pool,
    ...(proxies !== undefined && { proxies: unmaskProxies(proxies, stored.proxies ?? [], problems) }),
    ...(template !== undefined && { template: unmaskTemplate(template, stored.template ?? null, problems) }),
  };
}

function unmaskProxies(
  proxies: readonly ProxyJson[],
  stored: readonly ProxyJson[],
  problems: Problems,
): ProxyJson[] {
  const storedUrls = Map.groupBy(stored.map(urlOf), maskProxyUrl);
  const masked = Map.groupBy(proxies.map(urlOf), (url) => url);
  const used = new Map<string, number>();
  return proxies.map((proxy, index) => {
    const url = urlOf(proxy);
    if (!HAS_MASK.test(url)) return proxy;
    const pointer = typeof proxy === 'string' ? `/proxies/${index}` : `/proxies/${index}/url`;
    const known = storedUrls.get(url) ?? [];
    if (known.length === 0) addProblem(problems, pointer, UNKNOWN_MASK);
    else if (masked.get(url)!.length !== known.length)
      addProblem(
        problems,
        pointer,
        `has ${MASK}, but the number of stored proxies with this address is ${known.length}: send the credentials of each`,
      );
    const n = used.get(url) ?? 0;
    used.set(url, n + 1);
    return withUrl(proxy, known[n] ?? url);
  });
}

const UNKNOWN_MASK = `has ${MASK} in the place of credentials, but no stored proxy has this address: send the credentials`;

function unmaskTemplate(template: string, stored: string | null, problems: Problems): string {
  if (!HAS_MASK.test(template)) return template;
  if (stored !== null && maskProxyUrl(stored) === template) return stored;
  addProblem(problems, '/template', UNKNOWN_MASK);
  return template;
}

/** The entry of a vendor without its key. */
export const maskVendor = (vendor: JsonObject): JsonObject =>
  vendor.key === undefined ? vendor : { ...vendor, key: MASK };

/** What a change makes of an entry: members that are null are removed. */
export function mergeMembers(entry: JsonObject, change: JsonObject): JsonObject {
  const merged = { ...entry, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
