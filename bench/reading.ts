/**
 * Measures how well the main content of a page is found, and how long it takes: on the Web Content Extraction Benchmark by
 * words, on trafilatura's evaluation set by snippets, and on hostile pages by time alone. The pages are in the folder that
 * `READING_DATA` names. With `--peers` two libraries are measured in the same run, which takes some minutes.
 */

import { installPeers } from './lib/peers.ts';
import { fixed, provenance, table, whole } from './lib/report.ts';
import { quantile } from './lib/statistics.ts';
import {
  hostilePages,
  type SnippetCase,
  trafilaturaCases,
  type WordCase,
  wcxbCases,
} from './reading/data-sets.ts';
import { type Extractor, ownExtractor, peerExtractor, wholePage } from './reading/extractors.ts';
import { SnippetScore, wordScore } from './reading/scores.ts';

const WARM_UP = 30;
/** What trafilatura 2 reaches by its own figures, on all pages of the sets, of which the folder has a part. */
const PUBLISHED = { name: 'trafilatura (published)', words: 0.791, snippets: 0.924 };

interface Measured {
  readonly name: string;
  readonly f1ByType: ReadonlyMap<string, number>;
  readonly f1: number;
  /** Without the pages whose expected text is empty. They count as the set counts them: any text found there is 0. */
  readonly f1WithText: number;
  /** Of the two halves of the set, by a hash of the names: rules are tuned on the first. */
  readonly halves: readonly [number, number];
  readonly snippets: SnippetScore;
  readonly times: readonly number[];
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function measure(
  extractor: Extractor,
  words: readonly WordCase[],
  snippets: readonly SnippetCase[],
): Promise<Measured> {
  const times: number[] = [];
  for (const page of words.slice(0, WARM_UP)) await extractor.extract(page.html(), page.url);
  const scores: {
    readonly type: string;
    readonly half: 0 | 1;
    readonly f1: number;
    readonly hasText: boolean;
  }[] = [];
  for (const page of words) {
    const { text, ms } = await extractor.extract(page.html(), page.url);
    times.push(ms);
    const { f1 } = wordScore(text, page.mainContent);
    scores.push({ type: page.type, half: page.half, f1, hasText: page.mainContent !== '' });
  }
  const snippetScore = new SnippetScore();
  for (const page of snippets) {
    const { text, ms } = await extractor.extract(page.html(), page.url);
    times.push(ms);
    snippetScore.add(text, page.with, page.without);
  }
  const f1Where = (accept: (score: (typeof scores)[number]) => boolean) =>
    mean(scores.filter(accept).map(({ f1 }) => f1));
  const types = [...new Set(scores.map(({ type }) => type))].sort();
  return {
    name: extractor.name,
    f1ByType: new Map(types.map((type) => [type, f1Where((score) => score.type === type)])),
    f1: f1Where(() => true),
    f1WithText: f1Where(({ hasText }) => hasText),
    halves: [f1Where(({ half }) => half === 0), f1Where(({ half }) => half === 1)],
    snippets: snippetScore,
    times,
  };
}

async function measureHostile(): Promise<string> {
  const rows: string[][] = [];
  for (const { name, html } of hostilePages()) {
    const { text, ms } = await ownExtractor.extract(html, 'http://site.test/');
    rows.push([name, whole(html.length / 1024), whole(ms), whole(text.length)]);
  }
  return table(['hostile page', 'KB', 'ms', 'characters found'], rows);
}

export async function reading(flags: readonly string[]): Promise<void> {
  const folder = process.env.READING_DATA;
  if (folder === undefined) throw new Error('READING_DATA must name the folder with the pages.');
  const words = wcxbCases(folder);
  const snippets = trafilaturaCases(folder);
  const extractors: Extractor[] = [ownExtractor, wholePage];
  if (flags.includes('--peers')) {
    const problem = installPeers();
    if (problem !== null) throw new Error(problem);
    extractors.push(peerExtractor('readability'), peerExtractor('defuddle'));
  }
  const results: Measured[] = [];
  for (const extractor of extractors) {
    try {
      results.push(await measure(extractor, words, snippets));
    } finally {
      extractor.stop();
    }
  }
  const row = (name: string, value: (result: Measured) => string, published = '') => [
    name,
    ...results.map(value),
    published,
  ];
  const withText = words.filter(({ mainContent }) => mainContent !== '').length;
  const f1 = (digits: number) => fixed(digits, 3);
  console.log(`${provenance(['npm run bench -- reading', ...flags].join(' '))}\n`);
  console.log(
    table(
      ['', ...results.map(({ name }) => name), PUBLISHED.name],
      [
        row(`wcxb, ${words.length} pages: word F1`, (result) => f1(result.f1), f1(PUBLISHED.words)),
        row(`of the ${withText} whose expected text is not empty`, (result) => f1(result.f1WithText)),
        ...[...results[0]!.f1ByType.keys()].map((type) =>
          row(type, (result) => f1(result.f1ByType.get(type)!)),
        ),
        row('tuned half / other half', ({ halves }) => halves.map(f1).join(' / ')),
        row(
          `trafilatura, ${snippets.length} pages: snippet F1`,
          (result) => f1(result.snippets.f1),
          f1(PUBLISHED.snippets),
        ),
        row(
          'precision / recall',
          ({ snippets: { precision, recall } }) => `${f1(precision)} / ${f1(recall)}`,
        ),
        row('mean ms of processor a page, with parsing', ({ times }) => fixed(mean(times), 1)),
        row(
          'p95 / p99 ms',
          ({ times }) => `${whole(quantile(times, 0.95))} / ${whole(quantile(times, 0.99))}`,
        ),
      ],
    ),
  );
  console.log(`\n${await measureHostile()}`);
}
