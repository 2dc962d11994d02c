import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runChild } from '../../helpers/child.ts';
import { freePort, listen } from '../../helpers/free-port.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { startService } from '../../helpers/service.ts';

interface Finding {
  readonly check: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly text: string;
  readonly advice: string | null;
}

describe('sluice doctor', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-doctor-'));
    mkdirSync(join(folder, 'tmp'));
  });
  after(() => rmSync(folder, { recursive: true }));

  async function doctor(env: NodeJS.ProcessEnv = {}, args: readonly string[] = ['--json']) {
    const { code, stdout, stderr } = await runChild(SLUICE, ['doctor', ...args], {
      cwd: folder,
      env: {
        ...cleanEnvironment(),
        XDG_CONFIG_HOME: join(folder, 'config'),
        TMPDIR: join(folder, 'tmp'),
        SLUICE_DATA_DIR: join(folder, 'data'),
        SLUICE_PORT: String(await freePort()),
        // So that no name is looked up elsewhere.
        SLUICE_DNS_SERVERS: '127.0.0.1:1',
        ...env,
      },
    });
    const findings = args.includes('--json')
      ? stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Finding)
      : [];
    const of = (check: string) => findings.filter((finding) => finding.check === check);
    return { code, stdout, stderr, findings, of };
  }

  test('a machine on which all is well: scrapes a page with http and a browser, and leaves nothing', async () => {
    const { code, findings, of, stderr } = await doctor();
    const checks = [
      'node',
      'configuration',
      'data folder',
      'disk',
      'clock',
      'port',
      'dns',
      'scrape',
      'browser',
    ];
    assert.deepEqual(
      findings.map(({ check }) => check),
      checks,
      stderr,
    );
    for (const check of ['node', 'configuration', 'data folder', 'clock', 'port', 'scrape'])
      assert.equal(of(check)[0]!.state, 'ok', of(check)[0]!.text);
    assert.equal(of('dns')[0]!.state, 'warn');
    assert.match(of('scrape')[0]!.text, /scraped with http in \d+ ms/);
    assert.equal(code, findings.some(({ state }) => state === 'fail') ? 1 : 0);
    assert.ok(!existsSync(join(folder, 'data')));
    assert.deepEqual(readdirSync(join(folder, 'tmp')), []);
  });

  test('text: a line for each check, with what to do', async () => {
    const { code, stdout } = await doctor({ SLUICE_PORT: 'many', SLUICE_SCRAPER: 'x' }, []);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^ok {4}node {11}\d+\.\d+\.\d+ .*\nfail {2}configuration {2}SLUICE_PORT must be [^\n]*; SLUICE_SCRAPER is not a setting/,
    );
    assert.match(stdout, /\n {21}→ Change these variables/);
  });

  test('a proxies file that is wrong', async () => {
    writeFileSync(join(folder, 'proxies.yaml'), 'pools: 5\n');
    const { code, of } = await doctor({ SLUICE_PROXIES: 'proxies.yaml' });
    assert.equal(code, 1);
    assert.match(of('configuration')[0]!.text, /proxies\.yaml/);
  });

  test('a port that another program uses, a folder that others may enter', async () => {
    const other = createServer((_request, response) => response.end('something else'));
    await listen(other);
    const { port } = other.address() as { port: number };
    mkdirSync(join(folder, 'open'));
    chmodSync(join(folder, 'open'), 0o755);
    const { code, of } = await doctor({ SLUICE_PORT: String(port), SLUICE_DATA_DIR: join(folder, 'open') });
    other.closeAllConnections();
    other.close();
    assert.equal(code, 1);
    assert.equal(of('port')[0]!.state, 'fail');
    assert.match(of('port')[0]!.text, /another program listens/);
    assert.equal(of('data folder')[0]!.state, 'warn');
    assert.match(of('data folder')[0]!.advice!, /^chmod 700 /);
    assert.deepEqual(readdirSync(join(folder, 'open')), []);
  });

  test('a data folder that is a file', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { code, of } = await doctor({ SLUICE_DATA_DIR: join(folder, 'file') });
    assert.equal(code, 1);
    assert.equal(of('data folder')[0]!.state, 'fail');
    assert.equal(readFileSync(join(folder, 'file'), 'utf8'), '');
  });

  test('a service that runs here, and one elsewhere', async () => {
    await using service = await startService();
    const env = { SLUICE_PORT: String(service.port), SLUICE_DATA_DIR: service.dataDir };
    const here = await doctor(env);
    assert.match(here.of('port')[0]!.text, /^a service runs at 127\.0\.0\.1:/);
    assert.deepEqual(here.of('service'), []);
    const remote = { ...env, SLUICE_URL: service.base, SLUICE_KEY: service.key };
    const [found] = (await doctor(remote)).of('service');
    assert.equal(found!.state, 'ok');
    assert.match(found!.text, /is Sluice \d.*, and the key works/);
    const wrong = await doctor({ ...remote, SLUICE_KEY: 'another-key-0123456789' });
    assert.equal(wrong.code, 1);
    assert.equal(wrong.of('service')[0]!.state, 'fail');
    await service.stop();
  });
});
