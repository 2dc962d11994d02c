/**
 * The part of the budget in which a browser's page is still read, whatever was waited for before: 10 %, at least 1 s,
 * at most 5 s, never more than a third (contract §1, `timeout_ms`).
 */
export function reserveMs(timeoutMs: number): number {
  return Math.min(Math.max(timeoutMs / 10, 1000), 5000, timeoutMs / 3);
}
