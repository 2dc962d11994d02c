import { absoluteUrl } from '../../document/parsed-page.ts';
import { type PlainValue, schemaName, type Thing } from './schema-things.ts';

/** The ids, names and URLs by which a thing is recognized, in the form of `comparable`. */
export interface Identity {
  readonly ids: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly urls: ReadonlySet<string>;
}

const NAME_PROPERTIES = ['name', 'headline', 'title'];
const CODE_PROPERTIES = [
  'sku',
  'gtin',
  'gtin13',
  'gtin12',
  'gtin8',
  'gtin14',
  'mpn',
  'productID',
  'isbn',
  'identifier',
];

export function identityOf(thing: Thing, base: string): Identity {
  const textsOf = (names: readonly string[]) =>
    names.flatMap((name) =>
      (thing.properties.get(name) ?? []).flatMap(({ value }) => (typeof value === 'object' ? [] : [value])),
    );
  const ids = CODE_PROPERTIES.flatMap((name) =>
    textsOf([name]).map((value) => `${name.replace(/\d+$/, '')}=${comparable(value)}`),
  );
  if (thing.id !== null) ids.push(`id=${comparable(absoluteUrl(thing.id, base) ?? thing.id)}`);
  return {
    ids: new Set(ids),
    names: new Set(textsOf(NAME_PROPERTIES).map(comparable)),
    urls: new Set(textsOf(['url']).map((url) => comparable(absoluteUrl(String(url), base) ?? url))),
  };
}

/** Whether two things have an id in common; or a name, and no different URLs; or a URL, and no different names. */
export function areSame(one: Identity, other: Identity): boolean {
  if (intersect(one.ids, other.ids)) return true;
  const sameName = intersect(one.names, other.names);
  const sameUrl = intersect(one.urls, other.urls);
  if (sameName) return sameUrl || one.urls.size === 0 || other.urls.size === 0;
  return sameUrl && (one.names.size === 0 || other.names.size === 0);
}

/** A shorter name may be a part of another name by chance. */
const MIN_CONTAINED_LENGTH = 4;

/** Whether the names do not contradict each other: a page title often is the name and something more. */
export function haveSameName(one: Identity, other: Identity): boolean {
  if (one.names.size === 0 || other.names.size === 0) return true;
  const contains = (name: string, part: string) =>
    name === part || (part.length >= MIN_CONTAINED_LENGTH && name.includes(part));
  return [...one.names].some((name) =>
    [...other.names].some((otherName) => contains(name, otherName) || contains(otherName, name)),
  );
}

export function mergeIdentities(one: Identity, other: Identity): Identity {
  return {
    ids: new Set([...one.ids, ...other.ids]),
    names: new Set([...one.names, ...other.names]),
    urls: new Set([...one.urls, ...other.urls]),
  };
}

function intersect(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  for (const key of one) if (other.has(key)) return true;
  return false;
}

/**
 * A form in which values with the same meaning are equal: without letter case and white space, URLs without scheme and
 * last slash, numbers without needless zeros, and members of schema.org without its address.
 */
export function comparable(value: PlainValue): string {
  const text = String(value).trim();
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return String(Number(text));
  return schemaName(text)
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
}
