import type { TreeNode } from './page-tree.ts';

/** A part of a page: what stands in `roots`, without the excluded elements inside of them. */
export interface ContentSelection {
  /** In document order; none is inside another. */
  readonly roots: readonly TreeNode[];
  /** Elements that are left out, with all that is inside. */
  readonly excluded: ReadonlySet<TreeNode>;
}
