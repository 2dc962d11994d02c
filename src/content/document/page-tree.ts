/** A node of a parsed page. The shape is that of parse5; XML is converted to it. */
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
  /** The content of a `template`. */
  readonly content?: TreeNode;
  /** Of a shadow host: the template that declares the shadow root. Its `content` is the shadow root. */
  shadowTemplate?: TreeNode;
  /** Of a slot: the children of the host that are assigned to it. */
  assignedNodes?: readonly TreeNode[];
}

export interface TreeAttribute {
  readonly name: string;
  readonly value: string;
  /** In SVG and MathML in HTML (`xlink`): `name` does not contain it. In XML, `name` contains the prefix. */
  readonly prefix?: string;
}

export interface PageTree {
  readonly root: TreeNode;
  readonly xml: boolean;
  /** The HTML was parsed as by a browser that runs scripts: the content of `noscript` is text. */
  readonly scripting: boolean;
  /** HTML in quirks mode: class names and ids match in any letter case. */
  readonly quirks: boolean;
}

export type ElementNode = TreeNode & { readonly tagName: string };

export const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

const NO_NODES: TreeNode[] = [];
const NO_ELEMENTS: ReadonlySet<TreeNode> = new Set();

/** The children in the order of the source: those in the shadow root first. */
export function childrenOf(node: TreeNode): TreeNode[] {
  const children = node.childNodes ?? NO_NODES;
  return node.shadowTemplate === undefined
    ? children
    : [...node.shadowTemplate.content!.childNodes!, ...children];
}

/** The children as they are rendered: the shadow root replaces those of a host, the assigned nodes those of a slot. */
export function shownChildrenOf(node: TreeNode): readonly TreeNode[] {
  return node.shadowTemplate?.content?.childNodes ?? node.assignedNodes ?? node.childNodes ?? NO_NODES;
}

/** The parent of a node. For children of a shadow root it is the host. */
export function parentOf({ parentNode }: TreeNode): TreeNode | null {
  return parentNode?.nodeName === '#document-fragment' ? parentNode.parentNode : parentNode;
}

/** The name that a type selector is compared with. In HTML it is lower-case, also for SVG. */
export function localName(node: TreeNode): string {
  const name = node.tagName!;
  return isForeign(node) ? name.toLowerCase() : name;
}

/** Whether the node is SVG or MathML in HTML. Their names are in mixed case. */
export function isForeign(node: TreeNode): boolean {
  return node.namespaceURI !== undefined && node.namespaceURI !== HTML_NAMESPACE;
}

/**
 * All elements below `root` in the order of the source, including those in shadow roots. Not recursive, so that deep pages
 * do not overflow the stack.
 * @param excluded elements that are left out, with all that is inside
 */
export function* elementsOf(root: TreeNode, excluded = NO_ELEMENTS): Generator<TreeNode> {
  const open: { readonly children: readonly TreeNode[]; nextIndex: number }[] = [
    { children: childrenOf(root), nextIndex: 0 },
  ];
  while (open.length > 0) {
    const frame = open[open.length - 1]!;
    const node = frame.children[frame.nextIndex++];
    if (node === undefined) open.pop();
    else if (node.tagName !== undefined && !excluded.has(node)) {
      yield node;
      const children = childrenOf(node);
      if (children.length > 0) open.push({ children, nextIndex: 0 });
    }
  }
}

/** The value of an attribute by its whole name (`xlink:href`), or else by the name without prefix. */
export function attributeOf(node: TreeNode, name: string): string | null {
  const { attrs } = node;
  let found: string | null = null;
  if (attrs !== undefined)
    for (const attr of attrs) {
      const { prefix } = attr;
      if (!prefix) {
        if (attr.name === name) return attr.value;
      } else if (name === `${prefix}:${attr.name}`) return attr.value;
      else if (attr.name === name) found ??= attr.value;
    }
  return found;
}

/** The text of all text nodes in `node`, which may be a text node itself; at most `maxLength` characters. */
export function textContent(node: TreeNode, maxLength: number): string {
  if (node.value !== undefined) return node.value.slice(0, maxLength);
  let text = '';
  const open = [{ children: node.childNodes ?? NO_NODES, nextIndex: 0 }];
  while (open.length > 0 && text.length < maxLength) {
    const frame = open[open.length - 1]!;
    const child = frame.children[frame.nextIndex++];
    if (child === undefined) open.pop();
    else if (child.value !== undefined) text += child.value;
    else if (child.childNodes !== undefined) open.push({ children: child.childNodes, nextIndex: 0 });
  }
  return text.slice(0, maxLength);
}

/** Elements that may have a shadow root, in addition to custom elements (DOM, "attach a shadow root"). */
const SHADOW_HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/** A page without this word has no declarative shadow root. */
export const SHADOW_ROOT_MODE = /shadowrootmode/i;

/**
 * Creates the declarative shadow roots (WHATWG HTML §13.2.6.4.4): removes the templates that declare them from their hosts,
 * and assigns the children of the hosts to slots.
 */
export function attachShadowRoots(document: TreeNode): void {
  const scopes: TreeNode[] = [document];
  for (const scope of scopes) {
    // Find all before changing the tree.
    for (const template of [...elementsOf(scope)].filter(declaresRoot)) {
      const host = template.parentNode!;
      if (host.shadowTemplate !== undefined) continue;
      host.childNodes!.splice(host.childNodes!.indexOf(template), 1);
      host.shadowTemplate = template;
      const root = template.content!;
      root.parentNode = host;
      fillSlots(host, root);
      scopes.push(root);
    }
  }
}

function declaresRoot(element: TreeNode): boolean {
  if (element.tagName !== 'template' || element.content === undefined) return false;
  const mode = attributeOf(element, 'shadowrootmode')?.toLowerCase();
  if (mode !== 'open' && mode !== 'closed') return false;
  const host = element.parentNode;
  const name = host?.tagName;
  return name !== undefined && !isForeign(host!) && (name.includes('-') || SHADOW_HOSTS.has(name));
}

/** Assigns each child of the host to the first slot of its name, or without a name (DOM, "find a slot"). */
function fillSlots(host: TreeNode, root: TreeNode): void {
  const assigned = new Map<string, TreeNode[]>();
  for (const node of host.childNodes!) {
    if (node.tagName === undefined && node.value === undefined) continue;
    const name = attributeOf(node, 'slot') ?? '';
    const nodes = assigned.get(name);
    if (nodes === undefined) assigned.set(name, [node]);
    else nodes.push(node);
  }
  for (const element of elementsOf(root)) {
    if (element.tagName !== 'slot') continue;
    const name = attributeOf(element, 'name') ?? '';
    const nodes = assigned.get(name);
    if (nodes !== undefined) element.assignedNodes = nodes;
    assigned.delete(name);
  }
}

export function isInShadowTree(node: TreeNode): boolean {
  // The parent of a document is undefined.
  let ancestor = node.parentNode;
  while (ancestor?.tagName !== undefined) ancestor = ancestor.parentNode;
  return ancestor?.nodeName === '#document-fragment';
}
