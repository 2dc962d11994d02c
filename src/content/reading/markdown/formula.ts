/** Formulas: MathML, what KaTeX and MathJax make, and pictures that services make. */
import { attributeOf, type TreeNode, textContent } from '../../document/page-tree.ts';
import { classTokens, nodesWithin } from './code-block.ts';
import { mathmlToTex } from './mathml.ts';
import { texOfImage } from './tex-image.ts';

export interface Formula {
  /** Empty: the element only shows a formula whose TeX another element has. */
  readonly tex: string;
  /** The formula stands by itself, as a block. */
  readonly display: boolean;
}

const MAX_TEX_LENGTH = 20_000;
/** Elements that are searched for the MathML of a formula. */
const MAX_SEARCHED = 5000;
/** What MathJax 2 shows for each `<script type="math/tex">`. */
const MATHJAX_2 = new Set([
  'MathJax',
  'MathJax_Display',
  'MathJax_Preview',
  'MathJax_SVG',
  'MathJax_SVG_Display',
  'MathJax_CHTML',
]);
/** Elements around the MathML of a formula and a second, visible form of it: KaTeX, MediaWiki. */
const FORMULA_CLASSES = new Set(['katex', 'katex-display', 'mwe-math-element']);

/** Class names of elements that hold TeX for a script: Sphinx, Jekyll and Kramdown, Arithmatex, Pandoc, Hugo, GitLab, Wiki.js. */
const TEX_TEXT =
  /^(?:math|arithmatex|tex|tex2jax_process|mathjax|mathjax_process|js-render-math|kdmath|math-inline|math-display|math-block|katex-inline|katex-block|katex-math|mathblock|latex|LaTeX|latex-inline|latex-block|tex-math|inline-math|block-math|display-math|formula|equation)$/;
