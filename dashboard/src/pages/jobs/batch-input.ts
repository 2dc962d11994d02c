/** The pages of a new batch, as a user pastes them. */

import { t } from '@lingui/core/macro';
import { type ExtractRules, pickedRule } from '../../result/picker/extract-rules.ts';
import { isObject } from '../../result/scrape.ts';
import { withScheme } from '../playground/model/share-link.ts';

type Members = Readonly<Record<string, unknown>>;

interface BatchInput {
  readonly requests: readonly Members[];
  /** null: all lines can be used. */
  readonly problem: string | null;
}

/**
 * One page per line: a URL, whose scheme may be missing; a line of a CSV file, whose first cell that is a URL counts; or a
 * scrape request as JSON. Empty lines are left out.
 */
export function readBatchInput(text: string): BatchInput {
  const requests: Members[] = [];
  /** The lines are those of a CSV file. In others, a comma may be part of the URL. */
  let hasColumns = false;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const request = trimmed.startsWith('{') ? parseObject(trimmed) : requestOfUrl(trimmed, hasColumns);
    // The names of the columns of a CSV file.
    if (request === null && requests.length === 0 && /^"?[a-z_ -]+"?(?:[,;\t]|$)/i.test(trimmed)) {
      hasColumns = /[,;\t]/.test(trimmed);
      continue;
    }
    if (request === null)
      return {
        requests,
        problem: t`Line ${index + 1} is neither a URL nor a JSON object: ${excerpt(trimmed)}`,
      };
    requests.push(request);
  }
  return { requests, problem: requests.length === 0 ? t`Enter at least one URL.` : null };
}

/** The URLs of the lines, for a crawl. */
export function readStartUrls(text: string): {
  readonly urls: readonly string[];
  readonly problem: string | null;
} {
  const { requests, problem } = readBatchInput(text);
  const urls = requests.flatMap(({ url, ...more }) =>
    typeof url === 'string' && Object.keys(more).length === 0 ? url : [],
  );
  const others = urls.length < requests.length ? t`Enter only URLs.` : null;
  return { urls, problem: problem ?? others };
}

const excerpt = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

function requestOfUrl(line: string, hasColumns: boolean): Members | null {
  const whole = hasColumns ? null : urlOf(line);
  if (whole !== null) return { url: whole };
  for (const cell of line.split(/[,;\t]/)) {
    const url = urlOf(cell.trim().replace(/^"(.*)"$/, '$1'));
    if (url !== null) return { url };
  }
  return null;
}

/** The text with a scheme, if it has none; null: it is not a URL. */
export function urlOf(text: string): string | null {
  if (text === '' || /[\s"]/.test(text)) return null;
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? text : null;
  // Without a scheme, only what looks like a host: `example.com/a`, `localhost:8080`.
  if (!/^[^/,;:]+(?:\.[^/,;:]+|:\d+)(?:[:/?#]|$)/.test(text)) return null;
  const url = withScheme(text);
  return URL.canParse(url) ? url : null;
}

/** null: the text is not a JSON object. */
export function parseObject(text: string): Members | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
  } catch {
    return null;
  }
}

/** The formats that the form offers, with their labels. All are names of `scraper_options.formats`. */
export const FORMATS = [
  ['markdown', t`Markdown`],
  ['text', t`Text`],
  ['html', 'HTML'],
  ['links', t`Links`],
  ['metadata', t`Metadata`],
  ['structured', t`Structured data`],
] as const;

interface RequestSettings {
  /** Empty: the default of the service. */
  readonly scraper: string;
  readonly formats: string[];
  readonly screenshot: boolean;
  /** Formats of the main content only. */
  readonly main?: boolean;
  /** The rules of `extract`. */
  readonly extract?: ExtractRules;
  /** Further members as a JSON object; they win. Empty: none. */
  readonly more: string;
}

/** The members that the settings stand for; null: `more` is not a JSON object. */
export function requestMembers({
  scraper,
  formats,
  screenshot,
  main,
  extract = {},
  more,
}: RequestSettings): Members | null {
  const extra = more.trim() === '' ? {} : parseObject(more);
  if (extra === null) return null;
  const { scraper_options: options, ...rest } = extra;
  const scraperOptions = {
    ...(formats.length === 0 ? {} : { formats }),
    ...(main === true ? { only_main_content: true } : {}),
    ...(Object.keys(extract).length === 0 ? {} : { extract }),
    ...(typeof options === 'object' && options !== null ? options : {}),
  };
  return {
    ...(scraper === '' ? {} : { scraper }),
    ...(screenshot ? { screenshot } : {}),
    ...(Object.keys(scraperOptions).length === 0 ? {} : { scraper_options: scraperOptions }),
    ...rest,
  };
}

/**
 * The inverse: the settings that stand for the members of a request, but for its URL. What has no field of its own stands as
 * JSON.
 * @param withFormats whether there are fields for formats and a screenshot
 */
export function settingsOf(members: Members, withFormats = true): Required<RequestSettings> {
  const { url: _, scraper, screenshot, scraper_options: given, ...rest } = members;
  const { formats, only_main_content, extract, ...options } = isObject(given) ? given : {};
  const names: readonly unknown[] = FORMATS.map(([format]) => format);
  const hasField = withFormats && Array.isArray(formats) && formats.every((name) => names.includes(name));
  const otherOptions = {
    ...(hasField || formats === undefined ? {} : { formats }),
    ...(only_main_content === undefined || (withFormats && only_main_content === true)
      ? {}
      : { only_main_content }),
    ...(extract === undefined || isObject(extract) ? {} : { extract }),
    ...options,
  };
  const more = {
    ...rest,
    ...(screenshot === undefined || (withFormats && screenshot === true) ? {} : { screenshot }),
    ...(Object.keys(otherOptions).length === 0 ? {} : { scraper_options: otherOptions }),
  };
  return {
    scraper: typeof scraper === 'string' && scraper !== 'auto' ? scraper : '',
    formats: hasField ? (formats as string[]) : [],
    screenshot: withFormats && screenshot === true,
    main: withFormats && only_main_content === true,
    extract: isObject(extract) ? extract : {},
    more: Object.keys(more).length === 0 ? '' : JSON.stringify(more, null, 2),
  };
}

/** Why the rules of `extract` cannot be sent; null: they can. */
export const extractProblem = (extract: ExtractRules): string | null =>
  Object.values(extract).some((rule) => rule === '' || pickedRule(rule)?.selector.trim() === '')
    ? t`Enter a selector for each field.`
    : null;

/** The lines of a text that are not blank. */
export const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
