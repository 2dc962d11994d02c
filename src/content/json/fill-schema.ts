import { pointerInto, type ValueSource } from '../../domain/json-extraction.ts';
import { convert, type PageFacts } from './convert.ts';
import type { Fact, FactGroup } from './facts.ts';
import { factsFor, factsForPart, labelsOf, type PropertyLabels, partsFor, plainFacts } from './find-facts.ts';
import { labelKey, namesType } from './labels.ts';
import type { PageEvidence } from './page-evidence.ts';
import type { ScalarChoice, SchemaNode } from './schema-node.ts';

/** Data by the schema, with the facts it was read from. */
export interface Draft {
  /** undefined: nothing was found. */
  readonly value: unknown;
  readonly sources: ReadonlyMap<string, Fact>;
  readonly missing: readonly string[];
}

/** What describes a whole site or the page as such. It is what the caller wants only if it has most of it. */
const FRAME_TYPES: ReadonlySet<string> = new Set(
  'Organization WebSite WebPage BreadcrumbList ImageObject SearchAction SiteNavigationElement WPHeader WPFooter ListItem'.split(
    ' ',
  ),
);
const MIN_SHARE = 0.5;
const MAX_ITEMS = 1000;
/** A longer part of a comma-separated list is a sentence. */
const MAX_LISTED = 40;
const MAX_QUOTE = 300;
const LEAST_FOUND = 0;

/** Fills a schema with what a page says. Nothing is guessed: a value that stands in several ways is not taken. */
export function fillSchema(root: SchemaNode, evidence: PageEvidence, page: PageFacts): Draft {
  const filler = new Filler(evidence, page);
  const name = root.title ?? '';
  if (root.shape === 'object') return filler.thing(root, name, '', true);
  const found = filler.property(root, name, {
    groups: evidence.groups.slice(0, 1),
    pointer: '',
    isPart: false,
  });
  return found;
}

/** Where a property is looked for. */
interface Place {
  readonly groups: readonly FactGroup[];
  readonly pointer: string;
  /** The groups are parts of a thing, or items of a list: what the page says about itself is not about them. */
  readonly isPart: boolean;
  /** Types are looked for in all of the page. */
  readonly isRoot?: boolean;
}

class Filler {
  readonly #evidence: PageEvidence;
  readonly #page: PageFacts;
  #lists: readonly (readonly FactGroup[])[] | null = null;

  constructor(evidence: PageEvidence, page: PageFacts) {
    this.#evidence = evidence;
    this.#page = page;
  }

  /**
   * An object that is described by the entity that has most of it, and then by the text of the page.
   * @param isMain whether what the page says about itself is said about this object
   */
  thing(node: SchemaNode, name: string, pointer: string, isMain: boolean): Draft {
    const key = labelKey(name);
    let best: FactGroup[] = [];
    let bestScore = 0;
    for (const group of this.#evidence.groups) {
      const isNamed = key !== '' && namesType(key, group.types);
      if (!isMain && !isNamed) continue;
      const found = this.#object(node, { groups: [group], pointer, isPart: true }).sources.size;
      const isFrame = group.types.some((type) => FRAME_TYPES.has(type));
      if (found === LEAST_FOUND || (isFrame && !isNamed && found < MIN_SHARE * node.properties.size))
        continue;
      const score = found + (isNamed ? 1 : 0);
      if (score < bestScore) continue;
      best = score > bestScore ? [group] : [...best, group];
      bestScore = score;
    }
    // Several things of which the page says as much: only its title tells which one it is about.
    const about = best.length > 1 ? best.find((group) => this.#isTitled(group)) : best[0];
    const groups = about === undefined ? [] : [about];
    return this.#object(node, { groups, pointer, isPart: !isMain, isRoot: isMain });
  }

  #isTitled({ facts }: FactGroup): boolean {
    const about = this.#evidence.about.facts.get('title') ?? [];
    const titles = about.map(({ value }) => String(value).toLowerCase());
    const names = ['name', 'headline', 'title'].flatMap((key) => facts.get(key) ?? []);
    return names.some(({ value }) => {
      const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
      return text !== '' && titles.some((title) => title.includes(text));
    });
  }

