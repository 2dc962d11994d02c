import type { ProfileState } from '../domain/profiles.ts';
import type { StorageState, StoredCookie } from '../domain/storage-state.ts';
import { isOfSites, siteOfHost } from './sites.ts';

/** The host of a cookie's domain: without the leading dot. */
const hostOf = ({ domain }: StoredCookie): string => domain.replace(/^\./, '');

/** The sites that a state has cookies or storage of, in their order. */
export function sitesOf({ cookies, origins }: StorageState): readonly string[] {
  const hosts = [...cookies.map(hostOf), ...origins.map(({ origin }) => new URL(origin).hostname)];
  return [...new Set(hosts.map(siteOfHost))];
}

/**
 * What a profile keeps of a state: cookies that have not expired, and storage, both of its sites alone.
 * @param now ms since the epoch
 */
export function keptState(
  { cookies, origins }: StorageState,
  sites: readonly string[],
  now: number,
): StorageState {
  return {
    cookies: cookies.filter(
      (cookie) => (cookie.expires === -1 || cookie.expires * 1_000 > now) && isOfSites(hostOf(cookie), sites),
    ),
    origins: origins.filter(({ origin }) => isOfSites(new URL(origin).hostname, sites)),
  };
}

/** The columns that follow from a state. */
export function stateFacts(state: StorageState): {
  readonly state: ProfileState;
  readonly cookies: number;
  readonly text: string;
  readonly bytes: number;
} {
  const text = JSON.stringify(state);
  const isEmpty = state.cookies.length === 0 && state.origins.length === 0;
  return {
    state: isEmpty ? 'empty' : 'ready',
    cookies: state.cookies.length,
    text,
    bytes: Buffer.byteLength(text),
  };
}
