import type { Outline } from '../../document/outline.ts';
import type { TreeNode } from '../../document/page-tree.ts';

/** What a section shows besides text. */
const SHOWN_ELEMENTS = new Set(['img', 'picture', 'svg', 'math', 'hr']);

interface OpenHeading {
  readonly index: number;
  readonly level: number;
  /** Text of the section was excluded. */
  dropped: boolean;
  /** The section has something left, or may have. */
  kept: boolean;
}

/**
 * The headings in an article whose section is empty because all of its text was excluded, such as "Related" before a list of
 * links. One that is a link says something by itself. A section ends at the next heading of the same or a higher level, or with the article.
 * @param outline without exclusions
 * @param root the article
 */
export function emptiedHeadings(
  outline: Outline,
  root: number,
  excluded: ReadonlySet<TreeNode>,
): readonly number[] {
  const { nodes, end, text, run, linked } = outline;
  const found: number[] = [];
  /** From the outermost to the innermost. */
  const open: OpenHeading[] = [];
  const close = (level: number) => {
    while ((open.at(-1)?.level ?? 0) >= level) {
      const { index, dropped, kept } = open.pop()!;
      const isEmptied = dropped && !kept;
      if (isEmptied) found.push(index);
      const outer = open.at(-1);
      if (outer !== undefined) outer[isEmptied ? 'dropped' : 'kept'] = true;
    }
  };
  for (let n = root + 1; n < end[root]!; n++) {
    const node = nodes[n]!;
    if (excluded.has(node)) {
      if (text[n]! > 0 && open.length > 0) open.at(-1)!.dropped = true;
      n = end[n]! - 1;
      continue;
    }
    const level = text[n]! > 0 ? headingLevel(node.tagName) : null;
    if (level === null) {
      if (open.length > 0 && (run[n]! > 0 || SHOWN_ELEMENTS.has(node.tagName))) open.at(-1)!.kept = true;
      continue;
    }
    close(level);
    open.push({
      index: n,
      level,
      dropped: false,
      kept: linked[n] === text[n] || standsInText(outline, root, n),
    });
    n = end[n]! - 1;
  }
  close(1);
  return found;
}

function headingLevel(tagName: string): number | null {
  const level = /^h([2-6])$/.exec(tagName)?.[1];
  return level === undefined ? null : Number(level);
}

/** Whether an element around it has text of its own, which may follow. */
function standsInText({ parent, run }: Outline, root: number, index: number): boolean {
  for (let n = parent[index]!; n >= root; n = parent[n]!) if (run[n]! > 0) return true;
  return false;
}
