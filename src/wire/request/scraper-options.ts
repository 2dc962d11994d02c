import { trimOws } from '../../base/http-syntax.ts';
import { urlGlobProblem } from '../../base/url-patterns.ts';
import { DEFAULT_PDF_OPTIONS } from '../../domain/files.ts';
import type { ReadingOptions } from '../../domain/reading.ts';
import {
  DEFAULT_MARKDOWN,
  DEFAULT_SCRAPER_OPTIONS,
  FILE_FORMATS,
  FORMATS,
  type Format,
  SCRAPER_OPTIONS,
  type ScraperOptions,
} from '../../domain/scraper-options.ts';
import { isRequested } from '../schema/json-value.ts';
import { addProblem, addUnavailable, addValueProblem, type Problems } from '../schema/problems.ts';
import { readStorageState } from './cookies.ts';
import { withEngine } from './element-selector.ts';
import { readExtractRules } from './extract-rules.ts';
import { headerValueProblem } from './headers.ts';
import { createOptionsReader, type OptionParsers } from './options.ts';

const isFileFormat = (format: string): boolean => FILE_FORMATS.some((name) => name === format);

/** Inches in a unit of a length; CSS defines 96 pixels as an inch. */
const INCHES = { px: 1 / 96, in: 1, cm: 1 / 2.54, mm: 1 / 25.4 } as const;

function inches(length: number | string | undefined): number {
  if (typeof length !== 'string') return (length ?? 0) * INCHES.px;
  return Number.parseFloat(length) * INCHES[length.slice(-2) as keyof typeof INCHES];
}

/** Whether no range ends before it begins, and none begins with 0. */
const areRanges = (ranges: string): boolean =>
  ranges.split(',').every((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return first! > 0 && last! >= first!;
  });

function checkGlob(glob: string, pointer: string, problems: Problems): void {
  const problem = urlGlobProblem(glob);
  if (problem !== null) addProblem(problems, pointer, `is not a valid glob: ${problem}`);
}

const isAvailable = (format: string): format is Format => FORMATS.some((name) => name === format);

/** Of the options that say what is read from a page. */
export const READING_PARSERS = {
  formats(formats, pointer, problems) {
    formats.forEach((format, index) => {
      if (!isAvailable(format)) addUnavailable(problems, `${pointer}/${index}`, `\`${format}\``);
    });
    return [...new Set(formats.filter(isAvailable))];
  },
  main_content: ({
    include = [],
    exclude = [],
    site_boilerplate: siteBoilerplate = false,
    links_from: linksFrom = 'content',
  }) => ({ include, exclude, commonBlocks: siteBoilerplate ? [] : null, linksFrom }),
  markdown(settings) {
    if (!isRequested(settings)) return null;
    const {
      front_matter: frontMatter,
      max_chars: maxChars,
      content_offset: contentOffset,
      ...rest
    } = settings;
    return {
      ...DEFAULT_MARKDOWN,
      ...rest,
      frontMatter: frontMatter ?? DEFAULT_MARKDOWN.frontMatter,
      maxChars: maxChars ?? DEFAULT_MARKDOWN.maxChars,
      contentOffset: contentOffset ?? DEFAULT_MARKDOWN.contentOffset,
    };
  },
  json({ schema, prompt, from, model, evidence }, pointer, problems) {
    if (schema === undefined && prompt === undefined)
      addProblem(problems, pointer, 'must have `schema` or `prompt`');
    if (schema === undefined && prompt !== undefined && model === 'never')
      addProblem(
        problems,
        `${pointer}/model`,
        'must not be never with `prompt`, which only a model understands',
      );
    return {
      schema: schema ?? null,
      prompt: prompt ?? null,
      from: from ?? 'markdown',
      model: model ?? 'auto',
      evidence: evidence === true,
    };
  },
  extract(rules, pointer, problems) {
    // A template is replaced by its rules before the options are read.
    if (typeof rules === 'string') {
      addProblem(problems, pointer, 'names a template, which only the API of a service has');
      return null;
    }
    const read = readExtractRules(rules, pointer, problems);
    return read.length === 0 ? null : read;
  },
} satisfies Partial<OptionParsers<typeof SCRAPER_OPTIONS>>;

