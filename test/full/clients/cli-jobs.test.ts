import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { profileKey } from '../../helpers/visitor.ts';
import { SCRIPT, useRemoteCli } from './remote-cli.ts';

describe('jobs and terminals at the command line', () => {
  const { service, folder, run, onTerminal, site } = useRemoteCli();

  test('jobs: listed, shown, paused, resumed, tried again, cancelled', async () => {
    const batch = ['batch', '-', '--scraper', 'http', '--job.retries', '0', '--job.name', 'mine', '--detach'];
    const started = await run(batch, { input: `${site().url}/a\nhttp://127.0.0.1:1/\n` });
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
    assert.equal((await run(['jobs', 'results', id, '-o', 'table.csv'])).code, 0);
    const table = readFileSync(join(folder, 'table.csv'), 'utf8').split('\r\n');
    assert.match(table[0]!, /^n,ref,url,.*,title,bytes$/);
    assert.equal(table.length, 4, 'a head, two pages, and an end of line');
    const both = await run(['jobs', 'results', id, '-o', 'table.xlsx', '--format', 'text']);
    assert.deepEqual([both.code, existsSync(join(folder, 'table.xlsx'))], [2, false]);
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
    const second = (await run(slow, { input: `${site().url}/a?1\n${site().url}/a?2\n` })).stdout.trim();
    await run(['watch', second]);
    assert.equal((await run(['jobs', 'cancel', second, '--purge'])).code, 0);
    assert.equal((await run(['jobs', 'show', second])).code, 1);
  });

  test('profiles: uploaded from files, listed, shown, replaced, exported, deleted', async () => {
    const env = { SLUICE_KEY: await profileKey(service) };
    const line = (...cells: string[]) => cells.join('\t');
    const expires = String(Math.floor(Date.now() / 1_000) + 3_600);
    const cookiesTxt = [
      '# Netscape HTTP Cookie File',
      `#HttpOnly_${line('.shop.example.com', 'TRUE', '/', 'TRUE', expires, 'sid', 'first-value')}`,
      line('other.example', 'FALSE', '/', 'FALSE', expires, 'tracker', 'left-out'),
    ].join('\n');
    const upload = ['profile', 'upload', 'shop', '--from'];
    const made = await run([...upload, '-', '--domain', 'shop.example.com'], { input: cookiesTxt, env });
    assert.equal(made.code, 0, made.stderr);
    const profile = JSON.parse(made.stdout);
    assert.deepEqual([profile.name, profile.cookies, profile.sites], ['shop', 1, ['example.com']]);
    const again = await run([...upload, '-'], { input: cookiesTxt, env });
    assert.deepEqual([again.code, again.stdout], [2, '']);
    const state = { cookies: [{ name: 'sid', value: 'second-value', domain: 'example.com', path: '/' }] };
    const replaced = await run([...upload, '-', '--replace', '--shared'], {
      input: JSON.stringify(state),
      env,
    });
    assert.deepEqual([replaced.code, JSON.parse(replaced.stdout).shared], [0, true], replaced.stderr);
    const { stdout: listed } = await run(['profile', 'list'], { env });
    assert.deepEqual(
      listed
        .trim()
        .split('\n')
        .map((one) => JSON.parse(one).name),
      ['shop'],
    );
    assert.doesNotMatch(listed, /value/);
    assert.equal((await run(['profile', 'export', 'shop', '-o', 'state.json'], { env })).code, 0);
    const exported = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'));
    assert.deepEqual(
      exported.cookies.map(({ value }: { value: string }) => value),
      ['second-value'],
    );
    assert.equal((await run(['profile', 'delete', 'shop'], { env })).code, 0);
    const gone = await run(['profile', 'show', 'shop'], { env });
    assert.deepEqual([gone.code, gone.stdout], [1, '']);
    for (const [args, why] of [
      [['--from', 'firefox'], /--domain is missing: of a browser/],
      [['--from', 'state.json', '--domain', 'com'], /anybody can register/],
      [['--from', 'state.json', '--domain', 'example.org'], /state\.json has nothing of these domains/],
      [['--from', 'none.json'], /none\.json cannot be read/],
    ] as const) {
      const refused = await run(['profile', 'upload', 'x', ...args], { env });
      assert.match(refused.stderr, why);
      assert.notEqual(refused.code, 0);
    }
  });

  test('on a terminal: text and tables, coloured unless NO_COLOR is set', async (t) => {
    if (!existsSync(SCRIPT)) return t.skip('needs the command script');
    const page = `scrape ${site().url}/a --scraper http`;
    const coloured = await onTerminal(page);
    assert.ok(
      coloured.stdout.startsWith(`\u001b[32mok\u001b[39m  200  ${site().url}/a\r\n`),
      coloured.stdout,
    );
    const plain = (await onTerminal(page, { NO_COLOR: '1' })).stdout;
    assert.match(plain, /^ok {2}200 .*\r\nscraper +http, .* proxy\r\ntime +\d+ ms\r\n/);
    assert.doesNotMatch(plain, /\u001b/);
    assert.match((await onTerminal(`${page} --json`)).stdout, /^\{"id":/);
    const { body } = await service.scrape({ url: `${site().url}/a`, scraper: 'http' });
    assert.match((await onTerminal(`read ${body.id}`)).stdout, /^# A\r\n/);
    const plan = (await onTerminal(`explain ${site().url}/a --scraper http`, { NO_COLOR: '1' })).stdout;
    assert.match(
      plan,
      /: first http, datacenter proxy\r\nNothing was fetched: .*\r\nSCRAPER +PROXY +COST +SUCCESS +WHY\r\nhttp +datacenter .* % +first\r\n/,
    );
    const ways = await onTerminal(`compare ${site().url}/a --ways http,browser_stealth`, { NO_COLOR: '1' });
    assert.match(ways.stdout, /^ {2}WAY +OUTCOME +LIKENESS +TIME +COST +SCRAPE +WHY\r\n/);
    assert.match(ways.stdout, /\n\* http +ok +100 % +\d+\.\d s +[0-9a-f]{8}-[0-9a-f-]+\r\n/);
    assert.match(ways.stdout, /\n {2}browser_stealth +failed +scraper\.unavailable\r\nbest http\r\n/);
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
});
