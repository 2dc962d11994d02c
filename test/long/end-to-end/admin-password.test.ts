import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runChild } from '../../helpers/child.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { startService } from '../../helpers/service.ts';
import { signIn, visit } from '../../helpers/visitor.ts';

describe('SLUICE_ADMIN_PASSWORD', () => {
  let home = '';
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'sluice-password-'));
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  test('a changed value is applied, an unchanged value does not overwrite a password that was set later', async () => {
    const dataDir = join(home, 'data');
    const kept = join(dataDir, 'admin-password');
    const backup = join(home, 'passwords.file');
    const email = 'admin@localhost';
    /** Starts the service with this value, and returns which of the passwords is valid. */
    const good = async (variable: string | undefined, change: { from?: string; to?: string } = {}) => {
      await using service = await startService({ SLUICE_ADMIN_PASSWORD: variable }, { dataDir });
      if (change.to !== undefined) {
        const { call } = await signIn(service, email, change.from);
        const body = { current_password: change.from, new_password: change.to };
        assert.equal((await call('POST', '/api/v1/session/password/', { body })).status, 204);
        if (!existsSync(backup)) assert.equal((await service.cli(['backup', backup])).code, 0);
      }
      const found: string[] = [];
      for (const password of ['first password', 'second password', 'their own password']) {
        const entered = await visit(service, 'POST', '/api/v1/session/', { body: { email, password } });
        if (entered.status === 201) found.push(password);
      }
      assert.doesNotMatch(await service.output(), /(?:first|second|own) password/);
      await service.stop();
      return found;
    };
    const theirs = { from: 'first password', to: 'their own password' };
    assert.deepEqual(await good('first password', theirs), ['their own password']);
    assert.deepEqual(await good('first password'), ['their own password']);
    assert.equal(statSync(kept).mode & 0o777, 0o600);
    assert.doesNotMatch(readFileSync(kept, 'utf8'), /password/);
    assert.deepEqual(await good('second password'), ['second password']);
    assert.deepEqual(await good('second password', { from: 'second password', to: theirs.to }), [theirs.to]);
    // A value that was set again after it was removed counts as changed.
    assert.deepEqual(await good(undefined), ['their own password']);
    assert.deepEqual(await good('second password'), ['second password']);
    // A restore brings back an older password, so the value is applied again.
    const restored = await runChild(SLUICE, ['restore', backup, '--force'], {
      env: { ...cleanEnvironment(), SLUICE_DATA_DIR: dataDir },
      cwd: home,
    });
    assert.equal(restored.code, 0, restored.stderr);
    assert.deepEqual(await good('second password'), ['second password']);
    // If the applied value cannot be stored, it is applied at each start.
    rmSync(kept);
    mkdirSync(join(kept, 'in the way'), { recursive: true });
    assert.deepEqual(await good('second password'), ['second password']);
  });
});
