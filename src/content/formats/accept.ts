import type { Reading } from '../../domain/reading.ts';
import type { Content } from '../../domain/scrape.ts';
import type { AcceptCriteria } from '../../domain/task.ts';

/** The properties of a page that `accept` checks. */
export interface AcceptCandidate {
  readonly statusCode: number;
  readonly content: Content;
  /** Length of the decoded body. */
  readonly byteLength: number;
  /** Whether `selector` and `json_path` were found. */
  readonly reading: Pick<Reading, 'selectorMet' | 'jsonPathMet'>;
}

/**
 * The conditions of `router.accept` that a page does not meet (contract §7), by their names in the request; empty if it
 * meets all. Binary content contains no text.
 */
export function unmetAcceptConditions(accept: AcceptCriteria, page: AcceptCandidate): readonly string[] {
  const unmet: string[] = [];
  const { content, reading } = page;
  if (accept.status.length > 0 && !accept.status.includes(page.statusCode)) unmet.push('status');
  if (accept.selector !== null && !reading.selectorMet) unmet.push('selector');
  if (accept.contains !== null && !contains(content, accept.contains)) unmet.push('contains');
  if (accept.notContains !== null && contains(content, accept.notContains)) unmet.push('not_contains');
  if (page.byteLength < accept.minBytes) unmet.push('min_bytes');
  if (accept.jsonPath !== null && !reading.jsonPathMet) unmet.push('json_path');
  return unmet;
}

function contains({ encoding, bytes }: Content, text: string): boolean {
  if (encoding === 'base64') return false;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(text);
}
