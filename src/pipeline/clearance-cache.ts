import type { Clock } from '../base/time.ts';
import type { TargetCookie } from '../domain/fetch-result.ts';
import type { CallerCookie, Job } from '../domain/job.ts';
import { isBrowser } from '../domain/scrapers.ts';
import { isBlocked } from '../domain/verdict.ts';
import { type AttemptResult, usesClearance } from './attempt-result.ts';

/** Cookies that a site gave to a browser which passed its bot check. */
export interface Clearance {
  readonly cookies: readonly CallerCookie[];
  /** Checks are passed for an address: the cookies mean nothing through another exit. */
  readonly exit: string;
}

const MAX_CLEARANCES = 2_000;
const MAX_COOKIES = 50;
const MAX_CHARACTERS = 16_384;

/**
 * Keeps the cookies of passed bot checks for later cheap attempts: only where the request names `proxy.session`, and only
 * for the same user, session and host, for `session_ttl_s`. In memory alone, and bounded.
 */
export class ClearanceCache {
  /** The oldest first. */
  readonly #clearances = new Map<string, Clearance & { readonly expiresAt: number }>();

  /** What a job can use; null: there is nothing. */
  get(job: Job, userId: string, clock: Clock): Clearance | null {
    const key = keyOf(job, userId);
    const found = key === null ? undefined : this.#clearances.get(key);
    if (key === null || found === undefined) return null;
    if (found.expiresAt > clock.monotonic()) return usableClearance(job, found, clock.now());
    this.#clearances.delete(key);
    return null;
  }

  /**
   * After each attempt: keeps what a passed check brought, and forgets what a site refused.
   * @param now monotonic, ms
   */
  record(job: Job, userId: string, tried: readonly AttemptResult[], now: number): void {
    const key = keyOf(job, userId);
    if (key === null) return;
    const last = tried[tried.length - 1]!;
    if (usesClearance(last)) {
      if (isBlocked(last.verdict)) this.#clearances.delete(key);
      return;
    }
    const exit = last.exit?.exit;
    const cookies =
      exit !== undefined && passedCheck(tried) ? clearanceCookies(last, new URL(job.url).hostname) : [];
    if (exit === undefined || cookies.length === 0) return;
    this.#clearances.delete(key);
    this.#clearances.set(key, { cookies, exit, expiresAt: now + job.proxy.sessionTtlMs });
    if (this.#clearances.size > MAX_CLEARANCES)
      this.#clearances.delete(this.#clearances.keys().next().value!);
  }
}

function keyOf({ proxy: { session }, url }: Job, userId: string): string | null {
  return session === null ? null : `${userId} ${session} ${new URL(url).host}`;
}

/**
 * The cookies that are of use to a job; null: none. Cookies of the caller win, and those that have expired are not sent.
 * @param now wall clock, ms since the epoch
 */
export function usableClearance(job: Job, { cookies, exit }: Clearance, now: number): Clearance | null {
  const ofCaller = new Set(job.cookies.map(({ name }) => name));
  const usable = cookies.filter(
    ({ name, expires }) => !ofCaller.has(name) && (expires === null || expires * 1_000 > now),
  );
  return usable.length === 0 ? null : { cookies: usable, exit };
}

/** The job with the cookies of the check. */
export function withClearance(job: Job, { cookies }: Clearance): Job {
  return { ...job, cookies: [...job.cookies, ...cookies] };
}

/** Whether a browser has brought the page where another method was refused, or after a check that forwarded by itself. */
function passedCheck(tried: readonly AttemptResult[]): boolean {
  const last = tried[tried.length - 1]!;
  if (!isBrowser(last.step.scraper) || !last.satisfied) return false;
  // A redirect without a status is one that the page made by itself.
  const forwarded = last.fetched?.redirects.some(({ statusCode }) => statusCode === null) === true;
  return (
    forwarded ||
    tried.some(({ verdict }) => verdict === 'challenge' || verdict === 'captcha' || verdict === 'block')
  );
}

/** The cookies for the host of the request; none when there are too many to be kept. */
function clearanceCookies({ fetched }: AttemptResult, host: string): readonly CallerCookie[] {
  const forHost = (fetched?.page?.cookies ?? []).filter(({ domain }) =>
    domainMatches(withoutDot(domain), host),
  );
  let characters = 0;
  for (const { name, value } of forHost) characters += name.length + value.length;
  return forHost.length > MAX_COOKIES || characters > MAX_CHARACTERS
    ? []
    : forHost.map((cookie) => callerCookie(cookie, host));
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
