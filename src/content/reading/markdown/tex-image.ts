/** Formulas as pictures, which services make of TeX. */
import { attributeOf, type TreeNode } from '../../document/page-tree.ts';
import { classTokens } from './code-block.ts';

/** What WordPress, QuickLaTeX and MediaWiki call pictures whose alternative text is TeX. */
const TEX_CLASS =
  /^(?:latex|tex|ql-img-inline-formula|ql-img-displayed-formula|mwe-math-fallback-image-(?:inline|display))$/;
/** Services whose URL has the TeX in a parameter of the query. */
const PARAMETERS: readonly (readonly [url: RegExp, parameter: string])[] = [
  [/\/latex\.php$/, 'latex'],
  [/^www\.zhihu\.com\/equation$/, 'tex'],
  [/^chart\.(?:apis\.google|googleapis)\.com\/chart$/, 'chl'],
];
/** Size and colour of the picture, at the beginning of the TeX. */
const STYLE = /^(?:\\(?:inline|large|Large|huge|small|tiny|dpi\{\d+\}|(?:bg|fg)(?:_|\{)\w+\}?)(?![a-z])\s*)+/;

/** The TeX of a picture; null: it is none of a formula. */
export function texOfImage(node: TreeNode): string | null {
  if (node.tagName !== 'img') return null;
  const src = attributeOf(node, 'src') ?? '';
  const tex = /latex|equation|chart/i.test(src) ? texOfUrl(src) : null;
  if (tex !== null) return tex;
  const alt = attributeOf(node, 'alt');
  return alt !== null && classTokens(node).some((token) => TEX_CLASS.test(token)) ? alt : null;
}

function texOfUrl(src: string): string | null {
  const url = URL.parse(src, 'http://unknown.invalid/');
  if (url === null || url.search === '') return null;
  const place = url.host + url.pathname;
  const parameter = PARAMETERS.find(([pattern]) => pattern.test(place))?.[1];
  if (parameter === 'chl' && url.searchParams.get('cht') !== 'tx') return null;
  if (parameter !== undefined) return url.searchParams.get(parameter);
  if (url.host !== 'latex.codecogs.com') return null;
  try {
    return decodeURIComponent(url.search.slice(1)).replaceAll('&space;', ' ').replace(STYLE, '');
  } catch {
    return null;
  }
}
