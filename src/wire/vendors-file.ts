import { type Static, Type } from 'typebox';
import type { MicroUnits } from '../base/numbers.ts';
import { closed, isObject } from '../domain/json-schema.ts';
import { VENDOR_NAME } from '../domain/scrapers.ts';
import { POOLED_TYPES } from '../domain/task.ts';
import {
  VENDOR_KINDS,
  type VendorKind,
  type VendorKindRules,
  type VendorSettings,
} from '../domain/vendors.ts';
import { addProblem, type Problems } from './schema/problems.ts';
import { parseSettingsText, withoutValues } from './schema/settings-text.ts';
import { checker } from './schema/validation.ts';

export const MAX_VENDORS = 100;
const MICRO = 1_000_000;

const Price = (what: string) =>
  Type.Optional(
    Type.Number({ minimum: 0, maximum: 1_000_000, description: `${what}, in the currency of SLUICE_PRICES` }),
  );

export const VendorSchema = closed({
  name: Type.String({
    pattern: VENDOR_NAME.source,
    description: 'must be 1 to 40 lower-case letters, digits, `_`, `-`',
  }),
  kind: Type.Enum([...VENDOR_KINDS]),
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 4000 })),
  key_file: Type.Optional(Type.String({ minLength: 1, maxLength: 4000 })),
  base_url: Type.Optional(Type.String({ minLength: 1, maxLength: 4000 })),
  auto: Type.Optional(Type.Boolean()),
  concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
  price: Type.Optional(
    closed({
      per_request: Price('of each request'),
      per_success: Price('of each request that the vendor charges for'),
      per_credit: Price('of one credit'),
    }),
  ),
  proxy_types: Type.Optional(Type.Array(Type.Enum([...POOLED_TYPES]), { minItems: 1, maxItems: 3 })),
  daily_cap: Price('most that is spent in a day (UTC)'),
  options: Type.Optional(Type.Object({})),
});
export type VendorJson = Static<typeof VendorSchema>;

type ParsedVendors =
  | {
      readonly settings: readonly VendorSettings[];
      readonly entries: readonly VendorJson[];
      readonly problems: null;
    }
  /** Each is one line without secrets. */
  | { readonly settings: null; readonly problems: readonly string[] };

export interface VendorsFileRules {
  readonly kinds: Readonly<Record<VendorKind, VendorKindRules>>;
  /** Whether `SLUICE_PRICES` is set, whose currency the prices of vendors have. */
  readonly hasPrices: boolean;
  /** The text of a file; null: it cannot be read. */
  readonly readKey: (path: string) => string | null;
}

const checkVendor = checker(VendorSchema);

/** Parses the file of vendors (YAML or JSON). If it has problems, none of its vendors are returned. Never throws. */
export function readVendors(text: string, rules: VendorsFileRules): ParsedVendors {
  const problems: string[] = [];
  const file = parseSettingsText(text, problems);
  if (problems.length > 0) return { settings: null, problems };
  const list =
    isObject(file) && Object.keys(file).length === 1 ? (file as { vendors?: unknown }).vendors : null;
  if (!Array.isArray(list) || list.length > MAX_VENDORS)
    return {
      settings: null,
      problems: [`must be an object with a list \`vendors\`, of at most ${MAX_VENDORS}`],
    };
  const vendors: VendorSettings[] = [];
  const entries: VendorJson[] = [];
  const names = new Set<string>();
  list.forEach((json: unknown, index) => {
    const found: Problems = [];
    const pointer = `/vendors/${index}`;
    const vendor = readVendorEntry(json, pointer, rules, found);
    if (vendor !== null) {
      if (names.has(vendor.name))
        addProblem(found, `${pointer}/name`, 'is already the name of another vendor');
      names.add(vendor.name);
      vendors.push(vendor);
      entries.push(json as VendorJson);
    }
    problems.push(...found.map(({ message }) => withoutValues(message)));
  });
  return problems.length > 0 ? { settings: null, problems } : { settings: vendors, entries, problems: null };
}

