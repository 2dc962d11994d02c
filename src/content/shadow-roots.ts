import { attributeOf, elementsOf } from './formats/walk-tree.ts';
import { isForeign, type TreeNode } from './page-tree.ts';

/** Elements of HTML that may have a shadow root, beside all custom elements (DOM, "attach a shadow root"). */
const HOSTS = new Set(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '),
);

/** A page without this word has no declarative shadow root. */
export const DECLARED = /shadowrootmode/i;

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
      if (host.shadow !== undefined) continue;
      host.childNodes!.splice(host.childNodes!.indexOf(template), 1);
      host.shadow = template;
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
  return name !== undefined && !isForeign(host!) && (name.includes('-') || HOSTS.has(name));
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
    if (nodes !== undefined) element.assigned = nodes;
    assigned.delete(name);
  }
}

export function isInShadow(node: TreeNode): boolean {
  // A document has no parent at all.
  let at = node.parentNode;
  while (at?.tagName !== undefined) at = at.parentNode;
  return at?.nodeName === '#document-fragment';
}
