import type { PageTree, TreeNode } from '../document/page-tree.ts';
import { NodeIndex, type XPathNode } from './node-index.ts';
import { parseXPath, XPathSyntaxError } from './parser.ts';
import { isNodes } from './values.ts';

const MAX_LENGTH = 2000;

/** What is wrong with an XPath, as a message for the caller; null if it can be used. */
export function xpathProblem(text: string): string | null {
  if (text.length > MAX_LENGTH)
    return `an XPath has at most ${MAX_LENGTH} characters, this one has ${text.length}`;
  try {
    parseXPath(text);
    return null;
  } catch (error) {
    if (error instanceof XPathSyntaxError) return error.message;
    throw error;
  }
}

/** What an XPath selects: nodes in document order, or one value. */
export type XPathResult = readonly XPathNode[] | string | number | boolean;

/** Evaluates expressions of XPath 1.0 in one page. The caller must limit the time. */
export class XPathSearch {
  readonly #index: NodeIndex;

  constructor(tree: PageTree) {
    this.#index = new NodeIndex(tree);
  }

  /** @param text valid, see `xpathProblem` */
  compile(text: string): (context: TreeNode) => XPathResult {
    const expression = parseXPath(text);
    return (node) => {
      const value = expression.evaluate({ node, position: 1, size: 1, index: this.#index });
      return isNodes(value) || typeof value !== 'number' || Number.isFinite(value) ? value : [];
    };
  }
}
