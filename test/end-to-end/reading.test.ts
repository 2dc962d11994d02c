import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useService } from '../helpers/service.ts';
import { READING_PAGES } from './reading-pages.ts';
import { useTarget } from './text-target.ts';

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI file says what the members are, and the client checks it.
type Data = Record<string, any>;

describe('formats of the content of a page', () => {
  const service = useService();
  const target = useTarget(READING_PAGES);
  const ask = async (path: string, scraper_options: object, more: object = {}) => {
    const { status, body } = await service.scrape({
      url: target.url + path,
      scraper: 'http',
      scraper_options,
      ...more,
    });
    return { status, body, data: body.scraper_data as Data };
  };

  test('markdown: of the whole page, with absolute links', async () => {
    const { body, data } = await ask('/article', { formats: ['markdown'] });
    assert.deepEqual(body.errors, []);
    assert.match(data.markdown, /^# Harbours$/m);
    assert.ok(data.markdown.includes(`[More](${target.url}/more)`), data.markdown);
    assert.ok(data.markdown.includes(`![A pier](${target.url}/pier.jpg)`), data.markdown);
    assert.match(data.markdown, /Imprint of the whole site/);
    assert.match(data.markdown, /\| North *\| *12 *\|/);
    assert.equal('main' in data, false, 'nobody asked for the main content');
  });

  test('main_html: the main content as clean HTML', async () => {
    const { body, data } = await ask('/article', { formats: ['main_html', 'text'] });
    assert.deepEqual(body.errors, []);
    assert.match(data.main_html, /<h1>Harbours<\/h1>/);
    assert.doesNotMatch(data.main_html, /Imprint|class=|<script|Shop/);
    assert.match(data.text, /Imprint/, 'other formats are of the whole page');
    assert.deepEqual(Object.keys(data.main).sort(), [
      'box',
      'confidence',
      'kind',
      'method',
      'selector',
      'share_of_text',
    ]);
    assert.ok(data.main.share_of_text > 0.5 && data.main.share_of_text < 1);
  });

  test('structured, images', async () => {
    const { body, data } = await ask('/article', { formats: ['structured', 'images'] });
    assert.deepEqual(body.errors, []);
    assert.deepEqual(data.structured.json_ld, [{ '@type': 'Article', headline: 'Harbours' }]);
    assert.deepEqual(data.structured.open_graph, { title: 'Of harbours' });
    assert.deepEqual(data.structured.tables, [
      { caption: 'Depths', header: ['Place', 'Metres'], rows: [['North', '12']] },
    ]);
    assert.ok(data.structured.entities.some(({ type }: Data) => type === 'Article'));
    assert.deepEqual(
      data.images.map(({ url, alt }: Data) => [url, alt]),
      [
        [`${target.url}/pier.jpg`, 'A pier'],
        [`${target.url}/logo.png`, 'Logo'],
      ],
    );
  });

  test('feed: RSS, JSON Feed, a packed sitemap; null for other pages', async () => {
    const rss = (await ask('/rss', { formats: ['feed'] })).data.feed;
    assert.deepEqual([rss.kind, rss.title, rss.items.length], ['rss', 'News', 1]);
    assert.equal(rss.items[0].published, '2024-05-01T10:00:00Z');
    const json = (await ask('/json-feed', { formats: ['feed', 'links'] })).data;
    assert.deepEqual([json.feed.kind, json.feed.title, json.links], ['json_feed', 'Notes', null]);
    const packed = await ask('/sitemap.xml.gz', { formats: ['text', 'feed'] });
    assert.deepEqual(packed.body.errors, []);
    assert.equal(packed.data.text, null);
    assert.deepEqual(
      packed.data.feed.items.map(({ url }: Data) => url),
      ['http://n.test/a'],
    );
    for (const path of ['/article', '/plain', '/json', '/bytes']) {
      const { body, data } = await ask(path, { formats: ['feed'] });
      assert.deepEqual([data.feed, body.router.outcome], [null, 'ok'], path);
    }
  });

  describe('only_main_content', () => {
    test('text, markdown, html, links, images, metadata, tables are of the main content', async () => {
      const { body, data } = await ask('/article', {
        formats: ['text', 'markdown', 'html', 'links', 'images', 'metadata', 'structured'],
        only_main_content: true,
      });
      assert.deepEqual(body.errors, []);
      for (const format of ['text', 'markdown', 'html']) {
        assert.match(data[format], /find shelter/, format);
        assert.doesNotMatch(data[format], /Imprint|Shop/, format);
      }
      assert.match(body.content!, /Imprint/, 'the content itself stays');
      assert.deepEqual(
        data.links.map(({ url }: Data) => url),
        [`${target.url}/more`],
      );
      assert.deepEqual(
        data.images.map(({ alt }: Data) => alt),
        ['A pier'],
      );
      assert.deepEqual([data.metadata.title, data.metadata.published], ['Harbours', null]);
      assert.equal(data.structured.tables.length, 1);
      assert.ok(data.main.confidence >= 0 && data.main.confidence <= 1);
    });

    test('alone, it says what the main content is', async () => {
      const { data } = await ask('/article', { only_main_content: true });
      assert.deepEqual(Object.keys(data).sort(), ['charset', 'main']);
    });

    test('main_content: include and exclude', async () => {
      const excluded = await ask('/article', {
        formats: ['text'],
        only_main_content: true,
        main_content: { exclude: ['.advert', 'table'] },
      });
      assert.match(excluded.data.text, /find shelter/);
      assert.doesNotMatch(excluded.data.text, /Buy a boat|North/);
      const included = await ask('/article', {
        formats: ['text', 'main_html'],
        only_main_content: true,
        main_content: { include: ['footer p', 'h1'] },
      });
      assert.equal(included.data.text, 'Harbours\n\nImprint of the whole site');
      const described = await ask('/article', { main_content: { include: ['h1'] } });
      assert.equal(described.data.main.share_of_text < 0.1, true);
    });

    test('main_content.links_from: the links of a home page are those of its sections', async () => {
      const formats = ['links', 'images', 'text'];
      const paths = ({ links, images }: Data) =>
        [...links, ...images].map(({ url }: Data) => url.slice(target.url.length));
      const all = ['/north', '/south', '/news/1', '/news/2', '/north.jpg', '/south.jpg'];
      for (const only_main_content of [true, false]) {
        const main_content = { links_from: 'page' };
        const { data } = await ask('/home-page', { formats, only_main_content, main_content });
        assert.deepEqual(paths(data), all);
        assert.equal(data.text.includes('Imprint'), !only_main_content);
      }
      const { data: without } = await ask('/home-page', {
        formats,
        only_main_content: true,
        main_content: { links_from: 'page', exclude: ['.related'] },
      });
      assert.deepEqual(paths(without), ['/north', '/south', '/north.jpg', '/south.jpg']);
      const { data: included } = await ask('/home-page', {
        formats,
        main_content: { links_from: 'page', include: ['footer'] },
      });
      assert.deepEqual(paths(included), ['/imprint']);
    });

    test('the main content of a frame follows', async () => {
      const { data } = await ask('/framed', { formats: ['text', 'markdown'], only_main_content: true });
      assert.match(data.text, /find shelter[\s\S]*\n\nInside of the frame$/);
      assert.match(data.markdown, /find shelter[\s\S]*\n\nInside of the frame\s*$/);
      const included = await ask('/framed', {
        formats: ['text'],
        only_main_content: true,
        main_content: { include: ['main'] },
      });
      assert.equal(included.data.text, 'Inside of the frame');
    });

    test('feeds, JSON and bytes have none', async () => {
      for (const path of ['/rss', '/json', '/plain', '/bytes']) {
        const { body, data } = await ask(path, { formats: ['text', 'main_html'], only_main_content: true });
        assert.deepEqual([data.main, data.main_html, body.errors], [null, null, []], path);
        if (path === '/rss') assert.match(data.text, /^News\n/, 'it is read as a whole');
      }
    });
  });

  describe('markdown of other content', () => {
    test('text and JSON are code, Markdown is itself, bytes have none', async () => {
      const { data: plain } = await ask('/plain', { formats: ['markdown'] });
      assert.match(plain.markdown, /^```\na \*b\*\n\n {2}c & <d>\n```\n?$/);
      const { data: json } = await ask('/json', { formats: ['markdown'] });
      assert.match(json.markdown, /^```json\n\{"a":\["<b>"\]\}\n```\n?$/);
      const { data: readme } = await ask('/readme', { formats: ['markdown'] });
      assert.equal(readme.markdown, '# T\n\n*a*\n\nb');
      const { body, data: bytes } = await ask('/bytes', { formats: ['markdown'] });
      assert.deepEqual([bytes.markdown, body.router.outcome], [null, 'ok']);
    });
  });

  describe('markdown: options', () => {
    test('any of them asks for the format', async () => {
      const { data } = await ask('/article', { markdown: { links: 'text' } });
      assert.deepEqual(Object.keys(data).sort(), ['charset', 'markdown']);
      assert.match(data.markdown, /More/);
      assert.doesNotMatch(data.markdown, /\/more/);
      const { data: nothing } = await ask('/article', { markdown: {} });
      assert.deepEqual(Object.keys(nothing), ['charset']);
    });

    test('links, images, front_matter', async () => {
      const { data: reference } = await ask('/article', { markdown: { links: 'reference' } });
      assert.match(reference.markdown, /^\[\d+\]: http\S+\/more$/m);
      const { data: alt } = await ask('/article', { markdown: { images: 'alt' } });
      assert.match(alt.markdown, /A pier/);
      assert.doesNotMatch(alt.markdown, /pier\.jpg/);
      const { data: none } = await ask('/article', { markdown: { images: 'none' } });
      assert.doesNotMatch(none.markdown, /A pier/);
      const { data: front } = await ask('/article', { markdown: { front_matter: true } });
      assert.match(front.markdown, /^---\n[\s\S]*title: "?Harbours"?\n[\s\S]*\n---\n/);
    });

    test('max_chars: the parts give the whole', async () => {
      const whole = (await ask('/long', { formats: ['markdown'] })).data.markdown;
      const parts: string[] = [];
      let content_offset = 0;
      for (let n = 0; n < 50; n++) {
        const { body, data } = await ask('/long', { markdown: { max_chars: 1000, content_offset } });
        assert.ok(data.markdown.length <= 1000);
        parts.push(data.markdown.trim());
        const more = body.router.warnings.find(({ code }) => code === 'content.more');
        if (more === undefined) break;
        assert.equal(more.pointer, '/scraper_options/markdown');
        content_offset = more.details!.content_offset as number;
        assert.equal(body.router.outcome, 'ok', 'the caller wanted it cut');
      }
      assert.ok(parts.length > 3);
      assert.equal(parts.join('\n\n'), whole.trim());
    });
  });

  describe('refused, with a pointer', () => {
    const wrong: readonly (readonly [options: object, pointer: string, message: RegExp])[] = [
      [{ formats: ['text', 'word'] }, '/formats/1', /markdown/],
      [{ only_main_content: 'yes' }, '/only_main_content', /boolean/],
      [{ main_content: { include: ['main', 'a['] } }, '/main_content/include/1', /cannot be read/],
      [{ main_content: { exclude: ['::x'] } }, '/main_content/exclude/0', /cannot be read/],
      [{ main_content: { site_boilerplate: true } }, '/main_content/site_boilerplate', /is for crawls/],
      [{ markdown: { links: 'none' } }, '/markdown/links', /inline/],
      [{ markdown: { max_chars: 0 } }, '/markdown/max_chars', /at least 1|≥ 1/],
    ];
    for (const [options, pointer, message] of wrong)
      test(JSON.stringify(options), async () => {
        const { status, body } = await ask('/article', options);
        assert.equal(status, 400);
        assert.equal(body.errors[0]!.pointer, `/scraper_options${pointer}`);
        assert.match(body.errors[0]!.message, message);
      });
  });
});
