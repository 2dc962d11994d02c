import { type CompareOptions, isIgnoredSelector } from '../domain/monitors.ts';
import type { StoredRecord } from '../domain/record.ts';
import { ignoredText } from './compare-pages.ts';
import { recordTrouble } from './ended-run.ts';
import { readSnapshot, readVersion, type SnapshotDeps } from './read-snapshot.ts';

/** What rules of `ignore` leave out of a page. */
export interface Ignored {
  readonly rules: readonly string[];
  /** Lines that they remove or change. */
  readonly lines: number;
  /** The first of them. */
  readonly examples: readonly string[];
}

export interface PagePreview {
  /** What is compared: lines of a text, or JSON text; null: a picture, bytes, or nothing. */
  readonly text: string | null;
  /** Size of what is compared, in bytes. */
  readonly bytes: number | null;
  readonly ignored: readonly Ignored[];
  /** Why the page cannot be compared, as in runs; null: it can. */
  readonly reason: string | null;
}

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_CHARS = 200;
const NOTHING: PagePreview = { text: null, bytes: null, ignored: [], reason: null };

/** What a monitor would compare of a page. */
export async function previewPage(
  record: StoredRecord,
  compare: CompareOptions,
  deps: SnapshotDeps,
): Promise<PagePreview> {
  const { format, ignore } = compare;
  const trouble = recordTrouble(record, format, false);
  if (trouble !== null) return { ...NOTHING, reason: trouble };
  const snapshot = await readVersion(record, compare, deps, false);
  if (typeof snapshot === 'string') return { ...NOTHING, reason: snapshot };
  if (format === 'screenshot' || format === 'bytes') return { ...NOTHING, bytes: snapshot.length };
  const text = textOf(snapshot);
  if (!['markdown', 'text', 'main_html'].includes(format))
    return { ...NOTHING, text, bytes: snapshot.length };
  const { comparedLines } = await import('./compare-text.ts');
  const linesWith = (source: string, rules: readonly string[]) => comparedLines(source, ignoredText(rules));
  const shown = linesWith(text, ignore).join('\n');
  const whole = linesWith(text, []);
  const ignored: Ignored[] = [];
  const selectors = ignore.filter(isIgnoredSelector);
  if (selectors.length > 0) {
    const others = ignore.filter((rule) => !isIgnoredSelector(rule));
    const unfiltered = await readSnapshot(record, { ...compare, ignore: others }, deps);
    if (typeof unfiltered !== 'string')
      ignored.push(lost(selectors, linesWith(textOf(unfiltered), []), whole));
  }
  for (const rule of ignore)
    if (!isIgnoredSelector(rule) && rule !== 'order')
      ignored.push(lost([rule], whole, linesWith(text, [rule])));
  return { text: shown, bytes: Buffer.byteLength(shown), ignored, reason: null };
}

/** Lines of `before` that are not in `after`. */
function lost(rules: readonly string[], before: readonly string[], after: readonly string[]): Ignored {
  const left = new Map<string, number>();
  for (const line of after) left.set(line, (left.get(line) ?? 0) + 1);
  const missing = before.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
  const examples = missing.slice(0, MAX_EXAMPLES).map((line) => line.slice(0, MAX_EXAMPLE_CHARS));
  return { rules, lines: missing.length, examples };
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
