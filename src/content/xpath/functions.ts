import { attributeOf, isForeign, type PageTree } from '../document/page-tree.ts';
import { ancestorsOf, isAttribute, nameOf, wholeName, type XPathNode } from './node-index.ts';
import {
  nodeText,
  toBoolean,
  toNumber,
  toText,
  type XPathContext,
  type XPathType,
  type XPathValue,
} from './values.ts';

type Nodes = readonly XPathNode[];

export interface XPathFunction {
  readonly type: XPathType;
  /** The least and the greatest number of arguments. */
  readonly arity: readonly [min: number, max: number];
  /** Whether the arguments must be sets of nodes. */
  readonly takesNodes: boolean;
  call(context: XPathContext, args: readonly XPathValue[]): XPathValue;
}

const define = (
  type: XPathType,
  arity: XPathFunction['arity'],
  call: XPathFunction['call'],
  takesNodes = false,
): XPathFunction => ({ type, arity, call, takesNodes });

/** A function of one text, which is that of the context node without an argument. */
const ofText = (type: XPathType, call: (text: string) => XPathValue) =>
  define(type, [0, 1], ({ node }, [value]) => call(value === undefined ? nodeText(node) : toText(value)));

const ofTwoTexts = (type: XPathType, call: (text: string, other: string) => XPathValue) =>
  define(type, [2, 2], (_context, [a, b]) => call(toText(a!), toText(b!)));

const ofNumber = (call: (number: number) => number) =>
  define('number', [1, 1], (_context, [value]) => call(toNumber(value!)));

/** A function of the first node of a set, or of the context node; empty if there is none. */
const ofNode = (call: (node: XPathNode, tree: PageTree) => string) =>
  define(
    'string',
    [0, 1],
    ({ node, index }, [nodes]) => {
      const of = nodes === undefined ? node : (nodes as Nodes)[0];
      return of === undefined ? '' : call(of, index.tree);
    },
    true,
  );

/** The core function library (XPath 1.0 §4). */
export const FUNCTIONS: ReadonlyMap<string, XPathFunction> = new Map([
  ['last', define('number', [0, 0], ({ size }) => size)],
  ['position', define('number', [0, 0], ({ position }) => position)],
  ['count', define('number', [1, 1], (_context, [nodes]) => (nodes as Nodes).length, true)],
  ['id', define('nodes', [1, 1], (context, [value]) => elementsWithId(context, value!))],
  ['local-name', ofNode((node, tree) => nameOf(node, tree)?.local ?? '')],
  ['name', ofNode(qualifiedName)],
  ['namespace-uri', ofNode((node) => (isAttribute(node) ? '' : (node.namespaceURI ?? '')))],
  ['string', ofText('string', (text) => text)],
  ['concat', define('string', [2, Number.POSITIVE_INFINITY], (_context, args) => args.map(toText).join(''))],
  ['starts-with', ofTwoTexts('boolean', (text, start) => text.startsWith(start))],
  ['contains', ofTwoTexts('boolean', (text, part) => text.includes(part))],
  ['substring-before', ofTwoTexts('string', (text, part) => text.slice(0, Math.max(text.indexOf(part), 0)))],
  [
    'substring-after',
    ofTwoTexts('string', (text, part) =>
      text.includes(part) ? text.slice(text.indexOf(part) + part.length) : '',
    ),
  ],
  ['substring', define('string', [2, 3], (_context, [text, ...range]) => substring(toText(text!), range))],
  ['string-length', ofText('number', (text) => Array.from(text).length)],
  ['normalize-space', ofText('string', (text) => text.replace(/[ \t\r\n]+/g, ' ').replace(/^ | $/g, ''))],
  [
    'translate',
    define('string', [3, 3], (_context, [text, from, to]) =>
      translate(toText(text!), toText(from!), toText(to!)),
    ),
  ],
  ['boolean', define('boolean', [1, 1], (_context, [value]) => toBoolean(value!))],
  ['not', define('boolean', [1, 1], (_context, [value]) => !toBoolean(value!))],
  ['true', define('boolean', [0, 0], () => true)],
  ['false', define('boolean', [0, 0], () => false)],
  ['lang', define('boolean', [1, 1], ({ node }, [value]) => hasLanguage(node, toText(value!)))],
  [
    'number',
    define('number', [0, 1], ({ node }, [value]) => toNumber(value === undefined ? nodeText(node) : value)),
  ],
  ['sum', define('number', [1, 1], (_context, [nodes]) => sum(nodes as Nodes), true)],
  ['floor', ofNumber(Math.floor)],
  ['ceiling', ofNumber(Math.ceil)],
  ['round', ofNumber(Math.round)],
]);

function qualifiedName(node: XPathNode, tree: PageTree): string {
  const name = nameOf(node, tree);
  return name === null ? '' : wholeName(name);
}

function sum(nodes: Nodes): number {
  return nodes.reduce((total, node) => total + toNumber(nodeText(node)), 0);
}

function elementsWithId({ index }: XPathContext, value: XPathValue): Nodes {
  const texts = typeof value === 'object' ? value.map(nodeText) : [toText(value)];
  const ids = new Set(texts.flatMap((text) => text.split(/[ \t\r\n]+/)).filter((id) => id !== ''));
  return index.all().filter((node) => node.tagName !== undefined && ids.has(attributeOf(node, 'id') ?? ''));
}

/** XPath 1.0 §4.2: positions are rounded, and count characters from 1. */
function substring(text: string, [start, length]: readonly XPathValue[]): string {
  const from = Math.round(toNumber(start!));
  const end = length === undefined ? Number.POSITIVE_INFINITY : from + Math.round(toNumber(length));
  return Array.from(text)
    .filter((_char, n) => n + 1 >= from && n + 1 < end)
    .join('');
}

/** Replaces each character of `from` by the one of `to` in the same place, or removes it if there is none. */
function translate(text: string, from: string, to: string): string {
  const replacements = Array.from(to);
  const byChar = new Map<string, string>();
  for (const [n, char] of Array.from(from).entries())
    if (!byChar.has(char)) byChar.set(char, replacements[n] ?? '');
  return Array.from(text, (char) => byChar.get(char) ?? char).join('');
}

function hasLanguage(node: XPathNode, language: string): boolean {
  for (const element of isAttribute(node) ? ancestorsOf(node) : [node, ...ancestorsOf(node)]) {
    const own =
      attributeOf(element, 'xml:lang') ?? (isForeign(element) ? null : attributeOf(element, 'lang'));
    if (own === null) continue;
    const [is, wanted] = [own.toLowerCase(), language.toLowerCase()];
    return is === wanted || is.startsWith(`${wanted}-`);
  }
  return false;
}
