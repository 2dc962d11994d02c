import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { freePort } from '../../helpers/free-port.ts';
import { SCRIPT, useRemoteCli } from './remote-cli.ts';

describe('sluice login', () => {
  const { service, folder, run, onTerminal, site } = useRemoteCli();

  test('login: asks, checks and stores; SLUICE_URL wins; --local; --remove', async (t) => {
    const none = { SLUICE_URL: undefined, SLUICE_KEY: undefined };
    const file = join(folder, 'config', 'sluice', 'login.json');
    for (const [args, input, why] of [
      [['--url', service.base], 'another-key-0123456789\n', /^sluice: auth\.invalid/],
      [['--url', service.base], '\n', /^sluice: the API key is missing/],
      [['--url', `http://127.0.0.1:${await freePort()}`], 'key\n', /cannot be reached: .*ECONNREFUSED/],
      [['--url', site().url], 'key\n', /is no Sluice/],
      [['--url', 'ftp://x'], 'key\n', /^sluice: the URL must be an absolute http or https URL/],
      [[], 'key\n', /^sluice: --url is missing/],
    ] as const) {
      const { code, stdout, stderr } = await run(['login', ...args], { input, env: none });
      assert.ok(code !== 0 && stdout === '', stdout);
      assert.match(stderr, why);
    }
    assert.ok(!existsSync(file));
    const stored = await run(['login', '--url', `${service.base}/`], {
      input: `${service.key}\n`,
      env: none,
    });
    assert.equal(stored.code, 0, stored.stderr);
    assert.ok(!stored.stdout.includes(service.key));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { url: service.base, key: service.key });
    assert.equal((await run(['jobs', 'list'], { env: none })).code, 0);
    assert.equal((await run(['jobs', 'list'], { env: { ...none, SLUICE_URL: service.base } })).code, 0);
    const other = await run(['jobs', 'list'], { env: { ...none, SLUICE_URL: `${service.base}/other` } });
    assert.match(other.stderr, /SLUICE_URL is set, but SLUICE_KEY is not/);
    const wins = await run(['jobs', 'list'], { env: { SLUICE_KEY: 'another-key-0123456789' } });
    assert.match(wins.stderr, /^sluice: auth\.invalid/);
    const local = { ...none, SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8', SLUICE_PASSWORD_COST: '10' };
    const here = await run(['scrape', `${site().url}/a`, '--local', '--scraper', 'http'], { env: local });
    assert.equal(here.code, 0, here.stderr);
    assert.equal((await service.api('GET', `/api/v1/scrape/${JSON.parse(here.stdout).id}/`)).status, 404);
    assert.equal((await run(['login', '--remove'])).code, 0);
    assert.ok(!existsSync(file));
    if (!existsSync(SCRIPT)) return t.diagnostic('the command script is missing');
    const typed = await onTerminal('login', none, `${service.base}\n${service.key}\n`);
    assert.equal(typed.code, 0, typed.stdout);
    assert.match(typed.stdout, /URL of the service: /);
    assert.match(typed.stdout, /API key: /);
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).key, service.key);
    writeFileSync(file, 'broken');
    const broken = await run(['jobs', 'list'], { env: none });
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /login\.json cannot be read: .*sluice login writes a new one/);
    rmSync(file);
  });
});
