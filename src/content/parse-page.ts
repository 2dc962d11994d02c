import { createRequire } from 'node:module';
import type * as HtmlParser2 from 'htmlparser2';
import type * as Parse5 from 'parse5';
import type { PageTree, TreeNode } from './page-tree.ts';
import { attachShadowRoots, DECLARED } from './shadow-roots.ts';
import { readableXml } from './xml-source.ts';

// Loaded when first needed: most scrapes ask for nothing that needs a tree.
const load = createRequire(import.meta.url);

/** Parses HTML as browsers do (WHATWG HTML §13.2). @param scripting the scripting flag: whether scripts run */
export function parseHtml(text: string, scripting: boolean): PageTree {
  const { parse } = load('parse5') as typeof Parse5;
  const document = parse(text, { scriptingEnabled: scripting });
  const root = document as unknown as TreeNode;
  if (DECLARED.test(text)) attachShadowRoots(root);
  return { root, xml: false, scripting, quirks: document.mode === 'quirks' };
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
  return { root, xml: true, scripting: false, quirks: false };
}
