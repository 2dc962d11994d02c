import { type Static, Type } from 'typebox';
import { IMPERSONATE_NAMES } from '../../domain/impersonate-profiles.ts';
import { DEFAULT_MAX_REDIRECTS, FORMATS } from '../../domain/job.ts';
import { closed, mapOf, placeholder } from '../schema/build.ts';
import { LATER, laterValues } from '../schema/notes.ts';
import { BROWSER_OPTIONS } from './browser-options-schema.ts';

export const MAX_CONTENT_BYTES = 50 * 1024 * 1024;
export const DEFAULT_CONTENT_BYTES = 10 * 1024 * 1024;

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
      description: 'Longer content is truncated. Counted after decompression.',
    }),
  ),
  verify_tls: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Verify the TLS certificate of the target. If false, invalid certificates are accepted.',
    }),
  ),
  max_redirects: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 50,
      default: DEFAULT_MAX_REDIRECTS,
      description: 'The scrape fails after this many redirects.',
    }),
  ),
  content_encoding: Type.Optional(
    Type.Enum(['auto', 'base64'], {
      default: 'auto',
      description:
        '`base64` returns the raw bytes, whatever the content type. `auto` returns text as UTF-8 and everything else as base64.',
    }),
  ),
  user_agent: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'The `User-Agent` header. If `headers` has one too, that one is sent.',
    }),
  ),
  formats: Type.Optional(
    Type.Array(Type.Enum([...FORMATS, ...LATER_FORMATS], laterValues(...LATER_FORMATS)), {
      maxItems: 5,
      description:
        'Extra outputs, returned in `scraper_data` under the same names; null if the page has none. ' +
        '`html`: the decoded document. `text`: the visible text, with line breaks between blocks and tabs between ' +
        'table cells. `links`: all links. `metadata`: title, description, Open Graph, JSON-LD and more.',
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
      description: '`true`: HTTP/2 only. `false`: HTTP/1.1 only. `auto`: negotiated with the target.',
    }),
  ),
  impersonate: Type.Optional(
    Type.Enum([...IMPERSONATE_NAMES], {
      description:
        'Browser to imitate (default: `chrome`). A name without a version means the newest version listed. ' +
        'With `auto`, only `http_impersonate` is used.',
    }),
  ),
};

/** Known, but not offered yet; each of them asks for nothing when it is empty or false. */
export const LATER_OPTIONS = ['only_main_content'] as const;

export const ScraperOptionsAsk = closed(
  { ...COMMON_OPTIONS, ...HTTP_OPTIONS, ...BROWSER_OPTIONS },
  { title: 'ScraperOptions', description: 'Options of the scraper.' },
);
export type ScraperOptionsAsk = Static<typeof ScraperOptionsAsk>;
