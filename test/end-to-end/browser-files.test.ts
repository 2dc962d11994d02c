import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../adapters/browser/target.ts';
import { useService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import type { FilesPart, ScrapeAnswer } from '../helpers/wire-types.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const filesOf = (body: ScrapeAnswer): FilesPart => body.scraper_data as FilesPart;

describe('files of a record', { skip }, () => {
  const service = useService();
  let target: Target;
  const report = Buffer.from([0, 1, 2, 255, ...Buffer.from('a report')]);
  before(async () => {
    target = await startTarget({
      '/': html('<!doctype html><h1>one</h1><h1 style="break-before: page">two</h1>'),
      '/list': html('<p>the list</p><a id=get href=/report>x</a>'),
      '/report': (_, response) =>
        void response
          .writeHead(200, {
            'content-type': 'application/vnd.ms-excel',
            'content-disposition': `attachment; filename="old.xls"; filename*=UTF-8''J%C3%A4nner%202026.xls`,
          })
          .end(report),
    });
  });
  after(() => target[Symbol.asyncDispose]());
  const withKey = (key: string) => ({ headers: { authorization: `Api-Key ${key}` } });

  for (const [driver, options] of [
    ['cdp', {}],
    ['playwright', { color_scheme: 'light' }],
  ] as const)
    test(`the page is printed: ${driver}`, async () => {
      const { body } = await service.scrape({
        url: `${target.url}/`,
        scraper_options: { ...options, pdf: { format: 'A4', landscape: true, margin: { top: '1cm' } } },
      });
      assert.deepEqual([body.errors, body.router.outcome], [[], 'ok']);
      assert.match(body.content!, /<h1>one/);
      const { url, bytes, pages } = filesOf(body).pdf!;
      assert.equal(pages, 2);
      const reply = await fetch(url!);
      const pdf = Buffer.from(await reply.arrayBuffer());
      assert.equal(pdf.length, bytes);
      assert.match(pdf.toString('latin1'), /^%PDF-/);
      assert.match(pdf.toString('latin1'), /\/MediaBox \[0 0 84[12](\.\d+)? 59[56](\.\d+)?\]/);
    });

  test('the format asks for it, and options with it say how', async () => {
    const print = async (scraper_options: object) => {
      const { status, body } = await service.scrape({ url: `${target.url}/`, scraper_options });
      assert.equal(status, 200, JSON.stringify(body));
      return filesOf(body).pdf;
    };
    assert.equal((await print({ formats: ['pdf', 'text'] }))!.pages, 2);
    assert.equal((await print({ formats: ['pdf'], pdf: { page_ranges: '2' } }))!.pages, 1);
    assert.equal(await print({ formats: ['text'], pdf: {} }), undefined);
  });

  test('only browsers print', async () => {
    for (const scraper_options of [{ formats: ['pdf'] }, { pdf: { scale: 2 } }]) {
      const { status, body } = await service.scrape({ url: target.url, scraper: 'http', scraper_options });
      assert.deepEqual(
        [status, body.code, body.errors[0]?.pointer],
        [422, 'scraper.unsupported_option', '/scraper_options/pdf'],
      );
    }
    for (const [pdf, pointer] of [
      [{ format: 'B9' }, '/scraper_options/pdf/format'],
      [{ margin: { top: '3 miles' } }, '/scraper_options/pdf/margin/top'],
      [{ page_ranges: '3-1' }, '/scraper_options/pdf/page_ranges'],
      [{ page_ranges: '0' }, '/scraper_options/pdf/page_ranges'],
    ] as const) {
      const { status, body } = await service.scrape({ url: target.url, scraper_options: { pdf } });
      assert.deepEqual([status, body.errors[0]?.pointer], [400, pointer], JSON.stringify(body.errors));
    }
  });

  test('a file that a click saves is delivered, and the page stays', async () => {
    const { body } = await service.scrape({ url: `${target.url}/list`, page_actions: [{ click: '#get' }] });
    assert.match(body.content!, /the list/);
    assert.deepEqual([body.errors, body.router.warnings.map(({ code }) => code)], [[], ['proxy.direct']]);
    const { downloads } = filesOf(body);
    assert.equal(downloads?.length, 1);
    const [{ url, ...rest }] = downloads as [NonNullable<typeof downloads>[0]];
    assert.deepEqual(rest, {
      name: 'Jänner 2026.xls',
      type: 'application/vnd.ms-excel',
      bytes: report.length,
      from: `${target.url}/report`,
    });
    assert.deepEqual(target.asked.filter((line) => line === 'GET /report').length, 1);

    const reply = await fetch(url!);
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), report);
    const headers = Object.fromEntries(reply.headers);
    assert.equal(headers['content-type'], 'application/vnd.ms-excel');
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="J_nner 2026.xls"; filename*=UTF-8''J%C3%A4nner%202026.xls`,
    );
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(headers['content-security-policy']!, /^sandbox; default-src 'none'/);
    const known = await fetch(url!, { headers: { 'if-none-match': headers.etag! } });
    assert.equal(known.status, 304);

    const plain = `${service.base}/api/v1/scrape/${body.id}/files/1/`;
    assert.deepEqual(Buffer.from(await (await fetch(plain, withKey(service.key))).arrayBuffer()), report);
    for (const wrong of [
      url!.replace('/files/1/', '/files/2/'),
      url!.replace('/files/1/', '/screenshot/1'),
      url!.replace('signature=', 'signature=A'),
      plain,
    ])
      assert.ok([401, 404].includes((await fetch(wrong)).status), wrong);
    assert.equal((await fetch(plain, withKey((await createUser(service)).key))).status, 404);

    const { body: again } = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
    assert.equal((await fetch(filesOf(again).downloads![0]!.url!)).status, 200);
    assert.equal((await service.api('DELETE', `/api/v1/scrape/${body.id}/`)).status, 204);
    assert.equal((await fetch(url!)).status, 404);
  });

  for (const scraper of ['http', 'http_impersonate', 'browser'])
    test(`a page that is a file itself is content and a download: ${scraper}`, async () => {
      const { body } = await service.scrape({ url: `${target.url}/report`, scraper });
      assert.deepEqual([body.errors, body.content], [[], report.toString('base64')]);
      const [file, ...more] = filesOf(body).downloads!;
      assert.deepEqual([file!.name, file!.from, more], ['Jänner 2026.xls', `${target.url}/report`, []]);
      assert.deepEqual(Buffer.from(await (await fetch(file!.url!)).arrayBuffer()), report);
    });
});
