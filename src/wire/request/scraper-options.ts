import { type Static, Type } from 'typebox';
import { trimOws } from '../../base/http-syntax.ts';
import { IMPERSONATE_NAMES } from '../../domain/browser-profiles.ts';
import { DEFAULT_MAX_REDIRECTS, FORMATS, type Format, type ScraperOptions } from '../../domain/job.ts';
import { closed, mapOf, placeholder, UNAVAILABLE, valuesNotYetAvailable } from '../../domain/json-schema.ts';
import { isRequested } from '../schema/json-value.ts';
import { addProblem, addUnavailable, type Problems } from '../schema/problems.ts';
import { BROWSER_OPTIONS } from './browser-options.ts';
import { readExtractRules } from './extract-rules.ts';
import { headerValueProblem } from './headers.ts';

const MAX_CONTENT_BYTES = 50 * 1024 * 1024;
const DEFAULT_CONTENT_BYTES = 10 * 1024 * 1024;

/** Values of `formats` that are known, but not offered yet. */
const UNAVAILABLE_FORMATS = ['markdown'] as const;

/** `extract`: name → rule. A rule is recursive, see `extract.ts`. */
export const ExtractField = mapOf(placeholder<unknown>('ExtractRule', ['string', 'object']));

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
    Type.Array(
      Type.Enum([...FORMATS, ...UNAVAILABLE_FORMATS], valuesNotYetAvailable(...UNAVAILABLE_FORMATS)),
      {
        maxItems: 5,
        description:
          'Extra outputs, returned in `scraper_data` under the same names; null if the page has none. ' +
          '`html`: the decoded document. `text`: the visible text, with line breaks between blocks and tabs between ' +
          'table cells. `links`: all links. `metadata`: title, description, Open Graph, JSON-LD and more.',
      },
    ),
  ),
  only_main_content: Type.Optional(Type.Boolean({ default: false, ...UNAVAILABLE })),
  extract: Type.Optional(ExtractField),
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
export const UNAVAILABLE_OPTIONS = ['only_main_content'] as const;

export const ScraperOptionsField = closed(
  { ...COMMON_OPTIONS, ...HTTP_OPTIONS, ...BROWSER_OPTIONS },
  { title: 'ScraperOptions', description: 'Options of the scraper.' },
);
export type ScraperOptionsField = Static<typeof ScraperOptionsField>;

const DEFAULT_OPTIONS: ScraperOptions = Object.freeze({
  maxContentBytes: DEFAULT_CONTENT_BYTES,
  verifyTls: true,
  http2: 'auto',
  impersonate: null,
  maxRedirects: DEFAULT_MAX_REDIRECTS,
  userAgent: null,
  contentEncoding: 'auto',
  formats: [],
  extract: null,
});

export function readScraperOptions(ask: ScraperOptionsField | undefined, problems: Problems): ScraperOptions {
  if (ask === undefined) return DEFAULT_OPTIONS;
  const before = problems.length;
  const extract = readExtractRules(ask.extract, '/scraper_options/extract', problems);
  const agent = trimOws(ask.user_agent ?? '');
  const complaint = headerValueProblem(agent);
  if (complaint !== null) addProblem(problems, '/scraper_options/user_agent', complaint);
  if (problems.length === before) {
    for (const name of UNAVAILABLE_OPTIONS)
      if (isRequested(ask[name])) addUnavailable(problems, `/scraper_options/${name}`);
    ask.formats?.forEach((format, at) => {
      if (UNAVAILABLE_FORMATS.some((later) => later === format))
        addUnavailable(problems, `/scraper_options/formats/${at}`, `\`${format}\``);
    });
  }
  return {
    maxContentBytes: ask.max_content_bytes ?? DEFAULT_OPTIONS.maxContentBytes,
    verifyTls: ask.verify_tls ?? DEFAULT_OPTIONS.verifyTls,
    http2: ask.http2 ?? DEFAULT_OPTIONS.http2,
    impersonate: ask.impersonate ?? DEFAULT_OPTIONS.impersonate,
    maxRedirects: ask.max_redirects ?? DEFAULT_OPTIONS.maxRedirects,
    userAgent: agent === '' ? null : agent,
    contentEncoding: (ask.content_encoding as ScraperOptions['contentEncoding'] | undefined) ?? 'auto',
    formats: ask.formats === undefined ? DEFAULT_OPTIONS.formats : ([...new Set(ask.formats)] as Format[]),
    extract: extract.length === 0 ? null : extract,
  };
}
