import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runChild } from '../../helpers/child.ts';
import { freePort } from '../../helpers/free-port.ts';
import { linkPage, type MadeSite, startMadeSite } from '../../helpers/made-site.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { useService } from '../../helpers/service.ts';
import type { ScrapeAnswer } from '../../helpers/wire-types.ts';

const SCRIPT = '/usr/bin/script';

interface Echo {
  readonly method: string;
  readonly body: string;
  readonly type: string | null;
}

describe('the command line with a remote service', () => {
  const service = useService();
  let site: MadeSite;
  let folder: string;
  before(async () => {
    site = await startMadeSite((path, request, response) => {
      if (path === '/echo') {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const echo: Echo = {
            method: request.method!,
            body: Buffer.concat(chunks).toString('base64'),
            type: request.headers['content-type'] ?? null,
          };
          response.setHeader('content-type', 'application/json').end(JSON.stringify(echo));
        });
        return;
      }
      return path === '/' ? linkPage('Home', ['/a']) : path === '/a' ? linkPage('A', ['/']) : null;
    });
    folder = mkdtempSync(join(tmpdir(), 'sluice-cli-'));
  });
  after(async () => {
    await site[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });
  const environment = (env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
    ...cleanEnvironment(),
    XDG_CONFIG_HOME: join(folder, 'config'),
    SLUICE_URL: service.base,
    SLUICE_KEY: service.key,
    SLUICE_DATA_DIR: join(folder, 'none'),
    ...env,
  });
  const run = (args: readonly string[], { input, env }: { input?: string; env?: NodeJS.ProcessEnv } = {}) =>
    runChild(SLUICE, args, {
      cwd: folder,
      env: environment(env),
      ...(input === undefined ? {} : { input }),
    });
  /** Runs the command on a terminal. */
  const onTerminal = (words: string, env: NodeJS.ProcessEnv = {}, input = '') =>
    runChild(SCRIPT, ['-qec', `stty cols 100; exec ${SLUICE} ${words}`, '/dev/null'], {
      cwd: folder,
      env: environment({ TERM: 'xterm', CI: undefined, ...env }),
      input,
    });

  test('scrape: the answer of the service; a record of it is there', async () => {
    const { code, stdout, stderr } = await run(['scrape', `${site.url}/a`, '--scraper', 'http']);
    assert.deepEqual([code, stderr], [0, '']);
    const { id, status_code } = JSON.parse(stdout) as ScrapeAnswer;
    assert.equal(status_code, 200);
    assert.equal((await service.api('GET', `/api/v1/scrape/${id}/`)).status, 200);
    assert.ok(!existsSync(join(folder, 'none')));
    const failed = await run(['scrape', 'http://127.0.0.1:1/', '--scraper', 'http']);
    assert.deepEqual([failed.code, failed.stderr], [1, '']);
    assert.equal(JSON.parse(failed.stdout).code, 'connect.refused');
    const refused = await run(['scrape', `${site.url}/a`, '--timeout_ms', '5']);
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, /^sluice: request\.validation: `\/timeout_ms`/);
    const keyless = await run(['scrape', `${site.url}/a`], { env: { SLUICE_KEY: 'another-key-0123456789' } });
    assert.deepEqual([keyless.code, keyless.stdout], [1, '']);
    assert.match(keyless.stderr, /^sluice: auth\.invalid/);
  });

  test('scrape: Markdown alone, -o a file and a folder, --json with a format', async () => {
    const markdown = ['scrape', `${site.url}/a`, '--scraper', 'http', '--format', 'markdown'];
    const { code, stdout } = await run(markdown);
    assert.equal(code, 0);
    assert.match(stdout, /^# A\n/);
    assert.deepEqual((await run([...markdown, '-o', 'a.txt'])).stdout, '');
    assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), stdout);
    assert.equal((await run([...markdown, '-o', 'pages/'])).code, 0);
    const host = new URL(site.url).host.replace(':', '_');
    assert.equal(readFileSync(join(folder, 'pages', host, 'a.md'), 'utf8'), stdout);
    const whole = JSON.parse((await run([...markdown, '--json'])).stdout) as ScrapeAnswer;
    assert.equal((whole.scraper_data as { markdown: string }).markdown.trim(), stdout.trim());
    const nowhere = await run([...markdown, '-o', 'none/a.txt']);
    assert.equal(nowhere.code, 1);
    assert.match(nowhere.stderr, /^sluice: none\/a\.txt cannot be written: ENOENT/);
  });

  test('bodies and requests from files and standard input', async () => {
    const bytes = Buffer.from([0, 255, 10, 200]);
    writeFileSync(join(folder, 'body.bin'), bytes);
    writeFileSync(join(folder, 'body.json'), '{"id": 12345678901234567890}\n');
    const echoOf = async (args: readonly string[], input?: string): Promise<Echo> => {
      const { code, stdout, stderr } = await run(args, input === undefined ? {} : { input });
      assert.equal(code, 0, stderr);
      return JSON.parse((JSON.parse(stdout) as ScrapeAnswer).content!) as Echo;
    };
    const post = ['scrape', `${site.url}/echo`, '--method', 'POST', '--scraper', 'http'];
    const text = (body: string) => Buffer.from(body).toString('base64');
    assert.equal((await echoOf([...post, '--data', '@body.bin'])).body, bytes.toString('base64'));
    const json = await echoOf([...post, '--data', '@body.json']);
    assert.deepEqual([json.body, json.type], [text('{"id": 12345678901234567890}\n'), 'application/json']);
    for (const name of ['-', '@-'])
      assert.equal((await echoOf([...post, '--data', name], 'a=1&b=2')).body, text('a=1&b=2'));
    assert.equal((await echoOf([...post, '--data', '"@body.json"'])).body, text('@body.json'));
    const request = JSON.stringify({
      url: `${site.url}/echo`,
      method: 'PUT',
      scraper: 'http',
      data: { a: 1 },
    });
    writeFileSync(join(folder, 'request.json'), request);
    assert.equal((await echoOf(['scrape', '@request.json'])).method, 'PUT');
    assert.equal((await echoOf(['scrape', '-'], request)).body, text('{"a":1}'));
    assert.equal((await echoOf(['scrape', '@request.json', '--method', 'PATCH'])).method, 'PATCH');
    const curl = await run(['import', 'curl', `${site.url}/echo`, '-d', 'q=1']);
    assert.equal((await echoOf(['scrape', '-'], curl.stdout)).body, text('q=1'));
    for (const [args, input, why] of [
      [['scrape', '-'], 'no json', /^sluice: - is not JSON: /],
      [['scrape', '@none.json'], '', /^sluice: none\.json cannot be read: ENOENT/],
      [[...post, '--data', '@none.bin'], '', /^sluice: none\.bin cannot be read: ENOENT/],
      [['scrape', '-', '--data', '-'], '{}', /^sluice: standard input is used twice/],
    ] as const) {
      const { code, stderr } = await run(args, { input });
      assert.equal(code, 2);
      assert.match(stderr, why);
    }
  });

  test('read: a stored scrape and a page', async () => {
    const { body } = await service.scrape({ url: `${site.url}/a`, scraper: 'http' });
    const seen = site.seen.length;
    const stored = await run(['read', body.id!]);
    assert.deepEqual([stored.code, stored.stderr], [0, '']);
    assert.match(stored.stdout, /^# A\n/);
    const links = await run(['read', body.id!, '--format', 'links']);
    assert.ok(Array.isArray(JSON.parse(links.stdout)), links.stdout);
    const extracted = await run(['read', body.id!, '--extract.title', 'h1']);
    assert.deepEqual(JSON.parse(extracted.stdout).scraper_data.extract, { title: 'A' });
    assert.equal(site.seen.length, seen, 'nothing is fetched');
    const page = await run(['read', `${site.url}/a`, '--scraper', 'http']);
    assert.deepEqual([page.code, page.stdout], [0, stored.stdout]);
    const unknown = await run(['read', '01a215d5-4981-7079-b91f-64330107cd9a']);
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /^sluice: request\.not_found/);
  });

  test('explain: a dry run', async () => {
    const seen = site.seen.length;
    const { code, stdout, stderr } = await run(['explain', `${site.url}/a`, '--router', 'cheapest']);
    assert.deepEqual([code, stderr], [0, '']);
    const { router } = JSON.parse(stdout) as ScrapeAnswer;
    assert.equal(router.outcome, 'planned');
    assert.equal(site.seen.length, seen);
    const refused = await run(['explain', `${site.url}/a`, '--scraper', 'http', '--screenshot', 'true']);
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, /scraper\.unsupported_option/);
  });

  test('jobs: listed, shown, paused, resumed, tried again, cancelled', async () => {
    const batch = ['batch', '-', '--scraper', 'http', '--job.retries', '0', '--job.name', 'mine', '--detach'];
    const started = await run(batch, { input: `${site.url}/a\nhttp://127.0.0.1:1/\n` });
    const id = started.stdout.trim();
    await run(['watch', id]);
    const listed = (await run(['jobs', 'list', '--state', 'done'])).stdout.trim().split('\n');
    const job = listed.map((line) => JSON.parse(line)).find((one) => one.id === id);
    assert.deepEqual([job.name, job.kind, job.counts.ok, job.counts.failed], ['mine', 'batch', 1, 1]);
    assert.equal((await run(['jobs', 'list', '--kind', 'crawl'])).stdout, '');
    assert.equal(JSON.parse((await run(['jobs', 'show', id])).stdout).state, 'done');
    const results = (await run(['jobs', 'results', id, '--format', 'markdown'])).stdout.trim().split('\n');
    assert.deepEqual(results.map((line) => JSON.parse(line).state).sort(), ['failed', 'ok']);
    assert.equal((await run(['jobs', 'results', id, '-o', 'results'])).code, 0);
    assert.ok(existsSync(join(folder, 'results', 'index.jsonl')));
    const errors = (await run(['jobs', 'errors', id])).stdout.trim().split('\n');
    assert.deepEqual(
      errors.map((line) => JSON.parse(line).error.code),
      ['connect.refused'],
    );
    const paused = await run(['jobs', 'pause', id]);
    assert.equal(paused.code, 1);
    assert.match(paused.stderr, /^sluice: job\.state: /);
    assert.equal((await run(['jobs', 'retry', id])).code, 0);
    assert.equal((await run(['watch', id])).code, 1);
    const slow = [...batch, '--job.concurrency', '1', '--router.retain', 'full'];
    const second = (await run(slow, { input: `${site.url}/a?1\n${site.url}/a?2\n` })).stdout.trim();
    await run(['watch', second]);
    assert.equal((await run(['jobs', 'cancel', second, '--purge'])).code, 0);
    assert.equal((await run(['jobs', 'show', second])).code, 1);
  });

  test('on a terminal: text and tables, coloured unless NO_COLOR is set', async (t) => {
    if (!existsSync(SCRIPT)) return t.skip('needs the command script');
    const page = `scrape ${site.url}/a --scraper http`;
    const coloured = await onTerminal(page);
    assert.ok(coloured.stdout.startsWith(`\u001b[32mok\u001b[39m  200  ${site.url}/a\r\n`), coloured.stdout);
    const plain = (await onTerminal(page, { NO_COLOR: '1' })).stdout;
    assert.match(plain, /^ok {2}200 .*\r\nscraper +http, .* proxy\r\ntime +\d+ ms\r\n/);
    assert.doesNotMatch(plain, /\u001b/);
    assert.match((await onTerminal(`${page} --json`)).stdout, /^\{"id":/);
    const { body } = await service.scrape({ url: `${site.url}/a`, scraper: 'http' });
    assert.match((await onTerminal(`read ${body.id}`)).stdout, /^# A\r\n/);
    const plan = (await onTerminal(`explain ${site.url}/a --scraper http`, { NO_COLOR: '1' })).stdout;
    assert.match(
      plan,
      /: first http, datacenter proxy\r\nSCRAPER +PROXY +COST +SUCCESS +WHY\r\nhttp +datacenter .* % +first\r\n/,
    );
    const jobs = (await onTerminal('jobs list', { NO_COLOR: '1' })).stdout;
    assert.match(
      jobs,
      /^ID +KIND +STATE +DONE +FAILED +CREATED +NAME\r\n[0-9a-f-]{36} {2}batch +done +2\/2 +1 /,
    );
    const id = /[0-9a-f-]{36}/.exec(jobs)![0];
    const shown = (await onTerminal(`jobs show ${id}`, { NO_COLOR: '1' })).stdout;
    assert.match(shown, new RegExp(`^batch ${id}  done\\r\\nname +mine\\r\\nprogress +\\[#+\\] 2/2`));
    const errors = (await onTerminal(`jobs errors ${id}`, { NO_COLOR: '1' })).stdout;
    assert.match(errors, /^http:\/\/127\.0\.0\.1:1\/\r\n {2}connect\.refused: /);
  });

  test('login: asks, checks and stores; SLUICE_URL wins; --local; --remove', async (t) => {
    const none = { SLUICE_URL: undefined, SLUICE_KEY: undefined };
    const file = join(folder, 'config', 'sluice', 'login.json');
    for (const [args, input, why] of [
      [['--url', service.base], 'another-key-0123456789\n', /^sluice: auth\.invalid/],
      [['--url', service.base], '\n', /^sluice: the API key is missing/],
      [['--url', `http://127.0.0.1:${await freePort()}`], 'key\n', /cannot be reached: .*ECONNREFUSED/],
      [['--url', site.url], 'key\n', /is no Sluice/],
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
    const here = await run(['scrape', `${site.url}/a`, '--local', '--scraper', 'http'], { env: local });
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
