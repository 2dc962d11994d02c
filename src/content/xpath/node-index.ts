import {
  childrenOf,
  type PageTree,
  parentOf,
  type TreeAttribute,
  type TreeNode,
} from '../document/page-tree.ts';

/** An attribute as a node: the tree has no nodes for them. */
export interface AttributeNode {
  readonly owner: TreeNode;
  readonly attribute: TreeAttribute;
  /** Its place among the attributes of the owner. */
  readonly index: number;
}

/** A node of the data model of XPath: the document, an element, a text, a comment, or an attribute. */
export type XPathNode = TreeNode | AttributeNode;

export const isAttribute = (node: XPathNode): node is AttributeNode => 'owner' in node;

/** A comment of parse5 has its text in `data`. */
type CommentNode = TreeNode & { readonly data?: string };

export const isComment = (node: XPathNode): node is CommentNode =>
  !isAttribute(node) && node.nodeName === '#comment';
export const commentText = (node: CommentNode): string => node.data ?? '';

const NO_ATTRIBUTES: readonly AttributeNode[] = [];

/** The nodes of a page in document order, so that the axes of XPath are ranges. */
export class NodeIndex {
  readonly tree: PageTree;
  /** In document order. The subtree of a node follows it. */
  readonly #nodes: TreeNode[] = [];
  readonly #places = new Map<TreeNode, number>();
  /** By place: the place after the last node of the subtree. */
  readonly #ends: number[] = [];
  readonly #attributes = new Map<TreeNode, readonly AttributeNode[]>();

  constructor(tree: PageTree) {
    this.tree = tree;
    // Not recursive, so that deep pages do not overflow the stack.
    const open: { readonly place: number; readonly children: readonly TreeNode[]; next: number }[] = [];
    const enter = (node: TreeNode) => {
      const place = this.#nodes.push(node) - 1;
      this.#places.set(node, place);
      open.push({ place, children: childrenOf(node), next: 0 });
    };
    enter(tree.root);
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const child = last.children[last.next++];
      if (child === undefined) {
        this.#ends[last.place] = this.#nodes.length;
        open.pop();
      } else if (child.nodeName !== '#documentType') enter(child);
    }
  }

  all(): readonly TreeNode[] {
    return this.#nodes;
  }

  /** @param withSelf whether the node itself is the first of them */
  descendants(node: TreeNode, withSelf: boolean): readonly TreeNode[] {
    const place = this.#places.get(node)!;
    return this.#nodes.slice(withSelf ? place : place + 1, this.#ends[place]);
  }

  /** The nodes after the subtree of a node; of an attribute, those after the start tag of its element. */
  following(node: XPathNode): readonly TreeNode[] {
    if (isAttribute(node)) return this.#nodes.slice(this.#places.get(node.owner)! + 1);
    return this.#nodes.slice(this.#ends[this.#places.get(node)!]);
  }

  /** The nodes before a node that do not contain it, the nearest first. */
  preceding(node: XPathNode): readonly TreeNode[] {
    const element = isAttribute(node) ? node.owner : node;
    const ancestors = new Set(ancestorsOf(element));
    const before = this.#nodes.slice(0, this.#places.get(element));
    return before.filter((other) => !ancestors.has(other)).reverse();
  }

  /** The siblings after a node. */
  *nextSiblings(node: XPathNode): Generator<TreeNode> {
    const parent = parentNodeOf(node);
    if (isAttribute(node) || parent === null) return;
    // The next sibling follows the subtree.
    let next = this.#nodes[this.#ends[this.#places.get(node)!]!];
    while (next !== undefined && parentNodeOf(next) === parent) {
      yield next;
      next = this.#nodes[this.#ends[this.#places.get(next)!]!];
    }
  }

  /** The siblings before a node, the nearest first. */
  *previousSiblings(node: XPathNode): Generator<TreeNode> {
    const parent = parentNodeOf(node);
    if (isAttribute(node) || parent === null) return;
    const siblings = this.children(parent);
    // They are in document order, so that the node can be found by its place.
    const place = this.#places.get(node)!;
    let [from, to] = [0, siblings.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#places.get(siblings[middle]!)! < place) from = middle + 1;
      else to = middle;
    }
    for (let n = from - 1; n >= 0; n--) yield siblings[n]!;
  }

  children(node: TreeNode): readonly TreeNode[] {
    // Only the document has a doctype.
    return node === this.tree.root
      ? childrenOf(node).filter((child) => child.nodeName !== '#documentType')
      : childrenOf(node);
  }

  /** The same objects each time, so that a set of nodes has each attribute once. */
  attributes(node: TreeNode): readonly AttributeNode[] {
    if (node.attrs === undefined || node.attrs.length === 0) return NO_ATTRIBUTES;
    let nodes = this.#attributes.get(node);
    if (nodes === undefined) {
      nodes = node.attrs.map((attribute, index) => ({ owner: node, attribute, index }));
      this.#attributes.set(node, nodes);
    }
    return nodes;
  }

  /** Sorts by document order. */
  sort(nodes: XPathNode[]): XPathNode[] {
    return nodes.sort((a, b) => {
      const [placeA, placeB] = [this.#placeOf(a), this.#placeOf(b)];
      return placeA === placeB ? attributeIndex(a) - attributeIndex(b) : placeA - placeB;
    });
  }

  #placeOf(node: XPathNode): number {
    return this.#places.get(isAttribute(node) ? node.owner : node)!;
  }
}

/** The element itself is before its attributes. */
const attributeIndex = (node: XPathNode): number => (isAttribute(node) ? node.index : -1);

export function parentNodeOf(node: XPathNode): TreeNode | null {
  // The parent of a document is undefined.
  return isAttribute(node) ? node.owner : (parentOf(node) ?? null);
}

/** The nodes that contain a node, the nearest first. */
export function ancestorsOf(node: XPathNode): readonly TreeNode[] {
  const ancestors: TreeNode[] = [];
  for (let parent = parentNodeOf(node); parent !== null; parent = parentNodeOf(parent))
    ancestors.push(parent);
  return ancestors;
}

export interface QualifiedName {
  /** As the page writes it; empty: none. */
  readonly prefix: string;
  readonly local: string;
}

/**
 * The name of an element or attribute; null: the node has none. In HTML a colon is a part of the name, except in attributes
 * of SVG and MathML, whose prefix the parser separates.
 */
export function nameOf(node: XPathNode, { xml }: PageTree): QualifiedName | null {
  if (isAttribute(node)) {
    const { prefix, name } = node.attribute;
    return xml && !prefix ? splitName(name) : { prefix: prefix ?? '', local: name };
  }
  if (node.tagName === undefined) return null;
  return xml ? splitName(node.nodeName) : { prefix: '', local: node.nodeName };
}

/** As it is written: with the prefix, if there is one. */
export const wholeName = ({ prefix, local }: QualifiedName): string =>
  prefix === '' ? local : `${prefix}:${local}`;

function splitName(name: string): QualifiedName {
  const colon = name.indexOf(':');
  return colon === -1
    ? { prefix: '', local: name }
    : { prefix: name.slice(0, colon), local: name.slice(colon + 1) };
}
