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
  impersonate: Type.Optional(
    Type.Enum([...IMPERSONATE_NAMES], {
      description:
        'Whom `http_impersonate` looks like, `chrome` by default; a name without a version stands for the newest one ' +
        'listed. With `auto` it leaves only this scraper.',
    }),
  ),
};

/** Known, but not offered yet; each of them asks for nothing when it is empty or false. */
export const LATER_OPTIONS = ['only_main_content'] as const;

export const ScraperOptionsAsk = closed(
  { ...COMMON_OPTIONS, ...HTTP_OPTIONS, ...BROWSER_OPTIONS },
  { title: 'ScraperOptions', description: 'Options passed to the scraper.' },
);
export type ScraperOptionsAsk = Static<typeof ScraperOptionsAsk>;
