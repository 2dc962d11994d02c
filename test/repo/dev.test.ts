import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startChild } from '../helpers/child.ts';
import { freePort } from '../helpers/free-port.ts';
import { cleanEnvironment, ROOT } from '../helpers/repository.ts';

test('npm run dev: a service that is watched, the fixture site, and a key that works', async () => {
  const port = await freePort();
  const env = { ...cleanEnvironment(), SLUICE_PORT: String(port), SLUICE_DASHBOARD: 'false' };
  const child = startChild(process.execPath, [join(ROOT, 'scripts/dev.ts')], { cwd: ROOT, env });
  try {
    const [, site] = await child.printed(/test site {5}(\S+)/);
    const [, key] = await child.printed(/API key {7}(\S+)/);
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/scrape/`, {
      method: 'POST',
      headers: { authorization: `Api-Key ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${site}/html/2000` }),
    });
    assert.equal(answer.status, 200);
    assert.equal(((await answer.json()) as { status_code: number }).status_code, 200);
  } finally {
    child.kill('SIGTERM');
  }
  assert.deepEqual(await child.exited, { code: 0, signal: null });
});
