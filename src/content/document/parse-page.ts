import { createRequire } from 'node:module';
import type * as HtmlParser2 from 'htmlparser2';
import type * as Parse5 from 'parse5';
import { HIDDEN_ADDRESSES, revealAddresses } from './hidden-addresses.ts';
import { attachShadowRoots, type PageTree, SHADOW_ROOT_MODE, type TreeNode } from './page-tree.ts';

// The parsers are loaded when first needed: most scrapes need no tree.
const loadPackage = createRequire(import.meta.url);

/** Entities and doctypes, which are replaced, and sections in which nothing is replaced. */
const MARKUP = /<!--|<!\[CDATA\[|<!DOCTYPE|&([A-Za-z][A-Za-z0-9]{1,30});/g;
const CLOSING_MARKS: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>' };
/** The only entities that the XML parser knows. */
const XML_ENTITIES = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);
const DOCTYPE_TOKEN = /["'[\]>]|<!--|<\?/g;
/** HTML has fewer. A page with thousands of invented names must not use up our time. */
const MAX_ENTITY_NAMES = 3000;

/**
 * Prepares the source of an XML document for the parser, which would read two things as text. Removes the doctype, which
 * may have declarations in brackets (XML §2.8). Replaces the entities of HTML (`&nbsp;`), which XHTML and many feeds use,
 * with numeric character references.
 */
function preprocessXml(text: string): string {
  const references = new Map<string, string | null>();
  let result = '';
  let from = 0;
  MARKUP.lastIndex = 0;
  for (let match = MARKUP.exec(text); match !== null; match = MARKUP.exec(text)) {
    const [mark, name] = match;
    const end = name === undefined ? markupEnd(text, mark, MARKUP.lastIndex) : MARKUP.lastIndex;
    // The markup does not end. The parser handles that.
    if (end === -1) break;
    MARKUP.lastIndex = end;
    const replacement =
      name !== undefined ? entityReferences(name, references) : mark === '<!DOCTYPE' ? '' : null;
    if (replacement === null) continue;
    result += text.slice(from, match.index) + replacement;
    from = end;
  }
  return from === 0 ? text : result + text.slice(from);
}

function markupEnd(text: string, mark: string, from: number): number {
  const end = CLOSING_MARKS[mark];
  return end === undefined ? doctypeEnd(text, from) : indexAfter(text, end, from);
}

function indexAfter(text: string, searched: string, from: number): number {
  const index = text.indexOf(searched, from);
  return index === -1 ? -1 : index + searched.length;
}

function doctypeEnd(text: string, from: number): number {
  let inBrackets = false;
  DOCTYPE_TOKEN.lastIndex = from;
  for (let match = DOCTYPE_TOKEN.exec(text); match !== null; match = DOCTYPE_TOKEN.exec(text)) {
    const mark = match[0];
    if (mark === '[') inBrackets = true;
    else if (mark === ']') inBrackets = false;
    else if (mark === '>') {
      if (!inBrackets) return DOCTYPE_TOKEN.lastIndex;
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

/**
 * The numeric character references for a named entity of HTML; null if it must stay as it is.
 * @param known results by name
 */
function entityReferences(name: string, known: Map<string, string | null>): string | null {
  if (XML_ENTITIES.has(name)) return null;
  let references = known.get(name);
  if (references === undefined) {
    if (known.size >= MAX_ENTITY_NAMES) return null;
    const { parseFragment } = loadPackage('parse5') as typeof Parse5;
    const [node] = parseFragment(`&${name};`).childNodes;
    const value = node !== undefined && 'value' in node ? node.value : '';
    // If the semicolon is left, HTML does not know the whole name. `&semi;` is the exception.
    references = value.endsWith(';') && value !== ';' ? null : numericReferences(value);
    known.set(name, references);
  }
  return references;
}

function numericReferences(value: string): string {
  return Array.from(value, (char) => `&#${char.codePointAt(0)};`).join('');
}

/** Parses HTML as browsers do (WHATWG HTML §13.2). @param scripting whether scripts run (the scripting flag) */
export function parseHtml(text: string, scripting: boolean): PageTree {
  const { parse } = loadPackage('parse5') as typeof Parse5;
  const document = parse(text, { scriptingEnabled: scripting });
  const root = document as unknown as TreeNode;
  if (SHADOW_ROOT_MODE.test(text)) attachShadowRoots(root);
  if (HIDDEN_ADDRESSES.test(text)) revealAddresses(root);
  return { root, xml: false, scripting, quirks: document.mode === 'quirks' };
}

/** Parses XML leniently: it need not be well-formed. */
export function parseXml(text: string): PageTree {
  const { Parser } = loadPackage('htmlparser2') as typeof HtmlParser2;
  const root: TreeNode = { nodeName: '#document', parentNode: null, childNodes: [] };
  let open: TreeNode = root;
  const add = (node: TreeNode) => open.childNodes!.push(node);
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        // A type selector is compared with the local name, without the prefix (CSS, DOM).
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
  if (HIDDEN_ADDRESSES.test(text)) revealAddresses(root);
  return { root, xml: true, scripting: false, quirks: false };
}
