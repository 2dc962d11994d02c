import { type TreeNode, textContent } from '../document/page-tree.ts';
import { commentText, isAttribute, isComment, type NodeIndex, type XPathNode } from './node-index.ts';

/** The types of XPath 1.0. A set of nodes is in document order, without duplicates. */
export type XPathValue = readonly XPathNode[] | string | number | boolean;
export type XPathType = 'nodes' | 'string' | 'number' | 'boolean';

/** What an expression is evaluated for. */
export interface XPathContext {
  readonly node: XPathNode;
  /** From 1. */
  readonly position: number;
  readonly size: number;
  readonly index: NodeIndex;
}

/** A compiled expression. Its type is known before it is evaluated, because there are no variables. */
export interface XPathExpression {
  readonly type: XPathType;
  /** The value of a number that is written out. */
  readonly constant?: number;
  evaluate(context: XPathContext): XPathValue;
}

/** Limit of the text of a node, in characters: that of the text of a page. */
const MAX_TEXT = 5 * 2 ** 20;
const NUMBER = /^-?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** The string-value of a node (XPath 1.0 §5). */
export function nodeText(node: XPathNode): string {
  if (isAttribute(node)) return node.attribute.value;
  return isComment(node) ? commentText(node) : textContent(node as TreeNode, MAX_TEXT);
}

export const isNodes = (value: XPathValue): value is readonly XPathNode[] => Array.isArray(value);

export function toText(value: XPathValue): string {
  if (isNodes(value)) return value.length === 0 ? '' : nodeText(value[0]!);
  // -0 is `0`.
  return typeof value === 'number' ? String(value + 0) : String(value);
}

export function toNumber(value: XPathValue): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const text = toText(value).trim();
  return NUMBER.test(text) ? Number(text) : Number.NaN;
}

export function toBoolean(value: XPathValue): boolean {
  if (isNodes(value)) return value.length > 0;
  return typeof value === 'number' ? value !== 0 && !Number.isNaN(value) : Boolean(value);
}

const COMPARISONS = {
  '=': (a: unknown, b: unknown) => a === b,
  '!=': (a: unknown, b: unknown) => a !== b,
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
};
export type ComparisonOperator = keyof typeof COMPARISONS;

/** XPath 1.0 §3.4: with a set of nodes, whether any node of it meets the condition. */
export function compare(operator: ComparisonOperator, a: XPathValue, b: XPathValue): boolean {
  if (isNodes(a) && typeof b !== 'boolean') return a.some((node) => compareTo(operator, nodeText(node), b));
  if (isNodes(b) && typeof a !== 'boolean') return b.some((node) => compareTo(operator, a, nodeText(node)));
  return compareTo(operator, isNodes(a) ? a.length > 0 : a, isNodes(b) ? b.length > 0 : b);
}

function compareTo(operator: ComparisonOperator, a: XPathValue, b: XPathValue): boolean {
  if (isNodes(b)) return b.some((node) => compareTo(operator, a, nodeText(node)));
  const test = COMPARISONS[operator] as (a: unknown, b: unknown) => boolean;
  if (operator !== '=' && operator !== '!=') return test(toNumber(a), toNumber(b));
  if (typeof a === 'boolean' || typeof b === 'boolean') return test(toBoolean(a), toBoolean(b));
  if (typeof a === 'number' || typeof b === 'number') return test(toNumber(a), toNumber(b));
  return test(toText(a), toText(b));
}
