import type { Cookie } from 'playwright-core';
import type { TargetCookie } from '../../../domain/fetched.ts';
import type { Job } from '../../../domain/job.ts';

/**
 * What the target set: all that the context has, but for the caller's that are as they were given.
 * @param setNames names that a `Set-Cookie` of the main documents had
 */
export function targetCookies(
  all: readonly Cookie[],
  { cookies, host, browser }: Job,
  setNames: ReadonlySet<string>,
): readonly TargetCookie[] {
  const bare = (domain: string) => domain.replace(/^\./, '');
  const given = [
    ...cookies.map((one) => ({ ...one, domain: one.domain ?? host, anew: setNames.has(one.name) })),
    // Of other sites too: the target cannot have set those again.
    ...(browser.storage?.cookies ?? []).map((one) => ({
      ...one,
      anew: setNames.has(one.name) && `.${host}`.endsWith(`.${bare(one.domain)}`),
    })),
  ];
  return all
    .filter(
      ({ name, value, domain }) =>
        !given.some(
          (one) => !one.anew && one.name === name && one.value === value && bare(one.domain) === bare(domain),
        ),
    )
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
