import { entityTypeOf, MAIN_TYPES, ONCE_TYPES } from './entity-types.ts';
import { EntityWriter } from './entity-writer.ts';
import { areSame, haveSameName, type Identity, identityOf, mergeIdentities } from './identity.ts';
import { addValue, openGraphThing, sourceThings, type Thing } from './schema-things.ts';
import type { Entity, EntityType, SourceData } from './structured-data.ts';

/** A page of a catalogue has a few hundred entities. */
const MAX_ENTITIES = 1000;
/** Things that are searched for entities. */
const MAX_VISITED_THINGS = 20_000;
/** A table with two columns and more rows than this does not describe one product. */
const MAX_SPECIFICATIONS = 200;
const MAX_LABEL_LENGTH = 100;

/** All statements of a page about the same thing. */
interface ThingGroup {
  readonly type: EntityType;
  /** The thing in each syntax; earlier ones count more. */
  readonly things: Thing[];
  identity: Identity;
}

/**
 * The entities of a page: a thing that is stated in several syntaxes or several times is one entity. Values of JSON-LD
 * count more than those of microdata, RDFa, Open Graph and tables, in this order, because pages keep JSON-LD most complete.
 * @param namedRows for each table, whether the first cells of its rows are names
 */
export function mergedEntities(sources: SourceData, namedRows: readonly boolean[], base: string): Entity[] {
  const groups = groupSame(entityThings(sourceThings(sources)), base);
  mergeMainThings(groups);
  addOpenGraph(groups, openGraphThing(sources.open_graph), base);
  addSpecifications(groups, sources, namedRows);
  const writer = new EntityWriter(base);
  return groups.slice(0, MAX_ENTITIES).map(({ type, things }) => writer.entity(type, things));
}

/** The outermost things of an entity type: things inside an entity are parts of it. */
function entityThings(roots: readonly Thing[]): { readonly thing: Thing; readonly type: EntityType }[] {
  const found: { readonly thing: Thing; readonly type: EntityType }[] = [];
  const seen = new Set<Thing>();
  const queue: Thing[] = [...roots].reverse();
  while (queue.length > 0 && seen.size < MAX_VISITED_THINGS) {
    const thing = queue.pop()!;
    if (seen.has(thing)) continue;
    seen.add(thing);
    const type = entityTypeOf(thing.types);
    if (type !== null && thing.properties.size > 0) found.push({ thing, type });
    else if (type === null)
      for (const statements of [...thing.properties.values()].reverse())
        for (const { value } of statements.toReversed()) if (typeof value === 'object') queue.push(value);
  }
  return found;
}

/** Groups things with the same id, name or URL. */
function groupSame(found: ReturnType<typeof entityThings>, base: string): ThingGroup[] {
  const groups: ThingGroup[] = [];
  const byKey = new Map<string, ThingGroup>();
  for (const { thing, type } of found) {
    const identity = identityOf(thing, base);
    const keys = [...identity.ids, ...identity.names, ...identity.urls].map((key) => `${type} ${key}`);
    const candidates = keys.flatMap((key) => byKey.get(key) ?? []);
    let group = candidates.find((candidate) => areSame(candidate.identity, identity));
    if (group === undefined) {
      group = { type, things: [thing], identity };
      groups.push(group);
    } else {
      group.things.push(thing);
      group.identity = mergeIdentities(group.identity, identity);
    }
    for (const key of keys) if (!byKey.has(key)) byKey.set(key, group);
  }
  return groups;
}

/** If a page has one product in JSON-LD and one in microdata, they are the same product, unless their names differ. */
function mergeMainThings(groups: ThingGroup[]): void {
  for (const type of [...MAIN_TYPES, ...ONCE_TYPES])
    for (const [first, second] of [
      ['json_ld', 'microdata'],
      ['json_ld', 'rdfa'],
      ['microdata', 'rdfa'],
    ] as const) {
      const toldIn = (source: string) =>
        groups.filter((group) => group.type === type && group.things.some(({ from }) => from === source));
      const [one, ...others] = toldIn(first);
      const [same, ...more] = toldIn(second);
      if (one === undefined || same === undefined || one === same || others.length + more.length > 0)
        continue;
      if (!haveSameName(one.identity, same.identity)) continue;
      one.things.push(...same.things);
      one.identity = mergeIdentities(one.identity, same.identity);
      groups.splice(groups.indexOf(same), 1);
    }
}

/** Open Graph describes the main thing of the page: the thing with the same URL or name, else the only thing of its type. */
function addOpenGraph(groups: ThingGroup[], thing: Thing, base: string): void {
  const identity = identityOf(thing, base);
  const type = entityTypeOf(thing.types);
  const main = groups.filter((group) => MAIN_TYPES.includes(group.type));
  const ofType = groups.filter((group) => group.type === type);
  const same =
    main.find((group) => areSame(group.identity, identity)) ??
    (ofType.length === 1 && haveSameName(ofType[0]!.identity, identity) ? ofType[0] : undefined);
  if (same !== undefined) {
    same.things.push(same.type === 'Article' ? thing : withName(thing));
  } else if (type !== null) groups.push({ type, things: [thing], identity });
}

/** Only articles have a headline. */
function withName(thing: Thing): Thing {
  const headline = thing.properties.get('headline');
  if (headline === undefined) return thing;
  const properties = new Map(thing.properties);
  properties.delete('headline');
  return { ...thing, properties: properties.set('name', headline) };
}

/** On the page of one product, a table of names and values describes the product. */
function addSpecifications(
  groups: readonly ThingGroup[],
  { tables }: SourceData,
  namedRows: readonly boolean[],
): void {
  const [product, ...others] = groups.filter(({ type }) => type === 'Product');
  if (product === undefined || others.length > 0) return;
  const described: Thing = { from: 'table', path: '/tables', types: [], id: null, properties: new Map() };
  for (const [at, { header, rows }] of tables.entries()) {
    if (!namedRows[at] || header.length > 0 || rows[0]?.length !== 2) continue;
    if (rows.length > MAX_SPECIFICATIONS) continue;
    for (const [row, [label, value]] of rows.entries()) {
      if (!label || !value || label.length > MAX_LABEL_LENGTH) continue;
      const path = `/tables/${at}/rows/${row}`;
      const property: Thing = {
        from: 'table',
        path,
        types: ['PropertyValue'],
        id: null,
        properties: new Map(),
      };
      addValue(property, 'name', label.replace(/\s*:$/, ''), `${path}/0`);
      addValue(property, 'value', value, `${path}/1`);
      addValue(described, 'additionalProperty', property, path);
    }
  }
  if (described.properties.size > 0) product.things.push(described);
}
