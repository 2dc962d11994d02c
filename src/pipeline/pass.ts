import type { CallerCookie, Job } from '../domain/job.ts';
import type { Attempt } from '../domain/scrape.ts';

/** Cookies that a site gave to a browser which had passed its check. */
export interface Pass {
  readonly cookies: readonly CallerCookie[];
  /** Checks are passed for an address: they mean nothing through another exit. */
  readonly exit: string;
}

export const COOKIES_REUSED = 'cookies';

/** It went out with the cookies of a passed check: what it shows, others would not be shown. */
export const usesPass = ({ attempt }: { readonly attempt: Attempt }): boolean =>
  attempt.reused.includes(COOKIES_REUSED);

/**
 * What of a pass is of use to a job; null: nothing. Cookies of the caller win, and those that have expired are not sent.
 * @param now wall clock, ms since the epoch
 */
export function usablePass(job: Job, { cookies, exit }: Pass, now: number): Pass | null {
  const own = new Set(job.cookies.map(({ name }) => name));
  const left = cookies.filter(
    ({ name, expires }) => !own.has(name) && (expires === null || expires * 1_000 > now),
  );
  return left.length === 0 ? null : { cookies: left, exit };
}

/** The job with the cookies of the check. */
export function withPass(job: Job, { cookies }: Pass): Job {
  return { ...job, cookies: [...job.cookies, ...cookies] };
}
