import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { after, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createPageReader } from '../../../src/adapters/reader/page-reader.ts';
import { decodeContent } from '../../../src/content/charset/decode-content.ts';
import { type ReadingRequest, readingTargets } from '../../../src/domain/reading.ts';
import { DEFAULT_SCRAPER_OPTIONS, FORMATS } from '../../../src/domain/scraper-options.ts';

// All HTML of the conformance data, and of the pages for reading, is read in all formats: nothing fails, however busy the machine is,
// and main content is never empty.

const root = process.env.CONFORMANCE_DATA;
const pagesRoot = process.env.READING_DATA;
/** Of each folder the first page and every fifteenth after it, and every fifteenth attack. With LONG=1 all. */
const STEP = process.env.LONG === '1' ? 1 : 15;
const skip = root === undefined ? 'CONFORMANCE_DATA is not set' : false;
const MIB = 2 ** 20;
const LIMITS = { ms: 60_000, signal: new AbortController().signal };
const SCHEMA = { type: 'object', properties: { title: { type: 'string' }, price: { type: 'number' } } };

interface Html {
  readonly name: string;
  readonly bytes: Buffer;
}

function pagesIn(folder: string): Html[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:x?html?|xht)$/i.test(file))
    .sort()
    .map((file) => ({ name: relative(root!, join(folder, file)), bytes: readFileSync(join(folder, file)) }));
}

/** Payloads and strings of attacks, each as the body of a page, and as the value of an attribute. */
function attacksIn(folder: string): Html[] {
  const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));
  const payloads = json('xss', 'dompurify-payloads.json') as { readonly payload: string }[];
  const strings = json('naughty', 'blns.json') as string[];
  const lines = readdirSync(join(folder, 'naughty'))
    .filter((file) => file.endsWith('.txt'))
    .flatMap((file) => readFileSync(join(folder, 'naughty', file), 'latin1').split('\n'));
  return [...payloads.map(({ payload }) => payload), ...strings, ...lines].map((text, n) => ({
    name: `attack ${n}: ${text.slice(0, 60)}`,
    bytes: Buffer.from(
      `<!doctype html><title>t</title><h1>Title</h1><img alt='${text}' src='${text}'>${text}`,
    ),
  }));
}

describe('HTML of others in all formats', { skip }, () => {
  const reader = createPageReader({ memoryBytes: 512 * MIB, onError: (error) => assert.fail(String(error)) });
  after(() => reader.close());

  async function read(
    { name, bytes }: Html,
    onlyMainContent: boolean,
  ): Promise<ReadonlyMap<string, unknown>> {
    const { content, charset } = decodeContent({
      body: bytes,
      headers: [['content-type', 'text/html']],
      undecoded: false,
      cutAtLimit: false,
      noBody: false,
      want: 'auto',
    });
    const options = {
      ...DEFAULT_SCRAPER_OPTIONS,
      formats: FORMATS,
      onlyMainContent,
      json: { schema: SCHEMA, prompt: null, from: 'text' as const, model: 'never' as const, evidence: true },
    };
    const request: ReadingRequest = {
      ...readingTargets(options, '/scraper_options'),
      kind: 'html',
      essence: 'text/html',
      charset: charset?.name ?? null,
      url: 'http://site.test/',
      selector: null,
      scripting: false,
      frames: null,
      jsonPath: null,
      finds: null,
    };
    const reading = await reader.read(content.bytes, request, LIMITS);
    assert.ok(reading !== null, name);
    const failures = reading.failures.filter(({ code }) => code !== 'content.truncated');
    assert.deepEqual(failures, [], name);
    const data = new Map(reading.data.map(([member, json]) => [member, JSON.parse(json) as unknown]));
    for (const format of FORMATS) assert.ok(data.has(format), `${name}: ${format}`);
    return data;
  }

  async function check(page: Html): Promise<void> {
    const whole = await read(page, false);
    const main = await read(page, true);
    assert.equal(main.get('text') === '', whole.get('text') === '', `${page.name}: text of the main content`);
    assert.ok(main.has('main'), page.name);
  }

  it('pages', async (t) => {
    const pages = pagesIn(root!);
    assert.ok(pages.length >= 100, `${pages.length} pages`);
    const folders = [...Map.groupBy(pages, ({ name }) => dirname(name)).values()];
    const chosen = folders.flatMap((folder) => folder.filter((_, n) => n % STEP === 0));
    for (const page of chosen) await check(page);
    t.diagnostic(`${chosen.length} of ${pages.length} pages in ${FORMATS.length} formats`);
  });

  it('pages of sites', { skip: pagesRoot === undefined ? 'READING_DATA is not set' : false }, async (t) => {
    const folder = join(pagesRoot!, 'wcxb', 'html');
    const files = readdirSync(folder).sort();
    // The page of a shop with 1.3 MB is always read.
    const chosen = files.filter((file, n) => n % STEP === 0 || file === '3001.html.gz');
    for (const file of chosen)
      for (const onlyMainContent of [false, true])
        await read({ name: file, bytes: gunzipSync(readFileSync(join(folder, file))) }, onlyMainContent);
    t.diagnostic(`${chosen.length} of ${files.length} pages`);
  });

  it('attacks', async (t) => {
    const pages = attacksIn(root!);
    assert.ok(pages.length >= 1000, `${pages.length} attacks`);
    for (const [n, page] of pages.entries()) if (n % STEP === 0) await check(page);
    t.diagnostic(`one of ${STEP} of ${pages.length} attacks in ${FORMATS.length} formats`);
  });
});
