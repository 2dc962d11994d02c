import {
  type CallerSchema,
  type JsonOptions,
  type JsonResult,
  type ModelFindings,
  type ModelTask,
  pointerInto,
  type ValueSource,
} from '../../domain/json-extraction.ts';
import { isObject } from '../../domain/json-schema.ts';
import { TextEvidence } from './grounding.ts';
import { wordsOf } from './labels.ts';
import { readSchema, type SchemaNode } from './schema-node.ts';
import { validate } from './validate-json.ts';

/** Origins that count more than the model: what the page tells programs. */
const CERTAIN: ReadonlySet<string> = new Set(['json_ld', 'microdata', 'rdfa', 'og']);
const MAX_VALUES = 20_000;
const MAX_DEPTH = 20;
const MAX_QUOTE = 300;

/** What a model is asked about a page; null: nothing, because all was found. */
export function modelTask(
  text: string,
  { schema, model, prompt }: JsonOptions,
  found: JsonResult,
  maxCharacters: number,
): ModelTask | null {
  const all = model === 'always' || prompt !== null;
  if (model === 'never' || (!all && found.missing.length === 0)) return null;
  const wanted = schema === null ? null : all ? schema : missingPart(schema, found.missing);
  const words = wordsOf(prompt?.slice(0, 100) ?? '').concat(
    schema === null ? [] : schemaWords(readSchema(schema)),
  );
  return { text: likestParts(text, new Set(words), maxCharacters), schema: wanted, found };
}

/** The schema with the members of its object that are missing, or that have something missing. */
function missingPart(schema: CallerSchema, missing: readonly string[]): CallerSchema {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  const names = Object.keys(properties).filter((name) => {
    const pointer = pointerInto('', name);
    return missing.some((each) => each === pointer || each.startsWith(`${pointer}/`));
  });
  return names.length === 0
    ? schema
    : {
        ...schema,
        properties: Object.fromEntries(names.map((name) => [name, properties[name]])),
        required: [],
      };
}

function schemaWords(node: SchemaNode): string[] {
  const words: string[] = [];
  for (const [name, property] of node.properties)
    words.push(
      ...wordsOf(name),
      ...wordsOf(property.title ?? ''),
      ...wordsOf(property.description ?? ''),
      ...schemaWords(property),
    );
  return node.items === null ? words : [...words, ...schemaWords(node.items)];
}

/** The text, or the blocks of it that have most of the words, in their order, if it is too long. */
function likestParts(text: string, words: ReadonlySet<string>, max: number): string {
  if (text.length <= max) return text;
  const blocks = text.split(/\n{2,}/).flatMap((block) => block.match(/[\s\S]{1,2000}/g) ?? []);
  const ranked = blocks
    .map((block, n) => {
      const own = new Set(block.toLowerCase().split(/[^\p{L}\p{N}]+/u));
      let score = n < 3 ? 2 : 0;
      for (const word of words) if (own.has(word)) score++;
      return { n, block, score };
    })
    .toSorted((a, b) => b.score - a.score || a.n - b.n);
  let length = 0;
  const chosen = ranked.filter(({ block }) => {
    if (length + block.length + 2 > max) return false;
    length += block.length + 2;
    return true;
  });
  return chosen
    .toSorted((a, b) => a.n - b.n)
    .map(({ block }) => block)
    .join('\n\n');
}

/** The result with what the model found and the text says, and the pointers of what it invented. */
export function withFindings(
  { value, quotes, task }: ModelFindings,
  options: JsonOptions,
): { readonly result: JsonResult; readonly ungrounded: readonly string[] } {
  const merger = new Merger(task, quotes, options);
  const { schema } = options;
  const node = schema === null ? null : readSchema(schema);
  const merged = merger.merged(value, task.found.value ?? undefined, node, {
    pointer: '',
    told: '',
    depth: 0,
  });
  const result = merged === undefined ? null : JSON.parse(JSON.stringify(merged));
  const sources = { ...merger.keptSources(), ...merger.sources };
  return {
    result: {
      value: result,
      ...(schema === null ? { valid: true, invalid: [] } : validate(result, schema)),
      missing: node === null ? [] : missingIn(result, node, '', sources),
      sources,
    },
    ungrounded: merger.ungrounded,
  };
}

/** Pointers of what the value lacks of the schema. A null without a source stands for what was not found. */
function missingIn(
  value: unknown,
  node: SchemaNode,
  pointer: string,
  sources: JsonResult['sources'],
): string[] {
  if (value === undefined || (value === null && !Object.hasOwn(sources, pointer))) return [pointer];
  if (Array.isArray(value)) {
    const { items } = node;
    return items === null
      ? []
      : value.flatMap((item, n) => missingIn(item, items, pointerInto(pointer, n), sources));
  }
  if (!isObject(value)) return [];
  return [...node.properties].flatMap(([name, property]) =>
    missingIn(
      Object.hasOwn(value, name) ? value[name] : undefined,
      property,
      pointerInto(pointer, name),
      sources,
    ),
  );
}

