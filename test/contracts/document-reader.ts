import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import type { DocumentKind, DocumentReading } from '../../src/domain/document.ts';
import { isFailure } from '../../src/domain/failure.ts';
import type { DocumentReader } from '../../src/ports/document-reader.ts';
import { encryptedPdf, lines, pdfOf, streamOf, textPdf } from '../adapters/documents/make-pdf.ts';
import { docxOf, xlsxOf, zipOf } from '../adapters/documents/make-zip.ts';
import fc from '../helpers/fast-check.ts';

const NOBODY = new AbortController().signal;
const MIB = 2 ** 20;

/** Gives a reader that reads at most `maxPages` pages, and may take 512 MiB of memory for each document. */
type OpenReader = (maxPages: number) => DocumentReader;

const HELLO = textPdf([lines(['Hello'], 50, 700)]);

/** A reader that is closed after the suite, and what can be expected of it. */
function useReader(open: OpenReader, maxPages: number) {
  const reader = open(maxPages);
  after(() => reader.close());
  const read = (bytes: Uint8Array, kind: DocumentKind, ms = 60_000, signal = NOBODY) =>
    reader.read(bytes, kind, { ms, signal });
  const succeeds = async (bytes: Uint8Array, kind: DocumentKind): Promise<DocumentReading> => {
    const reading = await read(bytes, kind);
    assert.ok(reading !== null && !isFailure(reading), JSON.stringify(reading));
    return reading;
  };
  const fails = async (bytes: Uint8Array, kind: DocumentKind, reason: string): Promise<void> => {
    const reading = await read(bytes, kind);
    assert.ok(reading !== null && isFailure(reading), JSON.stringify(reading));
    assert.deepEqual(
      [reading.code, reading.details?.reason],
      ['document.unreadable', reason],
      reading.message,
    );
  };
  const works = async () => assert.match((await succeeds(HELLO, 'pdf')).html, /<p>Hello<\/p>/);
  return { read, succeeds, fails, works };
}

/** What every DocumentReader must do. */
export function documentReaderContract(name: string, open: OpenReader): void {
  describe(`${name}: document reader`, () => {
    const maxPages = 50;
    const { read, succeeds, fails, works } = useReader(open, maxPages);

    it('tells title, author, date and pages', async () => {
      const info = "/Info<</Title(A  title)/Author(Ann)/CreationDate(D:20260102030405+01'00')>>";
      const { document, warnings } = await succeeds(textPdf([lines(['a'], 50, 700), []], info), 'pdf');
      assert.deepEqual(document, {
        kind: 'pdf',
        pages: 2,
        pagesRead: 2,
        textLayer: true,
        title: 'A title',
        author: 'Ann',
        created: '2026-01-02T02:04:05Z',
        truncated: false,
      });
      assert.deepEqual(warnings, []);
    });

    it('says when there is no text', async () => {
      const { document, warnings } = await succeeds(textPdf([[], []]), 'pdf');
      assert.equal(document.textLayer, false);
      assert.deepEqual(
        warnings.map(({ code }) => code),
        ['document.no_text'],
      );
    });

    it('reads only so many pages, and says so', async () => {
      const pages = Array.from({ length: 10_000 }, (_, n) => lines([`Page ${n + 1}.`], 50, 700));
      const { document, warnings, html } = await succeeds(textPdf(pages), 'pdf');
      assert.deepEqual([document.pages, document.pagesRead, document.truncated], [10_000, maxPages, true]);
      assert.match(html, /Page 50\./);
      assert.doesNotMatch(html, /Page 51\./);
      assert.deepEqual(
        warnings.map(({ code }) => code),
        ['document.truncated'],
      );
      assert.match(warnings[0]!.message, /50 of 10000/);
    });

    it('returns what it has read when the time is up', async () => {
      const page = lines(['word '.repeat(20)], 10, 780);
      const slow = open(100_000);
      const bytes = textPdf(Array.from({ length: 20_000 }, () => page));
      let reading: Awaited<ReturnType<DocumentReader['read']>> = null;
      // A busy machine may need much of a short time before the first page, but less than that for all others.
      for (let ms = 1_500; ms < 60_000; ms *= 1.4) {
        reading = await slow.read(bytes, 'pdf', { ms, signal: NOBODY });
        if (reading !== null && !isFailure(reading) && reading.document.pagesRead! > 0) break;
      }
      await slow.close();
      assert.ok(reading !== null && !isFailure(reading), JSON.stringify(reading));
      const { pages, pagesRead, truncated } = reading.document;
      assert.ok(truncated && pagesRead! > 0 && pagesRead! < pages!, JSON.stringify(reading.document));
    });

    // Each kind: test/adapters/documents/kinds.test.ts.
    it('says why a document cannot be read', async () => {
      await fails(encryptedPdf(), 'pdf', 'encrypted');
      await fails(Buffer.from('no document'), 'docx', 'broken');
    });

    it('settles when its time is up, and does not touch the bytes then', async () => {
      for (const ms of [0, 1, 30, 150]) {
        const buffer = new ArrayBuffer(30 * MIB);
        const begun = performance.now();
        const reading = await read(new Uint8Array(buffer), 'pdf', ms);
        buffer.transfer();
        const lateMs = performance.now() - begun - ms;
        assert.ok(reading !== null && isFailure(reading));
        assert.equal(reading.details?.reason, 'timeout');
        assert.ok(lateMs < 3000, `${lateMs} ms late`);
      }
      await works();
    });

    it('gives null when the caller aborts', async () => {
      assert.equal(await read(HELLO, 'pdf', 5000, AbortSignal.abort()), null);
      const aborting = new AbortController();
      const reading = read(HELLO, 'pdf', 5000, aborting.signal);
      aborting.abort();
      assert.equal(await reading, null);
      await works();
    });

    it('reads many at once, in turn', async () => {
      // One more than any machine reads at once.
      const readings = await Promise.all(Array.from({ length: 5 }, () => succeeds(HELLO, 'pdf')));
      assert.ok(readings.every(({ html }) => html.includes('Hello')));
    });

    it('ends what runs when it is closed', async () => {
      const closing = open(10);
      const reading = closing.read(HELLO, 'pdf', { ms: 30_000, signal: NOBODY });
      await closing.close();
      const result = await reading;
      assert.ok(result !== null && isFailure(result));
    });
  });
}