/** Checks one vendor, as an entry of the file or of its own. @returns null: it does not match the schema. After any problem it must not be used */
export function readVendorEntry(
  json: unknown,
  pointer: string,
  rules: VendorsFileRules,
  problems: Problems,
): VendorSettings | null {
  return checkVendor(json, pointer, problems)
    ? toSettings(json as VendorJson, rules, pointer, problems)
    : null;
}

function toSettings(
  json: VendorJson,
  rules: VendorsFileRules,
  pointer: string,
  problems: Problems,
): VendorSettings {
  const kind = rules.kinds[json.kind];
  const options = (json.options ?? {}) as Readonly<Record<string, unknown>>;
  if (checker(kind.options)(options, `${pointer}/options`, problems)) {
    const problem = kind.problem?.(options) ?? null;
    if (problem !== null) addProblem(problems, `${pointer}/options`, problem);
  }
  const { per_request, per_success, per_credit } = json.price ?? {};
  const prices = [per_request, per_success, per_credit];
  if (prices.filter((price) => price !== undefined).length > 1)
    addProblem(problems, `${pointer}/price`, 'must have one of per_request, per_success, per_credit');
  if ((json.price !== undefined || json.daily_cap !== undefined) && !rules.hasPrices)
    addProblem(
      problems,
      `${pointer}/${json.price === undefined ? 'daily_cap' : 'price'}`,
      'needs prices (SLUICE_PRICES, or those of the API), for their currency',
    );
  if (json.daily_cap !== undefined && prices.every((price) => price === undefined))
    addProblem(problems, `${pointer}/daily_cap`, 'needs `price`: without it nobody knows what is spent');
  const lacking = json.proxy_types?.find((type) => !kind.proxyTypes.includes(type));
  if (lacking !== undefined && kind.anyProxyType !== true)
    addProblem(
      problems,
      `${pointer}/proxy_types`,
      `must be of ${kind.proxyTypes.join(', ')}: this kind has no others`,
    );
  return {
    name: json.name,
    kind: json.kind,
    key: readKey(json, kind, rules, pointer, problems),
    baseUrl: readBaseUrl(json, kind, pointer, problems),
    auto: json.auto ?? false,
    concurrency: json.concurrency ?? null,
    price: { perRequest: micro(per_request), perSuccess: micro(per_success), perCredit: micro(per_credit) },
    proxyTypes: json.proxy_types ?? kind.proxyTypes,
    dailyCap: micro(json.daily_cap),
    options,
  };
}

const micro = (price: number | undefined): MicroUnits | null =>
  price === undefined ? null : Math.round(price * MICRO);

function readKey(
  { key, key_file: file }: VendorJson,
  { needsKey }: VendorKindRules,
  { readKey: read }: VendorsFileRules,
  pointer: string,
  problems: Problems,
): string | null {
  if (key !== undefined && file !== undefined)
    addProblem(problems, `${pointer}/key_file`, 'must not be set together with `key`');
  const text = file === undefined ? (key ?? null) : (read(file)?.trim() ?? null);
  if (file !== undefined && (text === null || text === ''))
    addProblem(problems, `${pointer}/key_file`, 'names a file that cannot be read, or is empty');
  else if (text === null && needsKey)
    addProblem(problems, `${pointer}/key`, 'is needed for this kind: `key` or `key_file`');
  else if (text !== null && !/^[\x21-\x7e]+$/.test(text))
    addProblem(problems, `${pointer}/key`, 'must be visible ASCII characters');
  return text;
}

function readBaseUrl(
  { base_url: text }: VendorJson,
  kind: VendorKindRules,
  pointer: string,
  problems: Problems,
): string {
  const url = text === undefined ? null : URL.parse(text);
  const isValid =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.username + url.password + url.search + url.hash === '';
  if (text === undefined && kind.baseUrl === null)
    addProblem(problems, `${pointer}/base_url`, 'is needed for this kind');
  else if (text !== undefined && !isValid)
    addProblem(
      problems,
      `${pointer}/base_url`,
      'must be an http or https URL without user, query and fragment',
    );
  return (isValid ? url.href : (kind.baseUrl ?? '')).replace(/\/+$/, '');
}
