/** The key of what is learned about a URL: the site (host and port) and the kind of page. */
export interface SiteKey {
  readonly site: string;
  readonly pattern: string;
}

/** Longer segments are taken for names of single items. */
const MAX_SEGMENT_LENGTH = 24;
// Character codes, because this runs for each request.
const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const HASH = 0x23;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

/**
 * The key of a serialized URL without credentials. The kind of page is the first two segments of the path; a segment that
 * names a single item is replaced by `*`.
 */
export function siteKeyOf(url: string): SiteKey {
  const siteStart = url.indexOf('//') + 2;
  const siteLength = url.slice(siteStart).search(/[/?#]/);
  if (siteLength === -1) return { site: url.slice(siteStart), pattern: '/' };
  const siteEnd = siteStart + siteLength;
  const site = url.slice(siteStart, siteEnd);
  if (url.charCodeAt(siteEnd) !== SLASH) return { site, pattern: '/' };
  let pattern = '';
  let start = siteEnd + 1;
  for (let segments = 0; segments < 2; segments++) {
    let end = start;
    for (; end < url.length; end++) {
      const code = url.charCodeAt(end);
      if (code === SLASH || code === QUESTION_MARK || code === HASH) break;
    }
    pattern += `/${generalize(url.slice(start, end))}`;
    if (url.charCodeAt(end) !== SLASH) break;
    start = end + 1;
  }
  return { site, pattern };
}

/** `*` for a segment that names a single item, such as an article. */
function generalize(segment: string): string {
  if (segment.length > MAX_SEGMENT_LENGTH) return '*';
  let digits = 0;
  for (let i = 0; i < segment.length; i++) {
    const code = segment.charCodeAt(i);
    if (code >= DIGIT_0 && code <= DIGIT_9) digits++;
  }
  // 2024, 17-a-title, a1b2c3d4: many digits, or a number before a title.
  if (digits > 0 && (digits * 3 >= segment.length || (digits >= 2 && /^\d/.test(segment)))) return '*';
  return segment;
}