  property(node: SchemaNode, name: string, place: Place): Draft {
    switch (node.shape) {
      case 'scalar':
        return this.#scalar(node, labelsOf(name, node), place);
      case 'array':
        return this.#array(node, name, place);
      case 'object':
        return this.#part(node, name, place);
    }
  }

  /** The object with what the groups, and for a root the page, say about its properties. */
  #object(node: SchemaNode, place: Place): Draft {
    // Without a prototype `__proto__` is a name like any other.
    const value = Object.create(null) as Record<string, unknown>;
    const sources = new Map<string, Fact>();
    const missing: string[] = [];
    for (const [name, property] of node.properties) {
      const pointer = pointerInto(place.pointer, name);
      const found = this.property(property, name, { ...place, pointer });
      for (const [at, fact] of found.sources) sources.set(at, fact);
      missing.push(...found.missing);
      if (found.value !== undefined) value[name] = found.value;
      else if (property.nullable && node.required.has(name)) value[name] = null;
    }
    if (node.properties.size === 0) return nothing(place.pointer);
    return { value, sources, missing };
  }

  #scalar(node: SchemaNode, labels: PropertyLabels, { groups, pointer, isPart, isRoot }: Place): Draft {
    const { labelled, about, named } = this.#evidence;
    for (const group of groups)
      for (const facts of isPart && !isRoot ? factsForPart(labels, group) : factsFor(labels, group)) {
        const [found] = this.#converted(facts, node);
        if (found !== undefined) return found.draft(pointer);
      }
    if (isRoot !== true) return nothing(pointer);
    for (const [group, mayDiffer] of [
      [labelled, false],
      [about, true],
      [named, false],
    ] as const)
      for (const facts of factsFor(labels, group)) {
        const found = this.#converted(facts, node);
        const values = new Set(found.map(({ value }) => value));
        // Text that says different things is not about one of them.
        if (values.size > 1 && !mayDiffer) continue;
        if (found.length > 0) return found[0]!.draft(pointer);
      }
    return nothing(pointer);
  }

  #converted(facts: readonly Fact[], node: SchemaNode): readonly Found[] {
    return facts
      .flatMap((fact) => plainFacts(fact, node))
      .flatMap((fact) => {
        const value = convert(fact, node, this.#page);
        return value === null ? [] : [new Found(value, fact)];
      });
  }

  /** An object inside of another: a part of the thing, else a thing of the page that has the type or is all there is. */
  #part(node: SchemaNode, name: string, place: Place): Draft {
    const { groups, pointer, isRoot } = place;
    for (const group of groups)
      for (const facts of partsFor(labelsOf(name, node), group)) {
        const [best] = facts
          .map(({ value }) => this.#object(node, { groups: [value as FactGroup], pointer, isPart: true }))
          .filter(({ sources }) => sources.size > 0)
          .toSorted((a, b) => b.sources.size - a.sources.size);
        if (best !== undefined) return best;
      }
    const found = isRoot === true ? this.thing(node, name, pointer, false) : nothing(pointer);
    return found.sources.size > 0 ? found : nothing(pointer);
  }

  #array(node: SchemaNode, name: string, place: Place): Draft {
    const { items } = node;
    if (items === null || items.shape === 'array') return nothing(place.pointer);
    return items.shape === 'scalar'
      ? this.#scalars(items, labelsOf(name, node), place)
      : this.#objects(items, name, node, place);
  }

  #scalars(items: SchemaNode, labels: PropertyLabels, { groups, pointer, isRoot }: Place): Draft {
    const { labelled, about, named } = this.#evidence;
    for (const group of isRoot === true ? [...groups, labelled, about, named] : groups)
      for (const facts of factsFor(labels, group)) {
        const found = this.#converted(facts.flatMap(separated), items);
        const unique = new Map(found.map((each) => [each.value, each]));
        if (unique.size === 0) continue;
        const list = [...unique.values()].slice(0, MAX_ITEMS);
        const sources = list.map(({ fact }, n) => [pointerInto(pointer, n), fact] as const);
        return { value: list.map(({ value }) => value), sources: new Map(sources), missing: [] };
      }
    return nothing(pointer);
  }

  /** Objects that are parts of the thing, things of the page of that type, rows of a table, or what repeats in the page. */
  #objects(items: SchemaNode, name: string, node: SchemaNode, { groups, pointer, isRoot }: Place): Draft {
    const labels = labelsOf(name, node);
    const named: (readonly FactGroup[])[] = [];
    for (const group of groups)
      for (const facts of partsFor(labels, group)) named.push(facts.map(({ value }) => value as FactGroup));
    const others: (readonly FactGroup[])[] = [];
    if (isRoot === true || groups.length === 0) {
      const all = this.#evidence.groups;
      for (const key of [...labels.keys, labelKey(items.title ?? '')])
        named.push(all.filter(({ types }) => key !== '' && namesType(key, types)));
      for (const group of all)
        for (const list of group.facts.values())
          others.push(list.flatMap(({ value }) => (typeof value === 'object' ? [value] : [])));
      for (const type of new Set(all.flatMap(({ types }) => types)))
        others.push(all.filter(({ types }) => types.includes(type)));
      this.#lists ??= this.#evidence.lists();
      others.push(...this.#lists);
    }
    const best =
      this.#bestRows(named, items, pointer, 1) ??
      this.#bestRows(
        others.filter(({ length }) => length > 1),
        items,
        pointer,
        Math.min(2, items.properties.size),
      );
    return best ?? nothing(pointer);
  }

  /** @param least how many properties of an item must be found */
  #bestRows(
    lists: readonly (readonly FactGroup[])[],
    items: SchemaNode,
    pointer: string,
    least: number,
  ): Draft | null {
    let best: { readonly rows: readonly FactGroup[]; readonly score: number } | null = null;
    for (const list of lists) {
      const counts = list
        .slice(0, MAX_ITEMS)
        .map((group) => this.#object(items, { groups: [group], pointer, isPart: true }).sources.size);
      const rows = list.filter((_, n) => (counts[n] ?? 0) >= least);
      const found = counts.filter((count) => count >= least).reduce((sum, count) => sum + count, 0);
      // A list of which most has nothing of the items is another list.
      if (rows.length === 0 || rows.length < MIN_SHARE * list.length) continue;
      const share = found / rows.length / items.properties.size;
      if (least > 1 && share < MIN_SHARE) continue;
      const score = share + Math.min(rows.length, MAX_ITEMS) / (10 * MAX_ITEMS);
      if (best === null || score > best.score) best = { rows: rows.slice(0, MAX_ITEMS), score };
    }
    if (best === null) return null;
    const drafts = best.rows.map((group, n) =>
      this.#object(items, { groups: [group], pointer: pointerInto(pointer, n), isPart: true }),
    );
    return {
      value: drafts.map(({ value }) => value),
      sources: new Map(drafts.flatMap(({ sources }) => [...sources])),
      missing: drafts.flatMap(({ missing }) => missing),
    };
  }
}

