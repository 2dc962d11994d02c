import { type Static, Type } from 'typebox';
import { BROWSER_OPTIONS } from '../../domain/browser-options.ts';
import { closed, mapOf, optional, orNull, pairOf } from '../../domain/json-schema.ts';
import { schemaMembers } from '../../domain/option.ts';
import { SCRAPER_OPTIONS } from '../../domain/scraper-options.ts';
import { SCRAPER_NAMES } from '../../domain/scrapers.ts';
import { EXPORTED_COOKIE_MEMBERS, MAX_COOKIES } from '../../domain/storage-state.ts';
import { checker } from '../schema/validation.ts';
import { VendorScraperSchema } from '../scraper-schema.ts';
import { ProxyField } from './proxy-options.ts';
import { RouterField } from './router-options.ts';

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
export type Scalar = Static<typeof Scalar>;
const ScalarOrNull = orNull(Scalar);

export const QueryField = Type.Union(
  [
    mapOf(Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null(), Type.Array(ScalarOrNull)])),
    Type.Array(
      Type.Union([
        Type.Unsafe<NamedValue>(closed({ name: Type.String(), value: ScalarOrNull })),
        pairOf(Type.String(), ScalarOrNull),
      ]),
    ),
  ],
  { description: 'Appended to the query string of the URL. An array repeats the key; null removes it.' },
);
export interface NamedValue {
  readonly name: string;
  readonly value: Scalar | null;
}
export type QueryField = Static<typeof QueryField>;

export const CookieObject = closed({
  name: Type.String(),
  value: Type.String(),
  domain: Type.Optional(Type.String()),
  path: Type.Optional(Type.String()),
  secure: Type.Optional(Type.Boolean()),
  http_only: Type.Optional(Type.Boolean()),
  same_site: Type.Optional(Type.String({ description: '`strict`, `lax` or `none`, in any letter case.' })),
  expires: Type.Optional(
    Type.Number({ description: 'Unix time in seconds. -1: a session cookie, kept until the scrape ends.' }),
  ),
  ...EXPORTED_COOKIE_MEMBERS,
});
export type CookieObject = Static<typeof CookieObject>;

export const CookiesField = Type.Union(
  [
    mapOf(Type.String(), { maxProperties: MAX_COOKIES }),
    Type.Array(Type.Union([CookieObject, Type.String()]), { maxItems: MAX_COOKIES }),
  ],
  {
    description:
      'Cookies for the host of the URL: `{name: value}`, or an array of objects or `"a=b"` strings.',
  },
);
export type CookiesField = Static<typeof CookiesField>;

export const ScraperOptionsField = closed(schemaMembers(SCRAPER_OPTIONS), {
  title: 'ScraperOptions',
  description: 'Options of the scraper.',
});

export const ScrapeRequest = closed(
  {
    url: Type.String({ description: 'Absolute `http:` or `https:` URL, at most 8,192 characters.' }),
    ...optional({
      method: Type.String({ description: 'GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.', default: 'GET' }),
      headers: mapOf(Type.Union([Type.String(), Type.Array(Type.String())]), {
        description: 'Request headers, sent in this order. An array repeats the header.',
      }),
      query: QueryField,
      data: Type.Unknown({
        description:
          'The request body. Sluice detects JSON, form or raw text. To choose the format yourself, use `$json`, `$form`, `$raw`, `$base64` or `$multipart`.',
      }),
      cookies: CookiesField,
      timeout_ms: Type.Number({
        minimum: 1000,
        maximum: 300_000,
        default: 60_000,
        description: 'Time limit for the whole request: queueing, all attempts and waits.',
      }),
      allow_redirects: Type.Boolean({
        default: true,
        description: 'Follow redirects. If false, the redirect response is the result.',
      }),
    }),
    ...schemaMembers(BROWSER_OPTIONS),
    scraper: Type.Optional(
      Type.Union([Type.Enum(['auto', ...SCRAPER_NAMES]), VendorScraperSchema], {
        default: 'auto',
        description:
          '`auto` picks the cheapest scraper likely to work, and falls back to others if it fails.',
      }),
    ),
    scraper_options: Type.Optional(ScraperOptionsField),
    proxy: Type.Optional(ProxyField),
    router: Type.Optional(RouterField),
  },
  { title: 'ScrapeRequest' },
);
export type ScrapeRequest = Static<typeof ScrapeRequest>;

export const checkRequest = checker(ScrapeRequest);
