import { isTrackingParameter, PATH_SESSION } from '../jobs/crawl/canonical-url.ts';

/**
 * URLs in Markdown, text and HTML: the destination of a link or picture, a bare URL, the value of an attribute. Other text of
 * the match stands in the first group.
 */
const URLS =
  /(\]\(<?|\]:\s<?|\b(?:href|src|srcset|action|formaction|poster|cite|data|background|longdesc|data-[a-z-]{1,30})\s?=\s?["'])([^\s)>"'][^)>"'\n]*)|()\b((?:https?:)?\/\/[^\s<>"')\]]+)/gi;

/** The text with its URLs, and what stands between them, changed by these functions. */
export function withUrls(
  text: string,
  changeUrl: (url: string) => string,
  changeRest: (rest: string) => string,
): string {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(URLS)) {
    const urls = match[2] ?? match[4]!;
    const at = match.index + match[0].length - urls.length;
    // `srcset` has several, and a title may follow one in Markdown.
    result += changeRest(text.slice(end, at)) + urls.replace(/[^\s,][^\s]*/g, changeUrl);
    end = at + urls.length;
  }
  return result + changeRest(text.slice(end));
}

/**
 * Names of parameters, lower-case, that tell who asks and from where, name the visit, keep caches away or sign the URL for some
 * time, beside those that crawls drop.
 */
const VISIT = new Set(
  `access_token auth_key auth_token authenticity_token authkey authtoken _csrf _token csrf csrf_token csrfmiddlewaretoken nonce token
__token__ jwt hmac expire expires expires_at expiration expiry awsaccesskeyid googleaccessid ossaccesskeyid key-pair-id sig
signature security-token hdnea hdntl hdnts __hdnea__ verify
sid sess sessid session session_id session_key sessionid visit visit_id visitid visitor visitor_id visitorid pvid
impression_id impressionid imp_id ad_id adid click_id clickid request_id requestid req_id reqid trace_id traceid correlation_id
form_build_id _ _t _ts cb bust cache_buster cachebust cachebuster no_cache nocache ord r_ rand random rnd timestamp tstamp
ref_ ref_src srcid icid ncid cmpid xtor spm scm campaign_id campaignid crid dib dib_tag sprefix psc aff_id affid affiliate_id`.split(
    /\s+/,
  ),
);
const VISIT_PREFIX =
  /^(?:x-amz-|x-goog-|x-oss-|x-ms-|q-(?:sign|ak|key|header|url)|pd_rd_|pf_rd_|__cf_|cf_chl_|trk)/;
/** Names that mean this beside another name alone. */
const BESIDE: readonly (readonly [marker: RegExp, names: RegExp])[] = [
  // Shared access signatures of Azure.
  [/^sig$/, /^(?:s[tepvr]|spr|srt|ss|sip|sk[a-z]{1,4})$/],
  [/^(?:signature|key-pair-id|x-amz-signature)$/, /^(?:policy|e|exp|response-content-disposition)$/],
  // Files of Discord and of Facebook.
  [/^hm$/, /^(?:ex|is|hm)$/],
  [/^(?:oh|_nc_[a-z]+)$/, /^(?:oh|oe|ccb|stp|edm|_nc_[a-z]+)$/],
];
/** Names that often are what the page is about: they count as noise with such a value. */
const BY_VALUE: readonly (readonly [name: RegExp, value: RegExp])[] = [
  // A version or a checksum of a file, and no video.
  [/^v$/, /^(?:v?\d+(?:[._-]\d+)*|[0-9a-f]{6,64})$/i],
  // A time in seconds or milliseconds, or a number at random.
  [/^(?:[a-z]|dt|ts|qid|time|date|now|mod|cache|exp)$/, /^(?:1\d{9}(?:\d{3}|\.\d+)?|0\.\d{6,})$/],
  // A checksum.
  [/^(?:[a-z]|key|hash|code|sign|auth)$/, /^(?=.*\d)(?=.*[a-f])[0-9a-f]{20,}$/i],
];
/** Files of which the version says nothing to a reader. */
const ASSET = /\.(?:png|jpe?g|gif|webp|avif|svg|ico|bmp|css|m?js|woff2?|ttf|mp4|webm|mp3|m3u8)$/i;
/** Version parameters of such files, whatever their value. */
const ASSET_VERSION =
  /^(?:_?v|ver|version|rev|revision|build|buildid|lastmod|last_modified|modified|mtime|updated|[tdhscq]|ts|id|hash|mod|time|date|cache|[0-9a-f]{6,}|\d{4,})$/;

const VIDEO_PATH = /\/watch\/?$/;

function isNoise(name: string, value: string, path: string, names: readonly string[]): boolean {
  if (isTrackingParameter(name) || VISIT.has(name) || VISIT_PREFIX.test(name)) return true;
  if (ASSET.test(path) && ASSET_VERSION.test(name)) return true;
  if (name === 'v' && VIDEO_PATH.test(path)) return false;
  return (
    BY_VALUE.some(([of, values]) => of.test(name) && values.test(value)) ||
    BESIDE.some(([marker, of]) => of.test(name) && names.some((other) => marker.test(other)))
  );
}

/**
 * A URL without parameters that change at each visit and not what is there: of marketing, signatures with their expiry, sessions
 * and versions. Two URLs that differ in these alone are equal for a comparison. Relative URLs stay relative.
 */
export function withoutNoise(url: string): string {
  const start = url.search(/[?#]/);
  const path = (start === -1 ? url : url.slice(0, start))
    .replace(PATH_SESSION, '')
    .replace(/\/ref=[^/?#]*$/, '');
  if (start === -1 || url[start] === '#') return path + (start === -1 ? '' : url.slice(start));
  const hash = url.indexOf('#', start);
  const query = url.slice(start + 1, hash === -1 ? undefined : hash);
  const separator = query.includes('&amp;') ? '&amp;' : '&';
  const parameters = query.split(separator).map((part) => {
    const equals = part.indexOf('=');
    const name = equals === -1 ? part : part.slice(0, equals);
    return { part, name: name.toLowerCase(), value: equals === -1 ? '' : part.slice(equals + 1) };
  });
  const names = parameters.map(({ name }) => name);
  const kept = parameters
    .filter(({ part, name, value }) => part !== '' && !isNoise(name, value, path, names))
    .map(({ part }) => part);
  return path + (kept.length > 0 ? `?${kept.join(separator)}` : '') + (hash === -1 ? '' : url.slice(hash));
}

/** A text whose URLs have no such parameters. */
export const withoutNoisyUrls = (text: string): string =>
  text.includes('?') || text.includes(';') || text.includes('/ref=')
    ? withUrls(text, withoutNoise, (rest) => rest)
    : text;
