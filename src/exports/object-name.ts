/** What the placeholders of a name stand for. */
export interface NameParts {
  /** ms since the epoch. */
  readonly at: number;
  readonly name: string;
  readonly run: string;
}

const PLACEHOLDER = /\{(\w*)\}/g;
const KNOWN = ['date', 'time', 'name', 'run'] as const;
const MAX_NAME_CHARS = 100;
/** S3: of a key in UTF-8. */
const MAX_KEY_BYTES = 1_024;

/** Letters, digits, `.`, `_` and `-`: nothing that separates folders or leads out of one. */
function safePart(text: string): string {
  const safe = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/g, '');
  return [...safe].slice(0, MAX_NAME_CHARS).join('') || 'export';
}

/** The text with `{date}` (2026-01-31), `{time}` (235959, both UTC), `{name}` and `{run}` filled in. */
export function filledName(text: string, { at, name, run }: NameParts): string {
  const iso = new Date(at).toISOString();
  const values: Readonly<Record<string, string>> = {
    date: iso.slice(0, 10),
    time: iso.slice(11, 19).replaceAll(':', ''),
    name: safePart(name),
    run: safePart(run),
  };
  return text.replace(PLACEHOLDER, (whole, word: string) => values[word] ?? whole);
}

/** Why a text has a placeholder that is not known; null: it has none. */
export function placeholderProblem(text: string): string | null {
  for (const [whole, word] of text.matchAll(PLACEHOLDER))
    if (!KNOWN.some((known) => known === word))
      return `has the unknown placeholder ${whole}; known are ${KNOWN.map((known) => `{${known}}`).join(', ')}`;
  return null;
}

/** Why a text cannot be the name of an object; null: it can. */
export function keyProblem(key: string): string | null {
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) return `may have at most ${MAX_KEY_BYTES} bytes`;
  if (/[\p{Cc}\\]/u.test(key) || !key.isWellFormed())
    return 'may have no control characters and no backslashes';
  if (key.split('/').some((part) => part === '' || part === '.' || part === '..'))
    return 'must be a relative path without empty parts, `.` and `..`';
  return placeholderProblem(key);
}
