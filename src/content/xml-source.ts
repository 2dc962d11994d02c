import { createRequire } from 'node:module';
import type * as Parse5 from 'parse5';

const load = createRequire(import.meta.url);

/** What has a meaning of its own here, or in which nothing has. */
const MARK = /<!--|<!\[CDATA\[|<!DOCTYPE|&([A-Za-z][A-Za-z0-9]{1,30});/g;
const ENDS: Readonly<Record<string, string>> = { '<!--': '-->', '<![CDATA[': ']]>' };
/** The parser knows these, and no others. */
const OF_XML = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);
/** Within a document type. */
const IN_DOCTYPE = /["'[\]>]|<!--|<\?/g;
/** More than HTML has; a page that makes up its own must not keep us busy. */
const MOST_NAMES = 3000;

/**
 * The source of an XML document without two things that the parser would take for text: what stands in the brackets of
 * its document type (XML §2.8), and characters by the names of HTML (`&nbsp;`), which browsers know in XHTML by its
 * document type and which feeds use without one. These become numbers.
 */
export function readableXml(text: string): string {
  const known = new Map<string, string | null>();
  let result = '';
  let from = 0;
  MARK.lastIndex = 0;
  for (let match = MARK.exec(text); match !== null; match = MARK.exec(text)) {
    const [mark, name] = match;
    const end = name === undefined ? endOf(text, mark, MARK.lastIndex) : MARK.lastIndex;
    // It never ends: the parser has its own way with that.
    if (end === -1) break;
    MARK.lastIndex = end;
    const instead = name !== undefined ? numbersOf(name, known) : mark === '<!DOCTYPE' ? '' : null;
    if (instead === null) continue;
    result += text.slice(from, match.index) + instead;
    from = end;
  }
  return from === 0 ? text : result + text.slice(from);
}

function endOf(text: string, mark: string, from: number): number {
  const end = ENDS[mark];
  return end === undefined ? doctypeEnd(text, from) : behind(text, end, from);
}

function behind(text: string, what: string, from: number): number {
  const at = text.indexOf(what, from);
  return at === -1 ? -1 : at + what.length;
}

function doctypeEnd(text: string, from: number): number {
  let inside = false;
  IN_DOCTYPE.lastIndex = from;
  for (let match = IN_DOCTYPE.exec(text); match !== null; match = IN_DOCTYPE.exec(text)) {
    const mark = match[0];
    if (mark === '[') inside = true;
    else if (mark === ']') inside = false;
    else if (mark === '>') {
      if (!inside) return IN_DOCTYPE.lastIndex;
    } else {
      const end = behind(text, mark === '<!--' ? '-->' : mark === '<?' ? '?>' : mark, IN_DOCTYPE.lastIndex);
      if (end === -1) return -1;
      IN_DOCTYPE.lastIndex = end;
    }
  }
  return -1;
}

/** The characters of a name as numbers; null: it has to stay as it is. */
function numbersOf(name: string, known: Map<string, string | null>): string | null {
  if (OF_XML.has(name)) return null;
  let numbers = known.get(name);
  if (numbers === undefined) {
    if (known.size >= MOST_NAMES) return null;
    const { parseFragment } = load('parse5') as typeof Parse5;
    const [node] = parseFragment(`&${name};`).childNodes;
    const value = node !== undefined && 'value' in node ? node.value : '';
    // A name that HTML knows in full takes the semicolon along; one of them is that of the semicolon.
    numbers = value.endsWith(';') && value !== ';' ? null : numbered(value);
    known.set(name, numbers);
  }
  return numbers;
}

function numbered(value: string): string {
  return Array.from(value, (char) => `&#${char.codePointAt(0)};`).join('');
}
