import { childrenOf, type TreeNode } from '../page-tree.ts';

const NONE: readonly TreeNode[] = [];

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
