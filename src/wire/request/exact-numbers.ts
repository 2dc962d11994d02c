import { rawNumber } from '../../base/numbers.ts';

/** A number that a double may not hold: 16 digits or more, or an exponent. It also matches in strings; that costs only time. */
const LONG_NUMBER = /[[,:\s]-?(?:\d{16}|\d[\d.]*[eE])/;
/** A bracket, a string, or another value of JSON. */
export const JSON_TOKEN = /[{}[\]]|"(?:[^"\\]|\\.)*"|[^\s{}[\]",:]+/g;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const QUOTE = 0x22;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const asText = (text: string): unknown => text;
/** Members of the request whose numbers are sent to the target, and how a long number is kept: as text, where only its text is sent. */
const EXACT_MEMBERS: ReadonlyMap<string, (text: string) => unknown> = new Map<
  string,
  (text: string) => unknown
>([
  ['data', rawNumber],
  ['query', asText],
  ['headers', asText],
  ['cookies', asText],
]);

/** Whether the result of `parseExactly` may differ from that of `JSON.parse`. */
export function hasLongNumbers(text: string): boolean {
  return LONG_NUMBER.test(text);
}

/**
 * Reads valid JSON as `JSON.parse` does, but in `data`, `query`, `headers` and `cookies` it keeps the text of numbers that a double
 * would change: the ids of many services have 18 digits. `JSON.parse` with a reviver gets that text too, but takes a minute for 5 MiB.
 * @param text JSON of a scrape request, or of an object whose member `request` is one
 */
export function parseExactly(text: string): unknown {
  const root: unknown[] = [];
  /** The containers around the current token, the innermost last. */
  const open: (unknown[] | Record<string, unknown>)[] = [root];
  /** For each of them, the name of the member whose value comes next; null: a name or an array item comes next. */
  const names: (string | null)[] = [null];
  let keepNumber: ((text: string) => unknown) | undefined;
  /** Length of `open` in the scrape request: it is the body, or the member `request` of the body. */
  let requestDepth = 2;
  for (const [token] of text.matchAll(JSON_TOKEN)) {
    const container = open[open.length - 1]!;
    const name = names[names.length - 1]!;
    const first = token.charCodeAt(0);
    let value: unknown;
    if (first === CLOSE_OBJECT || first === CLOSE_ARRAY) {
      open.pop();
      names.pop();
      continue;
    } else if (name === null && !Array.isArray(container)) {
      names[names.length - 1] = tokenValue(token) as string;
      // The name of a member of the body, or of its `request`.
      if (open.length === 2) requestDepth = names[1] === 'request' ? 3 : 2;
      if (open.length === requestDepth) keepNumber = EXACT_MEMBERS.get(names[requestDepth - 1]!);
      else if (open.length === 2) keepNumber = undefined;
      continue;
    } else if (first === OPEN_OBJECT) value = {};
    else if (first === OPEN_ARRAY) value = [];
    else {
      const isName = keepNumber === asText && isPairName(open, name, requestDepth);
      value = exactValue(token, isName ? undefined : keepNumber);
    }

    if (Array.isArray(container)) container.push(value);
    else {
      names[names.length - 1] = null;
      // An assignment to `__proto__` would set the prototype.
      if (name === '__proto__')
        Object.defineProperty(container, name, {
          value,
          writable: true,
          enumerable: true,
          configurable: true,
        });
      else container[name] = value;
    }
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      open.push(value as unknown[]);
      names.push(null);
    }
  }
  return root[0];
}

/** Whether the token is the name in a name-value pair, as of `query`. A number there must be refused, so it is not made text. */
function isPairName(
  open: readonly (unknown[] | Record<string, unknown>)[],
  name: string | null,
  requestDepth: number,
): boolean {
  // In a name-value pair, the last of `open` are the request, the array of its member, and the pair.
  const pair = open[open.length - 1]!;
  if (!Array.isArray(open[open.length - 2]) || open.length !== requestDepth + 2) return false;
  return Array.isArray(pair) ? pair.length === 0 : name === 'name';
}

/** The value of a token that is no bracket. `JSON.parse` of so small a text takes many times as long. */
function tokenValue(token: string): unknown {
  switch (token.charCodeAt(0)) {
    case QUOTE:
      return token.includes('\\') ? JSON.parse(token) : token.slice(1, -1);
    case LOWER_T:
      return true;
    case LOWER_F:
      return false;
    case LOWER_N:
      return null;
    default:
      return Number(token);
  }
}

/** Keeps the text of integers that are not safe, and of numbers beyond the range of doubles. Fractions may be rounded. */
function exactValue(token: string, keepNumber: ((text: string) => unknown) | undefined): unknown {
  const value = tokenValue(token);
  if (keepNumber === undefined || typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  if (Number.isFinite(value) && (String(value) === token || !/^-?\d+$/.test(token))) return value;
  return keepNumber(token);
}
