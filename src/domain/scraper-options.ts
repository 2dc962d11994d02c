import { Type } from 'typebox';
import { BROWSER_OPTIONS } from './browser-options.ts';
import { DEVICE_NAMES, IMPERSONATE_NAMES } from './browser-profiles.ts';
import type { CaptureFilter, ScreenshotOptions } from './captures.ts';
import { PAPER_FORMATS, type PdfOptions } from './files.ts';
import { type JsonOptions, JsonOptionsSchema } from './json-extraction.ts';
import { browserOnly, closed, mapOf, placeholder, UNAVAILABLE } from './json-schema.ts';
import {
  BROWSERS,
  defaultValues,
  EVERY_SCRAPER,
  HTTP_CLIENTS,
  type OptionTable,
  type OptionValues,
  option,
  PLAYWRIGHT,
  parsedOption,
  taskValue,
} from './option.ts';
import type { ExtractRule } from './page-action.ts';
import { PROFILE_OPTION } from './profile-option.ts';
import { isBrowser, type ScraperName } from './scrapers.ts';
import { type StorageState, StorageStateSchema } from './storage-state.ts';
import { TEMPLATE_VALUE_PATTERN } from './template.ts';

/** Values of `formats`. */
export const FORMATS = [
  'html',
  'text',
  'links',
  'metadata',
  'markdown',
  'main_html',
  'structured',
  'images',
  'feed',
  'json',
] as const;
export type Format = (typeof FORMATS)[number];
/** Values of `formats` whose results are files. */
export const FILE_FORMATS = ['pdf'] as const;

/** The resource types of Playwright that `block` and `capture` accept. */
export const RESOURCE_TYPES = [
  'document',
  'stylesheet',
  'image',
  'media',
  'font',
  'script',
  'texttrack',
  'xhr',
  'fetch',
  'eventsource',
  'manifest',
  'other',
] as const;
/** The page itself cannot be blocked. */
const BLOCKABLE_TYPES = RESOURCE_TYPES.filter((type) => type !== 'document');

const GLOB_DESCRIPTION =
  'A Playwright glob that must match the whole URL: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either.';

/** Sub-resources that are not loaded. */
interface BlockedResources {
  readonly types: readonly string[];
  /** Globs. */
  readonly urls: readonly string[];
}

/** null: the value of `device`, else the default of the browser. */
interface Viewport {
  readonly width: number | null;
  readonly height: number | null;
  readonly scale: number | null;
  readonly mobile: boolean | null;
}

/** Latitude and longitude in degrees, accuracy in metres. */
interface Geolocation {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy: number;
}

interface MainContentSettings {
  /** CSS selectors of elements that are the main content; empty: the main content is searched for. */
  readonly include: readonly string[];
  /** CSS selectors of elements that are not part of the main content. */
  readonly exclude: readonly string[];
  /**
   * Blocks of text that are not part of it because they stand on most pages of the host, as numbers of the reader; null: not
   * asked for. A crawl fills them in.
   */
  readonly commonBlocks: readonly number[] | null;
  /** `page`: `links` and `images` are those of the page without its frame. */
  readonly linksFrom: 'content' | 'page';
}

/** How Markdown is written, and which part of it. */
export interface MarkdownOptions {
  readonly links: 'inline' | 'reference' | 'text';
  readonly images: 'all' | 'alt' | 'none';
  /** Tables that Markdown cannot express are written as HTML. */
  readonly html: boolean;
  /** The Markdown begins with the metadata of the page, as YAML. */
  readonly frontMatter: boolean;
  /** In UTF-16 units; null: no limit of the caller. */
  readonly maxChars: number | null;
  /** Where the returned part begins, in UTF-16 units from the start of the whole Markdown. */
  readonly contentOffset: number;
}

export const DEFAULT_MARKDOWN: MarkdownOptions = {
  links: 'inline',
  images: 'all',
  html: false,
  frontMatter: false,
  maxChars: null,
  contentOffset: 0,
};

const opt = Type.Optional;

/** Selectors of `main_content`. Their syntax is checked by `requestProblems`. */
const selectorList = (description: string) =>
  opt(Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), { maxItems: 20, description }));

