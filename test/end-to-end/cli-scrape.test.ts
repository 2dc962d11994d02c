import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import type { Problem } from '../helpers/wire-types.ts';

describe('sluice scrape', () => {
  const site = useSite();
  const service = useOwnService();

  test('prints the response, without a running service', async () => {
    const { code, stdout, stderr } = await service.cli(['scrape', `${site.url}/json`]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /A fixture/);
  });

  test('a failure is printed as the problem of the API, and nothing else', async () => {
    const refused = await service.cli(['scrape', 'http://127.0.0.1:1/', '--timeout_ms', '500']);
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.match(refused.stderr, /^sluice: request\.validation: `\/timeout_ms` [^\n]*\n$/);
    const failed = await service.cli(['scrape', 'http://127.0.0.1:1/']);
    assert.notEqual(failed.code, 0);
    const { type } = JSON.parse(failed.stdout) as Problem;
    assert.equal(type, `${service.base}/api/v1/errors/#connect.refused`);
  });

  // In any order: test/cli/members.test.ts.
  test('arguments that contradict each other are refused', async () => {
    for (const words of [
      ['--url', 'http://127.0.0.1:2/'],
      ['--timeout_ms', '500', '--timeout_ms', '900'],
    ]) {
      const { code, stdout, stderr } = await service.cli(['scrape', `${site.url}/text`, ...words]);
      assert.deepEqual([code, stdout], [2, ''], `${words}`);
      assert.match(stderr, /^sluice: --\S+ contradicts/m);
    }
  });

  test('numbers that no double holds are sent as they are written', async () => {
    const id = '1234567890123456789';
    const echo = ['scrape', `${site.url}/echo`, '--method', 'POST', '--query.id', id, '--timeout_ms', '9000'];
    for (const [words, body] of [
      [['--data', `{"id":${id}}`], `{"id":${id}}`],
      [['--data.id', id, '--data.t', 'x'], `{"id":${id},"t":"x"}`],
    ] as const) {
      const { code, stdout, stderr } = await service.cli([...echo, ...words]);
      assert.equal(code, 0, stderr);
      const seen = JSON.parse(JSON.parse(stdout).content) as { readonly url: string; readonly body: string };
      assert.equal(seen.url, `/echo?id=${id}`);
      assert.equal(Buffer.from(seen.body, 'base64').toString(), body);
    }
  });

  test('--format prints that format alone: text as it is, data as JSON', async () => {
    const page = `${site.url}/html/3000`;
    const markdown = await service.cli(['scrape', page, '--format', 'markdown', '--scraper', 'http']);
    assert.equal(markdown.code, 0, markdown.stderr);
    assert.notEqual(markdown.stdout.trim(), '');
    assert.doesNotMatch(markdown.stdout, /^[{"]|"content":/);
    const links = await service.cli(['scrape', page, '--format=links', '--scraper', 'http']);
    assert.ok(Array.isArray(JSON.parse(links.stdout)));
  });

  test('--format: what there is not, or is no format, is an error', async () => {
    const none = await service.cli(['scrape', `${site.url}/json`, '--format', 'links', '--scraper', 'http']);
    assert.deepEqual([none.code, none.stdout], [1, '']);
    assert.match(none.stderr, /^sluice: \S+ has no links\n$/);
    const scan = await service.cli(['scrape', `${site.url}/document/scan`, '--format', 'markdown']);
    assert.deepEqual([scan.code, scan.stdout.trim()], [0, '']);
    assert.match(scan.stderr, /^sluice: document\.no_text: The document has no text/);
    const missing = await service.cli([
      'scrape',
      `${site.url}/status/404`,
      '--format=text',
      '--scraper=http',
    ]);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /^sluice: \S+\/status\/404: the outcome is \S+, with status 404\n$/);
    const wrong = await service.cli(['scrape', site.url, '--format', 'word']);
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /formats\/0/);
  });
});
