import type { Box, ElementBox } from '../../domain/captures.ts';
import { localName, parentOf, type TreeNode } from './page-tree.ts';
import { positionOfType } from './short-selector.ts';

/**
 * The smallest box around elements in the screenshot of their page, as far as their boxes are known; null: none is.
 * @param boxes those that the browser measured
 */
export function boxAround(elements: readonly TreeNode[], boxes: readonly ElementBox[]): Box | null {
  const paths = new Set(elements.map(pathOf));
  const found = boxes.filter(({ path }) => paths.has(path));
  if (found.length === 0) return null;
  const x = Math.min(...found.map((box) => box.x));
  const y = Math.min(...found.map((box) => box.y));
  const right = Math.max(...found.map((box) => box.x + box.width));
  const bottom = Math.max(...found.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** As in `ElementBox`. */
function pathOf(element: TreeNode): string {
  const steps: string[] = [];
  for (let node: TreeNode | null = element; node?.tagName !== undefined; node = parentOf(node))
    steps.push(`${localName(node)}:${positionOfType(node)}`);
  return steps.reverse().join('/');
}
