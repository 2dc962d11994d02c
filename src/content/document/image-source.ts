/** Which picture an `img` shows: pages that load pictures late state it in other attributes than `src`. */
import { attributeOf, type TreeNode } from './page-tree.ts';
import { webUrl } from './parsed-page.ts';

/** Attributes with the URL of a picture that a script loads late. */
const LATE_SOURCES = ['data-src', 'data-lazy-src', 'data-original', 'data-lazy'];
/** Attributes with several URLs, for screens of different sizes. */
const SOURCE_SETS = ['data-srcset', 'srcset'];
const MAX_SOURCES = 20;

/**
 * The absolute URL of an `img`, http(s); null if there is none. A `data:` URL is none. An attribute of late loading counts
 * more than `src`, which is then a placeholder; `srcset` and the sources of the `picture` count less.
 */
export function imageSource(image: TreeNode, base: string): string | null {
  const late = LATE_SOURCES.map((name) => attributeOf(image, name)).find(
    (value) => value !== null && value.trim() !== '',
  );
  for (const value of [late, attributeOf(image, 'src')]) {
    const url = value == null ? null : webUrl(value.trim(), base);
    if (url !== null && value!.trim() !== '') return url;
  }
  const picture = image.parentNode?.tagName === 'picture' ? image.parentNode : null;
  const sources = (picture?.childNodes ?? []).slice(0, MAX_SOURCES);
  for (const node of [image, ...sources])
    for (const name of SOURCE_SETS) {
      const url = largestCandidate(attributeOf(node, name), base);
      if (url !== null) return url;
    }
  return null;
}

/** The candidate of a `srcset` with the largest width or density (WHATWG HTML §2.4.3). */
function largestCandidate(srcset: string | null, base: string): string | null {
  let largest: string | null = null;
  let size = -1;
  // Candidates are separated by a comma and a blank; URLs may contain commas.
  for (const candidate of (srcset ?? '').slice(0, 20_000).split(/,\s+|\s+,/)) {
    const [href = '', descriptor = '1x'] = candidate.trim().split(/\s+/);
    const url = href === '' ? null : webUrl(href.replace(/,$/, ''), base);
    const number = Number.parseFloat(descriptor);
    if (url !== null && number > size) {
      largest = url;
      size = number;
    }
  }
  return largest;
}

/** Pictures that only count visits. */
export function isTrackingPixel(image: TreeNode): boolean {
  return ['width', 'height'].every((name) => /^[01](?:px)?$/.test(attributeOf(image, name)?.trim() ?? ''));
}
