import { hash } from 'node:crypto';
import type { TargetCookie } from '../domain/fetch-result.ts';
import { isBrowser } from '../domain/scrapers.ts';
import type { Sealer } from '../domain/sealing.ts';
import type { CallerCookie, Task } from '../domain/task.ts';
import { isBlocked } from '../domain/verdict.ts';
import type { SharedValues, ValueChange } from '../ports/coordination.ts';
import { type AttemptResult, usesClearance } from './attempt-result.ts';

/** Cookies that a site gave to a browser which passed its bot check. */
export interface Clearance {
  readonly cookies: readonly CallerCookie[];
  /** Key of the exit. A site accepts the cookies only from the address that passed the check. */
  readonly exit: string;
}

const MAX_COOKIES = 50;
const MAX_CHARACTERS = 16_384;

/**
 * Keeps the cookies of passed bot checks for cheaper attempts later: only if the request names `proxy.session`, and only
 * for the same user, session and host, for `session_ttl_s`. All replicas use them. What leaves the memory of this process is
 * encrypted.
 */
export class ClearanceCache {
  readonly #values: SharedValues;
  readonly #sealer: Sealer | null;

  /** @param sealer null: the values stay in the memory of this process */
  constructor(values: SharedValues, sealer: Sealer | null) {
    this.#values = values;
    this.#sealer = sealer;
  }

  /**
   * The clearance that a task can use; null if there is none. Without a session there is no wait.
   * @param now wall clock, ms since the epoch
   */
  get(task: Task, userId: string, now: number): Clearance | null | Promise<Clearance | null> {
    const key = keyOf(task, userId);
    return key === null ? null : this.#read(key, task, userId, now);
  }

  async #read(key: string, task: Task, userId: string, now: number): Promise<Clearance | null> {
    // A failure of what the replicas share only costs an attempt.
    const value = await Promise.resolve(this.#values.get(key)).catch(() => null);
    const found = value === null ? null : this.#open(value, userId);
    return found === null ? null : usableClearance(task, found, now);
  }

  /**
   * To be called after each attempt: keeps the cookies if a check was passed, and forgets them if the site refused them.
   * @param tried the attempts of the scrape so far
   */
  record(task: Task, userId: string, tried: readonly AttemptResult[]): void {
    const key = keyOf(task, userId);
    if (key === null) return;
    const last = tried[tried.length - 1]!;
    if (usesClearance(last)) {
      if (isBlocked(last.verdict)) this.#update(key, () => 'delete');
      return;
    }
    const exit = last.exit?.exit;
    const cookies =
      exit !== undefined && passedCheck(tried) ? clearanceCookies(last, new URL(task.url).hostname) : [];
    if (exit === undefined || cookies.length === 0) return;
    const value = this.#seal({ cookies, exit }, userId);
    this.#update(key, () => ({ value, ttlMs: task.proxy.sessionTtlMs }));
  }

  #update(key: string, change: ValueChange): void {
    (async () => this.#values.update(key, change))().catch(() => {});
  }

  #seal(clearance: Clearance, userId: string): string {
    const text = JSON.stringify(clearance);
    return this.#sealer === null
      ? text
      : Buffer.from(this.#sealer.seal('clearance', userId, Buffer.from(text))).toString('base64');
  }

  /** null: it was sealed with a key that is gone. */
  #open(value: string, userId: string): Clearance | null {
    if (this.#sealer === null) return JSON.parse(value);
    try {
      return JSON.parse(this.#sealer.open('clearance', userId, Buffer.from(value, 'base64')).toString());
    } catch {
      return null;
    }
  }
}

/** A hash, because names of sessions are as long as callers like, and are nobody's business. */
function keyOf({ proxy: { session }, url }: Task, userId: string): string | null {
  if (session === null) return null;
  return `clearance ${hash('sha256', JSON.stringify([userId, session, new URL(url).host]), 'base64url')}`;
}

/**
 * The cookies that a task can use; null if there are none. Cookies of the caller have precedence; expired ones are left out.
 * @param now wall clock, ms since the epoch
 */
export function usableClearance(task: Task, { cookies, exit }: Clearance, now: number): Clearance | null {
  const callerNames = new Set(task.cookies.map(({ name }) => name));
  const usable = cookies.filter(
    ({ name, expires }) => !callerNames.has(name) && (expires === null || expires * 1_000 > now),
  );
  return usable.length === 0 ? null : { cookies: usable, exit };
}

/** The task with the cookies of the clearance added. */
export function withClearance(task: Task, { cookies }: Clearance): Task {
  return { ...task, cookies: [...task.cookies, ...cookies] };
}

/** Whether a browser got the page after another attempt was refused, or after a check page that redirected by itself. */
function passedCheck(tried: readonly AttemptResult[]): boolean {
  const last = tried[tried.length - 1]!;
  if (!isBrowser(last.step.scraper) || !last.satisfied) return false;
  // A redirect without a status was made by the page, not by HTTP.
  const redirectedByPage = last.fetched?.redirects.some(({ statusCode }) => statusCode === null) === true;
  return (
    redirectedByPage ||
    tried.some(({ verdict }) => verdict === 'challenge' || verdict === 'captcha' || verdict === 'block')
  );
}

/** The cookies for the host of the request; none if there are too many to keep. */
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

/** The `Domain` attribute without the leading dot, which has no meaning (RFC 6265 §5.2.3). */
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
