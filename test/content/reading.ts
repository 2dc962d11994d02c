import { readDocument } from '../../src/content/read-document.ts';
import type { ReadingRequest } from '../../src/domain/reading.ts';
import { readExtractRules } from '../../src/wire/request/extract-rules.ts';

const PLAIN: ReadingRequest = {
  kind: 'html',
  essence: 'text/html',
  charset: 'utf-8',
  url: 'http://site.test/dir/page?q#here',
  scripting: true,
  frames: null,
  formats: [],
  extract: null,
  selector: null,
  jsonPath: null,
};

/** What is read of a text, its data parsed; only what a case is about is given. */
export function reading(text: string | Uint8Array, ask: Partial<ReadingRequest>, ms = 5000) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const { data, ...rest } = readDocument({ ...PLAIN, ...ask }, bytes, { ms, clockMs: ms });
  return {
    ...rest,
    data: Object.fromEntries(data.map(([name, json]) => [name, JSON.parse(json) as unknown])),
  };
}

/** `text` of an HTML page. */
export function textOf(html: string): unknown {
  return reading(html, { formats: ['text'] }).data.text;
}

/** `extract` with rules as a caller writes them. */
export function extracted(text: string, rules: object, ask: Partial<ReadingRequest> = {}, ms = 5000) {
  const problems: [] = [];
  const extract = readExtractRules(rules, '/scraper_options/extract', problems);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const { data, failures } = reading(text, { extract, ...ask }, ms);
  return { values: data.extract, failures };
}
