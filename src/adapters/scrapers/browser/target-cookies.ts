import type { TargetCookie } from '../../../domain/fetched.ts';
import type { Job } from '../../../domain/job.ts';
import { callersCookies } from './context-options.ts';
import type { KeptCookie } from './kept-cookies.ts';
import type { CookieKey } from './visit/set-cookies.ts';

const bare = (domain: string) => domain.replace(/^\./, '');

/**
 * What the target set: all that the context has, but for the caller's that are as they were given.
 * @param set what a `Set-Cookie` was for
 */
export function targetCookies(
  all: readonly KeptCookie[],
  job: Job,
  set: readonly CookieKey[],
): readonly TargetCookie[] {
  const given = [...callersCookies(job), ...(job.browser.storage?.cookies ?? [])];
  const isAs = (one: CookieKey, { name, domain, path }: CookieKey) =>
    one.name === name && bare(one.domain) === bare(domain) && one.path === path;
  const isGiven = (cookie: KeptCookie) =>
    given.some((one) => isAs(one, cookie) && one.value === cookie.value);
  return all
    .filter((cookie) => !isGiven(cookie) || set.some((one) => isAs(one, cookie)))
    .map(({ name, value, domain, path, expires, secure, httpOnly, sameSite }) => ({
      name,
      value,
      domain: bare(domain),
      path,
      expires: expires === -1 ? null : expires,
      secure,
      httpOnly,
      sameSite: sameSite ?? null,
    }));
}
