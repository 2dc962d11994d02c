import { classNames } from './class-words.ts';
import { attributeOf, elementsOf, localName, type PageTree, parentOf, type TreeNode } from './page-tree.ts';

/** Names that need no escape in a selector. Longer ones are made by programs, and change. */
const PLAIN_NAME = /^[A-Za-z_][\w-]{0,40}$/;
const MAX_STEPS = 40;

/**
 * A CSS selector that finds this element and no other one: by its id, its tag or a class name, or by the path from the
 * nearest ancestor that has one of these. `:root` if the path is too long.
 */
export function shortSelector(tree: PageTree, node: TreeNode): string {
  const path = pathTo(node);
  const counts = new Map<string, number>();
  for (const element of path) for (const selector of ownSelectors(element)) counts.set(selector, 0);
  for (const element of elementsOf(tree.root))
    for (const selector of ownSelectors(element)) {
      const count = counts.get(selector);
      if (count !== undefined) counts.set(selector, count + 1);
    }
  return selectorOf(path, counts);
}

/** The same for many elements of one page. */
export class SelectorWriter {
  readonly #tree: PageTree;
  /** How many elements each selector finds. */
  #counts: Map<string, number> | null = null;

  constructor(tree: PageTree) {
    this.#tree = tree;
  }

  of(node: TreeNode): string {
    if (this.#counts === null) {
      this.#counts = new Map();
      for (const element of elementsOf(this.#tree.root))
        for (const selector of ownSelectors(element))
          this.#counts.set(selector, (this.#counts.get(selector) ?? 0) + 1);
    }
    return selectorOf(pathTo(node), this.#counts);
  }
}

/** The element and its ancestors. */
function pathTo(node: TreeNode): TreeNode[] {
  const path: TreeNode[] = [];
  // The parent of a document is undefined.
  for (
    let element: TreeNode | null = node;
    element?.tagName !== undefined && path.length <= MAX_STEPS;
    element = parentOf(element)
  )
    path.push(element);
  return path;
}

function selectorOf(path: readonly TreeNode[], counts: ReadonlyMap<string, number>): string {
  let steps = '';
  for (const element of path) {
    const unique = ownSelectors(element).find((selector) => counts.get(selector) === 1);
    if (unique !== undefined) return unique + steps;
    steps = ` > ${nthOfType(element)}${steps}`;
  }
  return ':root';
}

/** Selectors of the element alone, the best first. */
function ownSelectors(element: TreeNode): string[] {
  const name = localName(element);
  if (!PLAIN_NAME.test(name)) return [];
  const selectors: string[] = [];
  const id = element.attrs === undefined ? null : attributeOf(element, 'id');
  if (id !== null && PLAIN_NAME.test(id)) selectors.push(`#${id}`);
  selectors.push(name);
  for (const className of classNames(element))
    if (PLAIN_NAME.test(className)) selectors.push(`${name}.${className}`);
  return selectors;
}

function nthOfType(element: TreeNode): string {
  const name = localName(element);
  return `${PLAIN_NAME.test(name) ? name : '*'}:nth-of-type(${positionOfType(element)})`;
}

/** Position among the siblings of the same name, from 1. */
export function positionOfType(element: TreeNode): number {
  const name = localName(element);
  let position = 0;
  for (const sibling of element.parentNode?.childNodes ?? [element]) {
    if (sibling.tagName !== undefined && localName(sibling) === name) position++;
    if (sibling === element) break;
  }
  return position;
}
