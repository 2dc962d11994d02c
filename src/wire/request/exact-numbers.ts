import { rawNumber } from '../../base/numbers.ts';

/** A number that a double may not hold: 16 digits or more, or an exponent. In a text it may stand as well. */
const LONG_NUMBER = /[[,:\s]-?(?:\d{16}|\d[\d.]*[eE])/;
const TOKEN = /[{}[\]]|"(?:[^"\\]|\\.)*"|[^\s{}[\]",:]+/g;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
/** In a query everything is text. */
const asText = (text: string): unknown => text;
/** Members of a scrape whose numbers go to the target, and what such a number becomes there. */
const EXACT_MEMBERS: ReadonlyMap<string, (text: string) => unknown> = new Map<
  string,
  (text: string) => unknown
>([
  ['data', rawNumber],
  ['query', asText],
]);

/** Whether `parseExactly` may give something else than `JSON.parse`. */
export function hasLongNumbers(text: string): boolean {
  return LONG_NUMBER.test(text);
}

/**
 * As `JSON.parse`, but numbers that a double would alter, in `data` and `query`, stay as they are written: the ids of many
 * services have 18 digits. `JSON.parse` with a reviver can tell them too, but takes a minute for 5 MiB.
 * @param text is JSON
 */
export function parseExactly(text: string): unknown {
  const root: unknown[] = [];
  const open: (unknown[] | Record<string, unknown>)[] = [root];
  const names: (string | null)[] = [null];
  let kept: ((text: string) => unknown) | undefined;
  for (const [token] of text.matchAll(TOKEN)) {
    const into = open[open.length - 1]!;
    const name = names[names.length - 1]!;
    const first = token.charCodeAt(0);
    let value: unknown;
    if (first === CLOSE_OBJECT || first === CLOSE_ARRAY) {
      open.pop();
      names.pop();
      continue;
    } else if (name === null && !Array.isArray(into)) {
      names[names.length - 1] = JSON.parse(token) as string;
      if (open.length === 2) kept = EXACT_MEMBERS.get(names[1]!);
      continue;
    } else if (first === OPEN_OBJECT) value = {};
    else if (first === OPEN_ARRAY) value = [];
    else value = exactValue(token, kept === asText && isPairName(open, name) ? undefined : kept);

    if (Array.isArray(into)) into.push(value);
    else {
      names[names.length - 1] = null;
      // A plain assignment would make no member of it.
      if (name === '__proto__')
        Object.defineProperty(into, name, { value, writable: true, enumerable: true, configurable: true });
      else into[name] = value;
    }
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      open.push(value as unknown[]);
      names.push(null);
    }
  }
  return root[0];
}

/** Where a pair of a list has its name, no number may stand, whatever its length. */
function isPairName(open: readonly (unknown[] | Record<string, unknown>)[], name: string | null): boolean {
  const into = open[open.length - 1]!;
  if (!Array.isArray(open[open.length - 2]) || open.length !== 4) return false;
  return Array.isArray(into) ? into.length === 0 : name === 'name';
}

/** Fractions are rounded by whoever reads them; what is altered are whole numbers, and what is beyond all doubles. */
function exactValue(token: string, kept: ((text: string) => unknown) | undefined): unknown {
  const value: unknown = JSON.parse(token);
  if (kept === undefined || typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  if (Number.isFinite(value) && (String(value) === token || !/^-?\d+$/.test(token))) return value;
  return kept(token);
}