/** Where a value stands in the result and in the answer of the model, from which items may be dropped. */
interface Place {
  readonly pointer: string;
  readonly told: string;
  readonly depth: number;
}

class Merger {
  readonly sources: Record<string, ValueSource> = {};
  readonly ungrounded: string[] = [];
  readonly #task: ModelTask;
  readonly #quotes: ModelFindings['quotes'];
  readonly #options: JsonOptions;
  readonly #evidence: TextEvidence;
  readonly #found = new Set<string>();
  readonly #replaced: string[] = [];
  #remaining = MAX_VALUES;

  constructor(task: ModelTask, quotes: ModelFindings['quotes'], options: JsonOptions) {
    this.#task = task;
    this.#quotes = quotes;
    this.#options = options;
    this.#evidence = new TextEvidence(task.text);
  }

  /** @param before what was found without a model. @returns undefined: nothing */
  merged(value: unknown, before: unknown, node: SchemaNode | null, place: Place): unknown {
    const { pointer, told, depth } = place;
    if (depth > MAX_DEPTH || --this.#remaining < 0) return before;
    if (isObject(value) && (before === undefined || before === null || isObject(before)))
      return this.#object(value, before ?? undefined, node, place);
    if (before !== undefined && before !== null && !this.#mayReplace(pointer)) return before;
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const [n, item] of value.entries()) {
        const at = {
          pointer: pointerInto(pointer, items.length),
          told: pointerInto(told, n),
          depth: depth + 1,
        };
        const read = this.merged(item, undefined, node?.items ?? null, at);
        if (read !== undefined) items.push(read);
      }
      return items.length > 0 ? this.#take(items, pointer) : before;
    }
    if (value === null || value === undefined || typeof value === 'object') return before;
    if (!this.#isGrounded(value, node, told)) {
      this.ungrounded.push(pointer);
      return before;
    }
    const quote = this.#quotes[told];
    const shown = this.#options.evidence ? (quote ?? String(value)).slice(0, MAX_QUOTE) : null;
    this.#take(value, pointer);
    this.sources[pointer] = { from: 'model', ...(shown === null ? {} : { quote: shown }) };
    return value;
  }

  #object(value: object, before: unknown, node: SchemaNode | null, { pointer, told, depth }: Place): unknown {
    const merged = Object.assign(Object.create(null), before) as Record<string, unknown>;
    for (const [name, member] of Object.entries(value)) {
      const inner = node?.properties.get(name) ?? null;
      // The model was not asked for it.
      if (node !== null && node.properties.size > 0 && inner === null) continue;
      const at = { pointer: pointerInto(pointer, name), told: pointerInto(told, name), depth: depth + 1 };
      const read = this.merged(member, Object.hasOwn(merged, name) ? merged[name] : undefined, inner, at);
      if (read !== undefined) merged[name] = read;
    }
    return Object.keys(merged).length === 0 && before === undefined ? undefined : this.#take(merged, pointer);
  }

  #take<T>(value: T, pointer: string): T {
    this.#found.add(pointer);
    return value;
  }

  /** Whether the model's value counts more than the one found without it: only what labels say is less certain. */
  #mayReplace(pointer: string): boolean {
    if (this.#options.model !== 'always') return false;
    const origins = Object.entries(this.#task.found.sources).filter(
      ([at]) => at === pointer || at.startsWith(`${pointer}/`),
    );
    if (origins.some(([, { from }]) => CERTAIN.has(from))) return false;
    this.#replaced.push(pointer);
    return true;
  }

  #isGrounded(value: unknown, node: SchemaNode | null, told: string): boolean {
    const quote = this.#quotes[told];
    if (typeof value === 'boolean' || (node !== null && node.choices !== null))
      return quote !== undefined && this.#evidence.hasQuote(quote);
    if (typeof value === 'number') return this.#evidence.hasNumber(value, this.#task.text);
    return typeof value === 'string' && this.#evidence.hasText(value);
  }

  /** Sources of values that the model did not replace. */
  keptSources(): Record<string, ValueSource> {
    const replaced = this.#replaced.filter((pointer) => this.#found.has(pointer));
    return Object.fromEntries(
      Object.entries(this.#task.found.sources).filter(
        ([at]) => !replaced.some((each) => at === each || at.startsWith(`${each}/`)),
      ),
    );
  }
}
