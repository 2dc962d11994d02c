/** A place in a text, both counted from 1, and what is wrong there. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly why: string;
}

/** White space, comments, and what scripts were once wrapped in so that other readers pass over them. */
const NOTHING = /(?:\s|\/\/[^\n\r]*|\/\*.*?\*\/|<!--|-->|<!\[CDATA\[|\]\]>)+/sy;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const SCALAR = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** What JSON has no place for in a string: control characters, and escapes that it does not know. */
const UNCLEAN = /[\0-\x1f]|\\./gs;
const ESCAPE = /["\\/bfnrtu]/;

class Wrong extends Error {}

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
    if (at < text.length) throw new Wrong('there is more text after the value');
    return { value };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
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
    if (depth === deepest) throw new Wrong(`it is nested deeper than ${deepest} levels`);
    const isObject = text[at++] === '{';
    const close = isObject ? '}' : ']';
    // Without a prototype `__proto__` is a name like any other.
    const object = Object.create(null) as Record<string, unknown>;
    const list: unknown[] = [];
    for (blank(); !taken(close); blank()) {
      if (isObject) {
        const name = string();
        blank();
        if (!taken(':')) throw new Wrong('":" is missing');
        object[name] = valueAt(depth + 1);
      } else list.push(valueAt(depth + 1));
      if (!taken(',') && text[at] !== close) throw new Wrong(`"," or "${close}" is missing`);
    }
    return isObject ? object : list;
  }

  function scalar(): unknown {
    if (text[at] === '"') return string();
    const found = match(SCALAR);
    if (found === null) throw new Wrong('a value is missing');
    return JSON.parse(found);
  }

  function string(): string {
    const begin = at;
    const found = match(STRING);
    if (found === null)
      throw new Wrong(text[at] === '"' ? 'this string is not closed' : 'a string is missing');
    try {
      return JSON.parse(found.replaceAll(UNCLEAN, cleaned));
    } catch {
      at = begin;
      throw new Wrong('this string has an invalid escape');
    }
  }

  function blank(): void {
    match(NOTHING);
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

function cleaned(found: string): string {
  if (found.length === 1) return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const char = found[1]!;
  return ESCAPE.test(char) ? found : char.replaceAll(UNCLEAN, cleaned);
}
