import { trimOws } from '../../base/http-syntax.ts';
import { urlGlobProblem } from '../../base/url-patterns.ts';
import {
  DEFAULT_MARKDOWN,
  DEFAULT_SCRAPER_OPTIONS,
  FORMATS,
  type Format,
  SCRAPER_OPTIONS,
} from '../../domain/scraper-options.ts';
import { isRequested } from '../schema/json-value.ts';
import { addProblem, addUnavailable, addValueProblem, type Problems } from '../schema/problems.ts';
import { readStorageState } from './cookies.ts';
import { withEngine } from './element-selector.ts';
import { readExtractRules } from './extract-rules.ts';
import { headerValueProblem } from './headers.ts';
import { createOptionsReader, type OptionParsers } from './options.ts';

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
  main_content({ include = [], exclude = [], site_boilerplate: siteBoilerplate = false }, pointer, problems) {
    if (siteBoilerplate) addUnavailable(problems, `${pointer}/site_boilerplate`);
    return { include, exclude };
  },
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
  extract(rules, pointer, problems) {
    const read = readExtractRules(rules, pointer, problems);
    return read.length === 0 ? null : read;
  },
} satisfies Partial<OptionParsers<typeof SCRAPER_OPTIONS>>;

const PARSERS: OptionParsers<typeof SCRAPER_OPTIONS> = {
  ...READING_PARSERS,
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
  capture: (filters, pointer, problems) =>
    filters.map(({ url, method, resource_type: resourceType = null, body = false }, index) => {
      checkGlob(url, `${pointer}/${index}/url`, problems);
      return { url, method: method?.toUpperCase() ?? null, resourceType, body };
    }),
  storage_state: readStorageState,
};

export const SCRAPER_OPTIONS_READER = createOptionsReader(
  SCRAPER_OPTIONS,
  DEFAULT_SCRAPER_OPTIONS,
  PARSERS,
  '/scraper_options',
);

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
