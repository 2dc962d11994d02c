/** The images that an element has behind its content: inline CSS, and the attributes of scripts that load them late. */
import { LAZY_BACKGROUND_SET, LAZY_BACKGROUNDS, lazyBackground } from './image-source.ts';
import { attributeOf, type TreeNode } from './page-tree.ts';
import { parseSrcset } from './srcset.ts';

const MAX_STYLE_LENGTH = 20_000;
const MAX_BACKGROUNDS = 20;

/** A `url(…)`, the end of a declaration, or the name of a property. Within brackets, `;` does not end a declaration. */
const CSS_TOKEN =
  /url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:[^()"'\\\s]|\\.)*))\s*\)|;|(?<![-\w])([-a-z]+)\s*:/gis;

/** @returns the URLs as they are written, each layer of the background one; empty: there is none */
export function backgroundUrls(element: TreeNode): readonly string[] {
  const urls: string[] = [];
  for (const name of LAZY_BACKGROUNDS) {
    const written = attributeOf(element, name)?.trim();
    if (written === undefined) continue;
    const inCss = cssUrls(`background:${written}`);
    if (inCss.length > 0) urls.push(...inCss);
    // Scripts also keep colours and ids there.
    else if (/[./]/.test(written) && !/^[-\w]+\(|^[#.]?[-\w]+$/.test(written)) urls.push(written);
  }
  const lazy = lazyBackground(element);
  if (lazy !== null) urls.push(lazy);
  const largest = parseSrcset(attributeOf(element, LAZY_BACKGROUND_SET) ?? '').sort(
    (a, b) => (b.width ?? b.density ?? 0) - (a.width ?? a.density ?? 0),
  )[0];
  if (largest !== undefined) urls.push(largest.url);
  const style = attributeOf(element, 'style');
  if (style !== null && /background/i.test(style)) urls.push(...cssUrls(style));
  // `url(#a)` is an element of the page.
  return urls.filter((url) => url !== '' && !url.startsWith('#')).slice(0, MAX_BACKGROUNDS);
}

/** The URLs in the declarations of `background` and `background-image`. */
function cssUrls(style: string): string[] {
  const urls: string[] = [];
  let property = '';
  for (const [token, double, single, bare, name] of style.slice(0, MAX_STYLE_LENGTH).matchAll(CSS_TOKEN)) {
    if (token === ';') property = '';
    else if (name !== undefined) property ||= name.toLowerCase();
    else if (property === 'background' || property === 'background-image')
      urls.push((double ?? single ?? bare ?? '').replace(/\\(.)/gs, '$1').trim());
  }
  return urls;
}