/** A number of CSS pixels, or a text with a unit. */
const LENGTH = Type.Union([
  Type.Number({ minimum: 0, maximum: 10_000 }),
  Type.String({ pattern: '^[0-9]{1,4}([.][0-9]{1,4})?(px|in|cm|mm)$' }),
]);

/** Rules of `extract` by name. They nest, so the parser checks them; see `wire/request/extract-rules.ts`. */
export const EXTRACT_RULES = mapOf(placeholder<unknown>('ExtractRule', ['string', 'object']));

/**
 * The members of `scraper_options`, one row each: JSON schema, default, type in the task, and the scrapers and drivers that
 * honour it. The parsers of `parsedOption` rows are in `wire/request/scraper-options.ts`.
 */
export const SCRAPER_OPTIONS = {
  /** Limit of decoded bytes. */
  max_content_bytes: option({
    schema: Type.Integer({ minimum: 1, maximum: 50 * 1024 * 1024 }),
    default: 10 * 1024 * 1024,
    description: 'Longer content is truncated. Counted after decompression.',
    honouredBy: EVERY_SCRAPER,
  }),
  verify_tls: option({
    schema: Type.Boolean(),
    default: true,
    description: 'Verify the TLS certificate of the target. If false, invalid certificates are accepted.',
    honouredBy: { ...EVERY_SCRAPER, drivers: ['playwright'] },
  }),
  max_redirects: option({
    schema: Type.Integer({ minimum: 0, maximum: 50 }),
    default: 20,
    description: 'The scrape fails after this many redirects.',
    honouredBy: EVERY_SCRAPER,
  }),
  content_encoding: option({
    schema: Type.Enum(['auto', 'base64']),
    default: 'auto',
    description:
      '`base64` returns the raw bytes, whatever the content type. `auto` returns text as UTF-8 and everything else as base64.',
    honouredBy: EVERY_SCRAPER,
  }),
  return_content: option({
    schema: Type.Boolean(),
    default: true,
    description:
      '`false`: `content` and `content_encoding` are null in the answer, in results of jobs and in messages to webhooks. The record keeps the content: `/api/v1/scrape/{id}/content/` and `…/read/` have it.',
    honouredBy: EVERY_SCRAPER,
  }),
  user_agent: parsedOption({
    schema: Type.String({ maxLength: 2000 }),
    default: taskValue<string | null>(null),
    description: 'The `User-Agent` header. If `headers` has one too, that one is sent.',
    honouredBy: EVERY_SCRAPER,
  }),
  formats: parsedOption({
    schema: Type.Array(Type.Enum([...FORMATS, ...FILE_FORMATS]), { maxItems: 20 }),
    default: taskValue<readonly Format[]>([]),
    description:
      'Extra outputs, returned in `scraper_data` under the same names; null if the page has none. ' +
      '`html`: the decoded document. `text`: the visible text, with line breaks between blocks and tabs between ' +
      'table cells. `links`: all links. `metadata`: title, description, Open Graph, JSON-LD and more. ' +
      '`markdown`: the page as Markdown. `main_html`: the main content as clean HTML. `structured`: JSON-LD, ' +
      'microdata, RDFa, tables, and what they describe. `images`: the images of the page. `feed`: the entries of a ' +
      'feed or sitemap. `json`: your schema filled, see the option `json`. `pdf`: the page printed, which takes a ' +
      'browser.',
    honouredBy: EVERY_SCRAPER,
  }),
  only_main_content: option({
    schema: Type.Boolean(),
    default: false,
    description:
      'Read `text`, `markdown`, `links`, `images`, `metadata`, `html` and the tables of `structured` from the main ' +
      'content only, without navigation, sidebars, consent layers and the like. `scraper_data.main` says what it is.',
    honouredBy: EVERY_SCRAPER,
  }),
  main_content: parsedOption({
    schema: closed({
      include: selectorList('CSS selectors of what is the main content. It is not searched for then.'),
      exclude: selectorList('CSS selectors of what does not belong to the main content.'),
      site_boilerplate: opt(
        Type.Boolean({
          default: false,
          description:
            'Only in crawls: text that is on most pages of a host is left out of the main content, once the crawl has seen it on three pages.',
        }),
      ),
      links_from: opt(
        Type.Enum(['content', 'page'], {
          default: 'content',
          description:
            '`page`: `links` and `images` are those of the page without its header, navigation, asides, footer and layers, whatever its main content is.',
        }),
      ),
    }),
    default: taskValue<MainContentSettings>({
      include: [],
      exclude: [],
      commonBlocks: null,
      linksFrom: 'content',
    }),
    description:
      'What the main content is, for `only_main_content` and `main_html`. `scraper_data.main` says what it is.',
    honouredBy: EVERY_SCRAPER,
  }),
  /** null: not set. */
  markdown: parsedOption({
    schema: closed({
      links: opt(
        Type.Enum(['inline', 'reference', 'text'], {
          default: 'inline',
          description: '`reference`: the URLs are at the end. `text`: without URLs.',
        }),
      ),
      images: opt(
        Type.Enum(['all', 'alt', 'none'], {
          default: 'all',
          description: '`alt`: only the alternative text.',
        }),
      ),
      html: opt(
        Type.Boolean({ default: false, description: 'Write tables that Markdown cannot express as HTML.' }),
      ),
      front_matter: opt(
        Type.Boolean({ default: false, description: 'Begin with title, URL and dates as YAML.' }),
      ),
      max_chars: opt(
        Type.Integer({
          minimum: 1,
          description:
            'Return no more than this many UTF-16 units, cut between blocks. The warning `content.more` then has the offset of the rest.',
        }),
      ),
      content_offset: opt(
        Type.Integer({ minimum: 0, default: 0, description: 'Where to begin, as `content.more` said.' }),
      ),
    }),
    default: taskValue<MarkdownOptions | null>(null),
    description: 'How the Markdown is written. Setting any of these also asks for the format `markdown`.',
    honouredBy: EVERY_SCRAPER,
  }),
  /** null: not set. */
  json: parsedOption({
    schema: JsonOptionsSchema,
    default: taskValue<JsonOptions | null>(null),
    description:
      'Fills your JSON Schema with what the page says. Setting `schema` or `prompt` also asks for the format `json`. Nothing is invented: what the page does not say is listed in `missing`.',
    honouredBy: EVERY_SCRAPER,
  }),
  /** null: nothing is to be extracted. */
  extract: parsedOption({
    schema: Type.Union([
      EXTRACT_RULES,
      Type.String({
        pattern: TEMPLATE_VALUE_PATTERN,
        description: 'must be rules by name, or `template:<name>`',
      }),
    ]),
    default: taskValue<readonly ExtractRule[] | null>(null),
    description: 'Rules by name, or `template:<name>` for those of a template.',
    honouredBy: EVERY_SCRAPER,
  }),
  /** true: only HTTP/2; false: only HTTP/1.1; auto: what ALPN agrees on. */
  http2: option({
    schema: Type.Union([Type.Literal('auto'), Type.Boolean()]),
    default: 'auto',
    description: '`true`: HTTP/2 only. `false`: HTTP/1.1 only. `auto`: negotiated with the target.',
    honouredBy: HTTP_CLIENTS,
  }),
  /** One of `IMPERSONATE_NAMES`. */
  impersonate: option({
    schema: Type.Enum([...IMPERSONATE_NAMES]),
    default: null,
    description:
      'Browser to imitate (default: `chrome`). A name without a version means the newest version listed. ' +
      'With `auto`, only `http_impersonate` is used.',
    honouredBy: { scrapers: ['http_impersonate'], drivers: [] },
  }),
  locale: parsedOption({
    schema: Type.String({ maxLength: 100 }),
    default: taskValue<string | null>(null),
    description:
      'A language tag such as `de-CH`. Sets `Accept-Language`, `navigator.language` and number formats.',
    honouredBy: PLAYWRIGHT,
  }),
  timezone: parsedOption({
    schema: Type.String({ maxLength: 100 }),
    default: taskValue<string | null>(null),
    description: 'An IANA time zone such as `Europe/Berlin`.',
    honouredBy: PLAYWRIGHT,
  }),
  viewport: parsedOption({
    schema: closed({
      width: opt(Type.Integer({ minimum: 1, maximum: 16_384 })),
      height: opt(Type.Integer({ minimum: 1, maximum: 16_384 })),
      device_scale_factor: opt(Type.Number({ minimum: 0.1, maximum: 10 })),
      is_mobile: opt(
        Type.Boolean({ description: 'Use the `<meta name="viewport">` of the page, and enable touch.' }),
      ),
    }),
    default: taskValue<Viewport>({ width: null, height: null, scale: null, mobile: null }),
    description: 'Viewport size in CSS pixels (default: 1280 × 720). Overrides the values of `device`.',
    honouredBy: PLAYWRIGHT,
  }),
  device: option({
    schema: Type.Enum([...DEVICE_NAMES]),
    default: null,
    description: 'Emulates this device from the list of Playwright: screen size, touch and `User-Agent`.',
    honouredBy: PLAYWRIGHT,
  }),
  color_scheme: option({
    schema: Type.Enum(['light', 'dark', 'no-preference']),
    default: null,
    description: 'Value of the `prefers-color-scheme` media feature.',
    honouredBy: PLAYWRIGHT,
  }),
  reduced_motion: option({
    schema: Type.Enum(['reduce', 'no-preference']),
    default: null,
    description: 'Value of the `prefers-reduced-motion` media feature.',
    honouredBy: PLAYWRIGHT,
  }),
  geolocation: parsedOption({
    schema: closed({
      latitude: Type.Number({ minimum: -90, maximum: 90 }),
      longitude: Type.Number({ minimum: -180, maximum: 180 }),
      accuracy: opt(Type.Number({ minimum: 0, default: 0, description: 'Accuracy in metres.' })),
    }),
    default: taskValue<Geolocation | null>(null),
    defaultNeedsSupport: true,
    description:
      'The position that the page gets from the Geolocation API. Permission is granted to every page of the scrape.',
    honouredBy: PLAYWRIGHT,
  }),
  javascript: option({
    schema: Type.Boolean(),
    default: true,
    description: 'Run the scripts of the page.',
    honouredBy: PLAYWRIGHT,
  }),
  block: parsedOption({
    schema: closed({
      resource_types: opt(Type.Array(Type.Enum([...BLOCKABLE_TYPES]), { maxItems: 50 })),
      url_patterns: opt(
        Type.Array(Type.String({ minLength: 1, maxLength: 2000, description: GLOB_DESCRIPTION }), {
          maxItems: 100,
        }),
      ),
      ads: opt(Type.Boolean({ default: false, ...UNAVAILABLE })),
    }),
    default: taskValue<BlockedResources>({ types: [], urls: [] }),
    description: 'Sub-resources to block.',
    honouredBy: BROWSERS,
  }),
  screenshot: parsedOption({
    schema: closed({
      full_page: opt(
        Type.Boolean({ default: false, description: 'Capture the whole page, not just the visible part.' }),
      ),
      selector: opt(
        Type.String({
          minLength: 1,
          maxLength: 2000,
          description: 'Capture only this element. Same syntax as `wait_for_selector`.',
        }),
      ),
      type: opt(Type.Enum(['png', 'jpeg', 'webp'], { default: 'png' })),
      quality: opt(
        Type.Integer({ minimum: 0, maximum: 100, description: 'Quality of JPEG and WebP images.' }),
      ),
    }),
    default: taskValue<ScreenshotOptions>({
      fullPage: false,
      selector: null,
      type: 'image/png',
      quality: null,
    }),
    description:
      'Screenshot settings. Setting any of them also takes the screenshot. At most 16,384 pixels per side (WebP: 16,383) and 50 megapixels; a larger screenshot is cropped at the right and bottom, with the warning `screenshot.clamped`.',
    honouredBy: PLAYWRIGHT,
    cdpHonours: ({ selector }) => selector === null,
  }),
  /** null: the page is not printed. */
  pdf: parsedOption({
    schema: closed({
      format: opt(Type.Enum([...PAPER_FORMATS], { default: 'Letter', description: 'Paper size.' })),
      landscape: opt(Type.Boolean({ default: false })),
      scale: opt(Type.Number({ minimum: 0.1, maximum: 2, default: 1 })),
      margin: opt(
        closed(
          { top: opt(LENGTH), right: opt(LENGTH), bottom: opt(LENGTH), left: opt(LENGTH) },
          { description: 'Margins of the paper (default: none).' },
        ),
      ),
      page_ranges: opt(
        Type.String({
          pattern: '^[0-9]+( *- *[0-9]+)?( *, *[0-9]+( *- *[0-9]+)?)*$',
          maxLength: 200,
          description: 'Pages to print, such as `1-3, 5` (default: all).',
        }),
      ),
      print_background: opt(Type.Boolean({ default: false, description: 'Print background graphics.' })),
      media: opt(
        Type.Enum(['print', 'screen'], { default: 'print', description: 'Media type of the style sheets.' }),
      ),
      tagged: opt(Type.Boolean({ default: false, description: 'Make a tagged (accessible) PDF.' })),
      outline: opt(Type.Boolean({ default: false, description: 'Make an outline of the headings.' })),
    }),
    default: taskValue<PdfOptions | null>(null),
    ...browserOnly(
      'How the page is printed. Setting any of them also asks for the format `pdf`. The file is in `scraper_data.pdf`, at most 50 MiB.',
    ),
    honouredBy: BROWSERS,
  }),
  wait_for_selector_state: option({
    schema: Type.Enum(['visible', 'attached', 'hidden', 'detached']),
    default: 'visible',
    defaultNeedsSupport: true,
    description: 'State that `wait_for_selector` waits for (default: `visible`).',
    honouredBy: BROWSERS,
  }),
  capture: parsedOption({
    schema: Type.Array(
      closed({
        url: Type.String({ minLength: 1, maxLength: 2000, description: GLOB_DESCRIPTION }),
        method: opt(Type.String({ minLength: 1, maxLength: 20 })),
        resource_type: opt(Type.Enum([...RESOURCE_TYPES])),
        body: opt(Type.Boolean({ default: false, description: 'Include the response bodies.' })),
      }),
      { maxItems: 10 },
    ),
    default: taskValue<readonly CaptureFilter[]>([]),
    description:
      'Records the requests of the page that match one of these filters, in `scraper_data.network`: at most 500 requests and 5 MiB. Covers the page and its same-site frames, but not workers or cross-site frames.',
    honouredBy: PLAYWRIGHT,
  }),
  storage_state: parsedOption({
    schema: StorageStateSchema,
    default: taskValue<StorageState | null>(null),
    secret: true,
    description:
      'Cookies, `localStorage` and IndexedDB to set before the page loads, in the storage state format of Playwright.',
    honouredBy: PLAYWRIGHT,
  }),
  profile: PROFILE_OPTION,
};

