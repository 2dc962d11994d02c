/** So that no name is longer than the 255 bytes that file systems take, in UTF-8 and with a number. */
const MAX_SEGMENT_CHARS = 80;
const MAX_SEGMENTS = 20;

/** Paths without extension, in lower case, and the highest number that was appended to each. */
export type TakenPaths = Map<string, number>;

/**
 * The path of a page's file in an archive or a folder: host, folders and name follow the URL. Characters that file systems do
 * not take become `_`.
 * @param taken paths that are in use; the path is added. A number is appended to one that is in use
 * @param extension the same for all paths in `taken`
 */
export function pagePath(pageUrl: string, taken: TakenPaths, extension = 'md'): string {
  const { host, pathname, search } = new URL(pageUrl);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const name = pathname.endsWith('/') ? 'index' : (segments.pop() ?? 'index');
  const query = search.length > 1 ? `_${search.slice(1)}` : '';
  const folders = segments.slice(0, MAX_SEGMENTS).map((segment) => {
    const folder = safeSegment(segment);
    // It must not have the name of a file.
    return folder.toLowerCase().endsWith(`.${extension}`) ? `${folder}_` : folder;
  });
  const file = safeSegment(name.replace(/\.(html?|md)$/i, '') + query);
  const base = [safeSegment(host), ...folders, file].join('/');
  for (let number = (taken.get(base.toLowerCase()) ?? 0) + 1; ; number++) {
    const path = number === 1 ? base : `${base}-${number}`;
    if (number > 1 && taken.has(path.toLowerCase())) continue;
    taken.set(path.toLowerCase(), 1).set(base.toLowerCase(), number);
    return `${path}.${extension}`;
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