/** TeX between its delimiters, with the number of its equation behind or before it. */
const DELIMITED =
  /^(?:\(\d{1,4}\)\s*[#¶]?)?\s*(?:\\\((?<inline>[\s\S]*)\\\)|\\\[(?<display>[\s\S]*)\\\]|\$\$(?<dollars>[^$][\s\S]*)\$\$|\$(?<dollar>[^$]+)\$)\s*$/;
/** Pandoc, Kramdown and GitLab write TeX without delimiters. */
const BARE_TEX = /[\\^_{}]/;
const MAX_TEX_NODES = 50;

/** TeX that stands in the page as text, for a script that shows it; null: there is none. */
function texOfText(node: TreeNode): Formula | null {
  if (node.childNodes === undefined) return null;
  const nodes = nodesWithin(node, MAX_TEX_NODES);
  if (nodes === null) return null;
  // The script has run: the page shows what it made.
  if (nodes.some(({ tagName }) => tagName === 'math' || tagName === 'svg' || tagName === 'mjx-container'))
    return null;
  const withoutNumber = nodes.filter(
    (one) => one.value !== undefined && !NUMBER_CLASS.test(attributeOf(one.parentNode!, 'class') ?? ''),
  );
  const text = withoutNumber
    .map(({ value }) => value)
    .join('')
    .trim();
  const found = DELIMITED.exec(text)?.groups;
  if (found !== undefined) {
    const tex = found.inline ?? found.dollar;
    const shown = tex ?? found.display ?? found.dollars!;
    // Several formulas with words between are text.
    if (isAgainAfter(shown, '\\)', '\\(') || isAgainAfter(shown, '\\]', '\\[') || shown.includes('$$'))
      return null;
    return { tex: cleanTex(shown), display: tex === undefined };
  }
  const tokens = classTokens(node);
  const isBare =
    tokens.some((token) => BARE_TEX_CLASS.test(token)) ||
    attributeOf(node, 'data-math-style') !== null ||
    (tokens.includes('math') && (tokens.includes('inline') || tokens.includes('display')));
  if (!isBare || text === '' || !(BARE_TEX.test(text) || text.length <= 3)) return null;
  const isDisplay =
    attributeOf(node, 'data-math-style') === 'display' ||
    tokens.some((token) => /display|block/.test(token)) ||
    node.tagName === 'div' ||
    node.tagName === 'pre';
  return { tex: cleanTex(text), display: isDisplay };
}

const isAgainAfter = (text: string, end: string, start: string): boolean => {
  const first = text.indexOf(end);
  return first !== -1 && text.lastIndexOf(start) > first;
};

const NUMBER_CLASS = /(?:^|\s)(?:eqno|headerlink|equation-number)(?:\s|$)/;
const BARE_TEX_CLASS =
  /^(?:js-render-math|math-inline|math-display|math-block|katex-inline|katex-block|katex-math|tex-math|inline-math|display-math|latex-inline|latex-block)$/;

const holdsTexText = (node: TreeNode): boolean =>
  attributeOf(node, 'data-math-style') !== null || classTokens(node).some((token) => TEX_TEXT.test(token));

export function isTexScript(node: TreeNode): boolean {
  return node.tagName === 'script' && /^math\/tex\b/i.test(attributeOf(node, 'type') ?? '');
}

/** Whether an element may be a formula. Most pages have none, and are not searched for them. */
export function mayBeFormula(node: TreeNode): boolean {
  if (node.tagName === 'math' || node.tagName === 'mjx-container' || isTexScript(node)) return true;
  if (node.tagName === 'img') return texOfImage(node) !== null;
  return classTokens(node).some((token) => FORMULA_CLASSES.has(token)) || holdsTexText(node);
}

/** @param hasTexScripts the page has scripts of MathJax 2, which state its formulas */
export function formulaOf(node: TreeNode, hasTexScripts: boolean): Formula | null {
  if (isTexScript(node)) {
    const display = /mode=display/i.test(attributeOf(node, 'type')!);
    return { tex: cleanTex(textContent(node, MAX_TEX_LENGTH)), display };
  }
  if (node.tagName === 'img') {
    const tex = cleanTex(texOfImage(node)?.slice(0, MAX_TEX_LENGTH) ?? '');
    return tex === '' ? null : { tex, display: classTokens(node).includes('ql-img-displayed-formula') };
  }
  if (node.tagName === 'math') return mathFormula(node, { display: false });
  const tokens = classTokens(node);
  if (hasTexScripts && tokens.some((token) => MATHJAX_2.has(token))) return { tex: '', display: false };
  if (holdsTexText(node) && !tokens.some((token) => FORMULA_CLASSES.has(token))) return texOfText(node);
  if (node.tagName !== 'mjx-container' && !tokens.some((token) => FORMULA_CLASSES.has(token))) return null;
  const math = findMath(node);
  if (math === null) return null;
  const display = tokens.includes('katex-display') || attributeOf(node, 'display') === 'true';
  return mathFormula(math, { display });
}

/** @param display the elements around `math` show it as a block */
function mathFormula(math: TreeNode, { display }: Pick<Formula, 'display'>): Formula | null {
  const tex = cleanTex(annotationOf(math) ?? attributeOf(math, 'alttext') ?? mathmlToTex(math) ?? '');
  if (tex === '') return null;
  return { tex, display: display || attributeOf(math, 'display') === 'block' };
}

function findMath(root: TreeNode): TreeNode | null {
  return nodesWithin(root, MAX_SEARCHED)?.find(({ tagName }) => tagName === 'math') ?? null;
}

/** The TeX that a formula was made of, which most tools leave beside it. */
function annotationOf(math: TreeNode): string | null {
  const annotation = nodesWithin(math, MAX_SEARCHED)?.find(
    (node) => node.tagName === 'annotation' && /tex/i.test(attributeOf(node, 'encoding') ?? ''),
  );
  return annotation === undefined ? null : textContent(annotation, MAX_TEX_LENGTH);
}

/** One line, in which no `$` ends the formula. MediaWiki wraps its formulas in a group that sets the style. */
function cleanTex(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const inner = /^\{\\(?:displaystyle|textstyle) (.*)\}$/.exec(line)?.[1];
  return (inner ?? line).trim().replace(/(?<!\\)\$/g, '\\$');
}