class Found {
  readonly value: ScalarChoice;
  readonly fact: Fact;

  constructor(value: ScalarChoice, fact: Fact) {
    this.value = value;
    this.fact = fact;
  }

  draft(pointer: string): Draft {
    return { value: this.value, sources: new Map([[pointer, this.fact]]), missing: [] };
  }
}

const nothing = (pointer: string): Draft => ({ value: undefined, sources: new Map(), missing: [pointer] });

/** The items of a text that is a list, such as keywords. */
function separated(fact: Fact, _: number, all: readonly Fact[]): readonly Fact[] {
  const { value } = fact;
  if (all.length > 1 || typeof value !== 'string' || fact.url !== undefined) return [fact];
  const separator = ['\n', ';', ','].find((each) => value.includes(each));
  if (separator === undefined) return [fact];
  const parts = value
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.every(({ length }) => length <= MAX_LISTED)
    ? parts.map((part) => ({ ...fact, value: part }))
    : [fact];
}

/** Where the value of a fact stands, as it is told. */
export function sourceOf({ from, place, value }: Fact, evidence: boolean): ValueSource {
  const at = typeof place === 'function' ? place() : place;
  return { from, ...at, ...(evidence ? { quote: String(value).slice(0, MAX_QUOTE) } : {}) };
}
