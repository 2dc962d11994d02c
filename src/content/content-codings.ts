export type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';

/** In the order in which they are undone: the last one applied first. */
export type Codings =
  | { readonly problem: null; readonly undo: readonly Coding[] }
  | { readonly problem: string; readonly undo: null };

/** Contract §4. RFC 9110 sets no limit; nobody stacks more than two in earnest. */
const MOST = 5;

const CODINGS: ReadonlyMap<string, Coding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
]);

/**
 * Words that servers put into Content-Encoding although they name no coding of the bytes: a charset, a framing
 * (`aws-chunked` is how an object was once uploaded), or nothing. Browsers pass the body through, and so it is meant.
 */
const NOT_A_CODING: ReadonlySet<string> = new Set([
  '',
  'identity',
  'none',
  'utf-8',
  'utf8',
  'binary',
  '8bit',
  '7bit',
  'chunked',
  'aws-chunked',
]);

const NOTHING: Codings = { problem: null, undo: [] };

/**
 * Reads Content-Encoding (RFC 9110 §8.4: a list, in the order of application; names without regard to case).
 * @param value all field lines joined with `, `; null when there are none
 */
export function parseContentCodings(value: string | null): Codings {
  if (value === null || value === '') return NOTHING;
  const undo: Coding[] = [];
  for (const item of value.split(',')) {
    const name = item.trim().toLowerCase();
    if (NOT_A_CODING.has(name)) continue;
    const coding = CODINGS.get(name);
    if (coding === undefined) return { problem: `unknown content coding ${shown(name)}`, undo: null };
    if (undo.length === MOST) return { problem: `more than ${MOST} content codings`, undo: null };
    undo.unshift(coding);
  }
  return undo.length === 0 ? NOTHING : { problem: null, undo };
}

function shown(name: string): string {
  return JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
}
