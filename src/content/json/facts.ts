import type { ValueOrigin, ValueSource } from '../../domain/json-extraction.ts';
import { entityTypeOf } from '../reading/structured/entity-types.ts';
import { sourceThings, type Thing } from '../reading/structured/schema-things.ts';
import type { Entity, EntityPart, StructuredData } from '../reading/structured/structured-data.ts';
import { labelKey } from './labels.ts';

/** A value of the page, with its place. */
export interface Fact {
  readonly value: string | number | boolean | FactGroup;
  readonly from: ValueOrigin;
  readonly place: Pick<ValueSource, 'path' | 'selector'> | (() => Pick<ValueSource, 'path' | 'selector'>);
  /** Where the text links to, absolute. */
  readonly url?: string;
  /** The same date for machines. */
  readonly date?: string;
}

/** What the page says about one thing: an entity, a row of a table, an item of a list. */
export interface FactGroup {
  /** Types of schema.org. */
  readonly types: readonly string[];
  /** By `labelKey` of the name, the best first. */
  readonly facts: Map<string, Fact[]>;
}

/** Limits of what is made of the data of a page. */
const MAX_GROUPS = 300;
const MAX_FACTS = 30_000;
const MAX_DEPTH = 6;
const MAX_ROWS = 1000;

export const newGroup = (types: readonly string[] = []): FactGroup => ({ types, facts: new Map() });

export function addFact(group: FactGroup, key: string, fact: Fact): void {
  if (key === '') return;
  const known = group.facts.get(key);
  if (known === undefined) group.facts.set(key, [fact]);
  else known.push(fact);
}

/** What the page tells programs, as groups: the entities, then things of other types. */
export function groupsOf(structured: StructuredData): readonly FactGroup[] {
  const reader = new GroupReader();
  const others = sourceThings(structured).filter(({ types }) => entityTypeOf(types) === null);
  return [
    ...structured.entities.slice(0, MAX_GROUPS).map((entity) => reader.entity(entity)),
    ...others.slice(0, MAX_GROUPS).map((thing) => reader.thing(thing, 0)),
  ];
}

class GroupReader {
  #remaining = MAX_FACTS;

  entity(entity: Entity | EntityPart): FactGroup {
    const { additionalType = [] } = entity as { additionalType?: readonly { readonly value: unknown }[] };
    const special = additionalType.map(({ value }) => String(value));
    const group = newGroup([...special, ...(entity.type === null ? [] : [entity.type])]);
    for (const [name, values] of Object.entries(entity)) {
      if (name === 'type' || name === 'additionalType' || !Array.isArray(values)) continue;
      for (const { value, from, path } of values) {
        if (--this.#remaining < 0) return group;
        const inner = typeof value === 'object' ? this.entity(value) : value;
        this.#add(group, name, { value: inner, from, place: { path } });
      }
    }
    return group;
  }

  thing({ types, properties, from }: Thing, depth: number): FactGroup {
    const group = newGroup(types);
    if (depth > MAX_DEPTH) return group;
    for (const [name, values] of properties)
      for (const { value, path } of values) {
        if (--this.#remaining < 0) return group;
        const inner = typeof value === 'object' ? this.thing(value, depth + 1) : value;
        this.#add(group, name, { value: inner, from, place: { path } });
      }
    return group;
  }

  #add(group: FactGroup, name: string, fact: Fact): void {
    addFact(group, labelKey(name), fact);
    const { value } = fact;
    if (typeof value !== 'object') return;
    if (name === 'additionalProperty') {
      // A name and a value, which may as well be a property of the thing itself.
      const label = value.facts.get('name')?.[0]?.value;
      for (const told of value.facts.get('value') ?? [])
        if (typeof label === 'string') addFact(group, labelKey(label), told);
    } else if (name === 'item') {
      // The entries of a list say what they list in a part.
      for (const [key, facts] of value.facts)
        for (const told of facts) if (key !== 'type') addFact(group, key, told);
    }
  }
}

/** A page that is JSON: its objects as groups. */
export function groupOfJson(document: unknown): FactGroup {
  const counter = { remaining: MAX_FACTS };
  return jsonGroup(document, '', 0, counter);
}

function jsonGroup(
  document: unknown,
  path: string,
  depth: number,
  counter: { remaining: number },
): FactGroup {
  const group = newGroup();
  if (typeof document !== 'object' || document === null || depth > MAX_DEPTH) return group;
  const add = (key: string, value: unknown, at: string) => {
    if (--counter.remaining < 0 || value === null || value === undefined) return;
    const inner = typeof value === 'object' ? jsonGroup(value, at, depth + 1, counter) : value;
    addFact(group, key, { value: inner as Fact['value'], from: 'text', place: { path: at } });
  };
  const members = Array.isArray(document) ? [['items', document] as const] : Object.entries(document);
  for (const [name, value] of members) {
    const at = Array.isArray(document) ? path : `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!Array.isArray(value)) add(labelKey(name), value, at);
    else
      value.slice(0, MAX_ROWS).forEach((item, n) => {
        add(labelKey(name), item, `${at}/${n}`);
      });
  }
  return group;
}

/** The rows of each table that names its columns. */
export function rowGroups({ tables }: StructuredData): readonly (readonly FactGroup[])[] {
  return tables
    .map(({ header, rows }, table) =>
      header.length === 0
        ? []
        : rows.slice(0, MAX_ROWS).map((cells, row) => {
            const group = newGroup();
            for (const [column, text] of cells.entries())
              if (text !== '' && header[column]) {
                const path = `/tables/${table}/rows/${row}/${column}`;
                addFact(group, labelKey(header[column]), { value: text, from: 'table', place: { path } });
              }
            return group;
          }),
    )
    .filter((rows) => rows.length > 0);
}

/** Tables with two columns, whose first column has names: their rows as facts. */
export function addTableFacts(group: FactGroup, { tables }: StructuredData): void {
  for (const [table, { rows }] of tables.entries())
    for (const [row, cells] of rows.slice(0, MAX_ROWS).entries()) {
      const [label, value] = cells;
      if (cells.length !== 2 || !label || !value) continue;
      const path = `/tables/${table}/rows/${row}/1`;
      addFact(group, labelKey(label), { value, from: 'table', place: { path } });
    }
}
