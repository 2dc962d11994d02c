import type { Clock } from '../base/time.ts';
import type { TargetCookie } from '../domain/fetch-result.ts';
import type { CallerCookie, Job } from '../domain/job.ts';
import { isBrowser } from '../domain/scrapers.ts';
import { isBlocked } from '../domain/verdict.ts';
import type { AttemptResult } from './attempt.ts';
import { type Clearance, usableClearance, usesClearance } from './attempt.ts';

const MAX_CLEARANCES = 2_000;
const MAX_COOKIES = 50;
const MAX_CHARACTERS = 16_384;

/**
 * What passed checks brought, for later cheap attempts: only where the request names `proxy.session`, and only for the same
 * user, session and host, for `session_ttl_s`. In memory alone, and bounded.
 */
export class ClearanceCache {
  /** In the order of their coming. */
  readonly #passes = new Map<string, Clearance & { readonly until: number }>();

  /** What there is for a job; null: nothing of use to it. */
  get(job: Job, userId: string, clock: Clock): Clearance | null {
    const key = keyOf(job, userId);
    const found = key === null ? undefined : this.#passes.get(key);
    if (key === null || found === undefined) return null;
    if (found.until > clock.monotonic()) return usableClearance(job, found, clock.now());
    this.#passes.delete(key);
    return null;
  }

  /**
   * After each attempt: keeps what a passed check brought, and forgets what was refused.
   * @param now monotonic, ms
   */
  record(job: Job, userId: string, tried: readonly AttemptResult[], now: number): void {
    const key = keyOf(job, userId);
    if (key === null) return;
    const last = tried[tried.length - 1]!;
    if (usesClearance(last)) {
      if (isBlocked(last.verdict)) this.#passes.delete(key);
      return;
    }
    const exit = last.exit?.exit;
    const cookies =
      exit !== undefined && passedCheck(tried) ? clearanceCookies(last, new URL(job.url).hostname) : [];
    if (exit === undefined || cookies.length === 0) return;
    this.#passes.delete(key);
    this.#passes.set(key, { cookies, exit, until: now + job.proxy.sessionTtlMs });
    if (this.#passes.size > MAX_CLEARANCES) this.#passes.delete(this.#passes.keys().next().value!);
  }
}

function keyOf({ proxy: { session }, url }: Job, userId: string): string | null {
  return session === null ? null : `${userId} ${session} ${new URL(url).host}`;
}

/** A browser has brought the page where another way was refused, or after the page led on by itself. */
function passedCheck(tried: readonly AttemptResult[]): boolean {
  const last = tried[tried.length - 1]!;
  if (!isBrowser(last.step.scraper) || !last.satisfied) return false;
  const ledOn = last.fetched?.redirects.some(({ statusCode }) => statusCode === null) === true;
  return (
    ledOn ||
    tried.some(({ verdict }) => verdict === 'challenge' || verdict === 'captcha' || verdict === 'block')
  );
}

/** Those that belong to the host of the request; none when there are too many to be kept. */
function clearanceCookies({ fetched }: AttemptResult, host: string): readonly CallerCookie[] {
  const fit = (fetched?.page?.cookies ?? []).filter(({ domain }) => domainMatches(withoutDot(domain), host));
  let characters = 0;
  for (const { name, value } of fit) characters += name.length + value.length;
  return fit.length > MAX_COOKIES || characters > MAX_CHARACTERS
    ? []
    : fit.map((one) => callerCookie(one, host));
}

const withoutDot = (domain: string): string => domain.replace(/^\./, '');
const domainMatches = (domain: string, host: string): boolean =>
  domain === host || host.endsWith(`.${domain}`);

function callerCookie(
  { name, value, domain, path, expires, secure, httpOnly }: TargetCookie,
  host: string,
): CallerCookie {
  const hostOnly = domain === host;
  return {
    name,
    value,
    domain: hostOnly ? null : withoutDot(domain),
    path,
    secure,
    httpOnly,
    sameSite: null,
    expires,
  };
}
