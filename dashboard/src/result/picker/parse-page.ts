import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { STYLE_NONCE } from '../../app/page-config.ts';

/** A page that is not shown: nothing in it runs or loads. */
export interface ParsedPage {
  readonly document: Document;
  /**
   * The `style` attribute of an element, or the text of a `style` element. They are not in the document: browsers check
   * them against the policy of the dashboard even there, and report each of them.
   */
  readonly styles: ReadonlyMap<Element, string>;
}

/**
 * Parses a page with the parser of the service, so that a selector finds the same in both. Event handlers are left out.
 * @param scripting the page was fetched with scripts: `noscript` contains a text then
 */
export function parsePage(text: string, scripting: boolean): ParsedPage {
  const tree = parse(text, { scriptingEnabled: scripting });
  const page = document.implementation.createHTMLDocument();
  page.documentElement.remove();
  const styles = new Map<Element, string>();
  const waiting: { readonly node: Tree.ChildNode; readonly into: Node }[] = [];
  const wait = ({ childNodes }: Tree.ParentNode, into: Node) => {
    for (const node of childNodes.toReversed()) waiting.push({ node, into });
  };
  wait(tree, page);
  // Not recursive, because pages may be nested deeply.
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, into } = next;
    if (node.nodeName === '#text') append(into, page.createTextNode((node as Tree.TextNode).value));
    if (!('tagName' in node)) continue;
    const element = createElement(page, node);
    append(into, element);
    const style = node.attrs.find(({ name }) => name === 'style')?.value ?? null;
    if (node.tagName === 'style') styles.set(element, node.childNodes.map(textOf).join(''));
    else {
      if (style !== null) styles.set(element, style);
      wait(node, element);
    }
  }
  return { document: page, styles };
}

const append = (into: Node, node: Node) => Node.prototype.appendChild.call(into, node);

const textOf = (node: Tree.ChildNode): string => ('value' in node ? node.value : '');

function createElement(page: Document, { tagName, namespaceURI, attrs }: Tree.Element): Element {
  const create = (name: string) => Document.prototype.createElementNS.call(page, namespaceURI, name);
  const element = tryOr(() => create(tagName), create('span'));
  // Even an empty style sheet would be reported.
  if (element instanceof HTMLStyleElement) element.nonce = STYLE_NONCE;
  for (const { name, value } of attrs) {
    if (name === 'style' || name === 'nonce' || name.startsWith('on')) continue;
    // The parser allows names that scripts cannot set.
    tryOr(() => Element.prototype.setAttribute.call(element, name, value), undefined);
  }
  return element;
}

function tryOr<Value>(attempt: () => Value, fallback: Value): Value {
  try {
    return attempt();
  } catch {
    return fallback;
  }
}
