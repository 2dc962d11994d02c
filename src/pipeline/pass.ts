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

/** The job with the cookies of the check; those of the caller win. */
export function withPass(job: Job, { cookies }: Pass): Job {
  const own = new Set(job.cookies.map(({ name }) => name));
  return { ...job, cookies: [...job.cookies, ...cookies.filter(({ name }) => !own.has(name))] };
}
