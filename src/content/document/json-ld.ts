/** A place in a text, both counted from 1, and what is wrong there. */
interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly why: string;
}

/** White space, comments, and what scripts were once wrapped in so that other readers pass over them. */
const IGNORED_TEXT = /(?:\s|\/\/[^\n\r]*|\/\*.*?\*\/|<!--|-->|<!\[CDATA\[|\]\]>)+/sy;
const STRING_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const SCALAR_TOKEN = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** What JSON has no place for in a string: control characters, and escapes that it does not know. */
const INVALID_IN_STRING = /[\0-\x1f]|\\./gs;
const ESCAPE_CHARACTER = /["\\/bfnrtu]/;

class LenientJsonError extends Error {}

/**
 * Reads JSON as people write it by hand (RFC 8259, and what readers of JSON-LD forgive): comments, a comma behind the last member,
 * semicolons at the end, control characters and needless escapes in strings, CDATA and HTML comments around it.
 * @param deepest levels that may be nested
 */
export function parseLenientJson(text: string, deepest: number): { readonly value: unknown } | JsonProblem {
  let at = 0;
  try {
    const value = valueAt(0);
    while (taken(';')) blank();
    if (at < text.length) throw new LenientJsonError('there is more text after the value');
    return { value };
  } catch (error) {
    if (!(error instanceof LenientJsonError)) throw error;
    const before = text.slice(0, at);
    return { line: before.split('\n').length, column: at - before.lastIndexOf('\n'), why: error.message };
  }

  /** With what stands around it and means nothing. */
  function valueAt(depth: number): unknown {
    blank();
    const value = text[at] === '{' || text[at] === '[' ? container(depth) : scalar();
    blank();
    return value;
  }

  function container(depth: number): unknown {
    if (depth === deepest) throw new LenientJsonError(`it is nested deeper than ${deepest} levels`);
    const isObject = text[at++] === '{';
    const close = isObject ? '}' : ']';
    // Without a prototype `__proto__` is a name like any other.
    const object = Object.create(null) as Record<string, unknown>;
    const list: unknown[] = [];
    for (blank(); !taken(close); blank()) {
      if (isObject) {
        const name = string();
        blank();
        if (!taken(':')) throw new LenientJsonError('":" is missing');
        object[name] = valueAt(depth + 1);
      } else list.push(valueAt(depth + 1));
      if (!taken(',') && text[at] !== close) throw new LenientJsonError(`"," or "${close}" is missing`);
    }
    return isObject ? object : list;
  }

  function scalar(): unknown {
    if (text[at] === '"') return string();
    const found = match(SCALAR_TOKEN);
    if (found === null) throw new LenientJsonError('a value is missing');
    return JSON.parse(found);
  }

  function string(): string {
    const begin = at;
    const found = match(STRING_TOKEN);
    if (found === null)
      throw new LenientJsonError(text[at] === '"' ? 'this string is not closed' : 'a string is missing');
    try {
      return JSON.parse(found.replaceAll(INVALID_IN_STRING, escapeInvalid));
    } catch {
      at = begin;
      throw new LenientJsonError('this string has an invalid escape');
    }
  }

  function blank(): void {
    match(IGNORED_TEXT);
  }

  function taken(char: string): boolean {
    const is = text[at] === char;
    if (is) at++;
    return is;
  }

  function match(pattern: RegExp): string | null {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  }
}

function escapeInvalid(found: string): string {
  if (found.length === 1) return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const char = found[1]!;
  return ESCAPE_CHARACTER.test(char) ? found : char.replaceAll(INVALID_IN_STRING, escapeInvalid);
}

/** Text of all blocks that are read. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_BLOCKS = 50;
const MAX_DEPTH = 50;

/** Why a block of JSON-LD is not among the others. */
export interface UnreadJsonLd extends JsonProblem {
  /** Which `script` of that type it is, counted from 1. */
  readonly block: number;
}

/** Collects the JSON-LD of a page, parsed. */
export class JsonLdCollector {
  readonly blocks: unknown[] = [];
  /** What is no JSON, too deep or beyond the bounds. */
  readonly unread: UnreadJsonLd[] = [];
  #seen = 0;
  #left = MAX_CHARACTERS;

  add(text: string): void {
    this.#seen++;
    if (text.trim() === '') return;
    const read = this.#read(text);
    if ('value' in read) {
      this.blocks.push(read.value);
      this.#left -= text.length;
    } else if (this.unread.length < MAX_BLOCKS) this.unread.push({ block: this.#seen, ...read });
  }

  #read(text: string): ReturnType<typeof parseLenientJson> {
    const refused = (why: string) => ({ line: 1, column: 1, why });
    if (this.blocks.length >= MAX_BLOCKS) return refused(`only ${MAX_BLOCKS} blocks are read`);
    if (text.length > this.#left) return refused(`only ${MAX_CHARACTERS} characters of all blocks are read`);
    if (depthOf(text) > MAX_DEPTH) return refused(`it is nested deeper than ${MAX_DEPTH} levels`);
    try {
      return { value: JSON.parse(text) };
    } catch {
      return parseLenientJson(text, MAX_DEPTH);
    }
  }

  /** The first string that stands at one of these names, anywhere in the objects; for an object its `name`. */
  first(name: string): string | null {
    const queue: unknown[] = [...this.blocks];
    for (let at = 0; at < queue.length && at < MAX_VISITED_VALUES; at++) {
      const value = queue[at];
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        queue.push(...value.slice(0, 1000));
        continue;
      }
      const text = textValue((value as Record<string, unknown>)[name]);
      if (text !== null) return text;
      queue.push(...Object.values(value).slice(0, 1000));
    }
    return null;
  }
}

const MAX_VISITED_VALUES = 5000;

function textValue(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim();
  if (Array.isArray(value)) return textValue(value[0]);
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
