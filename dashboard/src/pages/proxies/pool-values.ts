import { t } from '@lingui/core/macro';
import type { Schema } from '../../api/client.ts';
import type { PoolPatch, PoolSettings } from '../../api/proxies.ts';

type PoolBody = Schema<'Pool'>;
type Proxy = NonNullable<PoolBody['proxies']>[number];

/** The fields of the form. Numbers are '' if they are not set. */
export interface PoolValues {
  readonly name: string;
  readonly type: PoolBody['type'];
  readonly source: 'list' | 'gateway';
  /** A proxy on each line, with its country, region and city if need be: `URL DE, Bavaria, Munich`. */
  readonly proxies: string;
  readonly template: string;
  /** Separated by commas or spaces. */
  readonly countries: string;
  readonly price_per_gb: number | '';
  readonly price_per_request: number | '';
  readonly concurrency_per_proxy: number | '';
}

/** Members of the API whose messages are shown at a field. */
export const POOL_FIELDS = [
  'name',
  'type',
  'proxies',
  'template',
  'countries',
  'price_per_gb',
  'price_per_request',
  'concurrency_per_proxy',
] as const;

/** @param pool null: a new one */
export function poolValues(pool: PoolSettings | null): PoolValues {
  return {
    name: pool?.name ?? '',
    type: pool?.type ?? 'datacenter',
    source: pool?.template === undefined ? 'list' : 'gateway',
    proxies: (pool?.proxies ?? []).map(lineOf).join('\n'),
    template: pool?.template ?? '',
    countries: (pool?.countries ?? []).join(', '),
    price_per_gb: pool?.price_per_gb ?? '',
    price_per_request: pool?.price_per_request ?? '',
    concurrency_per_proxy: pool?.concurrency_per_proxy ?? '',
  };
}

function lineOf(proxy: Proxy): string {
  if (typeof proxy === 'string') return proxy;
  const { url, country = '', region = '', city = '' } = proxy;
  return `${url} ${[country, region, city].join(', ')}`.replace(/[, ]+$/, '');
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function proxyOf(line: string): Proxy {
  const space = line.search(/\s/);
  if (space === -1) return line;
  const [country, region, city] = line
    .slice(space)
    .split(',')
    .map((part) => part.trim());
  return {
    url: line.slice(0, space),
    ...(country ? { country } : {}),
    ...(region ? { region } : {}),
    ...(city ? { city } : {}),
  };
}

/** The number of the first line that has more than a country, region and city; null: there is none. */
const badLine = (text: string): number | null => {
  const index = linesOf(text).findIndex((line) => line.split(',').length > 3 && /\s/.test(line));
  return index === -1 ? null : index + 1;
};

/** The option `validate` of the form. */
export const poolRules = {
  name: (name: string) => (name.trim() === '' ? t`Enter a name.` : null),
  proxies: (text: string, { source }: PoolValues) => {
    if (source === 'gateway') return null;
    if (linesOf(text).length === 0) return t`Enter at least one proxy.`;
    const line = badLine(text);
    return line === null ? null : t`Proxy ${line} has more than a country, a region and a city.`;
  },
  template: (template: string, { source }: PoolValues) =>
    source === 'gateway' && template.trim() === '' ? t`Enter the URL of the gateway.` : null,
};

/** The pool that the form describes. */
export function poolBody(values: PoolValues): PoolBody {
  const { name, type, source, proxies, template, countries } = values;
  const codes = countries.split(/[\s,]+/).filter((code) => code !== '');
  return {
    name: name.trim(),
    type,
    ...(source === 'list' ? { proxies: linesOf(proxies).map(proxyOf) } : { template: template.trim() }),
    ...(codes.length === 0 ? {} : { countries: codes.map((code) => code.toUpperCase()) }),
    ...numberOf('price_per_gb', values),
    ...numberOf('price_per_request', values),
    ...numberOf('concurrency_per_proxy', values),
  };
}

const numberOf = <Name extends 'price_per_gb' | 'price_per_request' | 'concurrency_per_proxy'>(
  name: Name,
  { [name]: value }: PoolValues,
): { readonly [Member in Name]?: number } =>
  (value === '' ? {} : { [name]: value }) as { readonly [Member in Name]?: number };

/** Only the members that differ; those that are gone are null. */
export function poolChange(before: PoolSettings, values: PoolValues): PoolPatch {
  // Both have gone through the form, so that what nobody touched is equal.
  const old: Readonly<Record<string, unknown>> = poolBody(poolValues(before));
  const { name: _, ...next } = poolBody(values);
  const members = POOL_FIELDS.filter((member) => member !== 'name');
  return Object.fromEntries(
    members.flatMap((member) => {
      const value = next[member];
      if (JSON.stringify(value) === JSON.stringify(old[member])) return [];
      return [[member, value ?? null]];
    }),
  );
}
