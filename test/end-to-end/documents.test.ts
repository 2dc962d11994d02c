import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { lines, textPdf } from '../adapters/documents/make-pdf.ts';
import { docxOf } from '../adapters/documents/make-zip.ts';
import { listen } from '../helpers/free-port.ts';
import { useService } from '../helpers/service.ts';

const PDF = textPdf(
  [[{ text: 'Report', x: 50, y: 700, size: 20 }, ...lines(['Some text.'], 50, 650)]],
  '/Info<</Title(T)/Author(A)>>',
);
const DOCX = docxOf('<w:p><w:r><w:t>Some text.</w:t></w:r></w:p>');

const PAGES: Readonly<Record<string, readonly [type: string | null, body: Buffer]>> = {
  '/a.pdf': ['application/pdf', PDF],
  '/no-type': [null, PDF],
  '/scan.pdf': ['application/pdf', textPdf([[]])],
  '/broken.pdf': ['application/pdf', Buffer.from('%PDF-1.7 and nothing else')],
  '/a.docx': ['application/octet-stream', DOCX],
  '/a.csv': ['text/csv; charset=shift_jis', Buffer.from('\x96\xbc\x91O;n\nx;1\n', 'latin1')],
};

interface DocumentData {
  readonly text?: string | null;
  readonly metadata?: { readonly title: string; readonly author: string; readonly content_type: string };
  readonly document?: { readonly kind: string; readonly text_layer: boolean };
  readonly extract?: object;
}

describe('documents', () => {
  const service = useService();
  const server = createServer((request, response) => {
    const [type, body] = PAGES[request.url ?? '']!;
    response.writeHead(200, type === null ? {} : { 'content-type': type }).end(body);
  });
  before(async () => {
    await listen(server);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const scrape = async (path: string, options: object) => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    const { body } = await service.scrape({ url, scraper: 'http', scraper_options: options });
    return { ...body, data: body.scraper_data as DocumentData, outcome: body.router.outcome };
  };
  const FORMATS = { formats: ['text', 'metadata'] };

  it('tells how long reading took', async () => {
    const { router } = await scrape('/a.docx', FORMATS);
    assert.ok(router.timing!.read! > 0 && router.timing!.read! <= router.timing!.total!);
    assert.equal((await scrape('/a.docx', {})).router.timing!.read, null);
  });

  it('reads a stored document again, as Markdown', async () => {
    const { id } = await scrape('/a.pdf', {});
    const { body } = await service.api<{
      readonly scraper_data: DocumentData & { readonly markdown: string };
    }>('POST', `/api/v1/scrape/${id}/read/`, { body: { formats: ['markdown'] } });
    const { scraper_data } = body;
    assert.equal(scraper_data.markdown.trim(), '# Report\n\nSome text.');
    assert.equal(scraper_data.document?.kind, 'pdf');
  });

  for (const path of ['/a.pdf', '/no-type'])
    it(`reads ${path}`, async () => {
      const { data, outcome, content_encoding } = await scrape(path, FORMATS);
      assert.deepEqual([outcome, content_encoding], ['ok', 'base64']);
      assert.equal(data.text, 'Report\n\nSome text.');
      assert.deepEqual(
        [data.metadata?.title, data.metadata?.author, data.metadata?.content_type],
        ['T', 'A', 'application/pdf'],
      );
      assert.deepEqual(data.document, {
        ...{ kind: 'pdf', pages: 1, pages_read: 1, text_layer: true },
        ...{ title: 'T', author: 'A', created: null, truncated: false },
      });
    });

  it('extracts from documents', async () => {
    const { data } = await scrape('/a.pdf', { extract: { heading: 'h1' } });
    assert.deepEqual(data.extract, { heading: 'Report' });
  });

  it('knows a document that is sent as unknown data', async () => {
    const { data } = await scrape('/a.docx', FORMATS);
    assert.deepEqual([data.text, data.document?.kind], ['Some text.', 'docx']);
  });

  it('leaves the text of CSV as it is', async () => {
    const { data } = await scrape('/a.csv', {
      formats: ['text'],
      extract: { cells: { selector: 'td', type: 'list' } },
    });
    assert.equal(data.text, '名前;n\nx;1\n');
    assert.deepEqual(data.extract, { cells: ['x', '1'] });
    assert.equal(data.document?.kind, 'csv');
  });

  it('says that a scan has no text', async () => {
    const { data, router, outcome } = await scrape('/scan.pdf', FORMATS);
    assert.deepEqual([outcome, data.text, data.document?.text_layer], ['ok', '', false]);
    assert.ok(router.warnings.some(({ code }) => code === 'document.no_text'));
  });

  it('returns a broken document as it came, and says so', async () => {
    const { data, errors, outcome, content } = await scrape('/broken.pdf', FORMATS);
    assert.deepEqual([outcome, data.text, data.document], ['partial', null, undefined]);
    assert.deepEqual([errors[0]?.code, errors[0]?.details?.reason], ['document.unreadable', 'broken']);
    assert.equal(Buffer.from(content ?? '', 'base64').toString(), '%PDF-1.7 and nothing else');
  });

  it('reads no document that nobody asked for', async () => {
    const { data } = await scrape('/broken.pdf', {});
    assert.equal(data.document, undefined);
  });
});
