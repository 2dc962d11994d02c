import type { Clock } from '../base/clock.ts';
import type { TargetCookie } from '../domain/fetched.ts';
import type { CallerCookie, Job } from '../domain/job.ts';
import { isBlocked } from '../domain/verdict.ts';
import { CAPABILITIES } from '../router/capabilities.ts';
import type { Tried } from './attempt.ts';
import { type Pass, usablePass, usesPass } from './pass.ts';

const PASSES_MOST = 2_000;
const COOKIES_MOST = 50;
const CHARACTERS_MOST = 16_384;

/**
 * What passed checks brought, for later cheap attempts: only where the request names `proxy.session`, and only for the same
 * user, session and host, for `session_ttl_s`. In memory alone, and bounded.
 */
export class Passes {
  /** In the order of their coming. */
  readonly #passes = new Map<string, Pass & { readonly until: number }>();

  /** What there is for a job; null: nothing of use to it. */
  of(job: Job, userId: string, clock: Clock): Pass | null {
    const key = keyOf(job, userId);
    const found = key === null ? undefined : this.#passes.get(key);
    if (key === null || found === undefined) return null;
    if (found.until > clock.monotonic()) return usablePass(job, found, clock.now());
    this.#passes.delete(key);
    return null;
  }

  /**
   * After each attempt: keeps what a passed check brought, and forgets what was refused.
   * @param now monotonic, ms
   */
  note(job: Job, userId: string, tried: readonly Tried[], now: number): void {
    const key = keyOf(job, userId);
    if (key === null) return;
    const last = tried[tried.length - 1]!;
    if (usesPass(last)) {
      if (isBlocked(last.verdict)) this.#passes.delete(key);
      return;
    }
    const exit = last.exit?.exit;
    const cookies =
      exit !== undefined && passedCheck(tried) ? passCookies(last, new URL(job.url).hostname) : [];
    if (exit === undefined || cookies.length === 0) return;
    this.#passes.delete(key);
    this.#passes.set(key, { cookies, exit, until: now + job.proxy.sessionTtlMs });
    if (this.#passes.size > PASSES_MOST) this.#passes.delete(this.#passes.keys().next().value!);
  }
}

function keyOf({ proxy: { session }, url }: Job, userId: string): string | null {
  return session === null ? null : `${userId} ${session} ${new URL(url).host}`;
}

/** A browser has brought the page where another way was refused, or after the page led on by itself. */
function passedCheck(tried: readonly Tried[]): boolean {
  const last = tried[tried.length - 1]!;
  if (CAPABILITIES[last.step.scraper].engine !== 'browser' || !last.satisfied) return false;
  const ledOn = last.fetched?.redirects.some(({ statusCode }) => statusCode === null) === true;
  return (
    ledOn ||
    tried.some(({ verdict }) => verdict === 'challenge' || verdict === 'captcha' || verdict === 'block')
  );
}

/** Those that belong to the host of the request; none when there are too many to be kept. */
function passCookies({ fetched }: Tried, host: string): readonly CallerCookie[] {
  const fit = (fetched?.page?.cookies ?? []).filter(({ domain }) => belongs(bare(domain), host));
  let characters = 0;
  for (const { name, value } of fit) characters += name.length + value.length;
  return fit.length > COOKIES_MOST || characters > CHARACTERS_MOST
    ? []
    : fit.map((one) => callerCookie(one, host));
}

const bare = (domain: string): string => domain.replace(/^\./, '');
const belongs = (domain: string, host: string): boolean => domain === host || host.endsWith(`.${domain}`);

function callerCookie(
  { name, value, domain, path, expires, secure, httpOnly }: TargetCookie,
  host: string,
): CallerCookie {
  const hostOnly = domain === host;
  return {
    name,
    value,
    domain: hostOnly ? null : bare(domain),
    path,
    secure,
    httpOnly,
    sameSite: null,
    expires,
  };
}