/** What documents may try that are made to harm. */
export function hostileDocumentsContract(name: string, open: OpenReader): void {
  describe(`${name}: hostile documents`, () => {
    const { read, fails, works } = useReader(open, 50);

    const catalog = '<</Type/Catalog/Pages 2 0 R>>';
    const HOSTILE: readonly (readonly [string, DocumentKind, () => Buffer, reason?: string])[] = [
      [
        'a tree of pages that contains itself',
        'pdf',
        () => pdfOf([catalog, '<</Type/Pages/Count 1000000/Kids[2 0 R]>>']),
      ],
      [
        'pages that do not exist',
        'pdf',
        () => pdfOf([catalog, '<</Type/Pages/Count 2000000000/Kids[9 0 R]>>']),
      ],
      ['a stream of 300 MiB, packed twice', 'pdf', () => bombPdf(), 'too_large'],
      [
        'an archive that unpacks to 400 MiB',
        'xlsx',
        () => stating(400 * MIB, zipOf({ 'xl/workbook.xml': 'a' })),
        'too_large',
      ],
      [
        'an archive that lies about its size',
        'docx',
        () => stating(1000, zipOf({ 'word/document.xml': Buffer.alloc(50 * MIB) })),
      ],
      [
        'a sheet of a million merged cells',
        'xlsx',
        () =>
          xlsxOf(
            `<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(5000)}</mergeCells>`,
          ),
      ],
      [
        'a cell at the far end of a sheet',
        'xlsx',
        () =>
          xlsxOf(
            '<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>',
          ),
      ],
      ['100,000 elements in each other', 'docx', () => docxOf('<w:p>'.repeat(100_000))],
      [
        'entities in entities',
        'odt',
        () => zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': billionLaughs() }),
      ],
      ['100,000 groups in each other', 'rtf', () => Buffer.from(`{\\rtf1${'{'.repeat(100_000)}`)],
      ['a row of a million cells', 'csv', () => Buffer.from(','.repeat(MIB))],
      ['one quote and much text', 'csv', () => Buffer.from(`"${'a,b\n'.repeat(MIB)}`)],
    ];
    for (const [what, kind, make, reason] of HOSTILE)
      it(`survives ${what}`, { timeout: 150_000 }, async () => {
        if (reason !== undefined) await fails(make(), kind, reason);
        else {
          const reading = await read(make(), kind);
          assert.ok(reading !== null);
          if (isFailure(reading)) assert.equal(reading.code, 'document.unreadable');
        }
        // Each has a process of its own, so that nothing is left of it.
        if (process.env.LONG === '1') await works();
      });

    it('goes on afterwards', works);

    it('never rejects, whatever the bytes are', async () => {
      const samples = [HELLO, docxOf('<w:p/>'), xlsxOf('<sheetData/>')];
      const kinds = ['pdf', 'docx', 'xlsx'] as const;
      const places = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(fc.nat(2), places, async (sample, changes) => {
          const bytes = Buffer.from(samples[sample]!);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const reading = await read(bytes, kinds[sample]!);
          assert.ok(reading !== null);
        }),
        { numRuns: process.env.LONG === '1' ? 1000 : 6 },
      );
    });
  });
}

/** The content of its page is 300 MiB of spaces. */
function bombPdf(): Buffer {
  const packed = deflateSync(deflateSync(Buffer.alloc(300 * MIB, 0x20), { level: 1 }), { level: 9 });
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<<>>/Contents 4 0 R>>',
    streamOf(packed, '/Filter[/FlateDecode/FlateDecode]'),
  ]);
}

/** The archive with another unpacked size of its first member, in both places where it stands. */
function stating(size: number, archive: Buffer): Buffer {
  archive.writeUInt32LE(size, 22);
  archive.writeUInt32LE(size, archive.lastIndexOf(Buffer.from('PK\x01\x02')) + 24);
  return archive;
}

function billionLaughs(): string {
  const names = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`);
  return `<!DOCTYPE x [<!ENTITY e0 "ha">${names.join('')}]><office:body><text:p>&e12;</text:p></office:body>`;
}
