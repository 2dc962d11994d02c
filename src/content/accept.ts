import type { Accept } from '../domain/job.ts';
import type { Content } from '../domain/scrape.ts';
import { matchesAny } from './css-selector.ts';
import { selectsAny } from './json-path.ts';
import type { MimeKind } from './mime-kind.ts';
import { parseHtml, parseXml } from './page-tree.ts';
import { withinTime } from './time-limit.ts';

export { selectorProblem } from './css-selector.ts';
export { jsonPathProblem } from './json-path.ts';

/** Right for UTF-8, and faster than Buffer. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** What of a page `accept` is held against. */
export interface AcceptedPage {
  readonly statusCode: number;
  readonly mimeKind: MimeKind;
  readonly content: Content;
  /** Decoded bytes of the body. */
  readonly byteLength: number;
}

/**
 * The members of `router.accept` that a page does not meet (contract §7), by their names in the request; empty: it
 * meets all. `selector` needs HTML or XML, `json_path` JSON; what has no text contains nothing. A selector or path that
 * takes too long on this page is not met.
 */
export function unmetAccept(accept: Accept, page: AcceptedPage): readonly string[] {
  const unmet: string[] = [];
  const { content } = page;
  const text = readsText(accept) ? textOf(content) : null;
  if (accept.status.length > 0 && !accept.status.includes(page.statusCode)) unmet.push('status');
  if (accept.selector !== null && !meetsSelector(accept.selector, page.mimeKind, text))
    unmet.push('selector');
  if (accept.contains !== null && !contains(content, accept.contains)) unmet.push('contains');
  if (accept.notContains !== null && contains(content, accept.notContains)) unmet.push('not_contains');
  if (page.byteLength < accept.minBytes) unmet.push('min_bytes');
  if (accept.jsonPath !== null && !meetsJsonPath(accept.jsonPath, page.mimeKind, text))
    unmet.push('json_path');
  return unmet;
}

/** Whether the text is needed as a string: two or three times its bytes. */
export function readsText(accept: Accept): boolean {
  return accept.selector !== null || accept.jsonPath !== null;
}

function textOf({ encoding, bytes }: Content): string | null {
  return encoding === 'utf-8' ? utf8.decode(bytes) : null;
}

function contains({ encoding, bytes }: Content, wanted: string): boolean {
  if (encoding === 'base64') return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(wanted);
}

function meetsSelector(css: string, kind: MimeKind, text: string | null): boolean {
  if (text === null || (kind !== 'html' && kind !== 'xml')) return false;
  return holds(text, () => matchesAny(kind === 'html' ? parseHtml(text) : parseXml(text), css));
}

function meetsJsonPath(path: string, kind: MimeKind, text: string | null): boolean {
  if (text === null || kind !== 'json') return false;
  return holds(text, () => selectsAny(JSON.parse(text), path));
}

/** False also when it takes too long, when the text is no JSON, or when the document is nested too deeply. */
function holds(text: string, work: () => boolean): boolean {
  try {
    return withinTime(milliseconds(text.length), work)?.value === true;
  } catch {
    return false;
  }
}

/** An honest page of 1 MiB is parsed in some 150 ms; the whole service waits meanwhile. */
function milliseconds(length: number): number {
  return Math.min(1000, 150 + (length / 2 ** 20) * 250);
}
