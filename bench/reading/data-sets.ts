import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { decodeContent } from '../../src/content/charset/decode-content.ts';

/** A page with the main content that people found in it. Texts of pages are read when they are needed. */
export interface WordCase {
  readonly name: string;
  readonly url: string;
  /** `article`, `forum`, … */
  readonly type: string;
  /** By a hash of its name. Rules are tuned on half 0, and half 1 shows whether they hold. */
  readonly half: 0 | 1;
  readonly mainContent: string;
  readonly html: () => string;
}

/** A page with snippets that belong to its main content, and others that do not. */
export interface SnippetCase {
  readonly name: string;
  readonly url: string;
  readonly with: readonly string[];
  readonly without: readonly string[];
  readonly html: () => string;
}

interface WcxbTruth {
  readonly url: string;
  readonly ground_truth: { readonly main_content?: string };
  readonly _internal: { readonly page_type: { readonly primary: string } };
}

interface TrafilaturaTruth {
  readonly file: string;
  readonly with: readonly string[];
  readonly without: readonly string[];
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** The Web Content Extraction Benchmark. */
export function wcxbCases(folder: string): WordCase[] {
  const truths = join(folder, 'wcxb', 'ground-truth');
  return readdirSync(truths)
    .sort()
    .map((file) => {
      const truth = readJson(join(truths, file)) as WcxbTruth;
      const name = file.replace('.json', '');
      return {
        name,
        url: truth.url,
        half: halfOf(name),
        type: truth._internal.page_type.primary,
        mainContent: truth.ground_truth.main_content ?? '',
        html: () => pageText(join(folder, 'wcxb', 'html', `${name}.html.gz`)),
      };
    });
}

const halfOf = (name: string): 0 | 1 => (createHash('sha256').update(name).digest()[0]! & 1 ? 1 : 0);

/** The evaluation set of trafilatura. */
export function trafilaturaCases(folder: string): SnippetCase[] {
  const truths = readJson(join(folder, 'trafilatura', 'evaldata.json')) as Record<string, TrafilaturaTruth>;
  return Object.entries(truths).map(([url, truth]) => ({
    name: truth.file,
    url: URL.canParse(url) ? url : 'http://site.test/',
    with: truth.with,
    without: truth.without,
    html: () => pageText(join(folder, 'trafilatura', 'html', `${truth.file}.gz`)),
  }));
}

/** Decodes the bytes as if a server had sent them without a charset. */
function pageText(file: string): string {
  const { content } = decodeContent({
    body: gunzipSync(readFileSync(file)),
    headers: [['content-type', 'text/html']],
    undecoded: false,
    cutAtLimit: false,
    noBody: false,
    want: 'auto',
  });
  return Buffer.from(content.bytes).toString('utf8');
}

/** Pages that make other extractors hang or overflow the stack. */
export function hostilePages(): { readonly name: string; readonly html: string }[] {
  const nested = (open: string, times: number) =>
    `<!doctype html><body>${open.repeat(times)}text of the page`;
  return [
    { name: '2,000 nested div', html: nested('<div>', 2_000) },
    { name: '20,000 nested div', html: nested('<div>', 20_000) },
    { name: '2 MB of p', html: nested('<p>', 700_000) },
    { name: '20,000 open tr', html: nested('<table><tr>', 20_000) },
    { name: '2,000 nested ul', html: nested('<ul><li>', 2_000) },
    { name: '20,000 nested span', html: nested('<span class="a">', 20_000) },
    { name: '100,000 different siblings', html: nested('', 1) + differentSiblings(100_000) },
    {
      name: '100,000 equal siblings',
      html: nested('', 1) + '<div class="item"><a href="/">x</a></div>'.repeat(100_000),
    },
    {
      name: '20,000 class names',
      html: `${nested('', 1)}<div class="${classNames(20_000)}"><p>words</p></div>`,
    },
  ];
}

const classNames = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`).join(' ');
const differentSiblings = (count: number) =>
  Array.from({ length: count }, (_, n) => `<div class="c${n}"><p>text ${n}</p></div>`).join('');
