import { gunzipSync } from 'node:zlib';
import { detectCharset } from '../../charset/charset.ts';
import { toUtf8 } from '../../charset/decode-content.ts';
import { parseXml } from '../../document/parse-page.ts';
import { type ParsedPage, rootElement, toParsedPage } from '../../document/parsed-page.ts';
import type { Feed } from './feed-data.ts';
import { jsonFeed } from './json-feed.ts';
import { sitemap, syndicationFeed, textSitemap } from './xml-feed.ts';

/** XML that may be a feed, whatever its Content-Type is. */
const XML_START =
  /^[\s\ufeff]*<(?:\?xml|!--|(?:[\w.-]{1,50}:)?(?:rss|feed|urlset|sitemapindex|RDF|channel)\b)/i;

/**
 * Reads RSS 0.9x to 2.0, RDF (RSS 0.90 and 1.0), Atom 0.3 and 1.0, JSON Feed, sitemaps (XML or text) and indexes of sitemaps.
 * @param url of the feed, the base of relative URLs
 * @param page the text parsed as XML, if it is
 * @returns null if it is none of these
 */
export function readFeed(text: string, url: string, page: ParsedPage | null): Feed | null {
  if (/^[\s\ufeff]*\{/.test(text)) return jsonFeed(text, url);
  if (/^[\s\ufeff]*https?:/i.test(text)) return textSitemap(text);
  const parsed = page?.plainXml ? page : XML_START.test(text) ? toParsedPage(parseXml(text), url, []) : null;
  const root = parsed === null ? null : rootElement(parsed.tree);
  switch (root?.tagName) {
    case 'rss':
    case 'channel':
      return syndicationFeed('rss', root, url);
    case 'RDF':
      return syndicationFeed('rdf', root, url);
    case 'feed':
      return syndicationFeed('atom', root, url);
    case 'urlset':
      return sitemap('sitemap', root, url);
    case 'sitemapindex':
      return sitemap('sitemap_index', root, url);
    default:
      return null;
  }
}

/** The limit of an unpacked sitemap (sitemaps.org). */
const MAX_UNPACKED_BYTES = 50 * 2 ** 20;

/**
 * The text of a file such as `sitemap.xml.gz`, which servers send as `application/gzip` and not with a content coding.
 * @returns null if it is not gzip, is corrupt, or is too long
 */
export function gunzippedText(bytes: Uint8Array): string | null {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return null;
  const body = unpacked(bytes);
  if (body === null) return null;
  const { name } = detectCharset(body, 'xml', null, false);
  return new TextDecoder().decode(toUtf8(body, name, false).bytes);
}

function unpacked(bytes: Uint8Array): Uint8Array | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch {
    // The only errors of zlib here are that the data is corrupt, ends early, or is too long.
    return null;
  }
}
