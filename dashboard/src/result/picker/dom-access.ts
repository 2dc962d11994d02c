/**
 * Reads a document that comes from a page. Its elements may hide the members of a document and of a form: after
 * `<input name="parentElement">`, `form.parentElement` is the input. So the members are taken from the prototypes.
 */

const getter = (prototype: object, name: string) =>
  Object.getOwnPropertyDescriptor(prototype, name)!.get as (this: Node) => unknown;

const localName = getter(Element.prototype, 'localName');
const namespaceUri = getter(Element.prototype, 'namespaceURI');
const parentElement = getter(Node.prototype, 'parentElement');
const childNodes = getter(Node.prototype, 'childNodes');
const textContent = getter(Node.prototype, 'textContent');

export const nameOf = (element: Element): string => localName.call(element) as string;
export const namespaceOf = (element: Element): string | null => namespaceUri.call(element) as string | null;
export const parentOf = (element: Element): Element | null => parentElement.call(element) as Element | null;
export const nodesIn = (node: Node): readonly Node[] => [...(childNodes.call(node) as NodeListOf<Node>)];
export const textOf = (node: Node): string => (textContent.call(node) as string | null) ?? '';

export const childrenOf = (node: Node): readonly Element[] =>
  nodesIn(node).filter((child): child is Element => child instanceof Element);

export const attributeNames = (element: Element): readonly string[] =>
  Element.prototype.getAttributeNames.call(element);

export const attributeOf = (element: Element, name: string): string | null =>
  Element.prototype.getAttribute.call(element, name);

/** The elements that a selector finds, in document order; null: it is not a valid selector. */
export function matchesOf(page: Document, selector: string): readonly Element[] | null {
  try {
    return [...Document.prototype.querySelectorAll.call(page, selector)];
  } catch {
    return null;
  }
}

/** The same among the descendants of an element. */
export const matchesIn = (element: Element, selector: string): readonly Element[] => [
  ...Element.prototype.querySelectorAll.call(element, selector),
];
