import type { HeaderList } from '../domain/fetch-result.ts';

/** RFC 9110 §5.6.7: the one form that is sent today, and the two that must be understood. */
const HTTP_DATE =
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
    const ms = parseRetryAfter(value.trim(), now);
    if (ms !== null) longest = Math.max(longest ?? 0, ms);
  }
  return longest;
}

function parseRetryAfter(text: string, now: number): number | null {
  if (/^\d{1,15}$/.test(text)) return Number(text) * 1_000;
  if (!HTTP_DATE.test(text)) return null;
  const at = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** How fast one site is asked, after it said that we are too fast. Instants and times in ms, monotonic. */
export interface SitePace {
  /** Nothing is sent before: what `Retry-After` asked for, or the gap when it asked for nothing. */
  readonly until: number;
  /** Between the starts of two attempts. */
  readonly gapMs: number;
  /** When the next attempt may start. */
  readonly nextAt: number;
  /** When it was slowed down last. Turns that were given before do not hold any more. */
  readonly slowedAt: number;
}

/** The rate after the first complaint: nothing is known of what the site bears. */
const FIRST_GAP_MS = 1_000;
const LONGEST_GAP_MS = 60_000;
/** Added to the rate (starts a second) for each answer that does not complain. */
const RATE_STEP = 0.2;
/** At so short a gap the site is not paced any more. */
const UNPACED_GAP_MS = 50;
/** A site must not put itself, or others on its host, out of reach for longer by one answer. */
export const LONGEST_PAUSE_MS = 3_600_000;
/** So long after its last turn a pace is forgotten. */
const FORGET_MS = 600_000;

/**
 * The site said that it is asked too fast: the rate is halved, and there is a pause. Answers to what was sent before the
 * last complaint only repeat it: they may lengthen the pause, not halve the rate again.
 * @param sentAt when the attempt that the site complained about began
 * @param retryAfterMs what `Retry-After` asked for; null: nothing
 */
export function slowDown(
  pace: SitePace | null,
  now: number,
  sentAt: number,
  retryAfterMs: number | null,
): SitePace {
  const repeated = pace !== null && sentAt < pace.slowedAt;
  const gapMs =
    pace === null ? FIRST_GAP_MS : repeated ? pace.gapMs : Math.min(LONGEST_GAP_MS, pace.gapMs * 2);
  const until = Math.max(pace?.until ?? 0, now + Math.min(LONGEST_PAUSE_MS, retryAfterMs ?? gapMs));
  if (repeated && until === pace.until) return pace;
  return { until, gapMs, nextAt: until, slowedAt: repeated ? pace.slowedAt : now };
}

/** The site answered without a complaint: a little faster. null: it is not paced any more. */
export function speedUp(pace: SitePace, sentAt: number): SitePace | null {
  // Answers to what was sent before the complaint say nothing about the rate after it.
  if (sentAt < pace.slowedAt) return pace;
  const gapMs = 1_000 / (1_000 / pace.gapMs + RATE_STEP);
  return gapMs <= UNPACED_GAP_MS ? null : { ...pace, gapMs };
}

/** When an attempt that comes `now` may start; the second member is the pace after it took that turn. */
export function nextStart(pace: SitePace, now: number): readonly [startAt: number, after: SitePace] {
  const startAt = Math.max(now, pace.nextAt);
  return [startAt, { ...pace, nextAt: startAt + pace.gapMs }];
}

export function isForgotten(pace: SitePace, now: number): boolean {
  return now > Math.max(pace.until, pace.nextAt) + FORGET_MS;
}
