import type { TreeNode } from '../page-tree.ts';

const NONE: readonly TreeNode[] = [];

/** All elements under `root` in the order of the document, without `root`. Deep pages have no stack to overflow here. */
export function* elementsOf(root: TreeNode): Generator<TreeNode> {
  const open: { readonly children: readonly TreeNode[]; at: number }[] = [
    { children: root.childNodes ?? NONE, at: 0 },
  ];
  while (open.length > 0) {
    const frame = open[open.length - 1]!;
    const node = frame.children[frame.at++];
    if (node === undefined) open.pop();
    else if (node.tagName !== undefined) {
      yield node;
      if (node.childNodes !== undefined && node.childNodes.length > 0)
        open.push({ children: node.childNodes, at: 0 });
    }
  }
}

export function attributeOf(node: TreeNode, name: string): string | null {
  const { attrs } = node;
  if (attrs !== undefined) for (const attr of attrs) if (attr.name === name) return attr.value;
  return null;
}

/** The text of all text nodes under `node`, and of itself when it is one; at most `most` characters. */
export function rawText(node: TreeNode, most: number): string {
  if (node.value !== undefined) return node.value.slice(0, most);
  let text = '';
  const open = [{ children: node.childNodes ?? NONE, at: 0 }];
  while (open.length > 0 && text.length < most) {
    const frame = open[open.length - 1]!;
    const child = frame.children[frame.at++];
    if (child === undefined) open.pop();
    else if (child.value !== undefined) text += child.value;
    else if (child.childNodes !== undefined) open.push({ children: child.childNodes, at: 0 });
  }
  return text.length > most ? text.slice(0, most) : text;
}
