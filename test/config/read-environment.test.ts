import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { defaultBaseUrl, loadConfig, readEnvironment } from '../../src/config/config.ts';

describe('readEnvironment', () => {
  let folder: string;
  const before = { ...process.env };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-config-'));
    for (const name of Object.keys(process.env)) if (name.startsWith('SLUICE_')) delete process.env[name];
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    for (const name of Object.keys(process.env)) if (name.startsWith('SLUICE_')) delete process.env[name];
    Object.assign(process.env, before);
  });

  it('reads .env, and lets the environment win', () => {
    writeFileSync(join(folder, '.env'), '# ours\nSLUICE_PORT=1\nSLUICE_HOST="localhost"\nOTHER=x\n');
    process.env.SLUICE_PORT = '2';
    assert.deepEqual(readEnvironment(folder), { SLUICE_PORT: '2', SLUICE_HOST: 'localhost' });
  });

  it('goes without .env', () => assert.deepEqual(readEnvironment(folder), {}));

  it('refuses a .env that cannot be read', () => {
    mkdirSync(join(folder, '.env'));
    const { problems } = loadConfig(folder);
    assert.equal(problems?.[0]?.variable, '.env');
  });

  it('reads files relative to the folder, and names those that it cannot read', () => {
    writeFileSync(join(folder, 'key'), 'a-key-of-our-own\n');
    process.env.SLUICE_API_KEY_FILE = 'key';
    assert.equal(loadConfig(folder).config?.apiKey, 'a-key-of-our-own');
    process.env.SLUICE_ADMIN_PASSWORD_FILE = 'nothing-here';
    process.env.SLUICE_CA_FILE = folder;
    const { problems } = loadConfig(folder);
    assert.deepEqual(
      problems?.map((problem) => problem.variable),
      ['SLUICE_ADMIN_PASSWORD_FILE', 'SLUICE_CA_FILE'],
    );
    assert.match(problems?.[0]?.message ?? '', /ENOENT/);
  });
});

describe('defaultBaseUrl', () => {
  const cases: [host: string, port: number, url: string][] = [
    ['127.0.0.1', 8080, 'http://127.0.0.1:8080'],
    ['::1', 1, 'http://[::1]:1'],
    ['0.0.0.0', 80, 'http://localhost:80'],
    ['::', 80, 'http://localhost:80'],
  ];
  for (const [host, port, url] of cases) it(url, () => assert.equal(defaultBaseUrl(host, port), url));
});
