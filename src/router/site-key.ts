/** The key of what is learned about a URL: the site (host and port) and the kind of page. */
export interface SiteKey {
  readonly site: string;
  readonly pattern: string;
}

const MAX_SEGMENT_LENGTH = 24;

/**
 * The key of a serialized URL without credentials. The kind of page is the first two segments of the path; a segment that
 * names a single item is replaced by `*`.
 */
export function siteKeyOf(url: string): SiteKey {
  const from = url.indexOf('//') + 2;
  const end = url.slice(from).search(/[/?#]/);
  if (end === -1) return { site: url.slice(from), pattern: '/' };
  const at = from + end;
  const site = url.slice(from, at);
  if (url.charCodeAt(at) !== 47) return { site, pattern: '/' };
  let pattern = '';
  let begin = at + 1;
  for (let n = 0; n < 2; n++) {
    let stop = begin;
    for (; stop < url.length; stop++) {
      const c = url.charCodeAt(stop);
      if (c === 47 || c === 63 || c === 35) break;
    }
    pattern += `/${generalize(url.slice(begin, stop))}`;
    if (url.charCodeAt(stop) !== 47) break;
    begin = stop + 1;
  }
  return { site, pattern };
}

/** `*` for a segment that names a single item, such as an article. */
function generalize(segment: string): string {
  if (segment.length > MAX_SEGMENT_LENGTH) return '*';
  let digits = 0;
  for (let i = 0; i < segment.length; i++) {
    const c = segment.charCodeAt(i);
    if (c >= 48 && c <= 57) digits++;
  }
  // 2024, 17-a-title, a1b2c3d4: many digits, or a number before a title.
  if (digits > 0 && (digits * 3 >= segment.length || (digits >= 2 && /^\d/.test(segment)))) return '*';
  return segment;
}
