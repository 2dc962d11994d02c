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

export function isTexScript(node: TreeNode): boolean {
  return node.tagName === 'script' && /^math\/tex\b/i.test(attributeOf(node, 'type') ?? '');
}

/** Whether an element may be a formula. Most pages have none, and are not searched for them. */
export function mayBeFormula(node: TreeNode): boolean {
  if (node.tagName === 'math' || node.tagName === 'mjx-container' || isTexScript(node)) return true;
  if (node.tagName === 'img') return texOfImage(node) !== null;
  return classTokens(node).some((token) => FORMULA_CLASSES.has(token));
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
