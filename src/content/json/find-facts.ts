import type { Fact, FactGroup } from './facts.ts';
import { aliasesOf, keysOf, numbersOf, wordsOf } from './labels.ts';
import type { SchemaNode } from './schema-node.ts';

/** What a property is called. */
export interface PropertyLabels {
  /** The best first. */
  readonly keys: readonly string[];
  /** The words of its name. */
  readonly words: readonly string[];
}

export const labelsOf = (name: string, node: SchemaNode): PropertyLabels => ({
  keys: keysOf(name, node),
  words: wordsOf(name),
});

/** Names that say something else in a part of a thing than in the thing itself. */
const OF_EACH_PART: ReadonlySet<string> = new Set(
  'name title headline url link type id text value description image date author count position item'.split(
    ' ',
  ),
);
const MAX_PART_DEPTH = 2;

/** The facts of a group that the property may mean, in stages: those of an earlier one fit better. */
export function* factsFor({ keys, words }: PropertyLabels, group: FactGroup): Generator<readonly Fact[]> {
  for (const key of keys) yield direct(group, key);
  for (const key of keys) for (const path of aliasesOf(key)) yield factsAt(group, path);
  yield ofParts(group, words);
  for (const key of keys) if (!OF_EACH_PART.has(key)) yield inside(group, numbersOf(key), 1);
}

/** The same in a part of a thing, whose names often repeat what the part is: `ratingValue` of a rating is its value. */
export function* factsForPart(labels: PropertyLabels, part: FactGroup): Generator<readonly Fact[]> {
  yield* factsFor(labels, part);
  for (const key of labels.keys) {
    const ending = [...part.facts].filter(([name]) => name.endsWith(key));
    if (ending.length === 1) yield ending[0]![1];
  }
}

/** The groups among the facts that the property may mean, the best first. */
export function* partsFor(labels: PropertyLabels, group: FactGroup): Generator<readonly Fact[]> {
  for (const facts of factsFor(labels, group)) yield facts.filter(({ value }) => typeof value === 'object');
  // `rating` → the part that has the rating's value.
  for (const key of labels.keys)
    for (const [first, ...rest] of aliasesOf(key))
      if (rest.length > 0) yield direct(group, first!).filter(({ value }) => typeof value === 'object');
}

function direct({ facts }: FactGroup, key: string): readonly Fact[] {
  for (const name of numbersOf(key)) {
    const found = facts.get(name);
    if (found !== undefined) return found;
  }
  return [];
}

function factsAt(group: FactGroup, [first, ...rest]: readonly string[]): readonly Fact[] {
  const found = direct(group, first!);
  if (rest.length === 0) return found;
  return found.flatMap(({ value }) => (typeof value === 'object' ? factsAt(value, rest) : []));
}

/** `author_name` → the name of the author. */
function ofParts(group: FactGroup, words: readonly string[]): readonly Fact[] {
  for (let n = words.length - 1; n > 0; n--) {
    const first = words.slice(0, n).join('');
    const rest = words.slice(n).join('');
    const outer = [direct(group, first), ...aliasesOf(first).map((path) => factsAt(group, path))].flat();
    const found = outer.flatMap((fact) => {
      const { value } = fact;
      if (typeof value !== 'object') return rest === 'name' ? [fact] : [];
      const inner = direct(value, rest);
      return inner.length > 0 ? inner : aliasesOf(rest).flatMap((path) => factsAt(value, path));
    });
    if (found.length > 0) return found;
  }
  return [];
}

function inside({ facts }: FactGroup, names: readonly string[], depth: number): readonly Fact[] {
  const found: Fact[] = [];
  for (const list of facts.values())
    for (const { value } of list) {
      if (typeof value !== 'object') continue;
      for (const name of names) found.push(...(value.facts.get(name) ?? []));
      if (depth < MAX_PART_DEPTH) found.push(...inside(value, names, depth + 1));
    }
  return found;
}

/** Keys of all labels by which a property of the schema may stand in the text of a page. */
export function wantedKeys(node: SchemaNode): ReadonlySet<string> {
  const wanted = new Set<string>();
  const open: SchemaNode[] = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [name, property] of next.properties) {
      for (const key of keysOf(name, property))
        for (const called of [key, ...aliasesOf(key).flatMap((path) => (path.length === 1 ? path : []))])
          for (const number of numbersOf(called)) wanted.add(number);
      open.push(property);
    }
    if (next.items !== null) open.push(next.items);
  }
  wanted.delete('');
  return wanted;
}

/** The text of a part that stands for all of it. */
export function plainFacts(fact: Fact, node: SchemaNode): readonly Fact[] {
  const { value } = fact;
  if (typeof value !== 'object') return [fact];
  const names =
    node.format === 'uri' || node.format === 'url'
      ? ['url', 'contenturl', 'id']
      : node.kinds.some((kind) => kind === 'number' || kind === 'integer')
        ? ['value', 'price', 'ratingvalue']
        : ['name', 'text', 'value', 'headline', 'url', 'contenturl'];
  return names.flatMap((name) => direct(value, name)).filter((inner) => typeof inner.value !== 'object');
}
