import { readDocument } from '../../src/content/formats/read-document.ts';
import { type ReadingRequest, readingTargets } from '../../src/domain/reading.ts';
import { DEFAULT_SCRAPER_OPTIONS } from '../../src/domain/scraper-options.ts';
import { readExtractRules } from '../../src/wire/request/extract-rules.ts';

const PLAIN: ReadingRequest = {
  ...readingTargets(DEFAULT_SCRAPER_OPTIONS, '/scraper_options'),
  kind: 'html',
  essence: 'text/html',
  charset: 'utf-8',
  url: 'http://site.test/dir/page?q#here',
  scripting: true,
  frames: null,
  selector: null,
  jsonPath: null,
  finds: null,
};

/**
 * Reads a text, and parses the data of the result.
 * @param request the members that differ from `PLAIN`
 * @param ms limit of processor time
 * @param clockMs limit by the clock
 */
export function reading(
  text: string | Uint8Array,
  request: Partial<ReadingRequest>,
  ms = 5000,
  clockMs = 10 * ms,
) {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  // The limit of processor time tells slow code from fast. On a busy machine, much more time passes by the clock.
  const budget = { ms, clockMs };
  const { data, ...rest } = readDocument({ ...PLAIN, ...request }, bytes, budget);
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
export function extracted(text: string, rules: object, request: Partial<ReadingRequest> = {}, ms = 5000) {
  const problems: [] = [];
  const extract = readExtractRules(rules, '/scraper_options/extract', problems);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const { data, failures } = reading(text, { extract, ...request }, ms);
  return { values: data.extract, failures };
}
