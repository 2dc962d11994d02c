import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Child, runChild, startChild } from '../../helpers/child.ts';
import { apiOf } from '../../helpers/client.ts';
import { freePort, listen } from '../../helpers/free-port.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { eventually, startService, TEST_KEY } from '../../helpers/service.ts';

const KEY = /slc_live_[A-Za-z0-9]{40,}/;
const LINK = /http:\/\/[^\s#]+\/set-up#([A-Za-z0-9_-]{43})/;

// More starts at once than this take each other the time that they have.
describe('the first start', { concurrency: 4 }, () => {
  let home = '';
  let made = 0;
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'sluice-first-'));
  });
  after(() => rmSync(home, { recursive: true, force: true }));
  const folder = () => join(home, `data${++made}`);
  const works = async (base: string, key: string) => {
    const { status } = await apiOf(base, key)('GET', '/api/v1/keys/');
    return status === 200;
  };

  const linkStatus = async (base: string, link: string) => {
    const [, token] = LINK.exec(link) ?? assert.fail(link);
    const ask = { key: null, headers: { origin: base }, body: { token } };
    return (await apiOf(base, '')('POST', '/api/v1/session/link/', ask)).status;
  };

  test('without a terminal: the key is in a file of the owner alone, and the output says where', async () => {
    const dataDir = folder();
    const first = join(dataDir, 'first-key');
    {
      await using service = await startService({ SLUICE_API_KEY: undefined }, { dataDir });
      const [key, link, ...rest] = readFileSync(first, 'utf8').split('\n');
      assert.match(key!, KEY);
      assert.deepEqual(rest, ['']);
      assert.equal(await linkStatus(service.base, link!), 200);
      assert.equal(statSync(first).mode & 0o777, 0o600);
      assert.ok((await service.output()).includes('first-key'), await service.output());
      assert.doesNotMatch(await service.output(), KEY);
      assert.doesNotMatch(await service.output(), LINK);
      assert.ok(await works(service.base, key!));
      await service.stop();
    }
    // The next start makes no other, and says nothing secret.
    const before = readFileSync(first, 'utf8');
    const key = before.split('\n')[0]!;
    await using again = await startService({ SLUICE_API_KEY: undefined }, { dataDir });
    assert.equal(readFileSync(first, 'utf8'), before);
    assert.doesNotMatch(await again.output(), KEY);
    assert.doesNotMatch(await again.output(), LINK);
    assert.match(
      await again.output(),
      /admin@localhost has no password .*sluice users link --email admin@localhost/,
    );
    assert.ok((await again.output()).includes(String(again.port)), 'it says where it listens');
    assert.ok(await works(again.base, key));
    await again.stop();
  });

  test('a first start that cannot listen does not swallow the key', async () => {
    const dataDir = folder();
    const taken = createServer();
    await listen(taken);
    const env = {
      ...cleanEnvironment(),
      SLUICE_PORT: String((taken.address() as AddressInfo).port),
      SLUICE_DATA_DIR: dataDir,
    };
    try {
      const refused = await runChild(SLUICE, ['serve'], { cwd: home, env });
      assert.equal(refused.code, 1, refused.stdout + refused.stderr);
      assert.ok(refused.stdout.includes('first-key'), refused.stdout);
    } finally {
      taken.close();
    }
    const key = readFileSync(join(dataDir, 'first-key'), 'utf8').trim();
    await using service = await startService({ SLUICE_API_KEY: undefined }, { dataDir });
    assert.ok(await works(service.base, key));
    await service.stop();
  });

  test('with a terminal: the key and a curl command to paste, and no file', async (t) => {
    if (spawnSync('script', ['--version']).status !== 0)
      return t.skip('needs the command script, for a terminal');
    const dataDir = folder();
    const port = await freePort();
    const env = {
      ...cleanEnvironment(),
      SLUICE_PORT: String(port),
      SLUICE_DATA_DIR: dataDir,
      SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8',
    };
    const base = `http://127.0.0.1:${port}`;
    const start = () =>
      startChild('script', ['-qec', `'${SLUICE}' serve`, '/dev/null'], {
        env,
        cwd: home,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const isUp = () =>
      eventually(async () => (await fetch(`${base}/readyz`).catch(() => null))?.status === 200, 60_000);

    const terminal = start();
    try {
      const [key] = await terminal.printed(KEY, 60_000);
      await isUp();
      assert.ok(await works(base, key));
      const [link] = await terminal.printed(LINK);
      assert.equal(await linkStatus(base, link), 200);
      const shown = await eventually(() => {
        const text = /curl http(?:[^\n]*\\\r?\n)*[^\n]*/.exec(terminal.stdout())?.[0];
        return text?.includes(key) && text;
      });
      assert.ok(shown.includes('/api/v1/scrape/'), shown);
      assert.ok(!existsSync(join(dataDir, 'first-key')), 'what was shown is not kept');
      // It can be pasted: the shell takes it, and the answer is one of the service.
      const pasted = shown
        .replaceAll('\r', '')
        .replace(/https?:\/\/(?!127\.0\.0\.1)[^"'\s\\]+/, `${base}/healthz`);
      const { stdout, stderr } = await runChild('sh', ['-c', pasted]);
      assert.match(stdout, /"(?:router|errors)"/, pasted + stdout + stderr);
    } finally {
      await stopAll(terminal);
    }

    const later = start();
    try {
      await isUp();
      await later.printed(new RegExp(String(port)), 60_000);
      assert.doesNotMatch(later.stdout(), KEY);
      assert.doesNotMatch(later.stdout(), LINK);
    } finally {
      await stopAll(later);
    }
  });

  /** `script` passes no signal on: the process below it is told itself. */
  async function stopAll(child: Child): Promise<void> {
    let pid = child.pid;
    // Below the service itself the dashboard may be in the making.
    while (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.')) {
      const below = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
      if (!(below > 0)) break;
      pid = below;
    }
    process.kill(pid, 'SIGTERM');
    const exit = await child.exited;
    assert.deepEqual(exit, { code: 0, signal: null }, child.stdout() + child.stderr());
  }

  test('SLUICE_API_KEY: that one, shown nowhere, kept nowhere as text', async () => {
    const dataDir = folder();
    await using service = await startService({}, { dataDir });
    assert.ok(await works(service.base, TEST_KEY));
    assert.ok(!existsSync(join(dataDir, 'first-key')));
    assert.ok(!(await service.output()).includes(TEST_KEY));
    await service.stop();
  });

  test('SLUICE_ADMIN_EMAIL that no administrator has, at a later start: it is told whose the rest is', async () => {
    const dataDir = folder();
    for (const [email, warns] of [
      ['first@example.com', false],
      ['FIRST@example.com', false],
      ['other@example.com', true],
    ] as const) {
      await using service = await startService({ SLUICE_ADMIN_EMAIL: email }, { dataDir });
      const told = /Warning: SLUICE_ADMIN_EMAIL is other@example\.com, .* apply to first@example\.com/;
      assert.equal(told.test(await service.output()), warns, email);
      await service.stop();
    }
  });

  test('SLUICE_API_KEY_FILE, SLUICE_ADMIN_EMAIL and SLUICE_ADMIN_PASSWORD_FILE', async () => {
    const [keyFile, passwordFile] = [join(home, 'key'), join(home, 'password')];
    writeFileSync(keyFile, 'file-key.0123456789abcdefghij\n');
    writeFileSync(passwordFile, 'correct horse battery\n');
    const env = {
      SLUICE_API_KEY: undefined,
      SLUICE_API_KEY_FILE: keyFile,
      SLUICE_ADMIN_EMAIL: 'Boss@Example.com',
      SLUICE_ADMIN_PASSWORD_FILE: passwordFile,
    };
    await using service = await startService(env);
    assert.ok(await works(service.base, 'file-key.0123456789abcdefghij'));
    assert.doesNotMatch(await service.output(), /correct horse|file-key\.0|Warning/);
    await service.stop();
  });

  test('beyond loopback without TLS: a warning; on loopback none', async () => {
    const warns = (output: string) => /warn|TLS|HTTPS/i.test(output.replace(/"(?:base|url)[^,]*/g, ''));
    await using open = await startService({ SLUICE_HOST: '0.0.0.0' });
    assert.match(await open.output(), /TLS|HTTPS/i);
    await open.stop();
    await using closed = await startService({});
    assert.ok(!warns(await closed.output()), await closed.output());
    await closed.stop();
    await using behind = await startService({
      SLUICE_HOST: '0.0.0.0',
      SLUICE_BASE_URL: 'https://scrape.example',
    });
    assert.doesNotMatch(await behind.output(), /without TLS/i);
    await behind.stop();
  });

  const refusals: [string, NodeJS.ProcessEnv, string[]][] = [
    [
      'every wrong variable',
      { SLUICE_PORT: 'abc', SLUICE_RETENTION_DAYS: '-1', SLUICE_LOG_LEVEL: 'loud' },
      ['SLUICE_PORT', 'SLUICE_RETENTION_DAYS', 'SLUICE_LOG_LEVEL'],
    ],
    [
      'a wrong variable, and a file of pools that is not there',
      { SLUICE_PORT: 'abc', SLUICE_PROXIES: '/nowhere/pools.yaml' },
      ['SLUICE_PORT', 'SLUICE_PROXIES', '/nowhere/pools.yaml'],
    ],
    [
      'a file of pools alone',
      { SLUICE_PROXIES: '/nowhere/pools.yaml' },
      ['SLUICE_PROXIES', '/nowhere/pools.yaml'],
    ],
    ['a mistyped variable', { SLUICE_PROT: '80' }, ['SLUICE_PROT', 'SLUICE_PORT']],
    ['Redis without PostgreSQL', { SLUICE_REDIS_URL: 'redis://x' }, ['SLUICE_REDIS_URL']],
    [
      'a key and a key file',
      { SLUICE_API_KEY: TEST_KEY, SLUICE_API_KEY_FILE: '/dev/null' },
      ['SLUICE_API_KEY', 'SLUICE_API_KEY_FILE'],
    ],
    ['a file that is not there', { SLUICE_API_KEY_FILE: '/nowhere/key' }, ['SLUICE_API_KEY_FILE']],
    ['a data folder that cannot be made', { SLUICE_DATA_DIR: '/dev/null/data' }, ['SLUICE_DATA_DIR']],
    // As on any file system that lets nothing be made: ENOENT, again and again.
    [
      'a data folder where none can be made',
      { SLUICE_DATA_DIR: '/proc/x/data' },
      ['SLUICE_DATA_DIR', '/proc/x'],
    ],
    ['a short key', { SLUICE_API_KEY: 'short' }, ['SLUICE_API_KEY']],
  ];
  for (const [name, wrong, named] of refusals)
    test(`refused whole: ${name}`, async () => {
      const dataDir = folder();
      const env = { ...cleanEnvironment(), SLUICE_DATA_DIR: dataDir, ...wrong };
      const { code, stdout, stderr } = await runChild(SLUICE, ['serve'], { env, cwd: home });
      assert.ok(code !== 0 && code !== null, `exit ${code}`);
      for (const variable of named) assert.ok((stdout + stderr).includes(variable), stdout + stderr);
      assert.doesNotMatch(stdout + stderr, /\n\s+at .*:\d+:\d+/, 'no stack for a mistake of the operator');
      assert.ok(!(stdout + stderr).includes(TEST_KEY));
      assert.ok(!existsSync(dataDir), 'nothing was begun');
    });

  test('a data folder that cannot be written to is named', async () => {
    const dataDir = folder();
    // As good as without the right to write, which root always has.
    mkdirSync(join(dataDir, 'service.lock'), { recursive: true });
    const env = { ...cleanEnvironment(), SLUICE_DATA_DIR: dataDir };
    const { code, stderr } = await runChild(SLUICE, ['serve'], { env, cwd: home });
    assert.equal(code, 1);
    assert.ok(stderr.includes('SLUICE_DATA_DIR') && stderr.includes(dataDir), stderr);
  });

  test('two services on one data folder or one port: the second says why not', async () => {
    await using service = await startService();
    const env = {
      ...cleanEnvironment(),
      SLUICE_PORT: String(service.port),
      SLUICE_DATA_DIR: folder(),
      SLUICE_API_KEY: TEST_KEY,
    };
    const { code, stdout, stderr } = await runChild(SLUICE, ['serve'], { env, cwd: home });
    assert.ok(code !== 0 && code !== null);
    assert.match(stdout + stderr, new RegExp(`${service.port}`));
    await service.stop();
  });
});
