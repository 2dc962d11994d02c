import type { PageTree, TreeNode } from '../document/page-tree.ts';
export function shortSelector(_tree: PageTree, node: TreeNode): string {
  return node.tagName ?? 'html';
}
