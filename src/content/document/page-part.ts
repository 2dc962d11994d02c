import type { ContentSelection } from './content-selection.ts';
import { elementsOf, type TreeNode } from './page-tree.ts';
import type { ParsedPage } from './parsed-page.ts';

/** A document, and what of it is read. */
export interface PagePart {
  readonly document: ParsedPage;
  /** null: all of it. */
  readonly selection: ContentSelection | null;
}

/** The elements of the part in the order of the source. */
export function* partElements({ document, selection }: PagePart): Generator<TreeNode> {
  if (selection === null) yield* elementsOf(document.tree.root);
  else
    for (const root of selection.roots) {
      if (root.tagName !== undefined) yield root;
      yield* elementsOf(root, selection.excluded);
    }
}
