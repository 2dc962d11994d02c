import { createHash } from 'node:crypto';

/**
 * Parameters that tell sites where a visitor comes from, or who he is, and that do not change the page. Those that end with
 * `_` are prefixes.
 */
const TRACKING = new Set(
  `_ga _gl _hsenc _hsmi _openstat aspsessionid cfid cftoken cvid dclid epik fbclid gad_campaignid gad_source gbraid gclid gclsrc
gs_l hsctatracking igsh igshid jsessionid li_fat_id mc_cid mc_eid mkt_tok ml_subscriber ml_subscriber_hash msclkid oly_anon_id
oly_enc_id phpsessid rb_clickid s_cid s_kwcid srsltid ttclid twclid vero_conv vero_id wbraid wickedid yclid ysclid`.split(
    /\s+/,
  ),
);
const TRACKING_PREFIX = /^(?:utm|pk|piwik|mtm|matomo|hsa|stm)_/;
/** The session in the path that Java servers add. */
export const PATH_SESSION = /;jsessionid=[^/;]*/i;

/** Which parameters a crawl drops besides those; true: all. */
export type IgnoredQuery = ((name: string) => boolean) | true | null;

/**
 * The URL as crawls compare and visit it: serialised by WHATWG (so without a default port), without fragment, credentials and
 * parameters that are dropped. The order of parameters is kept, because it may matter.
 * @param url is changed
 */
export function canonicalUrl(url: URL, ignored: IgnoredQuery): string {
  if (url.hash !== '') url.hash = '';
  if (url.username !== '') url.username = '';
  if (url.password !== '') url.password = '';
  if (url.pathname.includes(';')) url.pathname = url.pathname.replace(PATH_SESSION, '');
  const { search } = url;
  if (search === '') return url.href.endsWith('?') ? url.href.slice(0, -1) : url.href;
  if (ignored === true) {
    url.search = '';
    return url.href;
  }
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !isDropped(nameOf(part), ignored))
    .join('&');
  if (kept !== search.slice(1)) url.search = kept;
  return url.href;
}

const isDropped = (name: string, ignored: ((name: string) => boolean) | null): boolean => {
  return isTrackingParameter(name.toLowerCase()) || ignored?.(name) === true;
};

/** @param name lower-case */
export const isTrackingParameter = (name: string): boolean =>
  TRACKING.has(name) || TRACKING_PREFIX.test(name);

function nameOf(part: string): string {
  const equals = part.indexOf('=');
  const name = equals === -1 ? part : part.slice(0, equals);
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    // Not UTF-8.
    return name;
  }
}

/** The 16 bytes that two equal canonical URLs have in common. */
export function fingerprintOf(canonical: string): Uint8Array {
  return new Uint8Array(createHash('sha256').update(canonical).digest().subarray(0, 16));
}
