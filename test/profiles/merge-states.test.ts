import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StorageState, StoredCookie } from '../../src/domain/storage-state.ts';
import { mergeStates } from '../../src/profiles/merge-states.ts';

const cookie = (name: string, value: string, more: Partial<StoredCookie> = {}): StoredCookie => ({
  ...{
    name,
    value,
    domain: 'a.test',
    path: '/',
    expires: -1,
    httpOnly: false,
    secure: false,
    sameSite: 'Lax',
  },
  ...more,
});
const state = (...cookies: readonly StoredCookie[]): StorageState => ({ cookies, origins: [] });
const stored = (localStorage: Record<string, string>, ...indexedDB: readonly object[]): StorageState => ({
  cookies: [],
  origins: [
    {
      origin: 'https://a.test',
      localStorage: Object.entries(localStorage).map(([name, value]) => ({ name, value })),
      ...(indexedDB.length === 0 ? {} : { indexedDB }),
    },
  ],
});
const valuesOf = ({ cookies }: StorageState) => cookies.map(({ name, value }) => `${name}=${value}`);

describe('merging states of a profile', () => {
  test('changes of different cookies are both kept; of one, the newest is, and that is a conflict', () => {
    const base = state(cookie('a', '1'), cookie('b', '1'), cookie('gone', '1'));
    const theirs = state(cookie('a', '2'), cookie('b', '1'), cookie('gone', '1'));
    const ours = state(cookie('a', '1'), cookie('b', '3'), cookie('new', '4'));
    const both = mergeStates(base, ours, theirs);
    assert.deepEqual(valuesOf(both.state), ['a=2', 'b=3', 'new=4']);
    assert.deepEqual([both.conflict, both.changed], [false, true]);
    const clash = mergeStates(base, state(cookie('a', '9'), cookie('b', '1'), cookie('gone', '1')), theirs);
    assert.deepEqual([valuesOf(clash.state)[0], clash.conflict], ['a=9', true]);
  });

  test('the same change by both is no conflict, and a shorter lifetime no change', () => {
    const base = state(cookie('a', '1', { expires: 4_000_000_000 }));
    const same = state(cookie('a', '2', { expires: 4_000_000_000 }));
    assert.partialDeepStrictEqual(mergeStates(base, same, same), { conflict: false, changed: false });
    const shorter = state(cookie('a', '1', { expires: 2_000_000_000 }));
    assert.equal(mergeStates(base, shorter, base).changed, false);
    const longer = state(cookie('a', '1', { expires: 4_000_090_000 }));
    assert.equal(mergeStates(base, longer, base).changed, true);
  });

  test('localStorage is merged by key, IndexedDB by database', () => {
    const [one, two] = [
      { name: 'one', version: 1, stores: [] },
      { name: 'two', version: 1, stores: [] },
    ];
    const merged = mergeStates(
      stored({ a: '1', b: '1' }, one),
      stored({ a: '2' }, one, two),
      stored({ a: '1', b: '1', c: '5' }, { ...one, version: 2 }),
    );
    const [origin] = merged.state.origins;
    assert.deepEqual(
      origin!.localStorage.map(({ name, value }) => `${name}=${value}`),
      ['a=2', 'c=5'],
    );
    assert.deepEqual(origin!.indexedDB, [{ ...one, version: 2 }, two]);
    assert.equal(merged.conflict, false);
  });
});
