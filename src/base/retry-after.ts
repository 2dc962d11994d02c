/** RFC 9110 §5.6.7: IMF-fixdate, which is sent today, and the two obsolete forms, which recipients must accept. */
const HTTP_DATE =
  /^(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * The pause that `Retry-After` (RFC 9110 §10.2.3: seconds or a date) asks for, in ms from now, at least 0. If there are
 * several, the longest. Null if there is no valid one.
 * @param headers names lower-case
 * @param now wall clock, ms since the epoch
 */
export function retryAfterMs(
  headers: readonly (readonly [name: string, value: string])[],
  now: number,
): number | null {
  let longest: number | null = null;
  for (const [name, value] of headers) {
    if (name !== 'retry-after') continue;
    const ms = parseRetryAfter(value.trim(), now);
    if (ms !== null) longest = Math.max(longest ?? 0, ms);
  }
  return longest;
}

function parseRetryAfter(text: string, now: number): number | null {
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1_000;
  if (!HTTP_DATE.test(text)) return null;
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
