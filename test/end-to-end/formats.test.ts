import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useService } from '../helpers/service.ts';
import { useTarget } from './text-target.ts';

const PAGE = `<!doctype html><html lang="de"><head><title> A &amp; B </title><base href="/deep/">
<meta name="description" content="What it is"><link rel="canonical" href="../page">
<meta property="og:title" content="Shared"><meta property="og:image" content="a.png"><meta property="og:image" content="b.png">
<script type="application/ld+json">{"@type":"Article","author":{"name":"Ann"},"datePublished":"2024-05-01"}</script>
</head><body><h1>Caf\u00e9</h1><p>One <a href="x" rel="NoFollow ugc">two</a><a href="x">2</a> <a href="#top">up</a>
<a href="mailto:a@b">mail</a></p><ul><li data-id=1><a href="/i/1">first</a><li data-id=2>second</ul></body></html>`;

const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>http://n.test/</link>
<language>en</language><item><title>One</title><link>/one</link><guid>1</guid></item></channel></rss>`;

const LINE = '<p>caf\u00e9 <a href="/x">link</a></p>\n';
/** Rules have a second of processor time for them, also on a slow machine. */
const LINES = 6_000;
const LARGE = LINE.repeat(LINES);
const FORMATS = ['html', 'text', 'links', 'metadata'];

describe('formats and extract', () => {
  const service = useService();
  const target = useTarget({
    '/page': ['text/html; charset=iso-8859-1', Buffer.from(PAGE, 'latin1')],
    '/feed': ['application/rss+xml', FEED],
    '/json': ['application/json', '{"a":[1]}'],
    '/bytes': ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1])],
    '/empty': ['text/html', ''],
    '/hostile': ['text/html', `<p id="x">${'a'.repeat(100_000)}!`],
    '/large': ['text/html; charset=windows-1252', () => Buffer.from(`<title>L</title>${LARGE}`, 'latin1')],
    '/slow': ['text/html', () => Buffer.from('<a></a>'.repeat(8000))],
  });
  const ask = (path: string, scraper_options: object, more: object = {}) =>
    service.scrape({ url: target.url + path, scraper: 'http', scraper_options, ...more });

  test('every format of an HTML page', async () => {
    const { status, body } = await ask('/page', { formats: FORMATS });
    assert.equal(status, 200);
    assert.deepEqual(body.errors, []);
    assert.equal(body.router.outcome, 'ok');
    const { html, text, links, metadata, charset } = body.scraper_data as ReturnType<typeof JSON.parse>;
    assert.equal(html, PAGE);
    assert.equal(body.content, PAGE);
    assert.equal(charset.name, 'windows-1252');
    assert.equal(text, 'Caf\u00e9\n\nOne two2 up mail\n\nfirst\nsecond');
    assert.deepEqual(links, [
      { url: `${target.url}/deep/x`, text: 'two', rel: ['nofollow', 'ugc'], nofollow: false },
      { url: `${target.url}/deep/#top`, text: 'up', rel: [], nofollow: false },
      { url: `${target.url}/i/1`, text: 'first', rel: [], nofollow: false },
    ]);
    assert.equal(metadata.title, 'A & B');
    assert.equal(metadata.description, 'What it is');
    assert.equal(metadata.canonical, `${target.url}/page`);
    assert.equal(metadata.language, 'de');
    assert.equal(metadata.author, 'Ann');
    assert.equal(metadata.published, '2024-05-01');
    assert.equal(metadata.charset, 'windows-1252');
    assert.equal(metadata.content_type, 'text/html');
    assert.deepEqual(metadata.open_graph, { title: 'Shared', image: ['a.png', 'b.png'] });
    assert.equal(metadata.image, `${target.url}/deep/a.png`);
    assert.equal(metadata.json_ld[0]['@type'], 'Article');
  });

  test('extract: items, lists, attributes, nested', async () => {
    const { body } = await ask('/page', {
      extract: {
        title: 'h1',
        link: 'p a@href',
        none: 'h6',
        items: {
          selector: 'li',
          type: 'list',
          output: { id: ':scope@data-id', own: '@data-id', url: 'a@href' },
        },
        nothing: { selector: 'h6', type: 'list' },
        markup: { selector: 'li:last-child', output: 'html' },
      },
    });
    assert.deepEqual(body.errors, []);
    assert.deepEqual((body.scraper_data as Record<string, unknown>).extract, {
      title: 'Caf\u00e9',
      link: `${target.url}/deep/x`,
      none: null,
      items: [
        { id: null, own: '1', url: `${target.url}/i/1` },
        { id: null, own: '2', url: null },
      ],
      nothing: [],
      markup: '<li data-id="2">second</li>',
    });
  });

  test('a feed', async () => {
    const { body } = await ask('/feed', {
      formats: FORMATS,
      extract: { items: { selector: 'item', type: 'list', output: { title: 'title', link: 'link' } } },
    });
    const { html, text, links, metadata, extract } = body.scraper_data as ReturnType<typeof JSON.parse>;
    assert.equal(html, null);
    assert.equal(text, 'News\nhttp://n.test/\nen\nOne\n/one\n1');
    assert.deepEqual(
      links.map(({ url, text }: { url: string; text: string }) => [url, text]),
      [
        ['http://n.test/', 'News'],
        [`${target.url}/one`, 'One'],
      ],
    );
    assert.equal(metadata.title, 'News');
    assert.equal(metadata.language, 'en');
    assert.deepEqual(extract, { items: [{ title: 'One', link: '/one' }] });
    assert.equal(body.router.outcome, 'ok');
  });

  test('a format that a page does not have is null; extract on other content is an error', async () => {
    const json = await ask('/json', { formats: FORMATS });
    const { charset: _, ...data } = json.body.scraper_data as Record<string, unknown>;
    assert.deepEqual(data, { html: null, text: '{"a":[1]}', links: null, metadata: null });
    assert.equal(json.body.router.outcome, 'ok');
    const bytes = await ask('/bytes', { formats: FORMATS });
    assert.deepEqual(bytes.body.scraper_data, { html: null, text: null, links: null, metadata: null });
    assert.equal(bytes.body.router.outcome, 'ok');
    for (const path of ['/json', '/bytes']) {
      const { body } = await ask(path, { extract: { a: 'b' } });
      assert.equal(body.router.outcome, 'partial');
      const [error] = body.errors;
      assert.deepEqual(
        [error!.code, error!.source, error!.pointer],
        ['extract.failed', 'extract', '/scraper_options/extract'],
      );
      assert.equal((body.scraper_data as Record<string, unknown>).extract, null);
    }
  });

  test('extract: regular expressions, XPath, tables, transformations; also of the stored page', async () => {
    const rules = {
      first: { selector: 'li', regex: '(\\w)econd' },
      words: { selector: 'li', type: 'list', regex: '[a-z]+' },
      ids: { selector: '//li/@data-id', type: 'list', transform: 'number' },
      links: { selector: 'p a', type: 'list', output: ['@href', '@rel'] },
      count: 'xpath=count(//a)',
      table: { selector: 'table', output: 'table' },
    };
    const expected = {
      first: 's',
      words: ['first', 'second'],
      ids: [1, 2],
      links: [
        { href: `${target.url}/deep/x`, rel: 'NoFollow ugc' },
        { href: `${target.url}/deep/x`, rel: null },
        { href: `${target.url}/deep/#top`, rel: null },
        { href: 'mailto:a@b', rel: null },
      ],
      count: 5,
      table: null,
    };
    const { body } = await ask('/page', { extract: rules });
    assert.deepEqual(body.errors, []);
    assert.deepEqual((body.scraper_data as Record<string, unknown>).extract, expected);
    const again = await service.api<typeof body>('POST', `/api/v1/scrape/${body.id}/read/`, {
      body: { extract: rules },
    });
    assert.deepEqual((again.body.scraper_data as Record<string, unknown>).extract, expected);
    const refused = await service.api<typeof body>('POST', `/api/v1/scrape/${body.id}/read/`, {
      body: { extract: { a: { selector: '//p[', regex: 'a' }, b: { selector: 'p', regex: '(' } } },
    });
    assert.equal(refused.status, 400);
    assert.equal(refused.body.errors[0]!.pointer, '/extract/b/regex');
  });

  test('extract: a regular expression that other engines never finish', async () => {
    const { body } = await ask('/hostile', {
      extract: { a: { selector: 'p', regex: '^(a+)+$' }, b: 'p@id' },
    });
    assert.deepEqual(body.errors, []);
    assert.deepEqual((body.scraper_data as Record<string, unknown>).extract, { a: null, b: 'x' });
  });

  test('formats of an empty page, and with content_encoding: base64', async () => {
    const empty = await ask('/empty', { formats: ['html', 'text', 'links'], extract: { a: 'b' } });
    assert.deepEqual(empty.body.scraper_data, { html: '', text: '', links: [], extract: { a: null } });
    const { body } = await ask('/page', { formats: ['text'], content_encoding: 'base64' });
    assert.equal(body.content_encoding, 'base64');
    assert.match((body.scraper_data as { text: string }).text, /^Caf\u00e9\n/);
  });

  test('the record has them, but not with retain: metadata', async () => {
    const options = { formats: ['text'], extract: { title: 'h1' } };
    const full = await ask('/page', options);
    const { body } = await service.api<Record<string, unknown>>('GET', `/api/v1/scrape/${full.body.id}/`);
    assert.deepEqual(body.scraper_data, full.body.scraper_data);
    const short = await ask('/page', options, { router: { retain: 'metadata' } });
    assert.deepEqual((short.body.scraper_data as Record<string, unknown>).extract, { title: 'Caf\u00e9' });
    const kept = await service.api<Record<string, unknown>>('GET', `/api/v1/scrape/${short.body.id}/`);
    assert.deepEqual(Object.keys(kept.body.scraper_data as object), ['charset']);
  });

  test('a bad selector is refused with its pointer', async () => {
    for (const [extract, pointer] of [
      [{ a: 'p >' }, '/scraper_options/extract/a'],
      [{ a: { selector: ':foo' } }, '/scraper_options/extract/a/selector'],
      [{ a: { selector: 'p', output: { 'b/c': '[' } } }, '/scraper_options/extract/a/output/b~1c'],
      [{ a: '//p[' }, '/scraper_options/extract/a'],
      [
        { a: { selector: 'p', output: { b: 'xpath=ends-with(., "a")' } } },
        '/scraper_options/extract/a/output/b',
      ],
      [{ a: { selector: 'p', regex: '(?<=a)b' } }, '/scraper_options/extract/a/regex'],
      [{ a: { selector: 'p', transform: 'upper' } }, '/scraper_options/extract/a/transform'],
    ] as const) {
      const { status, body } = await ask('/page', { extract });
      assert.equal(status, 400);
      assert.equal(body.errors[0]!.pointer, pointer);
    }
  });

  test('the message about a bad selector or path names the member and its value', async () => {
    const said = async (options: object, router: object) =>
      (await ask('/page', options, { router })).body.detail;
    assert.equal(
      await said({}, { accept: { selector: 'p[' } }),
      '`/router/accept/selector` cannot be read: Expected name, found its end; got "p["',
    );
    assert.equal(
      await said({ extract: { a: 'p::before' } }, {}),
      '`/scraper_options/extract/a` cannot be read: Pseudo-elements are not supported; got "p::before"',
    );
    assert.equal(
      await said({}, { accept: { json_path: '$.a b' } }),
      '`/router/accept/json_path` cannot be read: the JSONPath is wrong at character 5 ("b"); got "$.a b"',
    );
  });

  test('accept reads pages in the same way', async () => {
    const { body } = await ask(
      '/page',
      { formats: ['links'] },
      { router: { accept: { selector: 'li[data-id]', contains: 'first' } } },
    );
    assert.equal(body.router.outcome, 'ok');
    const unmet = await ask('/page', {}, { router: { accept: { selector: 'table' } } });
    assert.equal(unmet.body.router.outcome, 'unaccepted');
    assert.deepEqual(unmet.body.errors[0]!.details, { unmet: ['selector'] });
    const json = await ask('/json', {}, { router: { accept: { json_path: '$.a[0]' } } });
    assert.equal(json.body.router.outcome, 'ok');
  });

  test('a large page that is not UTF-8 is read to its last line', async () => {
    const { body } = await ask('/large', {
      formats: ['text', 'links', 'metadata'],
      extract: { last: { selector: 'p:last-child', output: 'html' }, all: { selector: 'p', type: 'list' } },
    });
    assert.deepEqual(body.errors, []);
    const { text, links, metadata, extract } = body.scraper_data as ReturnType<typeof JSON.parse>;
    assert.equal(text, Array(LINES).fill('caf\u00e9 link').join('\n\n'));
    assert.equal(links.length, 1);
    assert.equal(metadata.title, 'L');
    assert.equal(extract.last, LINE.trim());
    assert.equal(extract.all.length, LINES);
    assert.equal(body.content, `<title>L</title>${LARGE}`);
  });

  test('a selector that never ends loses its own value, and delays no other scrape', async () => {
    const slow = ask('/slow', { formats: ['links'], extract: { bad: 'x ~ a ~ a ~ a ~ a', good: 'title' } });
    let ended = false;
    void slow.finally(() => {
      ended = true;
    });
    let others = 0;
    for (; !ended; others++)
      assert.equal((await service.scrape({ url: `${target.url}/json`, scraper: 'http' })).status, 200);
    // The selector is given more than a second of processor time; even on a busy machine, two scrapes take less.
    assert.ok(others >= 2, `${others}`);
    const { status, body } = await slow;
    assert.equal(status, 200);
    assert.equal(body.router.outcome, 'partial');
    assert.deepEqual(
      body.errors.map(({ code, pointer }) => [code, pointer]),
      [['extract.failed', '/scraper_options/extract/bad']],
    );
    const { links, extract } = body.scraper_data as ReturnType<typeof JSON.parse>;
    assert.deepEqual([links, extract], [[], { bad: null, good: null }]);
  });
});
