import type { EntitySource, SourceData } from './structured-data.ts';

export type PlainValue = string | number | boolean;

/** A value of a property, with its JSON pointer into the structured data. */
export interface ThingValue {
  readonly value: PlainValue | Thing;
  readonly path: string;
}

/** A thing of schema.org, the same for each syntax. */
export interface Thing {
  readonly from: EntitySource;
  readonly path: string;
  /** Names of schema.org without its address. */
  readonly types: readonly string[];
  readonly id: string | null;
  /** Names of schema.org without its address. */
  readonly properties: Map<string, ThingValue[]>;
}

/** Things and their values that are read of one page. A catalogue has some thousand. */
const MAX_VALUES = 50_000;
/** Things inside of things. Schema.org has no use for more. */
const MAX_DEPTH = 12;
const SCHEMA_ADDRESS = /^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i;

/** `http://schema.org/Product` and `schema:Product` → `Product`. */
export function schemaName(name: string): string {
  return name.trim().replace(SCHEMA_ADDRESS, '');
}

/** Appends to a JSON pointer (RFC 6901). */
export function pointerTo(path: string, name: string | number): string {
  return `${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The things that JSON-LD, microdata and RDFa tell, those that are not part of another thing. */
export function sourceThings({ json_ld, microdata, rdfa }: SourceData): Thing[] {
  return [...new JsonLdThings().read(json_ld), ...microdataThings(microdata), ...rdfaThings(rdfa)];
}

function newThing(from: EntitySource, path: string, types: readonly string[], id: string | null): Thing {
  return { from, path, types, id, properties: new Map() };
}

/** Adds a value to a property. */
export function addValue(thing: Thing, name: string, value: PlainValue | Thing, path: string): void {
  const known = thing.properties.get(name);
  if (known === undefined) thing.properties.set(name, [{ value, path }]);
  else known.push({ value, path });
}

type JsonObject = Readonly<Record<string, unknown>>;

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const textsOf = (value: unknown): string[] =>
  listOf(value).filter((text): text is string => typeof text === 'string');

/** An object of JSON-LD that is only a reference to another. */
interface JsonLdReference {
  readonly values: ThingValue[];
  readonly at: number;
  readonly id: string;
}

class JsonLdThings {
  readonly #roots: Thing[] = [];
  readonly #byId = new Map<string, Thing>();
  readonly #references: JsonLdReference[] = [];
  #remaining = MAX_VALUES;

  read(blocks: readonly JsonObject[]): Thing[] {
    for (const [index, block] of blocks.entries()) {
      const path = `/json_ld/${index}`;
      const graph = block['@graph'];
      if (graph === undefined) this.#addRoot(block, path);
      else if (!Array.isArray(graph)) this.#addRoot(graph, `${path}/@graph`);
      else for (const [at, node] of graph.entries()) this.#addRoot(node, `${path}/@graph/${at}`);
    }
    for (const { values, at, id } of this.#references) {
      const referent = this.#byId.get(id);
      if (referent !== undefined) values[at] = { value: referent, path: referent.path };
    }
    return this.#roots;
  }

  #addRoot(object: unknown, path: string): void {
    if (!isJsonObject(object)) return;
    const thing = this.#thing(object, path, 0);
    if (thing.types.length > 0) this.#roots.push(thing);
  }

  #thing(object: JsonObject, path: string, depth: number): Thing {
    const id = textsOf(object['@id'])[0] ?? null;
    const thing = newThing('json_ld', path, textsOf(object['@type']).map(schemaName), id);
    for (const [key, value] of Object.entries(object))
      if (!key.startsWith('@')) this.#addValues(thing, schemaName(key), value, pointerTo(path, key), depth);
    if (id !== null && thing.properties.size > 0 && !this.#byId.has(id)) this.#byId.set(id, thing);
    return thing;
  }

  #addValues(thing: Thing, name: string, value: unknown, path: string, depth: number): void {
    for (const [at, item] of listOf(value).entries()) {
      const itemPath = Array.isArray(value) ? `${path}/${at}` : path;
      if (--this.#remaining < 0) return;
      if (isPlainValue(item)) addValue(thing, name, item, itemPath);
      else if (isJsonObject(item)) this.#addObject(thing, name, item, itemPath, depth);
    }
  }

  #addObject(thing: Thing, name: string, object: JsonObject, path: string, depth: number): void {
    const literal = object['@value'];
    if (isPlainValue(literal)) addValue(thing, name, literal, `${path}/@value`);
    if (depth >= MAX_DEPTH || literal !== undefined) return;
    const list = ['@list', '@set'].find((key) => object[key] !== undefined);
    if (list !== undefined) {
      this.#addValues(thing, name, object[list], `${path}/${list}`, depth + 1);
      return;
    }
    const nested = this.#thing(object, path, depth + 1);
    if (nested.properties.size > 0) addValue(thing, name, nested, path);
    else if (nested.id !== null) {
      // Until the reference is resolved, its value is the address.
      addValue(thing, name, nested.id, `${path}/@id`);
      const values = thing.properties.get(name)!;
      this.#references.push({ values, at: values.length - 1, id: nested.id });
    }
  }
}

function isPlainValue(value: unknown): value is PlainValue {
  return typeof value === 'string'
    ? value.trim() !== ''
    : typeof value === 'number' || value === true || value === false;
}

function microdataThings(items: SourceData['microdata']): Thing[] {
  let remaining = MAX_VALUES;
  return items.map((item, index) => toThing(item, `/microdata/${index}`));

  function toThing(item: SourceData['microdata'][number], path: string): Thing {
    const thing = newThing('microdata', path, item.type.map(schemaName), item.id ?? null);
    // The text of an item without properties: some pages write a person or a brand so, and the text is the name.
    if (item.value !== undefined) addValue(thing, 'name', item.value, `${path}/value`);
    for (const [key, values] of Object.entries(item.properties))
      for (const [at, value] of values.entries()) {
        if (--remaining < 0) return thing;
        const valuePath = `${pointerTo(`${path}/properties`, key)}/${at}`;
        if (typeof value !== 'string') addValue(thing, schemaName(key), toThing(value, valuePath), valuePath);
        else if (value !== '') addValue(thing, schemaName(key), value, valuePath);
      }
    return thing;
  }
}

function rdfaThings(nodes: SourceData['rdfa']): Thing[] {
  const things = new Map<string, Thing>();
  for (const [index, node] of nodes.entries()) {
    const id = node['@id'];
    const types = (node['@type'] ?? []).filter((type) => SCHEMA_ADDRESS.test(type)).map(schemaName);
    things.set(id, newThing('rdfa', `/rdfa/${index}`, types, id.startsWith('_:') ? null : id));
  }
  const parts = new Set<Thing>();
  let remaining = MAX_VALUES;
  for (const node of nodes) {
    const thing = things.get(node['@id'])!;
    for (const [property, values] of Object.entries(node)) {
      if (!SCHEMA_ADDRESS.test(property) || !Array.isArray(values)) continue;
      for (const [at, value] of values.entries()) {
        if (--remaining < 0 || typeof value === 'string') continue;
        const path = `${pointerTo(thing.path, property)}/${at}`;
        const part = '@id' in value ? things.get(value['@id']) : undefined;
        if (part !== undefined && part !== thing && part.types.length > 0) {
          parts.add(part);
          addValue(thing, schemaName(property), part, part.path);
        } else if ('@id' in value) addValue(thing, schemaName(property), value['@id'], `${path}/@id`);
        else if (value['@value'] !== '')
          addValue(thing, schemaName(property), value['@value'], `${path}/@value`);
      }
    }
  }
  return [...things.values()].filter((thing) => thing.types.length > 0 && !parts.has(thing));
}

/** Properties of schema.org by their names in `open_graph` (https://ogp.me). */
const OPEN_GRAPH_PROPERTIES: Readonly<Record<string, string>> = {
  title: 'name',
  description: 'description',
  image: 'image',
  'image:url': 'image',
  url: 'url',
  'article:published_time': 'datePublished',
  'article:modified_time': 'dateModified',
  'article:author': 'author',
  'article:section': 'articleSection',
  'article:tag': 'keywords',
  'product:brand': 'brand',
  'product:retailer_item_id': 'sku',
  'product:gtin': 'gtin',
};
const OPEN_GRAPH_OFFER: Readonly<Record<string, string>> = {
  'product:price:amount': 'price',
  'product:sale_price:amount': 'price',
  'price:amount': 'price',
  'product:price:currency': 'priceCurrency',
  'product:sale_price:currency': 'priceCurrency',
  'price:currency': 'priceCurrency',
  'product:availability': 'availability',
  availability: 'availability',
  'product:condition': 'itemCondition',
};

/** What Open Graph tells about the page. Its type is `Product` or `Article` if the page says so, else there is none. */
export function openGraphThing(openGraph: SourceData['open_graph']): Thing {
  const [kind] = textsOf(openGraph.type);
  const names = Object.keys(openGraph);
  const isProduct =
    /(?:^|:)product(?:$|\.)/i.test(kind ?? '') || names.some((name) => /^product:.*price/.test(name));
  const isArticle =
    !isProduct && (kind?.toLowerCase() === 'article' || names.includes('article:published_time'));
  const types = isProduct ? ['Product'] : isArticle ? ['Article'] : [];
  const thing = newThing('og', '/open_graph', types, null);
  const offer = newThing('og', '/open_graph', ['Offer'], null);
  for (const [name, value] of Object.entries(openGraph))
    for (const [at, text] of textsOf(value).entries()) {
      const path = pointerTo('/open_graph', name) + (Array.isArray(value) ? `/${at}` : '');
      const property = OPEN_GRAPH_PROPERTIES[name];
      const ofOffer = OPEN_GRAPH_OFFER[name];
      // The author often is the address of a profile.
      if (property === 'author' && /^https?:/i.test(text)) continue;
      if (property !== undefined)
        addValue(thing, property === 'name' && isArticle ? 'headline' : property, text, path);
      else if (ofOffer !== undefined) addValue(offer, ofOffer, text, path);
    }
  if (isProduct && offer.properties.size > 0) addValue(thing, 'offers', offer, offer.path);
  return thing;
}
