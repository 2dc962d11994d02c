import type { Cookie } from 'playwright-core';
import type { TargetCookie } from '../../../domain/fetched.ts';
import type { Job } from '../../../domain/job.ts';

/**
 * What the target set: all that the context has, but for the caller's that are as they were given.
 * @param setNames names that a `Set-Cookie` of the main documents had
 */
export function targetCookies(
  all: readonly Cookie[],
  { cookies, host }: Job,
  setNames: ReadonlySet<string>,
): readonly TargetCookie[] {
  return all
    .filter(
      ({ name, value, domain }) =>
        setNames.has(name) ||
        !cookies.some(
          (one) =>
            one.name === name &&
            one.value === value &&
            (one.domain ?? host).replace(/^\./, '') === domain.replace(/^\./, ''),
        ),
    )
    .map(({ name, value, domain, path, expires, secure, httpOnly, sameSite }) => ({
      name,
      value,
      domain: domain.replace(/^\./, ''),
      path,
      expires: expires === -1 ? null : expires,
      secure,
      httpOnly,
      sameSite: sameSite ?? null,
    }));
}
