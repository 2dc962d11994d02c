import { isDeepStrictEqual } from 'node:util';
import type { StorageState, StoredCookie } from '../domain/storage-state.ts';

type Origin = StorageState['origins'][number];

/** Browsers shorten long lifetimes (Chromium: 400 days): a cookie is only renewed if it lives longer than before, by a minute. */
const RENEWED_S = 60;

/** The result of changing the same thing twice. */
interface Merged {
  readonly state: StorageState;
  /** Both have changed one cookie or key, to different values. */
  readonly conflict: boolean;
  /** `theirs` is not the result already. */
  readonly changed: boolean;
}

/**
 * Makes the changes from `base` to `ours` in `theirs`, by cookie, key of localStorage and database. Where both have changed one, ours
 * is the newest and wins.
 */
export function mergeStates(base: StorageState, ours: StorageState, theirs: StorageState): Merged {
  const cookies = merge(cookiesByKey(base), cookiesByKey(ours), cookiesByKey(theirs), isSameCookie);
  const items = merge(itemsByKey(base), itemsByKey(ours), itemsByKey(theirs), isSameItem);
  return {
    state: { cookies: [...cookies.values.values()], origins: originsOf(items.values) },
    conflict: cookies.conflict || items.conflict,
    changed: cookies.changed || items.changed,
  };
}

const cookieKey = ({ name, domain, path, partition }: StoredCookie): string =>
  JSON.stringify([name, domain.replace(/^\./, ''), path, partition?.site ?? null]);

const cookiesByKey = ({ cookies }: StorageState) =>
  new Map(cookies.map((cookie) => [cookieKey(cookie), cookie] as const));

/** @param after the later one */
function isSameCookie(before: StoredCookie, after: StoredCookie): boolean {
  const isRenewed =
    (before.expires === -1) !== (after.expires === -1) || after.expires > before.expires + RENEWED_S;
  return before.value === after.value && before.secure === after.secure && !isRenewed;
}

/** A key of localStorage, or a database. */
interface Item {
  readonly origin: string;
  readonly kind: 'local' | 'database';
  readonly value: object;
}

function itemsByKey({ origins }: StorageState): ReadonlyMap<string, Item> {
  const items = new Map<string, Item>();
  for (const { origin, localStorage, indexedDB = [] } of origins) {
    for (const value of localStorage)
      items.set(JSON.stringify([origin, 'local', value.name]), { origin, kind: 'local', value });
    for (const value of indexedDB) {
      const { name } = value as { readonly name?: string };
      items.set(JSON.stringify([origin, 'database', name]), { origin, kind: 'database', value });
    }
  }
  return items;
}

const isSameItem = (before: Item, after: Item): boolean => isDeepStrictEqual(before.value, after.value);

function originsOf(items: ReadonlyMap<string, Item>): readonly Origin[] {
  const byOrigin = Map.groupBy(items.values(), ({ origin }) => origin);
  return [...byOrigin].map(([origin, ofOrigin]) => {
    const of = (wanted: Item['kind']) =>
      ofOrigin.filter(({ kind }) => kind === wanted).map(({ value }) => value);
    const indexedDB = of('database');
    return {
      origin,
      localStorage: of('local') as Origin['localStorage'],
      ...(indexedDB.length === 0 ? {} : { indexedDB }),
    };
  });
}

function merge<T>(
  base: ReadonlyMap<string, T>,
  ours: ReadonlyMap<string, T>,
  theirs: ReadonlyMap<string, T>,
  isSame: (before: T, after: T) => boolean,
): { readonly values: ReadonlyMap<string, T>; readonly conflict: boolean; readonly changed: boolean } {
  const values = new Map(theirs);
  let conflict = false;
  let changed = false;
  const differ = (before: T | undefined, after: T | undefined): boolean =>
    before === undefined || after === undefined ? before !== after : !isSame(before, after);
  for (const key of new Set([...base.keys(), ...ours.keys()])) {
    const [before, own, other] = [base.get(key), ours.get(key), theirs.get(key)];
    if (!differ(before, own) || !differ(other, own)) continue;
    conflict ||= differ(before, other);
    changed = true;
    if (own === undefined) values.delete(key);
    else values.set(key, own);
  }
  return { values, conflict, changed };
}
