/** A node of a parsed page: the shape that parse5 gives, and that XML is brought into. */
export interface TreeNode {
  readonly nodeName: string;
  parentNode: TreeNode | null;
  readonly childNodes?: TreeNode[];
  /** Elements only. */
  readonly tagName?: string;
  readonly namespaceURI?: string;
  readonly attrs?: readonly TreeAttribute[];
  /** Text only. */
  readonly value?: string;
  /** What a `template` holds. */
  readonly content?: TreeNode;
  /** Hosts only: the template that declares the shadow root, which is its `content`. */
  shadow?: TreeNode;
  /** Slots that are filled: with these children of the host. */
  assigned?: readonly TreeNode[];
}

export interface TreeAttribute {
  readonly name: string;
  readonly value: string;
  /** Of SVG and MathML in HTML (`xlink`), where `name` then stands without it; in XML it is a part of the name. */
  readonly prefix?: string;
}

export interface PageTree {
  readonly root: TreeNode;
  readonly xml: boolean;
  /** HTML whose `noscript` holds text, as in a browser that runs scripts, and not elements. */
  readonly scripting: boolean;
  /** HTML without a proper doctype: class names and ids match in any letter case. */
  readonly quirks: boolean;
}

const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

const NONE: TreeNode[] = [];

/** The children, those in a shadow root first, as they stand in the source. */
export function childrenOf(node: TreeNode): TreeNode[] {
  const children = node.childNodes ?? NONE;
  return node.shadow === undefined ? children : [...node.shadow.content!.childNodes!, ...children];
}

/** The children as they are shown: in place of a host's its shadow root, and in slots what they are filled with. */
export function shownChildrenOf(node: TreeNode): readonly TreeNode[] {
  return node.shadow?.content?.childNodes ?? node.assigned ?? node.childNodes ?? NONE;
}

/** That of a shadow root's children is the host. */
export function parentOf({ parentNode }: TreeNode): TreeNode | null {
  return parentNode?.nodeName === '#document-fragment' ? parentNode.parentNode : parentNode;
}

/** The name that a type selector is compared with. In HTML those are compared in lower case, SVG's too. */
export function localName(node: TreeNode): string {
  const name = node.tagName!;
  return isForeign(node) ? name.toLowerCase() : name;
}

/** Of SVG or MathML in HTML, whose names are in mixed case. */
export function isForeign(node: TreeNode): boolean {
  return node.namespaceURI !== undefined && node.namespaceURI !== HTML_NAMESPACE;
}
