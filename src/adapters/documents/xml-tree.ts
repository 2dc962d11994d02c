import { escapeHtml } from './html-writer.ts';
import { readXml, type XmlAttributes } from './xml-events.ts';

/** An element, or text. */
export type XmlNode = XmlElement | string;

export interface XmlElement {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly children: readonly XmlNode[];
}

/** @returns the root element. Prefixes stay as written. @throws the XML has no element, or is nested too deeply */
export function xmlTree(xml: string): XmlElement {
  const root = { name: '', attributes: {}, children: [] as XmlNode[] };
  const open = [root];
  readXml(xml, {
    open(name, attributes) {
      const element = { name, attributes, children: [] };
      open.at(-1)!.children.push(element);
      open.push(element);
    },
    close() {
      open.pop();
    },
    text: (text) => open.at(-1)!.children.push(text),
  });
  const [first] = elementsOf(root);
  if (first === undefined) throw new Error('its XML has no element');
  return first;
}

export const element = (
  name: string,
  children: readonly XmlNode[] = [],
  attributes: XmlAttributes = {},
): XmlElement => ({ name, attributes, children });

export function elementsOf({ children }: XmlElement): readonly XmlElement[] {
  return children.filter((child) => typeof child !== 'string');
}

/** The first child of that name. */
export function childOf(parent: XmlElement | undefined, name: string): XmlElement | undefined {
  return parent === undefined ? undefined : elementsOf(parent).find((child) => child.name === name);
}

/** The outermost elements of that name inside of an element, in document order. */
export function descendantsOf(parent: XmlElement, name: string): XmlElement[] {
  return elementsOf(parent).flatMap((child) => (child.name === name ? [child] : descendantsOf(child, name)));
}

export function xmlOf(node: XmlNode): string {
  if (typeof node === 'string') return escapeHtml(node);
  let tag = `<${node.name}`;
  for (const [name, value] of Object.entries(node.attributes)) tag += ` ${name}="${escapeHtml(value)}"`;
  return `${tag}>${node.children.map(xmlOf).join('')}</${node.name}>`;
}