const PARSERS: OptionParsers<typeof SCRAPER_OPTIONS> = {
  ...READING_PARSERS,
  // A stored record can only be read again; a page can also be printed, see `readScraperOptions`.
  formats(formats, pointer, problems) {
    formats.forEach((format, index) => {
      if (!isAvailable(format) && !isFileFormat(format))
        addUnavailable(problems, `${pointer}/${index}`, `\`${format}\``);
    });
    return [...new Set(formats.filter(isAvailable))];
  },
  user_agent(text, pointer, problems) {
    const agent = trimOws(text);
    const problem = headerValueProblem(agent);
    if (problem !== null) addProblem(problems, pointer, problem);
    return agent === '' ? null : agent;
  },
  locale(tag, pointer, problems) {
    if (tag !== '' && !isLocale(tag))
      addValueProblem(problems, pointer, 'must be a language tag such as de-DE', tag);
    return tag === '' ? null : tag;
  },
  timezone(name, pointer, problems) {
    if (name === '') return null;
    const zone = timeZoneName(name);
    if (zone === null) addValueProblem(problems, pointer, 'must be a time zone such as Europe/Berlin', name);
    return zone;
  },
  viewport: ({
    width = null,
    height = null,
    device_scale_factor: scale = null,
    is_mobile: mobile = null,
  }) => ({
    width,
    height,
    scale,
    mobile,
  }),
  geolocation: ({ latitude, longitude, accuracy = 0 }) => ({ latitude, longitude, accuracy }),
  block({ resource_types: types = [], url_patterns: urls = [], ads = false }, pointer, problems) {
    if (ads) addUnavailable(problems, `${pointer}/ads`);
    urls.forEach((glob, index) => {
      checkGlob(glob, `${pointer}/url_patterns/${index}`, problems);
    });
    return { types, urls };
  },
  screenshot({ full_page: fullPage = false, selector, type = 'png', quality = null }, pointer, problems) {
    if (fullPage && selector !== undefined)
      addProblem(problems, `${pointer}/selector`, 'cannot be combined with `full_page`');
    if (quality !== null && type === 'png')
      addProblem(problems, `${pointer}/quality`, 'is for jpeg and webp; PNG is lossless');
    const element = selector === undefined ? null : withEngine(selector);
    return { fullPage, selector: element, type: `image/${type}`, quality };
  },
  pdf(value, pointer, problems) {
    if (!isRequested(value)) return null;
    const { margin = {}, page_ranges: pageRanges = '' } = value;
    if (pageRanges !== '' && !areRanges(pageRanges))
      addProblem(
        problems,
        `${pointer}/page_ranges`,
        'must be ranges of pages from 1, each in ascending order, such as 1-3, 5',
      );
    const { top, right, bottom, left } = margin;
    return {
      ...DEFAULT_PDF_OPTIONS,
      ...(value.format === undefined ? {} : { format: value.format }),
      landscape: value.landscape === true,
      scale: value.scale ?? DEFAULT_PDF_OPTIONS.scale,
      margin: { top: inches(top), right: inches(right), bottom: inches(bottom), left: inches(left) },
      pageRanges,
      printBackground: value.print_background === true,
      media: value.media ?? DEFAULT_PDF_OPTIONS.media,
      tagged: value.tagged === true,
      outline: value.outline === true,
    };
  },
  capture: (filters, pointer, problems) =>
    filters.map(({ url, method, resource_type: resourceType = null, body = false }, index) => {
      checkGlob(url, `${pointer}/${index}/url`, problems);
      return { url, method: method?.toUpperCase() ?? null, resourceType, body };
    }),
  storage_state: readStorageState,
  profile: (value) =>
    typeof value === 'string'
      ? { name: value, save: 'on_success', relogin: false }
      : { name: value.name, save: value.save ?? 'on_success', relogin: value.relogin ?? false },
};

const READER = createOptionsReader(SCRAPER_OPTIONS, DEFAULT_SCRAPER_OPTIONS, PARSERS, '/scraper_options');

/** Only a crawl knows what stands on most pages of a host. */
export function checkNotOfCrawl({ mainContent }: ReadingOptions, pointer: string, problems: Problems): void {
  if (mainContent.commonBlocks !== null)
    addProblem(
      problems,
      `${pointer}/main_content/site_boilerplate`,
      'is for crawls: a single page does not tell what other pages of its host have in common with it',
    );
}

/** The format `json` needs to know what to find. */
export function checkJsonFormat(
  { formats, json }: ReadingOptions,
  pointer: string,
  problems: Problems,
): void {
  if (json !== null || !formats.includes('json')) return;
  const at = `${pointer}/formats/${formats.indexOf('json')}`;
  addProblem(problems, at, `json needs \`${pointer}/json\` with a schema or prompt`);
}

type RequestedOptions = Parameters<typeof READER.read>[0];

const listsPdf = ({ formats }: RequestedOptions): boolean => formats?.includes('pdf') === true;

export function readScraperOptions(options: RequestedOptions, problems: Problems): ScraperOptions {
  const values = READER.read(options, problems);
  checkJsonFormat(values, '/scraper_options', problems);
  if (values.profile !== null && values.storageState !== null)
    addProblem(problems, '/scraper_options/storage_state', 'cannot be combined with `profile`');
  return listsPdf(options) && values.pdf === null ? { ...values, pdf: DEFAULT_PDF_OPTIONS } : values;
}

/** Pointers of the options in the request that not every scraper honours. The format `pdf` needs what its options need. */
export function requestedScraperOptions(options: RequestedOptions): readonly string[] {
  const requested = READER.requested(options);
  const pointer = '/scraper_options/pdf';
  return listsPdf(options) && !requested.includes(pointer) ? [...requested, pointer] : requested;
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** The canonical name of a time zone; null: unknown. Offsets such as `+01:00` count as unknown, because browsers refuse them. */
function timeZoneName(zone: string): string | null {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return /^[a-z]/i.test(zone) ? timeZone : null;
  } catch {
    return null;
  }
}
