/** A MIME type as far as it matters here. */
export interface ContentType {
  /** `type/subtype`, lower-case. */
  readonly essence: string;
  /** The `charset` parameter as written; null when there is none. */
  readonly charset: string | null;
}

const WHITE = new Set(['\t', '\n', '\r', ' ']);
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** HTTP quoted-string token code points. */
const VALUE = /^[\t -~\u0080-\u00ff]*$/;

/** Parses one MIME type (WHATWG MIME Sniffing §4.4). Null: it is none. */
export function parseContentType(value: string): ContentType | null {
  const input = trimmed(value, 0, value.length);
  const slash = input.indexOf('/');
  if (slash === -1) return null;
  const type = input.slice(0, slash);
  const semicolon = input.indexOf(';', slash);
  const end = semicolon === -1 ? input.length : semicolon;
  const subtype = trimEnd(input.slice(slash + 1, end));
  if (!TOKEN.test(type) || !TOKEN.test(subtype)) return null;
  return {
    essence: `${type}/${subtype}`.toLowerCase(),
    charset: semicolon === -1 ? null : charsetParameter(input, semicolon),
  };
}

/** The first parameter named `charset` that is well-formed. `at` stands on the semicolon before the first one. */
function charsetParameter(input: string, at: number): string | null {
  while (at < input.length) {
    at++;
    while (at < input.length && WHITE.has(input[at]!)) at++;
    const start = at;
    while (at < input.length && input[at] !== ';' && input[at] !== '=') at++;
    const name = input.slice(start, at);
    if (at >= input.length) return null;
    if (input[at] === ';') continue;
    at++;
    let value: string;
    if (input[at] === '"') {
      [value, at] = quoted(input, at);
    } else {
      const end = input.indexOf(';', at);
      value = trimEnd(input.slice(at, end === -1 ? input.length : end));
      at = end === -1 ? input.length : end;
      if (value === '') continue;
    }
    if (name.toLowerCase() === 'charset' && VALUE.test(value)) return value;
  }
  return null;
}

/** A quoted string that begins at `at`; what stands behind it, up to the next semicolon, is ignored. */
function quoted(input: string, at: number): [value: string, next: number] {
  let value = '';
  let n = at + 1;
  for (; n < input.length && input[n] !== '"'; n++) {
    if (input[n] === '\\' && n + 1 < input.length) n++;
    value += input[n];
  }
  const next = input.indexOf(';', n);
  return [value, next === -1 ? input.length : next];
}

/**
 * The MIME type of a message by all its Content-Type field lines (Fetch, "extract a MIME type"): of several the last
 * good one, which inherits the charset of an equal one before it. Null: none is given or good.
 * @param lines the values, in order
 */
export function extractContentType(lines: readonly string[]): ContentType | null {
  let found: ContentType | null = null;
  for (const item of splitList(lines.join(', '))) {
    const type = parseContentType(item);
    if (type === null || type.essence === '*/*') continue;
    if (type.charset === null && found?.charset != null && found.essence === type.essence) continue;
    found = type;
  }
  return found;
}

/** Splits at commas outside of quotes (Fetch, "get, decode, and split"). */
function splitList(value: string): string[] {
  if (!value.includes(',')) return [value];
  const items: string[] = [];
  let start = 0;
  let quotes = false;
  for (let n = 0; n < value.length; n++) {
    const char = value[n];
    if (char === '"') quotes = !quotes;
    else if (char === '\\' && quotes) n++;
    else if (char === ',' && !quotes) {
      items.push(value.slice(start, n));
      start = n + 1;
    }
  }
  items.push(value.slice(start));
  return items;
}

function trimmed(text: string, from: number, to: number): string {
  while (from < to && WHITE.has(text[from]!)) from++;
  while (to > from && WHITE.has(text[to - 1]!)) to--;
  return from === 0 && to === text.length ? text : text.slice(from, to);
}

function trimEnd(text: string): string {
  let to = text.length;
  while (to > 0 && WHITE.has(text[to - 1]!)) to--;
  return text.slice(0, to);
}
