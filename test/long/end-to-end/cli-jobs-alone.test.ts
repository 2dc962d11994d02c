import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runChild, startChild } from '../../helpers/child.ts';
import { freePort } from '../../helpers/free-port.ts';
import { linkPage, type MadeSite, startMadeSite } from '../../helpers/made-site.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { eventually, startService } from '../../helpers/service.ts';
import type { RecordList } from '../../helpers/wire-types.ts';

const SCRIPT = '/usr/bin/script';
const HTTP = ['--scraper', 'http', '--job.retries', '0'];

describe('jobs at the command line, without a service', () => {
  let site: MadeSite;
  let home: string;
  let dataDir: string;
  before(async () => {
    site = await startMadeSite((path, _request, response) => {
      if (path.startsWith('/late')) return void setTimeout(() => response.end('late'), 300);
      if (path.startsWith('/slow')) return undefined;
      return path === '/' ? linkPage('Home', ['/a']) : path === '/a' ? linkPage('A', ['/']) : null;
    });
    home = mkdtempSync(join(tmpdir(), 'sluice-cli-'));
    dataDir = join(home, 'data');
    mkdirSync(join(home, 'tmp'));
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    rmSync(home, { recursive: true });
  });
  const environment = (env: NodeJS.ProcessEnv = {}) => ({
    ...cleanEnvironment(),
    TMPDIR: join(home, 'tmp'),
    XDG_CONFIG_HOME: join(home, 'config'),
    SLUICE_DATA_DIR: dataDir,
    SLUICE_ALLOW_ADDRESSES: '127.0.0.0/8',
    SLUICE_PASSWORD_COST: '10',
    ...env,
  });
  const run = (args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}) =>
    runChild(SLUICE, args, { cwd: home, env: environment(env), input });
  /** What a service finds in the data folder. */
  async function stored() {
    await using service = await startService({}, { dataDir });
    const { body: jobs } = await service.api<{ items: { name: string; state: string }[] }>(
      'GET',
      '/api/v1/jobs/',
    );
    const { body: records } = await service.api<RecordList>('GET', '/api/v1/scrape/');
    const { body: monitors } = await service.api<{ items: object[] }>('GET', '/api/v1/monitors/');
    await service.stop();
    return { jobs: jobs.items, records: records.items, monitors: monitors.items };
  }

  test('without a data folder nothing stays but the output', async () => {
    const { code, stdout, stderr } = await run(['batch', '-', ...HTTP], `${site.url}/a\n`);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(JSON.parse(stdout).scrape.content, /<h1>A<\/h1>/);
    const crawled = await run(['crawl', `${site.url}/`, '-o', 'site', '--request.scraper', 'http']);
    assert.deepEqual([crawled.code, crawled.stderr], [0, '']);
    assert.equal((await run(['map', `${site.url}/`])).code, 0);
    assert.ok(!existsSync(dataDir));
    assert.deepEqual(readdirSync(join(home, 'tmp')), []);
    const detached = await run(['batch', '-', '--detach'], `${site.url}/a\n`);
    assert.deepEqual([detached.code, detached.stdout], [1, '']);
    assert.match(detached.stderr, /^sluice: --detach needs SLUICE_URL/);
  });

  test('with a data folder the results are stored in it; Ctrl+C cancels the job', async () => {
    const made = await run(
      ['users', 'create', '--email', 'a@example.com', '--password', '-', '--admin'],
      'long enough 1\n',
    );
    assert.equal(made.code, 0, made.stderr);
    assert.equal((await run(['batch', '-', '--job.name', 'whole', ...HTTP], `${site.url}/a\n`)).code, 0);
    writeFileSync(join(home, 'slow.txt'), `${site.url}/a\n${site.url}/slow\n`);
    const args = ['batch', 'slow.txt', '--job.name', 'ended', ...HTTP];
    const batch = startChild(SLUICE, args, { cwd: home, env: environment() });
    await batch.printed(/\/a"/);
    batch.kill('SIGINT');
    assert.equal((await batch.exited).code, 130);
    assert.match(batch.stderr(), /^sluice: cancelling job \S+\njob \S+: cancelled, 1 ok/);
    const { jobs, records } = await stored();
    assert.deepEqual(
      jobs.map(({ name, state }) => [name, state]),
      [
        ['ended', 'cancelled'],
        ['whole', 'done'],
      ],
    );
    assert.ok(records.length >= 2);
  });

  test('watch: Ctrl+C deletes the monitor', async () => {
    const args = ['watch', `${site.url}/a`, '--cron', '0 0 1 1 *', '--timezone', 'Europe/Berlin'];
    const seen = site.seen.length;
    const watch = startChild(SLUICE, args, { cwd: home, env: environment() });
    await eventually(() => site.seen.length > seen || !watch.running());
    watch.kill('SIGINT');
    assert.deepEqual([(await watch.exited).code, watch.stdout(), watch.stderr()], [0, '', '']);
    assert.deepEqual((await stored()).monitors, []);
  });

  test('a job that is left waits, and goes on when it is watched', async () => {
    writeFileSync(join(home, 'late.txt'), `${site.url}/a\n${site.url}/slow\n${site.url}/late?left\n`);
    const args = ['batch', 'late.txt', '--job.concurrency', '1', '--timeout_ms', '2000', ...HTTP];
    const batch = startChild(SLUICE, args, { cwd: home, env: environment() });
    await batch.printed(/\/a"/);
    batch.kill('SIGKILL');
    await batch.exited;
    assert.equal((await run(['batch', '-', ...HTTP], `${site.url}/a\n`)).code, 0);
    assert.ok(!site.seen.includes('/late?left'));
    await using service = await startService({}, { dataDir, wrap: ['env', 'SLUICE_JOB_CONCURRENCY=1'] });
    const { body } = await service.api<{ items: { id: string }[] }>('GET', '/api/v1/jobs/?state=running');
    await service.stop();
    const watched = await run(['watch', body.items[0]!.id]);
    assert.equal(watched.code, 1);
    assert.match(watched.stderr, /: done, 2 ok, 1 failed\n$/);
    assert.equal(watched.stdout.trim().split('\n').length, 3);
  });

  test('on a terminal: states, a progress bar and a summary; colours unless NO_COLOR is set', async (t) => {
    if (!existsSync(SCRIPT)) return t.skip('needs the command script');
    writeFileSync(join(home, 'urls.txt'), `${site.url}/a\nhttp://127.0.0.1:1/\n${site.url}/late\n`);
    const onTerminal = async (words: string, env: NodeJS.ProcessEnv) => {
      const command = `stty cols 70; exec ${SLUICE} ${words}`;
      return await runChild(SCRIPT, ['-qec', command, '/dev/null'], {
        cwd: home,
        // With `CI`, Node takes a terminal for one without colours.
        env: environment({ TERM: 'xterm', CI: undefined, ...env }),
      });
    };
    const batch = `batch urls.txt ${HTTP.join(' ')}`;
    const coloured = await onTerminal(batch, {});
    assert.equal(coloured.code, 1, coloured.stdout);
    assert.ok(coloured.stdout.includes(`\u001b[32mok     \u001b[39m ${site.url}/a\r\n`), coloured.stdout);
    assert.match(coloured.stdout, /\r\u001b\[2K\[[#-]{24}\] \d\/3/);
    assert.match(coloured.stdout, /job [0-9a-f-]{36}: done, 2 ok, 1 failed\r\n$/);
    const plain = await onTerminal(batch, { NO_COLOR: '1' });
    assert.ok(plain.stdout.includes(`ok      ${site.url}/a\r\n`), plain.stdout);
    assert.ok(plain.stdout.includes('failed  http://127.0.0.1:1/  connect.refused: '), plain.stdout);
    const json = await onTerminal(`${batch} --json`, {});
    assert.match(json.stdout, /\{"n":1,/);
    const mapped = await onTerminal(`map ${site.url}/ --sitemap ignore`, { NO_COLOR: '1' });
    assert.match(mapped.stdout, /\/a\r\n[\s\S]*\r\n\d+ URLs\r\n$/);
  });

  test('a second Ctrl+C ends the command at once', async () => {
    await using service = await startService();
    writeFileSync(join(home, 'slow.txt'), `${site.url}/a\n${site.url}/slow\n`);
    const env = environment({ SLUICE_URL: service.base, SLUICE_KEY: service.key });
    const batch = startChild(SLUICE, ['batch', 'slow.txt', ...HTTP], { cwd: home, env });
    await batch.printed(/\/a"/);
    process.kill(service.pid, 'SIGSTOP');
    batch.kill('SIGINT');
    await eventually(() => batch.stderr().includes('cancelling'));
    assert.ok(batch.running());
    batch.kill('SIGINT');
    assert.deepEqual(await batch.exited, { code: null, signal: 'SIGINT' });
    process.kill(service.pid, 'SIGCONT');
  });

  test('a remote service that is killed and comes back: every result once', async () => {
    const port = await freePort();
    const shared = join(home, 'shared');
    const first = await startService({}, { dataDir: shared, port });
    const env = { SLUICE_URL: first.base, SLUICE_KEY: first.key };
    const urls = Array.from({ length: 40 }, (_, index) => `${site.url}/late?${index}`);
    writeFileSync(join(home, 'late.txt'), `${urls.join('\n')}\n`);
    const args = ['batch', 'late.txt', '--job.concurrency', '4', ...HTTP];
    const batch = startChild(SLUICE, args, { cwd: home, env: environment(env) });
    await batch.printed(/late\?/);
    await first.kill9();
    await using second = await startService({}, { dataDir: shared, port });
    const { code } = await batch.exited;
    assert.equal(code, 0, batch.stderr());
    const lines = batch.stdout().trim().split('\n');
    assert.deepEqual(lines.map((line) => (JSON.parse(line) as { url: string }).url).sort(), urls.sort());
    await second.stop();
  });
});
