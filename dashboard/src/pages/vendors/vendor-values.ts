import { t } from '@lingui/core/macro';
import type { Vendor, VendorCreate, VendorPatch } from '../../api/vendors.ts';

type ProxyType = NonNullable<VendorCreate['proxy_types']>[number];
export type PriceOf = 'none' | 'per_request' | 'per_success' | 'per_credit';

/** The fields of the form. Numbers are '' if they are not set. */
export interface VendorValues {
  readonly name: string;
  readonly kind: VendorCreate['kind'];
  /** '': the stored key stays, if there is one. */
  readonly key: string;
  readonly removes_key: boolean;
  /** '': the kind's own. */
  readonly base_url: string;
  readonly auto: boolean;
  readonly price_of: PriceOf;
  readonly price: number | '';
  readonly daily_cap: number | '';
  readonly concurrency: number | '';
  /** Empty: those of the kind. */
  readonly proxy_types: ProxyType[];
  /** JSON; '' if there are none. */
  readonly options: string;
}

/** Members of the API whose messages are shown at a field. */
export const VENDOR_FIELDS = [
  'name',
  'kind',
  'key',
  'base_url',
  'price',
  'daily_cap',
  'concurrency',
  'proxy_types',
  'options',
] as const;

/** @param vendor null: a new one */
export function vendorValues(vendor: Vendor | null): VendorValues {
  const [priceOf, price] = Object.entries(vendor?.price ?? {})[0] ?? ['none', '' as const];
  return {
    name: vendor?.name ?? '',
    kind: vendor?.kind ?? 'zyte',
    key: '',
    removes_key: false,
    base_url: vendor?.base_url ?? '',
    auto: vendor?.auto ?? false,
    price_of: priceOf as PriceOf,
    price,
    daily_cap: vendor?.daily_cap ?? '',
    concurrency: vendor?.concurrency ?? '',
    proxy_types: vendor?.proxy_types ?? [],
    options: vendor?.options === undefined ? '' : JSON.stringify(vendor.options, null, 2),
  };
}

/** Literal braces would be placeholders of the text. */
const OPTIONS_EXAMPLE = '{"render": false}';

/** The option `validate` of the form. */
export const vendorRules = {
  name: (name: string) => (name.trim() === '' ? t`Enter a name.` : null),
  price: (price: number | '', { price_of }: VendorValues) =>
    price_of !== 'none' && price === '' ? t`Enter the price.` : null,
  options: (text: string) =>
    text.trim() === '' || isObject(parsed(text)) ? null : t`Enter a JSON object, such as ${OPTIONS_EXAMPLE}.`,
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The vendor that the form describes; without its key if none was typed. */
export function vendorBody(values: VendorValues): VendorCreate {
  const { price_of: priceOf, price, options, proxy_types: types } = values;
  return {
    name: values.name.trim(),
    kind: values.kind,
    auto: values.auto,
    ...(values.key === '' ? {} : { key: values.key }),
    ...(values.base_url.trim() === '' ? {} : { base_url: values.base_url.trim() }),
    ...(priceOf === 'none' || price === '' ? {} : { price: { [priceOf]: price } }),
    ...(values.daily_cap === '' ? {} : { daily_cap: values.daily_cap }),
    ...(values.concurrency === '' ? {} : { concurrency: values.concurrency }),
    ...(types.length === 0 ? {} : { proxy_types: types }),
    // The cast: each kind has its own options, which the service checks.
    ...(options.trim() === '' ? {} : { options: parsed(options) as NonNullable<VendorCreate['options']> }),
  };
}

const CHANGEABLE = [
  'kind',
  'auto',
  'key',
  'base_url',
  'price',
  'daily_cap',
  'concurrency',
  'proxy_types',
  'options',
] as const;

/** Only the members that differ; those that are gone are null. */
export function vendorChange(before: Vendor, values: VendorValues): VendorPatch {
  // Both have gone through the form, so that what nobody touched is equal.
  const old = vendorBody(vendorValues(before));
  const next = vendorBody(values);
  const changes = CHANGEABLE.flatMap((member) =>
    JSON.stringify(next[member]) === JSON.stringify(old[member]) ? [] : [[member, next[member] ?? null]],
  );
  return { ...Object.fromEntries(changes), ...(values.removes_key ? { key: null } : {}) };
}
