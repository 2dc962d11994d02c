import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { settingConflict, settingWarnings } from '../../../src/adapters/replicas/compare-settings.ts';
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

  test('encryption keys change in two steps: first all know the new one, then all use it', () => {
    const [old, both, newest] = [['aaaaaaaa'], ['aaaaaaaa', 'bbbbbbbb'], ['bbbbbbbb', 'aaaaaaaa']];
    const conflict = (own: string[], theirs: string[]) =>
      settingConflict(settings({ encryptionKeys: own }), [other({ encryptionKeys: theirs })]);
    assert.equal(conflict(both, old), null);
    assert.equal(conflict(newest, both), null);
    assert.match(conflict(newest, old) ?? '', /SLUICE_ENCRYPTION_KEY/);
    assert.match(conflict(old, newest) ?? '', /SLUICE_ENCRYPTION_KEY/);
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
