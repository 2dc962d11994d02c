import { type JsonProblem, parseLenientJson } from './lenient-json.ts';

/** Text of all blocks that are read. */
const MOST_CHARACTERS = 256 * 1024;
const MOST_BLOCKS = 50;
const DEEPEST = 50;

/** Why a block of JSON-LD is not among the others. */
export interface UnreadBlock extends JsonProblem {
  /** Which `script` of that type it is, counted from 1. */
  readonly block: number;
}

/** Collects the JSON-LD of a page, parsed. */
export class JsonLd {
  readonly blocks: unknown[] = [];
  /** What is no JSON, too deep or beyond the bounds. */
  readonly unread: UnreadBlock[] = [];
  #seen = 0;
  #left = MOST_CHARACTERS;

  add(text: string): void {
    this.#seen++;
    if (text.trim() === '') return;
    const read = this.#read(text);
    if ('value' in read) {
      this.blocks.push(read.value);
      this.#left -= text.length;
    } else if (this.unread.length < MOST_BLOCKS) this.unread.push({ block: this.#seen, ...read });
  }

  #read(text: string): ReturnType<typeof parseLenientJson> {
    const refused = (why: string) => ({ line: 1, column: 1, why });
    if (this.blocks.length >= MOST_BLOCKS) return refused(`only ${MOST_BLOCKS} blocks are read`);
    if (text.length > this.#left) return refused(`only ${MOST_CHARACTERS} characters of all blocks are read`);
    if (depthOf(text) > DEEPEST) return refused(`it is nested deeper than ${DEEPEST} levels`);
    try {
      return { value: JSON.parse(text) };
    } catch {
      return parseLenientJson(text, DEEPEST);
    }
  }

  /** The first string that stands at one of these names, anywhere in the objects; for an object its `name`. */
  first(name: string): string | null {
    const queue: unknown[] = [...this.blocks];
    for (let at = 0; at < queue.length && at < MOST_LOOKED_AT; at++) {
      const value = queue[at];
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        queue.push(...value.slice(0, 1000));
        continue;
      }
      const text = asText((value as Record<string, unknown>)[name]);
      if (text !== null) return text;
      queue.push(...Object.values(value).slice(0, 1000));
    }
    return null;
  }
}

const MOST_LOOKED_AT = 5000;

function asText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (Array.isArray(value)) return asText(value[0]);
  if (typeof value !== 'object' || value === null) return null;
  const { name } = value as { name?: unknown };
  return typeof name === 'string' && name.trim() !== '' ? name.trim() : null;
}

/** How deep brackets nest, at most; those in strings do not count. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++;
    } else if (char === '{' || char === '[') most = Math.max(most, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return most;
}
