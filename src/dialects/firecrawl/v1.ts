import { isObject } from '../../domain/json-schema.ts';
import { BadRequest } from './bad-request.ts';
import { startCrawl } from './crawl.ts';
import type { DialectCall } from './dialect-call.ts';
import { map } from './map.ts';
import { booleanAt, type Json, objectAt } from './members.ts';
import { scrape } from './scrape.ts';

/** Version 1 of the API, as loaders of LangChain use it: its members by those of version 2. */

/** Members of a scrape that have another form. */
function scrapeOptions(body: Json): Json {
  const { jsonOptions, extract, changeTrackingOptions, formats = ['markdown'], parsePDF, ...same } = body;
  // `true` is the default, and what version 2 does.
  if (parsePDF !== undefined && !booleanAt(parsePDF, 'parsePDF'))
    throw new BadRequest(
      'parsePDF: documents are always read by this service; leave it out, or ask for rawHtml.',
    );
  const options: Readonly<Record<string, unknown>> = {
    json: jsonOptions ?? extract,
    extract: jsonOptions ?? extract,
    changeTracking: changeTrackingOptions,
  };
  const formatOf = (name: unknown): unknown => {
    const own = typeof name === 'string' ? options[name] : undefined;
    return isObject(own) ? { ...own, type: name === 'extract' ? 'json' : name } : name;
  };
  return {
    // Version 1 verifies certificates unless it is told not to.
    skipTlsVerification: false,
    ...same,
    formats: Array.isArray(formats) ? formats.map(formatOf) : formats,
  };
}

/** `POST /v1/scrape`. */
export const scrapeV1 = (call: DialectCall): Promise<Json> =>
  scrape({ ...call, body: scrapeOptions(objectAt(call.body, 'The request')) });

/** `POST /v1/crawl`. */
export function startCrawlV1(call: DialectCall): Promise<Json> {
  const {
    maxDepth,
    allowBackwardLinks,
    ignoreSitemap,
    scrapeOptions: options,
    ...same
  } = objectAt(call.body, 'The request');
  const body = {
    ...same,
    ...(maxDepth === undefined ? {} : { maxDiscoveryDepth: maxDepth }),
    ...(allowBackwardLinks === undefined ? {} : { crawlEntireDomain: allowBackwardLinks }),
    ...(ignoreSitemap === undefined ? {} : { sitemap: ignoreSitemap === true ? 'skip' : 'include' }),
    scrapeOptions: scrapeOptions(isObject(options) ? options : {}),
  };
  return startCrawl({ ...call, body });
}

/** `POST /v1/map`: URLs alone. */
export async function mapV1(call: DialectCall): Promise<Json> {
  const {
    sitemapOnly,
    ignoreSitemap,
    includeSubdomains = false,
    ...same
  } = objectAt(call.body, 'The request');
  const sitemap = sitemapOnly === true ? 'only' : ignoreSitemap === true ? 'skip' : 'include';
  const { links } = await map({
    ...call,
    body: { ...same, includeSubdomains, ignoreQueryParameters: false, sitemap },
  });
  return { success: true, links: (links as readonly { readonly url: string }[]).map(({ url }) => url) };
}
