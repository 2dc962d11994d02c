import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { jobOf } from '../../end-to-end/job-calls.ts';
import { runChild, startChild } from '../../helpers/child.ts';
import { freePort } from '../../helpers/free-port.ts';
import { linkPage, type MadeSite, startMadeSite } from '../../helpers/made-site.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { eventually, useOwnService } from '../../helpers/service.ts';

interface Line {
  readonly n: number;
  readonly url: string;
  readonly ref: string | null;
  readonly state: string;
  readonly file?: string | null;
  readonly scrape: string | { readonly status_code: number; readonly content: string } | null;
  readonly scraper_data: { readonly markdown?: string } | null;
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

const byUrl = (lines: readonly Line[]) => [...lines].sort((a, b) => (a.url < b.url ? -1 : 1));

/** Pages `/`, `/a` and `/b/c` that link to each other; `/late` answers late, `/slow` never; `/now` is what `now` says, or 404. */
function startTarget(now: () => string): Promise<MadeSite> {
  return startMadeSite((path, _request, response) => {
    if (path.startsWith('/late')) return void setTimeout(() => response.end('late'), 400);
    if (path === '/') return linkPage('Home', ['/a', '/b/c']);
    if (path === '/a') return linkPage('A', ['/']);
    if (path === '/b/c') return linkPage('C', ['/a']);
    if (path === '/now') return now() === '' ? null : `<main><h1>Now</h1><p>${now()}</p></main>`;
    return path.startsWith('/slow') ? undefined : null;
  });
}

describe('jobs at the command line, with a remote service', () => {
  const service = useOwnService();
  let site: MadeSite;
  let folder: string;
  let nowText = 'first text';
  before(async () => {
    site = await startTarget(() => nowText);
    folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'));
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  /** Without the data folder of the service. */
  const environment = () => ({
    ...cleanEnvironment(),
    SLUICE_URL: service.base,
    SLUICE_KEY: service.key,
    SLUICE_DATA_DIR: join(folder, 'none'),
  });
  const run = (args: readonly string[], input?: string) =>
    runChild(SLUICE, args, { cwd: folder, env: environment(), ...(input === undefined ? {} : { input }) });
  const HTTP = ['--scraper', 'http', '--job.retries', '0'];

  test('batch: a URL a line; the whole scrapes as lines of JSON', async () => {
    writeFileSync(join(folder, 'urls.txt'), `# my pages\n${site.url}/a\r\n\n  ${site.url}/b/c\n`);
    const { code, stdout, stderr } = await run(['batch', 'urls.txt', ...HTTP]);
    assert.deepEqual([code, stderr], [0, '']);
    const lines = byUrl(linesOf(stdout));
    assert.deepEqual(
      lines.map(({ url, state }) => [url, state]),
      [
        [`${site.url}/a`, 'ok'],
        [`${site.url}/b/c`, 'ok'],
      ],
    );
    const { scrape } = lines[0]!;
    assert.ok(typeof scrape === 'object' && scrape !== null);
    assert.match(scrape.content, /<h1>A<\/h1>/);
  });

  test('batch: requests, CSV and standard input; only the format that is asked for', async () => {
    const requests = `{"url": "${site.url}/a", "ref": "one"}\n{"url":"${site.url}/b/c"}\n`;
    const csv = `\uFEFFname;url;ref\r\n"x; y";${site.url}/a;one\r\nz;"${site.url}/b/c";\r\n`;
    for (const input of [requests, csv]) {
      const { code, stdout, stderr } = await run(['batch', '-', '--format', 'markdown', ...HTTP], input);
      assert.deepEqual([code, stderr], [0, '']);
      const lines = byUrl(linesOf(stdout));
      assert.deepEqual(
        lines.map(({ ref, scrape, scraper_data: data }) => [
          ref,
          typeof scrape,
          data!.markdown!.split('\n')[0],
        ]),
        [
          ['one', 'string', '# A'],
          [null, 'string', '# C'],
        ],
      );
    }
  });

  test('batch: 1 if something failed, and what', async () => {
    const { code, stdout, stderr } = await run(
      ['batch', '-', ...HTTP],
      `http://127.0.0.1:1/\n${site.url}/a\n`,
    );
    assert.equal(code, 1);
    assert.deepEqual(
      linesOf(stdout)
        .map(({ state }) => state)
        .sort(),
      ['failed', 'ok'],
    );
    assert.match(stderr, /^job [0-9a-f-]{36}: done, 1 ok, 1 failed\n$/);
  });

  test('batch: what is wrong in the file is told by its line, and nothing runs', async () => {
    const seen = site.seen.length;
    for (const [input, options, why] of [
      [`# a\n${site.url}/a\nno url\n`, [], /^sluice: -, line 3: request\.validation: .*no url/],
      [`url\n${site.url}/a\nno url\n`, [], /^sluice: -, row 3: request\.validation: .*no url/],
      [`${site.url}/a\n`, ['--timeout_ms', '5'], /request\.validation: .*timeout_ms/],
      [`${site.url}/a\n`, ['--job.retires', '5'], /request\.validation: .*retires/],
      [`${site.url}/a\n`, ['--job', '5'], /request\.validation: /],
      ['# nothing\n', [], /^sluice: - has no URLs/],
    ] as const) {
      const { code, stdout, stderr } = await run(['batch', '-', ...options], input);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, why);
    }
    assert.match(
      (await run(['batch', 'nothing.txt'])).stderr,
      /^sluice: nothing\.txt cannot be read: ENOENT/,
    );
    assert.equal(site.seen.length, seen);
  });

  test('-o: a file of lines, or Markdown files in the folders of their URLs with an index', async () => {
    const urls = `${site.url}/a\n${site.url}/b/c\n${site.url}/a\n`;
    const toFile = await run(['batch', '-', '-o', 'out.jsonl', ...HTTP], urls);
    assert.deepEqual([toFile.code, toFile.stdout, toFile.stderr], [0, '', '']);
    assert.equal(linesOf(readFileSync(join(folder, 'out.jsonl'), 'utf8')).length, 3);
    const toFolder = await run(['batch', '-', '-o', 'pages', ...HTTP], urls);
    assert.deepEqual([toFolder.code, toFolder.stdout, toFolder.stderr], [0, '', '']);
    const host = new URL(site.url).host.replace(':', '_');
    const index = linesOf(readFileSync(join(folder, 'pages', 'index.jsonl'), 'utf8'));
    assert.deepEqual(index.map(({ file }) => file).sort(), [
      `${host}/a-2.md`,
      `${host}/a.md`,
      `${host}/b/c.md`,
    ]);
    for (const { file, url } of index) {
      const title = url.endsWith('/a') ? 'A' : 'C';
      assert.match(
        readFileSync(join(folder, 'pages', file!), 'utf8'),
        new RegExp(`^# ${title}\n[^]*[^\n]\n$`),
      );
    }
    const text = await run(['batch', '-', '-o', 'pages', '--format', 'text', ...HTTP], `${site.url}/a\n`);
    assert.equal(text.code, 0, text.stderr);
    assert.ok(existsSync(join(folder, 'pages', host, 'a.txt')));
  });

  test('an output that cannot be written: nothing runs', async () => {
    const seen = site.seen.length;
    const { code, stderr } = await run(['batch', '-', '-o', 'none/out.jsonl', ...HTTP], `${site.url}/a\n`);
    assert.equal(code, 1);
    assert.match(stderr, /^sluice: none\/out\.jsonl cannot be written: ENOENT/);
    assert.equal(site.seen.length, seen);
  });

  test('crawl: a site into a folder', async () => {
    const args = ['crawl', `${site.url}/`, '-o', 'site', '--request.scraper', 'http', '--exclude', '/b/**'];
    const { code, stdout, stderr } = await run([...args, '--exclude', '/x/**', '--sitemap', 'ignore']);
    assert.deepEqual([code, stdout, stderr], [0, '', '']);
    const index = linesOf(readFileSync(join(folder, 'site', 'index.jsonl'), 'utf8'));
    const host = new URL(site.url).host.replace(':', '_');
    assert.deepEqual(
      byUrl(index).map(({ state, file }) => [state, file]),
      [
        ['ok', `${host}/index.md`],
        ['ok', `${host}/a.md`],
        ['skipped', null],
      ],
    );
    assert.match(readFileSync(join(folder, 'site', host, 'a.md'), 'utf8'), /^# A\n/);
    const wrong = await run(['crawl', `${site.url}/`, '--limit', 'many']);
    assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
    assert.match(wrong.stderr, /`\/limit`/);
  });

  test('map: a URL a line, which batch takes; --json: the answer of the API', async () => {
    const map = ['map', `${site.url}/`, '--sitemap', 'ignore', '--request.scraper', 'http'];
    const { code, stdout, stderr } = await run([...map, '--exclude', '/b/**']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(stdout.split('\n').sort(), ['', `${site.url}/`, `${site.url}/a`]);
    assert.equal((await run(['batch', '-', ...HTTP], stdout)).code, 0);
    const json = JSON.parse((await run([...map, '--json'])).stdout) as { readonly items: readonly unknown[] };
    assert.equal(json.items.length, 3);
    const failed = await run(['map', 'http://127.0.0.1:1/', '--sitemap', 'ignore']);
    assert.deepEqual([failed.code, failed.stdout], [1, '']);
    assert.match(failed.stderr, /^sluice: http:\/\/127\.0\.0\.1:1\/: connect\.refused: /);
  });

  test('--detach prints the id; watch follows the job', async () => {
    const started = await run(['batch', '-', '--detach', ...HTTP], `${site.url}/a\nhttp://127.0.0.1:1/\n`);
    assert.deepEqual([started.code, started.stderr], [0, '']);
    const id = started.stdout.trim();
    const watched = await run(['watch', id]);
    assert.equal(watched.code, 1);
    assert.deepEqual(
      linesOf(watched.stdout)
        .map(({ state }) => state)
        .sort(),
      ['failed', 'ok'],
    );
    assert.equal(watched.stderr, `job ${id}: done, 1 ok, 1 failed\n`);
    const unknown = await run(['watch', '01a215d5-4981-7079-b91f-64330107cd9a', '-o', 'never.jsonl']);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /^sluice: request\.not_found: /);
    assert.ok(!existsSync(join(folder, 'never.jsonl')));
    const wrong = await run(['watch', id, '--every', '5m']);
    assert.deepEqual([wrong.code, wrong.stderr], [2, `sluice: --every is for pages, and ${id} is a job\n`]);
  });

  test('a service that is busy is asked again', async () => {
    const made = await service.api<{ id: string; key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'narrow', concurrency: 1 },
    });
    assert.equal(made.status, 201);
    const { key } = made.body;
    const started = await run(['batch', '-', '--detach', ...HTTP], `${site.url}/a\n`);
    const slow = { url: `${site.url}/slow?busy`, scraper: 'http', timeout_ms: 3_000 };
    const holding = service.scrape(slow, { key });
    await eventually(() => site.seen.includes('/slow?busy'));
    const args = ['watch', started.stdout.trim()];
    const watched = await runChild(SLUICE, args, { env: { ...environment(), SLUICE_KEY: key } });
    assert.deepEqual([watched.code, linesOf(watched.stdout).length, watched.stderr], [0, 1, '']);
    assert.equal((await holding).status, 504);
  });

  test('Ctrl+C cancels the job that the command has started, and leaves the one that it follows', async () => {
    writeFileSync(join(folder, 'slow.txt'), `${site.url}/a\n${site.url}/slow?1\n${site.url}/slow?2\n`);
    const start = (args: readonly string[]) =>
      startChild(SLUICE, args, { cwd: folder, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    const batch = start(['batch', 'slow.txt', ...HTTP]);
    await batch.printed(/\/a"/);
    const { body } = await service.api<{ items: { id: string }[] }>('GET', '/api/v1/jobs/?state=running');
    const { id } = body.items[0]!;
    const watch = start(['watch', id]);
    await watch.printed(/\/a"/);
    watch.kill('SIGINT');
    assert.equal((await watch.exited).code, 130);
    assert.equal(watch.stderr(), `sluice: job ${id} is running, and goes on\n`);
    batch.kill('SIGINT');
    assert.equal((await batch.exited).code, 130);
    assert.match(batch.stderr(), new RegExp(`^sluice: cancelling job ${id}\njob ${id}: cancelled, 1 ok`));
    assert.equal((await jobOf(service, id)).state, 'cancelled');
  });

  test('a reader that has enough ends the job', async () => {
    writeFileSync(
      join(folder, 'slow.txt'),
      ['/a', '/late?1', '/late?2', '/late?3', '/slow?3'].map((path) => `${site.url}${path}\n`).join(''),
    );
    const { stdout } = await runChild(
      'sh',
      [
        '-c',
        '"$@" | head -n 1',
        'sh',
        SLUICE,
        'batch',
        'slow.txt',
        ...HTTP,
        '--job.name',
        'head',
        '--job.concurrency',
        '1',
      ],
      { cwd: folder, env: environment() },
    );
    assert.equal(linesOf(stdout).length, 1);
    await eventually(async () => {
      const { body } = await service.api<{ items: { name: string; state: string }[] }>(
        'GET',
        '/api/v1/jobs/',
      );
      return body.items.find(({ name }) => name === 'head')?.state === 'cancelled';
    });
  });

  test('watch: a change of a page as a unified diff; the monitor is deleted at the end', async () => {
    const env = environment();
    const args = ['watch', `${site.url}/now`, '--every', '1h', '--scraper', 'http', '--ignore', 'dates'];
    const watch = startChild(SLUICE, args, { cwd: folder, env });
    const monitors = async () =>
      (
        await service.api<{ items: { id: string; compare: object; schedule: object }[] }>(
          'GET',
          '/api/v1/monitors/',
        )
      ).body.items;
    const { id, compare, schedule } = await eventually(async () => (await monitors())[0]);
    assert.deepEqual(schedule, { every_s: 3_600 });
    assert.deepEqual(compare, { format: 'markdown', selector: null, ignore: ['dates'], min_change: 0 });
    const runs = async () =>
      (await service.api<{ items: { state: string }[] }>('GET', `/api/v1/monitors/${id}/runs/`)).body.items;
    await eventually(async () => (await runs())[0]?.state === 'ended');
    nowText = 'second text';
    await service.api('POST', `/api/v1/monitors/${id}/run/`);
    await watch.printed(/\+second text\n/);
    assert.match(
      watch.stdout(),
      new RegExp(
        `^--- ${site.url}/now\t2\\S+Z\n\\+\\+\\+ ${site.url}/now\t2\\S+Z\n@@ [^\n]+ @@\n[^]*-first text\n\\+second text\n$`,
      ),
    );
    watch.kill('SIGINT');
    assert.deepEqual([(await watch.exited).code, watch.stderr()], [0, '']);
    assert.deepEqual(await monitors(), []);
  });

  test('watch: data that differs, a page that is gone; --json: the runs', async () => {
    nowText = 'one';
    const args = ['watch', `${site.url}/now`, '--scraper', 'http', '--format', 'extract'];
    const rules = ['--scraper_options.extract.text', 'p'];
    const start = (...others: string[]) =>
      startChild(SLUICE, [...args, ...rules, ...others], { cwd: folder, env: environment() });
    const watches = [start('--every', '1d'), start('--cron', '0 0 1 1 *', '--json')];
    const ids = await eventually(async () => {
      const { body } = await service.api<{ items: { id: string }[] }>('GET', '/api/v1/monitors/');
      return body.items.length === 2 && body.items.map(({ id }) => id);
    });
    const ended = async (id: string) => {
      const path = `/api/v1/monitors/${id}/runs/`;
      const { body } = await service.api<{ items: { state: string }[] }>('GET', path);
      return body.items.filter(({ state }) => state === 'ended').length;
    };
    for (const [index, text] of ['one', 'two', ''].entries()) {
      nowText = text;
      if (index > 0) for (const id of ids) await service.api('POST', `/api/v1/monitors/${id}/run/`);
      for (const id of ids) await eventually(async () => (await ended(id)) === index + 1);
    }
    const [diffs, runs] = watches as [(typeof watches)[0], (typeof watches)[0]];
    await diffs.printed(/@@ gone @@\n/);
    await runs.printed(/"gone"[\s\S]*\n$/);
    assert.match(diffs.stdout(), /\n@@ (\S*text\S*) @@\n-\1: "one"\n\+\1: "two"\n--- /);
    const states = runs
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).change.state);
    assert.deepEqual(states, ['changed', 'gone']);
    for (const watch of watches) watch.kill('SIGTERM');
    for (const watch of watches) assert.deepEqual(await watch.exited, { code: 0, signal: null });
  });

  test('a service that is not there, a wrong key, another service, half of the settings', async () => {
    const map = (env: NodeJS.ProcessEnv) =>
      runChild(SLUICE, ['map', `${site.url}/`], { cwd: folder, env: { ...environment(), ...env } });
    for (const [env, why] of [
      [
        { SLUICE_URL: `http://127.0.0.1:${await freePort()}` },
        /^sluice: http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
      ],
      [{ SLUICE_KEY: 'another-key-0123456789' }, /^sluice: auth\.invalid: /],
      [{ SLUICE_URL: site.url }, /answered with status 404, and is no Sluice: check SLUICE_URL/],
      [{ SLUICE_URL: undefined }, /SLUICE_KEY is set, but SLUICE_URL is not/],
      [{ SLUICE_KEY: undefined }, /SLUICE_URL is set, but SLUICE_KEY is not/],
    ] as const) {
      const { code, stdout, stderr } = await map(env);
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr, why);
    }
  });

  test('without SLUICE_URL: a data folder that a service uses is refused', async () => {
    const { code, stdout, stderr } = await service.cli(['map', `${site.url}/`]);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      new RegExp(`a Sluice service is running on .*set SLUICE_URL.*${service.base}.*SLUICE_KEY`),
    );
  });
});
