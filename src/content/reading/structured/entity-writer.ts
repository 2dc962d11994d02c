import { absoluteUrl } from '../../document/parsed-page.ts';
import { entityTypeOf } from './entity-types.ts';
import { areSame, comparable, type Identity, identityOf } from './identity.ts';
import type { PlainValue, Thing } from './schema-things.ts';
import type { Entity, EntityPart, EntitySource, EntityType, EntityValue } from './structured-data.ts';

/** Values of all entities of a page. */
const MAX_VALUES = 20_000;
/** Of all entities, in characters: a part that several entities refer to is repeated in each. */
const MAX_OUTPUT_LENGTH = 3 * 2 ** 20;
/** Values of one property, such as the steps of a recipe or the offers of a product. */
const MAX_VALUES_OF_PROPERTY = 500;
const MAX_PART_DEPTH = 6;
const MAX_NAME_LENGTH = 100;
/** Properties whose text is a URL, perhaps a relative one. */
const URL_PROPERTIES = new Set(['url', 'image', 'logo', 'thumbnailUrl', 'contentUrl', 'embedUrl', 'sameAs']);

type MutableEntity = Record<string, string | null | EntityValue[]>;

/** A value while it is merged: a text, or all that is told of one part. */
interface MergedValue {
  readonly value: PlainValue | Thing;
  readonly from: EntitySource;
  readonly path: string;
  readonly parts: Thing[];
}

/** Writes groups of things as entities, each value once. */
export class EntityWriter {
  readonly #base: string;
  readonly #identities = new Map<Thing, Identity>();
  #remaining = MAX_VALUES;
  #remainingLength = MAX_OUTPUT_LENGTH;

  constructor(base: string) {
    this.#base = base;
  }

  /** @param things all that is told of the entity, the best first */
  entity(type: EntityType, things: readonly Thing[]): Entity {
    const entity = this.#members(type, things, []);
    const special = new Map<string, EntityValue>();
    for (const { types, from, path } of things) {
      const typePath = `${path}/${from === 'json_ld' || from === 'rdfa' ? '@' : ''}type`;
      // Open Graph calls some products articles.
      const kinds = types.filter((kind) => kind !== type && (entityTypeOf([kind]) ?? type) === type);
      for (const kind of kinds)
        if (!special.has(kind)) special.set(kind, { value: kind, from, path: typePath });
    }
    if (special.size > 0) entity.additionalType = [...special.values()];
    return entity as Entity;
  }

  /** @param ancestors by level, the things that this one is a part of */
  #members(
    type: string | null,
    things: readonly Thing[],
    ancestors: readonly (readonly Thing[])[],
  ): MutableEntity {
    // Without a prototype `__proto__` is a name like any other.
    const members = Object.create(null) as MutableEntity;
    members.type = type;
    const names = new Set(things.flatMap(({ properties }) => [...properties.keys()]));
    names.delete('type');
    for (const name of names) {
      if (name === '' || name.length > MAX_NAME_LENGTH) continue;
      const values = this.#values(name, things, [...ancestors, things]);
      if (values.length > 0) members[name] = values;
    }
    return members;
  }

  #values(name: string, things: readonly Thing[], ancestors: readonly (readonly Thing[])[]): EntityValue[] {
    const values: EntityValue[] = [];
    for (const { value, from, path, parts } of this.#merged(name, things, ancestors)) {
      this.#remainingLength -= path.length + (typeof value === 'object' ? 0 : String(value).length);
      if (--this.#remaining < 0 || this.#remainingLength < 0) break;
      if (typeof value !== 'object') values.push({ value, from, path });
      else {
        const type = parts.find(({ types }) => types.length > 0)?.types[0] ?? null;
        values.push({ value: this.#members(type, parts, ancestors) as EntityPart, from, path });
      }
    }
    return values;
  }

  /** What all things say about one property. Values that mean the same are one; a part replaces a text that is its name. */
  #merged(name: string, things: readonly Thing[], ancestors: readonly (readonly Thing[])[]): MergedValue[] {
    const merged: MergedValue[] = [];
    const seen = new Set<string>();
    const labels = new Set<string>();
    const onlyParts = partsToldOnce(name, things);
    for (const { from, properties } of things)
      for (const told of properties.get(name) ?? []) {
        if (merged.length >= MAX_VALUES_OF_PROPERTY) break;
        const { path } = told;
        if (typeof told.value !== 'object') {
          const value = this.#scalar(name, told.value);
          const key = comparable(value);
          if (!seen.has(key)) merged.push({ value, from, path, parts: [] });
          seen.add(key);
          continue;
        }
        const part = told.value;
        if (ancestors.length > MAX_PART_DEPTH || ancestors.some((level) => level.includes(part))) continue;
        const same = merged.find(({ parts }) => this.#isSamePart(parts, part, onlyParts));
        if (same === undefined) merged.push({ value: part, from, path, parts: [part] });
        else if (!same.parts.includes(part)) same.parts.push(part);
        const { names, urls, ids } = this.#identity(part);
        for (const label of [...names, ...urls, ...ids]) labels.add(label.replace(/^id=/, ''));
      }
    return merged.filter(({ value }) => typeof value === 'object' || !labels.has(comparable(value)));
  }

  /** Whether a part is told of again: as the same thing, or as the only part of this property in another syntax. */
  #isSamePart(parts: readonly Thing[], part: Thing, onlyParts: ReadonlySet<Thing>): boolean {
    const [first] = parts;
    if (first === undefined) return false;
    if (parts.includes(part)) return true;
    if (first.from === part.from) return false;
    const kind = kindOf(part);
    if (kind !== null && kindOf(first) !== null && kind !== kindOf(first)) return false;
    return (
      areSame(this.#identity(first), this.#identity(part)) || (onlyParts.has(first) && onlyParts.has(part))
    );
  }

  #identity(thing: Thing): Identity {
    const identity = this.#identities.get(thing) ?? identityOf(thing, this.#base);
    this.#identities.set(thing, identity);
    return identity;
  }

  #scalar(name: string, value: PlainValue): PlainValue {
    if (typeof value !== 'string') return value;
    const text = value.trim();
    return URL_PROPERTIES.has(name) && !/\s/.test(text) ? (absoluteUrl(text, this.#base) ?? text) : text;
  }
}

function kindOf({ types }: Thing): string | null {
  return entityTypeOf(types) ?? types[0] ?? null;
}

/** The parts that are the only one of this property in their syntax. */
function partsToldOnce(name: string, things: readonly Thing[]): ReadonlySet<Thing> {
  const bySource = new Map<EntitySource, Set<Thing>>();
  for (const { from, properties } of things)
    for (const { value } of properties.get(name) ?? []) {
      if (typeof value !== 'object') continue;
      bySource.set(from, (bySource.get(from) ?? new Set()).add(value));
    }
  return new Set([...bySource.values()].filter(({ size }) => size === 1).flatMap((parts) => [...parts]));
}
