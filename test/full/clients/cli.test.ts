import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ScrapeAnswer } from '../../helpers/wire-types.ts';
import { type Echo, useRemoteCli } from './remote-cli.ts';

describe('the command line with a remote service', () => {
  const { service, folder, run, site } = useRemoteCli();

  test('scrape: the answer of the service; a record of it is there', async () => {
    const { code, stdout, stderr } = await run(['scrape', `${site().url}/a`, '--scraper', 'http']);
    assert.deepEqual([code, stderr], [0, '']);
    const { id, status_code } = JSON.parse(stdout) as ScrapeAnswer;
    assert.equal(status_code, 200);
    assert.equal((await service.api('GET', `/api/v1/scrape/${id}/`)).status, 200);
    assert.ok(!existsSync(join(folder, 'none')));
    const failed = await run(['scrape', 'http://127.0.0.1:1/', '--scraper', 'http']);
    assert.deepEqual([failed.code, failed.stderr], [1, '']);
    assert.equal(JSON.parse(failed.stdout).code, 'connect.refused');
    const refused = await run(['scrape', `${site().url}/a`, '--timeout_ms', '5']);
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, /^sluice: request\.validation: `\/timeout_ms`/);
    const keyless = await run(['scrape', `${site().url}/a`], {
      env: { SLUICE_KEY: 'another-key-0123456789' },
    });
    assert.deepEqual([keyless.code, keyless.stdout], [1, '']);
    assert.match(keyless.stderr, /^sluice: auth\.invalid/);
  });

  test('scrape: Markdown alone, -o a file and a folder, --json with a format', async () => {
    const markdown = ['scrape', `${site().url}/a`, '--scraper', 'http', '--format', 'markdown'];
    const { code, stdout } = await run(markdown);
    assert.equal(code, 0);
    assert.match(stdout, /^# A\n/);
    assert.deepEqual((await run([...markdown, '-o', 'a.txt'])).stdout, '');
    assert.equal(readFileSync(join(folder, 'a.txt'), 'utf8'), stdout);
    assert.equal((await run([...markdown, '-o', 'pages/'])).code, 0);
    const host = new URL(site().url).host.replace(':', '_');
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
    const post = ['scrape', `${site().url}/echo`, '--method', 'POST', '--scraper', 'http'];
    const text = (body: string) => Buffer.from(body).toString('base64');
    assert.equal((await echoOf([...post, '--data', '@body.bin'])).body, bytes.toString('base64'));
    const json = await echoOf([...post, '--data', '@body.json']);
    assert.deepEqual([json.body, json.type], [text('{"id": 12345678901234567890}\n'), 'application/json']);
    for (const name of ['-', '@-'])
      assert.equal((await echoOf([...post, '--data', name], 'a=1&b=2')).body, text('a=1&b=2'));
    assert.equal((await echoOf([...post, '--data', '"@body.json"'])).body, text('@body.json'));
    const request = JSON.stringify({
      url: `${site().url}/echo`,
      method: 'PUT',
      scraper: 'http',
      data: { a: 1 },
    });
    writeFileSync(join(folder, 'request.json'), request);
    assert.equal((await echoOf(['scrape', '@request.json'])).method, 'PUT');
    assert.equal((await echoOf(['scrape', '-'], request)).body, text('{"a":1}'));
    assert.equal((await echoOf(['scrape', '@request.json', '--method', 'PATCH'])).method, 'PATCH');
    const curl = await run(['import', 'curl', `${site().url}/echo`, '-d', 'q=1']);
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
    const { body } = await service.scrape({ url: `${site().url}/a`, scraper: 'http' });
    const seen = site().seen.length;
    const stored = await run(['read', body.id!]);
    assert.deepEqual([stored.code, stored.stderr], [0, '']);
    assert.match(stored.stdout, /^# A\n/);
    const links = await run(['read', body.id!, '--format', 'links']);
    assert.ok(Array.isArray(JSON.parse(links.stdout)), links.stdout);
    const extracted = await run(['read', body.id!, '--extract.title', 'h1']);
    assert.deepEqual(JSON.parse(extracted.stdout).scraper_data.extract, { title: 'A' });
    assert.equal(site().seen.length, seen, 'nothing is fetched');
    const page = await run(['read', `${site().url}/a`, '--scraper', 'http']);
    assert.deepEqual([page.code, page.stdout], [0, stored.stdout]);
    const unknown = await run(['read', '01a215d5-4981-7079-b91f-64330107cd9a']);
    assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
    assert.match(unknown.stderr, /^sluice: request\.not_found/);
  });

  test('explain: a dry run', async () => {
    const seen = site().seen.length;
    const { code, stdout, stderr } = await run(['explain', `${site().url}/a`, '--router', 'cheapest']);
    assert.deepEqual([code, stderr], [0, '']);
    const { router } = JSON.parse(stdout) as ScrapeAnswer;
    assert.equal(router.outcome, 'planned');
    assert.equal(site().seen.length, seen);
    const refused = await run(['explain', `${site().url}/a`, '--scraper', 'http', '--screenshot', 'true']);
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, /scraper\.unsupported_option/);
  });

  test('compare: the ways side by side; without a best one it fails', async () => {
    const ways = ['--ways', 'http, browser_stealth'];
    const { code, stdout, stderr } = await run(['compare', `${site().url}/a`, ...ways]);
    assert.deepEqual([code, stderr], [0, '']);
    const { items, best } = JSON.parse(stdout) as { items: { way: string; outcome: string }[]; best: string };
    assert.deepEqual(
      [best, items.map(({ way, outcome }) => `${way} ${outcome}`)],
      ['http', ['http ok', 'browser_stealth failed']],
    );
    const id = '12345678901234567890';
    const post = ['compare', `${site().url}/echo`, '--method', 'POST', '--data.id', id, ...ways];
    const sent = JSON.parse((await run(post)).stdout) as { items: { scrape: { id: string } }[] };
    const record = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${sent.items[0]!.scrape.id}/`);
    const echo = JSON.parse(record.body.content!) as Echo;
    assert.equal(Buffer.from(echo.body, 'base64').toString(), `{"id":${id}}`);
    const none = await run(['compare', `${site().url}/none`, ...ways]);
    assert.deepEqual([none.code, JSON.parse(none.stdout).best], [1, null]);
    for (const [args, why] of [
      [[], /^sluice: --ways is missing/],
      [['--ways', 'http'], /^sluice: request\.validation: `\/ways` must have at least 2 elements/],
      [['--ways', 'http,htp'], /^sluice: request\.validation: `\/ways\/1` must be a scraper/],
      [[...ways, '--scraper', 'http'], /^sluice: request\.validation: `\/request\/scraper` is not allowed/],
    ] as const) {
      const refused = await run(['compare', `${site().url}/a`, ...args]);
      assert.deepEqual([refused.code, refused.stdout], [2, '']);
      assert.match(refused.stderr, why);
    }
  });
});
