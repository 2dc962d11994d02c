import { type Static, Type } from 'typebox';
import { BROWSER_OPTIONS } from '../../domain/browser-options.ts';
import { closed, optional } from '../../domain/json-schema.ts';
import { schemaMembers } from '../../domain/option.ts';
import { SCRAPER_OPTIONS } from '../../domain/scraper-options.ts';
import { SCRAPER_NAMES } from '../../domain/scrapers.ts';
import { EXPORTED_COOKIE_MEMBERS, MAX_COOKIES } from '../../domain/storage-state.ts';
import { checker } from '../schema/validation.ts';
import { VendorScraperSchema } from '../scraper-schema.ts';
import { namedValues, ScalarOrNull } from './named-values.ts';
import { ProxyField } from './proxy-options.ts';
import { RouterField } from './router-options.ts';

export const QueryField = namedValues({
  description:
    'Appended to the query string of the URL: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"name=value"`. An array as the value repeats the name; null leaves it out. Values are percent-encoded.',
});
export type QueryField = Static<typeof QueryField>;

const HeadersField = namedValues({
  description:
    'Request headers, sent in this order: `{name: value}`, or an array of `{name, value}`, `[name, value]` or `"Name: value"`. An array as the value repeats the header; null leaves it out.',
});

export const CookieObject = closed({
  name: Type.String(),
  value: ScalarOrNull,
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

export const CookiesField = namedValues<CookieObject>(
  {
    description:
      'Cookies for the host of the URL: `{name: value}`, or an array of objects, `[name, value]` or `"name=value"`. Null leaves a cookie out.',
  },
  { entry: CookieObject, max: MAX_COOKIES },
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
      headers: HeadersField,
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
