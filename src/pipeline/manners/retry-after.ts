import type { HeaderList } from '../../domain/fetched.ts';

/** RFC 9110 §5.6.7: the one form that is sent today, and the two that must be understood. */
const DATE =
  /^(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * What `Retry-After` (RFC 9110 §10.2.3) asks for, ms from now, at least 0: seconds or a date. null: there is none that can
 * be read. Of several the longest.
 * @param now wall clock, ms since the epoch
 */
export function retryAfterMs(headers: HeaderList, now: number): number | null {
  let longest: number | null = null;
  for (const [name, value] of headers) {
    if (name !== 'retry-after') continue;
    const ms = readOne(value.trim(), now);
    if (ms !== null) longest = Math.max(longest ?? 0, ms);
  }
  return longest;
}

function readOne(text: string, now: number): number | null {
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1_000;
  if (!DATE.test(text)) return null;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
