import type { ContentSelection } from '../document/content-selection.ts';
import { compileSelector } from '../document/css-selector.ts';
import { attributeOf, elementsOf, type TreeNode } from '../document/page-tree.ts';
import { type ParsedPage, rootElement } from '../document/parsed-page.ts';
import { selectionText } from '../document/visible-text.ts';

export type MainContentKind = 'article' | 'listing' | 'product' | 'discussion' | 'document' | 'other';

/** The main content of a page, and how it was found. */
export interface MainContent extends ContentSelection {
  readonly kind: MainContentKind;
  /** 0 to 1. */
  readonly confidence: number;
  /** A CSS selector that finds the first root again. */
  readonly selector: string;
  /** The share of the visible text of the page that is in the selection, 0 to 1. */
  readonly shareOfText: number;
  /** How the root was found, in a word. */
  readonly method: string;
}

/** CSS selectors of the caller. */
export interface MainContentOptions {
  /** Elements that are the main content. They replace the root that would be found. */
  readonly include: readonly string[];
  /** Elements that are not part of it. */
  readonly exclude: readonly string[];
}

const FRAME_TAGS = new Set(['nav', 'header', 'footer', 'aside', 'form', 'dialog']);
const MAX_CHARACTERS = 5 * 2 ** 20;

/**
 * Finds the main content of a page: without navigation, consent layers, share bars and the like. It is never empty for a
 * page that shows text. Throws on an invalid selector; the caller must limit the time.
 */
export function findMainContent(page: ParsedPage, options: MainContentOptions): MainContent {
  const { tree } = page;
  const root = rootElement(tree) ?? tree.root;
  const find = (selectors: readonly string[]) =>
    selectors.flatMap((css) => [...compileSelector(tree, css).all(tree.root)]);
  const included = outermost(find(options.include));
  const main = [...elementsOf(root)].find((element) => element.tagName === 'main') ?? root;
  const roots = included.length > 0 ? included : [main];
  const excluded = new Set(find(options.exclude));
  for (const element of elementsOf(root))
    if (FRAME_TAGS.has(element.tagName!) && !roots.includes(element)) excluded.add(element);
  const whole = selectionText({ roots: [root], excluded: new Set() }, page.plainXml, MAX_CHARACTERS).text;
  const text = selectionText({ roots, excluded }, page.plainXml, MAX_CHARACTERS).text;
  const found = text === '' ? { roots: [root], excluded: new Set<TreeNode>() } : { roots, excluded };
  return {
    ...found,
    kind: 'other',
    confidence: 0.5,
    selector: attributeOf(roots[0]!, 'id') === null ? roots[0]!.tagName! : `#${attributeOf(roots[0]!, 'id')}`,
    shareOfText: whole === '' ? 0 : Math.min(1, text.length / whole.length),
    method: included.length > 0 ? 'include' : main === root ? 'page' : 'main',
  };
}

/** In document order, without those inside another. */
function outermost(nodes: readonly TreeNode[]): TreeNode[] {
  const all = new Set(nodes);
  return [...all].filter((node) => {
    for (let parent = node.parentNode; parent?.tagName !== undefined; parent = parent.parentNode)
      if (all.has(parent)) return false;
    return true;
  });
}
