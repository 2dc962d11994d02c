import { type Static, Type } from 'typebox';
import { SCRAPER_NAMES } from '../../domain/job.ts';
import { closed, mapOf, orNull, pairOf, placeholder } from '../schema/build.ts';
import { checker } from '../schema/checker.ts';
import { BROWSER_ONLY } from '../schema/notes.ts';
import { ScraperOptionsAsk } from './options-schema.ts';
import { ProxyRequest } from './proxy-schema.ts';
import { RouterField } from './router-schema.ts';

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
  { description: 'Appended to what the URL has. An array repeats the key, null drops it.' },
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
  expires: Type.Optional(Type.Number({ description: 'Seconds since the epoch; -1: until the scrape ends.' })),
});
export type CookieObject = Static<typeof CookieObject>;

export const CookiesField = Type.Union(
  [
    mapOf(Type.String(), { maxProperties: 300 }),
    Type.Array(Type.Union([CookieObject, Type.String()]), { maxItems: 300 }),
  ],
  { description: 'For the host of the URL. `{name: value}`, or an array of objects or `"a=b"` strings.' },
);
export type CookiesField = Static<typeof CookiesField>;

export const ScrapeRequest = closed(
  {
    url: Type.String({ description: 'Absolute `http:` or `https:` URL, at most 8,192 characters.' }),
    method: Type.Optional(
      Type.String({ description: 'GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS.', default: 'GET' }),
    ),
    headers: Type.Optional(
      mapOf(Type.Union([Type.String(), Type.Array(Type.String())]), {
        description: 'Sent to the target in this order; an array repeats the header.',
      }),
    ),
    query: Type.Optional(QueryField),
    data: Type.Optional(
      Type.Unknown({
        description:
          'The body. JSON, form or raw text is detected; forced with `$json`, `$form`, `$raw`, `$base64`, `$multipart`.',
      }),
    ),
    cookies: Type.Optional(CookiesField),
    timeout_ms: Type.Optional(
      Type.Number({
        minimum: 1000,
        maximum: 300_000,
        default: 60_000,
        description: 'One wall-clock budget for everything: queueing, attempts, waits.',
      }),
    ),
    allow_redirects: Type.Optional(
      Type.Boolean({ default: true, description: 'Off: a redirect itself is the result.' }),
    ),
    browser_type: Type.Optional(
      Type.Enum(['chromium', 'firefox', 'webkit', 'chrome', 'msedge', 'edge'], BROWSER_ONLY),
    ),
    headless: Type.Optional(Type.Boolean({ default: true, ...BROWSER_ONLY })),
    wait_for_selector: Type.Optional(Type.String({ maxLength: 2000, ...BROWSER_ONLY })),
    wait_for_timeout_ms: Type.Optional(Type.Number({ minimum: 0, maximum: 60_000, ...BROWSER_ONLY })),
    wait_for_load_state: Type.Optional(
      Type.Enum(
        ['load', 'domcontentloaded', 'networkidle', 'commit', 'networkidle0', 'networkidle2', 'complete'],
        BROWSER_ONLY,
      ),
    ),
    page_actions: Type.Optional(
      Type.Array(placeholder<Readonly<Record<string, unknown>>>('PageAction', 'object'), {
        maxItems: 50,
        ...BROWSER_ONLY,
      }),
    ),
    screenshot: Type.Optional(Type.Boolean({ default: false, ...BROWSER_ONLY })),
    scraper: Type.Optional(
      Type.Enum(['auto', ...SCRAPER_NAMES], { default: 'auto', description: '`auto` selects by itself.' }),
    ),
    scraper_options: Type.Optional(ScraperOptionsAsk),
    proxy: Type.Optional(ProxyRequest),
    router: Type.Optional(RouterField),
  },
  { title: 'ScrapeRequest' },
);
export type ScrapeRequest = Static<typeof ScrapeRequest>;

export const checkRequest = checker(ScrapeRequest);
