import type { ContentSelection } from './content-selection.ts';
import { childrenOf, type TreeNode } from './page-tree.ts';
import type { ParsedPage } from './parsed-page.ts';
import { selectionText, truncateText } from './visible-text.ts';

/** Elements below this level are not read. Pages that people wrote stay far above it, also with many unclosed tags. */
const MAX_ELEMENT_DEPTH = 512;

interface OpenElement<State> {
  readonly children: readonly TreeNode[];
  at: number;
  readonly state: State;
}

/**
 * Visits elements in the order of the source. Not recursive, so that deep pages do not overflow the stack.
 * @param roots are visited themselves; nodes that are not elements are only passed through
 * @param enter gets an element and the state of its parent. It returns the state for the children, or null: they are skipped
 */
export function visitElements<State>(
  roots: readonly TreeNode[],
  initial: State,
  enter: (element: TreeNode, state: State) => State | null,
): void {
  const open: OpenElement<State>[] = [{ children: roots, at: 0, state: initial }];
  while (open.length > 0) {
    const frame = open[open.length - 1]!;
    const node = frame.children[frame.at++];
    if (node === undefined) {
      open.pop();
      continue;
    }
    const state = node.tagName === undefined ? frame.state : enter(node, frame.state);
    const children = childrenOf(node);
    if (state !== null && children.length > 0 && open.length < MAX_ELEMENT_DEPTH)
      open.push({ children, at: 0, state });
  }
}

/** The whole page as a selection. */
export function wholePage({ tree }: ParsedPage): ContentSelection {
  return { roots: [tree.root], excluded: new Set() };
}

/** Limit of a text. Articles are longer than any other value that a page marks up. */
const MAX_TEXT_LENGTH = 100_000;
/** Limit of all texts of one kind of data together. */
const MAX_TOTAL_LENGTH = 2 * 2 ** 20;

/** Reads the visible texts of elements, within a limit for all of them. */
export class ElementTexts {
  readonly #xml: boolean;
  readonly #known = new Map<TreeNode, string>();
  #remaining = MAX_TOTAL_LENGTH;

  constructor({ plainXml }: ParsedPage) {
    this.#xml = plainXml;
  }

  /** The trimmed text of an element; empty when the limit is reached. */
  of(element: TreeNode, excluded: ReadonlySet<TreeNode> = NO_ELEMENTS): string {
    let text = this.#known.get(element);
    if (text === undefined) {
      const max = Math.min(MAX_TEXT_LENGTH, this.#remaining);
      text = max === 0 ? '' : selectionText({ roots: [element], excluded }, this.#xml, max).text.trim();
      this.#remaining -= text.length;
      this.#known.set(element, text);
    }
    return text;
  }

  /** An attribute as a text, within the same limits. */
  ofAttribute(value: string): string {
    const text = truncateText(value.trim(), Math.min(MAX_TEXT_LENGTH, this.#remaining));
    this.#remaining -= text.length;
    return text;
  }
}

const NO_ELEMENTS: ReadonlySet<TreeNode> = new Set();
