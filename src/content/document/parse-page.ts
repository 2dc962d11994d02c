import { createRequire } from 'node:module';
import type * as HtmlParser2 from 'htmlparser2';
import type * as Parse5 from 'parse5';
import { attachShadowRoots, type PageTree, SHADOW_ROOT_MODE, type TreeNode } from './page-tree.ts';

const loadParse5 = createRequire(import.meta.url);

/** What has a meaning of its own here, or in which nothing has. */
const MARKUP = /<!--|<!\[CDATA\[|<!DOCTYPE|&([A-Za-z][A-Za-z0-9]{1,30});/g;
const CLOSING_MARKS: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>' };
/** The parser knows these, and no others. */
const XML_ENTITIES = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);
/** Within a document type. */
const DOCTYPE_TOKEN = /["'[\]>]|<!--|<\?/g;
/** More than HTML has; a page that makes up its own must not keep us busy. */
const MAX_ENTITY_NAMES = 3000;

/**
 * The source of an XML document without two things that the parser would take for text: what stands in the brackets of
 * its document type (XML §2.8), and characters by the names of HTML (`&nbsp;`), which browsers know in XHTML by its
 * document type and which feeds use without one. These become numbers.
 */
function preprocessXml(text: string): string {
  const known = new Map<string, string | null>();
  let result = '';
  let from = 0;
  MARKUP.lastIndex = 0;
  for (let match = MARKUP.exec(text); match !== null; match = MARKUP.exec(text)) {
    const [mark, name] = match;
    const end = name === undefined ? markupEnd(text, mark, MARKUP.lastIndex) : MARKUP.lastIndex;
    // It never ends: the parser has its own way with that.
    if (end === -1) break;
    MARKUP.lastIndex = end;
    const instead = name !== undefined ? entityAsNumbers(name, known) : mark === '<!DOCTYPE' ? '' : null;
    if (instead === null) continue;
    result += text.slice(from, match.index) + instead;
    from = end;
  }
  return from === 0 ? text : result + text.slice(from);
}

function markupEnd(text: string, mark: string, from: number): number {
  const end = CLOSING_MARKS[mark];
  return end === undefined ? doctypeEnd(text, from) : indexAfter(text, end, from);
}

function indexAfter(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at === -1 ? -1 : at + what.length;
}

function doctypeEnd(text: string, from: number): number {
  let inside = false;
  DOCTYPE_TOKEN.lastIndex = from;
  for (let match = DOCTYPE_TOKEN.exec(text); match !== null; match = DOCTYPE_TOKEN.exec(text)) {
    const mark = match[0];
    if (mark === '[') inside = true;
    else if (mark === ']') inside = false;
    else if (mark === '>') {
      if (!inside) return DOCTYPE_TOKEN.lastIndex;
    } else {
      const end = indexAfter(
        text,
        mark === '<!--' ? '-->' : mark === '<?' ? '?>' : mark,
        DOCTYPE_TOKEN.lastIndex,
      );
      if (end === -1) return -1;
      DOCTYPE_TOKEN.lastIndex = end;
    }
  }
  return -1;
}

/** The characters of a name as numbers; null: it has to stay as it is. */
function entityAsNumbers(name: string, known: Map<string, string | null>): string | null {
  if (XML_ENTITIES.has(name)) return null;
  let numbers = known.get(name);
  if (numbers === undefined) {
    if (known.size >= MAX_ENTITY_NAMES) return null;
    const { parseFragment } = loadParse5('parse5') as typeof Parse5;
    const [node] = parseFragment(`&${name};`).childNodes;
    const value = node !== undefined && 'value' in node ? node.value : '';
    // A name that HTML knows in full takes the semicolon along; one of them is that of the semicolon.
    numbers = value.endsWith(';') && value !== ';' ? null : numericReferences(value);
    known.set(name, numbers);
  }
  return numbers;
}

function numericReferences(value: string): string {
  return Array.from(value, (char) => `&#${char.codePointAt(0)};`).join('');
}

// Loaded when first needed: most scrapes ask for nothing that needs a tree.
const loadParser = createRequire(import.meta.url);

/** Parses HTML as browsers do (WHATWG HTML §13.2). @param scripting the scripting flag: whether scripts run */
export function parseHtml(text: string, scripting: boolean): PageTree {
  const { parse } = loadParser('parse5') as typeof Parse5;
  const document = parse(text, { scriptingEnabled: scripting });
  const root = document as unknown as TreeNode;
  if (SHADOW_ROOT_MODE.test(text)) attachShadowRoots(root);
  return { root, xml: false, scripting, quirks: document.mode === 'quirks' };
}

/** Parses XML leniently: what is not well-formed is read as far as it makes sense. */
export function parseXml(text: string): PageTree {
  const { Parser } = loadParser('htmlparser2') as typeof HtmlParser2;
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
  parser.end(preprocessXml(text));
  return { root, xml: true, scripting: false, quirks: false };
}
