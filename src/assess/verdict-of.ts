import type { Page } from '../domain/fetched.ts';
import type { Verdict, VerdictKind } from '../domain/verdict.ts';

const byStatus = (kind: VerdictKind): Verdict =>
  Object.freeze({
    kind,
    confidence: 1,
    signals: Object.freeze(['status']),
    failed: kind === 'rate' ? 'rate' : null,
    wall: null,
  });

const OK = byStatus('ok');
const RATE = byStatus('rate');
const ERROR_PAGE = byStatus('error_page');
const EMPTY = byStatus('empty');

/** No page at all. */
export const NET: Verdict = byStatus('net');

/** Whether an answer has no body by its nature (RFC 9110 §6.4.1). 205 has none either (§15.3.6). */
export function bodyless(method: string, status: number): boolean {
  return method === 'HEAD' || status === 204 || status === 205 || status === 304;
}

/**
 * What a page is worth, by its status alone: block pages that come with 200 or 403 are not recognised yet, so an
 * honest 4xx and a 3xx are `ok` (contract §4).
 */
export function verdictOf(page: Page): Verdict {
  const { statusCode } = page;
  if (statusCode === 429) return RATE;
  if (statusCode >= 500) return ERROR_PAGE;
  if (statusCode < 300 && page.body.length === 0 && page.cut === null && !bodyless(page.method, statusCode))
    return EMPTY;
  return OK;
}
