import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  commonKey,
  settingConflict,
  settingWarnings,
} from '../../../src/adapters/replicas/compare-settings.ts';
import type { ReplicaSettings } from '../../../src/ports/replicas.ts';

const settings = (change: Partial<ReplicaSettings> = {}): ReplicaSettings => ({
  encryptionKeys: ['aaaaaaaa'],
  shared: { SLUICE_SECRET: '1', SLUICE_REDIS_URL: '2' },
  others: { SLUICE_RETENTION_DAYS: '3' },
  ...change,
});
const other = (change: Partial<ReplicaSettings> = {}, version = '1') => ({
  role: 'api' as const,
  host: 'one',
  version,
  settings: settings(change),
});

describe('settings that must not differ', () => {
  test('equal settings, and variables that one version does not have, are no conflict', () => {
    assert.equal(settingConflict(settings(), [other(), other({ shared: { SLUICE_NEW: '9' } })]), null);
  });

  test('the conflict names the variables and the other replica', () => {
    const conflict = settingConflict(settings(), [
      other(),
      other({ shared: { SLUICE_SECRET: '1', SLUICE_REDIS_URL: 'y' }, encryptionKeys: ['bbbbbbbb'] }),
    ]);
    assert.match(conflict ?? '', /^SLUICE_REDIS_URL, SLUICE_ENCRYPTION_KEY: must be the same/);
    assert.match(conflict ?? '', /on one \(role api\)/);
  });

  test('with another secret, other hashes say nothing', () => {
    const theirs = other({ shared: { SLUICE_SECRET: 'x', SLUICE_REDIS_URL: 'y' } });
    assert.match(settingConflict(settings(), [theirs]) ?? '', /^SLUICE_SECRET: must be the same/);
  });

  describe('encryption keys: all replicas need one in common, and the newest of those encrypts', () => {
    const [A, B, C] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'];
    const cases: readonly [own: string[], others: string[][], common: string | null][] = [
      [[A], [[A]], A],
      [[A, B], [[A]], A],
      [[B, A], [[A]], A],
      [[A], [[B, A]], A],
      [[B, A], [[A], [B, A]], A],
      [[B, A], [[A, B]], B],
      [[B], [[B, A], [B]], B],
      [
        [C, B, A],
        [
          [B, A],
          [A, B],
        ],
        B,
      ],
      [[A], [[B]], null],
      [[A, B], [[C]], null],
      [[A], [[B, A], [B]], null],
      // Each two have one, but all three have none.
      [
        [A, B],
        [
          [B, C],
          [C, A],
        ],
        null,
      ],
      [[A], [], A],
    ];
    for (const [encryptionKeys, keysOfOthers, common] of cases)
      test(`${encryptionKeys.join()} beside ${keysOfOthers.map((keys) => keys.join()).join(' and ')}: ${common}`, () => {
        const own = settings({ encryptionKeys });
        const others = keysOfOthers.map((theirs) => other({ encryptionKeys: theirs }));
        assert.equal(commonKey(own, others), common);
        const conflict = settingConflict(own, others);
        if (common !== null) assert.equal(conflict, null);
        else assert.match(conflict ?? '', /^SLUICE_ENCRYPTION_KEY: must be the same/);
      });
  });
});

test('other differences are warnings that name the variables', () => {
  const own = { settings: settings(), version: '1' };
  assert.deepEqual(settingWarnings(own, [other()]), []);
  const changed = other({ others: { SLUICE_RETENTION_DAYS: '4' }, encryptionKeys: ['aaaaaaaa', 'b'] }, '2');
  assert.deepEqual(settingWarnings(own, [other(), changed]), [
    'Settings differ between replicas: SLUICE_ENCRYPTION_KEY, SLUICE_RETENTION_DAYS.',
    'Replicas have different versions: 1, 2.',
  ]);
});
