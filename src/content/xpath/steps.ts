import type { TreeNode } from '../document/page-tree.ts';
import {
  ancestorsOf,
  isAttribute,
  isComment,
  type NodeIndex,
  nameOf,
  parentNodeOf,
  type QualifiedName,
  wholeName,
  type XPathNode,
} from './node-index.ts';
import { isNodes, toBoolean, type XPathContext, type XPathExpression } from './values.ts';

type Axis = (node: XPathNode, index: NodeIndex) => Iterable<XPathNode>;

/** An axis of the children of a node: attributes have none. */
const ofTree =
  (axis: (node: TreeNode, index: NodeIndex) => Iterable<XPathNode>): Axis =>
  (node, index) =>
    isAttribute(node) ? [] : axis(node, index);

/** The axes in their own order: those that look back begin with the nearest node (XPath 1.0 §2.2). */
export const AXES: Readonly<Record<string, Axis>> = {
  child: ofTree((node, index) => index.children(node)),
  descendant: ofTree((node, index) => index.descendants(node, false)),
  'descendant-or-self': (node, index) => (isAttribute(node) ? [node] : index.descendants(node, true)),
  attribute: ofTree((node, index) => index.attributes(node)),
  self: (node) => [node],
  parent: (node) => {
    const parent = parentNodeOf(node);
    return parent === null ? [] : [parent];
  },
  ancestor: ancestorsOf,
  'ancestor-or-self': (node) => [node, ...ancestorsOf(node)],
  following: (node, index) => index.following(node),
  preceding: (node, index) => index.preceding(node),
  'following-sibling': (node, index) => index.nextSiblings(node),
  'preceding-sibling': (node, index) => index.previousSiblings(node),
};

export type NodeTest = (node: XPathNode, index: NodeIndex) => boolean;

/** Tests by type. */
export const NODE_TYPES: Readonly<Record<string, NodeTest>> = {
  node: () => true,
  text: (node) => !isAttribute(node) && node.value !== undefined,
  comment: isComment,
  // The parsers do not keep them.
  'processing-instruction': () => false,
};

/**
 * Tests the name of an element, or of an attribute on the axis of attributes. `*` stands for any name. A name without a
 * prefix also finds those that have one, as in selectors. Names in HTML match in any letter case.
 */
export function nameTest(tested: QualifiedName, onAttributes: boolean): NodeTest {
  const { prefix, local } = tested;
  const whole = wholeName(tested);
  const lower = whole.toLowerCase();
  return (node, { tree }) => {
    if (isAttribute(node) !== onAttributes) return false;
    const name = nameOf(node, tree);
    if (name === null) return false;
    if (local === '*') return prefix === '' || name.prefix === prefix;
    const found = prefix === '' ? name.local : wholeName(name);
    return tree.xml ? found === whole : found.toLowerCase() === lower;
  };
}

export interface XPathStep {
  readonly axis: Axis;
  readonly test: NodeTest;
  readonly predicates: readonly XPathExpression[];
}

/** The nodes that a step selects from each of the nodes, in document order. */
export function applyStep(
  { axis, test, predicates }: XPathStep,
  nodes: readonly XPathNode[],
  index: NodeIndex,
): readonly XPathNode[] {
  const found = new Set<XPathNode>();
  // With `[1]` the nodes after the first need not be looked at: there may be thousands of siblings.
  const last = predicates[0]?.constant ?? Number.POSITIVE_INFINITY;
  for (const node of nodes) {
    let selected: XPathNode[] = [];
    for (const candidate of axis(node, index)) {
      if (test(candidate, index)) selected.push(candidate);
      if (selected.length >= last) break;
    }
    for (const predicate of predicates) selected = filterNodes(selected, predicate, index);
    for (const result of selected) found.add(result);
  }
  return index.sort([...found]);
}

/** The nodes for which a predicate holds. A number is the position of the node. */
export function filterNodes(
  nodes: readonly XPathNode[],
  predicate: XPathExpression,
  index: NodeIndex,
): XPathNode[] {
  return nodes.filter((node, n) => {
    const context: XPathContext = { node, position: n + 1, size: nodes.length, index };
    const value = predicate.evaluate(context);
    return typeof value === 'number' ? value === context.position : toBoolean(value);
  });
}

export function evaluateNodes(expression: XPathExpression, context: XPathContext): readonly XPathNode[] {
  const value = expression.evaluate(context);
  return isNodes(value) ? value : [];
}
