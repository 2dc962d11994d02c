const MAX_SEGMENT_CHARS = 100;
const MAX_SEGMENTS = 20;

/**
 * The path of a page's file in an archive: host, folders and name follow the URL. Characters that file systems do not take
 * become `_`.
 * @param taken paths that are in use, in lower case; the path is added. A number is appended to one that is taken
 */
export function pagePath(pageUrl: string, taken: Set<string>): string {
  const { host, pathname, search } = new URL(pageUrl);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const name = pathname.endsWith('/') ? 'index' : (segments.pop() ?? 'index');
  const query = search.length > 1 ? `_${search.slice(1)}` : '';
  const folders = [host, ...segments.slice(0, MAX_SEGMENTS)].map(safeSegment);
  const base = [...folders, safeSegment(name.replace(/\.(html?|md)$/i, '') + query)].join('/');
  for (let number = 1; ; number++) {
    const path = `${base}${number === 1 ? '' : `-${number}`}.md`;
    if (taken.has(path.toLowerCase())) continue;
    taken.add(path.toLowerCase());
    return path;
  }
}

function safeSegment(segment: string): string {
  const safe = decoded(segment)
    .replace(/[^\p{L}\p{N}._~-]+/gu, '_')
    .slice(0, MAX_SEGMENT_CHARS);
  // Neither hidden files nor `..`.
  return safe.replace(/^\.+/, '_') || '_';
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