export type ScraperOptions = OptionValues<typeof SCRAPER_OPTIONS>;
export const DEFAULT_SCRAPER_OPTIONS: ScraperOptions = defaultValues(SCRAPER_OPTIONS);

/** Names of the options whose values appear in no message and no record. */
export const SECRET_OPTIONS: readonly string[] = Object.entries<OptionTable[string]>(SCRAPER_OPTIONS).flatMap(
  ([name, { secret }]) => (secret === true ? name : []),
);

const TABLES: readonly (readonly [parent: string, table: OptionTable])[] = [
  ['', BROWSER_OPTIONS],
  ['/scraper_options', SCRAPER_OPTIONS],
];

/** Every option of the request, by JSON pointer. */
const REQUEST_OPTIONS: ReadonlyMap<string, OptionTable[string]> = new Map(
  TABLES.flatMap(([parent, table]) =>
    Object.entries(table).map(([name, row]) => [`${parent}/${name}`, row] as const),
  ),
);

/** Whether a scraper honours the option at this pointer. */
export const honours = (scraper: ScraperName, pointer: string): boolean =>
  REQUEST_OPTIONS.get(pointer)!.honouredBy.scrapers.includes(scraper);

/** Whether only browsers honour one of the options at these pointers. */
export const needsBrowser = (pointers: readonly string[]): boolean =>
  pointers.some((pointer) => REQUEST_OPTIONS.get(pointer)!.honouredBy.scrapers.every(isBrowser));
