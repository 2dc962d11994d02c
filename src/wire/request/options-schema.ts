import { type Static, Type } from 'typebox';
import { FORMATS } from '../../domain/job.ts';
import { closed, mapOf, placeholder } from '../schema/build.ts';
import { LATER, laterValues } from '../schema/notes.ts';

export const MAX_CONTENT_BYTES = 50 * 1024 * 1024;
export const DEFAULT_CONTENT_BYTES = 10 * 1024 * 1024;
export const DEFAULT_MAX_REDIRECTS = 20;

/** Values of `formats` that are known, but not offered yet. */
export const LATER_FORMATS = ['markdown'] as const;

/** `extract`: name → rule. A rule is recursive, see `extract.ts`. */
export const ExtractRules = mapOf(placeholder<unknown>('ExtractRule', ['string', 'object']));

/** What every scraper has. */
export const COMMON_OPTIONS = {
  max_content_bytes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_CONTENT_BYTES,
      default: DEFAULT_CONTENT_BYTES,
      description: 'The content is cut there; counted after decompression.',
    }),
  ),
  verify_tls: Type.Optional(
    Type.Boolean({ default: true, description: 'Off: a certificate that is not good is taken.' }),
  ),
  max_redirects: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 50,
      default: DEFAULT_MAX_REDIRECTS,
      description: 'One more ends the scrape.',
    }),
  ),
  content_encoding: Type.Optional(
    Type.Enum(['auto', 'base64'], { default: 'auto', description: '`base64` gives the bytes of any type.' }),
  ),
  user_agent: Type.Optional(
    Type.String({ maxLength: 2000, description: 'A `User-Agent` in `headers` wins.' }),
  ),
  formats: Type.Optional(
    Type.Array(Type.Enum([...FORMATS, ...LATER_FORMATS], laterValues(...LATER_FORMATS)), {
      maxItems: 5,
      description:
        'What `scraper_data` tells of the page beside its content, under the same names; null where the page has none. ' +
        '`html`: the decoded document. `text`: what a reader sees, with line breaks for blocks and tabulators between ' +
        'cells. `links`: where it links to. `metadata`: what it says of itself.',
    }),
  ),
  only_main_content: Type.Optional(Type.Boolean({ default: false, ...LATER })),
  extract: Type.Optional(ExtractRules),
};

/** What only HTTP scrapers have. */
export const HTTP_OPTIONS = {
  http2: Type.Optional(
    Type.Union([Type.Literal('auto'), Type.Boolean()], {
      default: 'auto',
      description: '`true`: only HTTP/2, `false`: only HTTP/1.1, `auto`: as agreed with the target.',
    }),
  ),
  impersonate: Type.Optional(Type.String({ maxLength: 100 })),
};

/** What only browsers have. */
export const BROWSER_OPTIONS = {
  locale: Type.Optional(Type.String({ maxLength: 100 })),
  timezone: Type.Optional(Type.String({ maxLength: 100 })),
  viewport: Type.Optional(
    closed({
      width: Type.Optional(Type.Integer({ minimum: 1, maximum: 16_384 })),
      height: Type.Optional(Type.Integer({ minimum: 1, maximum: 16_384 })),
      device_scale_factor: Type.Optional(Type.Number({ minimum: 0.1, maximum: 10 })),
      is_mobile: Type.Optional(Type.Boolean()),
    }),
  ),
  device: Type.Optional(Type.String({ maxLength: 100 })),
  color_scheme: Type.Optional(Type.Enum(['light', 'dark', 'no-preference'])),
  geolocation: Type.Optional(
    closed({
      latitude: Type.Number({ minimum: -90, maximum: 90 }),
      longitude: Type.Number({ minimum: -180, maximum: 180 }),
      accuracy: Type.Optional(Type.Number({ minimum: 0 })),
    }),
  ),
  javascript: Type.Optional(Type.Boolean({ default: true })),
  block: Type.Optional(
    closed({
      resource_types: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50 })),
      url_patterns: Type.Optional(Type.Array(Type.String({ maxLength: 2000 }), { maxItems: 100 })),
      ads: Type.Optional(Type.Boolean()),
    }),
  ),
  screenshot: Type.Optional(
    closed({
      full_page: Type.Optional(Type.Boolean()),
      selector: Type.Optional(Type.String({ maxLength: 2000 })),
      type: Type.Optional(Type.Enum(['png', 'jpeg', 'webp'])),
      quality: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    }),
  ),
  wait_for_selector_state: Type.Optional(Type.Enum(['visible', 'attached', 'hidden', 'detached'])),
  capture: Type.Optional(
    Type.Array(
      closed({
        url: Type.String({ minLength: 1, maxLength: 2000 }),
        method: Type.Optional(Type.String({ maxLength: 20 })),
        resource_type: Type.Optional(Type.String({ maxLength: 50 })),
        body: Type.Optional(Type.Boolean()),
      }),
      { maxItems: 10 },
    ),
  ),
  storage_state: Type.Optional(Type.Object({}, { description: 'As Playwright writes it.' })),
};

/** Known, but not offered yet; each of them asks for nothing when it is empty or false. */
export const LATER_OPTIONS = ['only_main_content', 'impersonate'] as const;

export const ScraperOptionsAsk = closed(
  { ...COMMON_OPTIONS, ...HTTP_OPTIONS, ...BROWSER_OPTIONS },
  { title: 'ScraperOptions', description: 'Options passed to the scraper.' },
);
export type ScraperOptionsAsk = Static<typeof ScraperOptionsAsk>;
