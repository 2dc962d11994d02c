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
  shadowTemplate?: TreeNode;
  /** Slots that are filled: with these children of the host. */
  assignedNodes?: readonly TreeNode[];
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

const NO_NODES: TreeNode[] = [];

/** The children, those in a shadow root first, as they stand in the source. */
export function childrenOf(node: TreeNode): TreeNode[] {
  const children = node.childNodes ?? NO_NODES;
  return node.shadowTemplate === undefined
    ? children
    : [...node.shadowTemplate.content!.childNodes!, ...children];
}

/** The children as they are shown: in place of a host's its shadow root, and in slots what they are filled with. */
export function shownChildrenOf(node: TreeNode): readonly TreeNode[] {
  return node.shadowTemplate?.content?.childNodes ?? node.assignedNodes ?? node.childNodes ?? NO_NODES;
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

const NO_CHILDREN: readonly TreeNode[] = [];

/** All elements under `root` in the order of the source, without `root`, those in shadow roots too. Deep pages have no stack to overflow here. */
export function* elementsOf(root: TreeNode): Generator<TreeNode> {
  const open: { readonly children: readonly TreeNode[]; at: number }[] = [
    { children: childrenOf(root), at: 0 },
  ];
  while (open.length > 0) {
    const frame = open[open.length - 1]!;
    const node = frame.children[frame.at++];
    if (node === undefined) open.pop();
    else if (node.tagName !== undefined) {
      yield node;
      const children = childrenOf(node);
      if (children.length > 0) open.push({ children, at: 0 });
    }
  }
}

/** By its whole name (`xlink:href`), or by the part behind the prefix where no other attribute has that name. */
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

/** The text of all text nodes under `node`, and of itself when it is one; at most `most` characters. */
export function textContent(node: TreeNode, most: number): string {
  if (node.value !== undefined) return node.value.slice(0, most);
  let text = '';
  const open = [{ children: node.childNodes ?? NO_CHILDREN, at: 0 }];
  while (open.length > 0 && text.length < most) {
    const frame = open[open.length - 1]!;
    const child = frame.children[frame.at++];
    if (child === undefined) open.pop();
    else if (child.value !== undefined) text += child.value;
    else if (child.childNodes !== undefined) open.push({ children: child.childNodes, at: 0 });
  }
  return text.length > most ? text.slice(0, most) : text;
}

/** Elements of HTML that may have a shadow root, beside all custom elements (DOM, "attach a shadow root"). */
const SHADOW_HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/** A page without this word has no declarative shadow root. */
export const SHADOW_ROOT_MODE = /shadowrootmode/i;

/**
 * Makes shadow roots of the templates that declare one (WHATWG HTML §13.2.6.4.4): the template is no child of its host any
 * more, and the children of the host have their slots.
 */
export function attachShadowRoots(document: TreeNode): void {
  const scopes: TreeNode[] = [document];
  for (const scope of scopes) {
    // All of them first: the tree changes below.
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

/** DOM, "find a slot": the first one of that name; nodes without a name have the first one without. */
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
  // A document has no parent at all.
  let at = node.parentNode;
  while (at?.tagName !== undefined) at = at.parentNode;
  return at?.nodeName === '#document-fragment';
}
