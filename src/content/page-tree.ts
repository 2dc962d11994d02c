import { createRequire } from 'node:module';
import type * as HtmlParser2 from 'htmlparser2';
import type * as Parse5 from 'parse5';
import { readableXml } from './xml-source.ts';

/** A node of a parsed page: the shape that parse5 gives, and that XML is brought into. */
export interface TreeNode {
  readonly nodeName: string;
  parentNode: TreeNode | null;
  readonly childNodes?: TreeNode[];
  /** Elements only. */
  readonly tagName?: string;
  readonly namespaceURI?: string;
  readonly attrs?: readonly TreeAttribute[];
  /** Text only. */
  readonly value?: string;
}

export interface TreeAttribute {
  readonly name: string;
  readonly value: string;
  /** Of SVG and MathML in HTML (`xlink`), where `name` then stands without it; in XML it is a part of the name. */
  readonly prefix?: string;
}

export interface PageTree {
  readonly root: TreeNode;
  readonly xml: boolean;
  /** HTML without a proper doctype: class names and ids match in any letter case. */
  readonly quirks: boolean;
}

const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';

// Loaded when first needed: most scrapes ask for nothing that needs a tree.
const load = createRequire(import.meta.url);

/** Parses HTML as browsers do (WHATWG HTML §13.2), scripting on. */
export function parseHtml(text: string): PageTree {
  const { parse } = load('parse5') as typeof Parse5;
  const document = parse(text);
  return { root: document as unknown as TreeNode, xml: false, quirks: document.mode === 'quirks' };
}

/** Parses XML leniently: what is not well-formed is read as far as it makes sense. */
export function parseXml(text: string): PageTree {
  const { Parser } = load('htmlparser2') as typeof HtmlParser2;
  const root: TreeNode = { nodeName: '#document', parentNode: null, childNodes: [] };
  let open: TreeNode = root;
  const add = (node: TreeNode) => open.childNodes!.push(node);
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        // By CSS and DOM a type selector means the local name, without the prefix.
        const tagName = name.slice(name.indexOf(':') + 1);
        const attrs = Object.entries(attributes).map(([key, value]) => ({ name: key, value }));
        const node: TreeNode = { nodeName: name, tagName, attrs, parentNode: open, childNodes: [] };
        add(node);
        open = node;
      },
      onclosetag() {
        open = open.parentNode ?? root;
      },
      ontext(value) {
        add({ nodeName: '#text', value, parentNode: open });
      },
    },
    { xmlMode: true },
  );
  parser.end(readableXml(text));
  return { root, xml: true, quirks: false };
}

/** The name that a type selector is compared with. In HTML those are compared in lower case, SVG's too. */
export function localName(node: TreeNode): string {
  const name = node.tagName!;
  return isForeign(node) ? name.toLowerCase() : name;
}

/** Of SVG or MathML in HTML, whose names are in mixed case. */
export function isForeign(node: TreeNode): boolean {
  return node.namespaceURI !== undefined && node.namespaceURI !== HTML_NAMESPACE;
}
