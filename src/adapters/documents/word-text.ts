import type { HtmlWriter } from './html-writer.ts';
import { linkTarget } from './link-field.ts';
import { officeTex } from './office-tex.ts';
import { isOn, type WordStyles, wordValue } from './word-styles.ts';
import {
  childOf,
  descendantsOf,
  element,
  elementsOf,
  type XmlElement,
  type XmlNode,
  xmlOf,
  xmlTree,
} from './xml-tree.ts';

/** Styles of the runs that formulas become. */
export const FORMULA_STYLE = 'FormulaInText';
export const DISPLAY_STYLE = 'FormulaAlone';

const VML = 'urn:schemas-microsoft-com:vml';
/** What remains of a run that is hidden: the limits of fields, which the text after them needs. */
const FIELD_PARTS = new Set(['w:rPr', 'w:fldChar', 'w:instrText']);
/** Elements around text that mean nothing to the package. */
const UNWRAPPED = new Set(['w:dir', 'w:bdo']);
/** Deleted text and text that was moved away (ECMA-376 part 1, §17.13.5). */
const DELETED = new Set(['w:del', 'w:moveFrom', 'w:delText']);
/** Fonts of pictures, whose characters the package knows by their places. */
const DINGBATS = /^(?:Symbol|Webdings|Wingdings(?: [23])?|Zapf Dingbats)$/i;

/**
 * A part of a Word document, rewritten into what the package reads: all text that Word shows, headings by their level, and no
 * hidden text.
 * @param xml the body, footnotes or endnotes
 * @param writer told how many characters and rows were left out
 */
export function readableWordXml(xml: string, styles: WordStyles, writer: HtmlWriter): string {
  const tree = xmlTree(xml);
  const codes = linkCodes(tree);
  /** The style of the paragraph around a run. */
  let paragraphStyle: string | undefined;

  const all = (nodes: readonly XmlNode[]): XmlNode[] => withDropCaps(nodes).flatMap(readable);
  const inside = (node: XmlElement | undefined) => (node === undefined ? [] : all(node.children));
  const rebuilt = (node: XmlElement) => ({ ...node, children: inside(node) });

  function readable(node: XmlNode): XmlNode[] {
    if (typeof node === 'string') return [node];
    // Without content they say that a paragraph or a row is deleted, which the package reads.
    if (DELETED.has(node.name) && node.children.length > 0) return [];
    if (UNWRAPPED.has(node.name)) return inside(node);
    switch (node.name) {
      case 'w:p':
        return [paragraph(node)];
      case 'w:r':
        return [run(node)];
      case 'w:tr':
        return tableRow(node);
      case 'w:fldSimple':
        return simpleField(node);
      case 'w:fldChar':
        return [node, ...shownChoice(node)];
      case 'w:instrText':
        return [element(node.name, [codes.get(node) ?? node.children.join('')])];
      case 'w:cr':
        return [element('w:br')];
      case 'w:ptab':
        return [element('w:tab')];
      case 'w:sym':
        return [symbol(node)];
      case 'w:ruby':
        // As HTML shows it without support (`rp`).
        return [
          ...inside(childOf(node, 'w:rubyBase')),
          text('('),
          ...inside(childOf(node, 'w:rt')),
          text(')'),
        ];
      case 'm:oMath':
        return [formula(node, FORMULA_STYLE)];
      case 'm:oMathPara':
        return descendantsOf(node, 'm:oMath').map((one) => formula(one, DISPLAY_STYLE));
      case 'mc:AlternateContent':
        return alternative(node);
      case 'w:drawing':
      case 'w:pict':
        return drawing(node);
      default:
        return [rebuilt(node)];
    }
  }

  function paragraph(node: XmlElement): XmlElement {
    const properties = childOf(node, 'w:pPr');
    const outer = paragraphStyle;
    paragraphStyle = wordValue(properties, 'w:pStyle');
    const read = rebuilt(node);
    paragraphStyle = outer;
    const level = styles.headingLevel(properties);
    if (level === null) return read;
    const heading = element('w:pStyle', [], { 'w:val': `Heading${level}` });
    const others = (properties?.children ?? []).filter(
      (child) => typeof child === 'string' || child.name !== 'w:pStyle',
    );
    const rest = read.children.filter((child) => typeof child === 'string' || child.name !== 'w:pPr');
    return { ...read, children: [element('w:pPr', [heading, ...others]), ...rest] };
  }

  function run(node: XmlElement): XmlElement {
    const properties = childOf(node, 'w:rPr');
    const isHidden =
      isOn(childOf(properties, 'w:vanish')) ??
      styles.isHidden(wordValue(properties, 'w:rStyle')) ??
      styles.isHidden(paragraphStyle) ??
      false;
    if (!isHidden) return rebuilt(node);
    writer.hide('characters', textLength(node));
    const kept = elementsOf(node).filter(({ name }) => FIELD_PARTS.has(name));
    return { ...node, children: kept };
  }

  function tableRow(node: XmlElement): XmlNode[] {
    if (isOn(childOf(childOf(node, 'w:trPr'), 'w:hidden')) !== true) return [rebuilt(node)];
    writer.hide('rows', 1);
    return [];
  }

  /** A field in one element, as the package knows it: in several (§17.16.18, §17.16.19). */
  function simpleField(node: XmlElement): XmlNode[] {
    const limit = (type: string) => inRun([element('w:fldChar', [], { 'w:fldCharType': type })]);
    const code = element('w:instrText', [linkCode(node.attributes['w:instr'] ?? '')]);
    return [limit('begin'), inRun([code]), limit('separate'), ...inside(node), limit('end')];
  }

  function alternative(node: XmlElement): XmlNode[] {
    const fallback = childOf(node, 'mc:Fallback');
    const choice = childOf(node, 'mc:Choice');
    if (choice !== undefined && descendantsOf(choice, 'w:txbxContent').length > 0) return drawing(choice);
    if (fallback !== undefined && textLength(fallback) > 0)
      return [{ ...node, children: [rebuilt(fallback)] }];
    return inside(choice ?? fallback);
  }

  /** The texts of boxes, as a box that the package reads; without any, the drawing as it is. */
  function drawing(node: XmlElement): XmlNode[] {
    const boxes = descendantsOf(node, 'w:txbxContent').map(rebuilt);
    const artistic = descendantsOf(node, 'v:textpath').map(({ attributes }) =>
      element('w:txbxContent', [element('w:p', [inRun([text(attributes.string ?? '')])])]),
    );
    const texts = [...boxes, ...artistic];
    if (texts.length === 0) return node.name.startsWith('mc:') ? inside(node) : [rebuilt(node)];
    return [element('w:pict', [element('v:textbox', texts, { 'xmlns:v': VML })])];
  }

  return xmlOf(rebuilt(tree));
}

/** With the large first letter of a paragraph, which Word stores as a paragraph before it (§17.3.1.11), in that paragraph. */
function withDropCaps(nodes: readonly XmlNode[]): readonly XmlNode[] {
  const joined: XmlNode[] = [];
  let dropCap: XmlElement | null = null;
  for (const node of nodes) {
    const isParagraph = typeof node !== 'string' && node.name === 'w:p';
    if (isParagraph && dropCap === null && isDropCap(node)) dropCap = node;
    else if (isParagraph && dropCap !== null) {
      const properties = elementsOf(node).filter(({ name }) => name === 'w:pPr');
      const runs = (paragraph: XmlElement) => elementsOf(paragraph).filter(({ name }) => name !== 'w:pPr');
      joined.push({ ...node, children: [...properties, ...runs(dropCap), ...runs(node)] });
      dropCap = null;
    } else joined.push(node);
  }
  return dropCap === null ? joined : [...joined, dropCap];
}

function isDropCap(paragraph: XmlElement): boolean {
  const frame = childOf(childOf(paragraph, 'w:pPr'), 'w:framePr');
  const kind = frame?.attributes['w:dropCap'];
  return kind !== undefined && kind !== 'none';
}

/** The codes of fields that are links, in place of the pieces in which Word stores them. */
function linkCodes(tree: XmlElement): ReadonlyMap<XmlElement, string> {
  const codes = new Map<XmlElement, string>();
  /** The pieces of the code of each open field; the field itself may be a part of the code of another. */
  const open: XmlElement[][] = [];
  const endCode = (pieces: readonly XmlElement[] = []) => {
    const code = pieces.map(({ children }) => children.join('')).join('');
    const link = linkCode(code);
    if (link !== code) for (const [n, piece] of pieces.entries()) codes.set(piece, n === 0 ? link : '');
  };
  const walk = (node: XmlElement): void => {
    if (node.name === 'w:instrText') open.at(-1)?.push(node);
    const type = node.name === 'w:fldChar' ? node.attributes['w:fldCharType'] : undefined;
    if (type === 'begin') open.push([]);
    else if (type === 'separate') endCode(open.at(-1)?.splice(0));
    else if (type === 'end') endCode(open.pop());
    for (const child of elementsOf(node)) walk(child);
  };
  walk(tree);
  return codes;
}

/** The code of a link as the package reads it: the address with the place in the page, without window and tip. Other codes stay. */
function linkCode(code: string): string {
  const target = linkTarget(code);
  if (target === null) return code;
  return target.startsWith('#') ? `HYPERLINK \\l "${target.slice(1)}"` : `HYPERLINK "${target}"`;
}

const inRun = (children: readonly XmlNode[]): XmlElement => element('w:r', children);
const text = (value: string): XmlElement => element('w:t', [value], { 'xml:space': 'preserve' });

function formula(node: XmlElement, style: string): XmlElement {
  const tex = officeTex(node);
  const [before, after] = style === DISPLAY_STYLE ? ['\\[', '\\]'] : ['\\(', '\\)'];
  const properties = element('w:rPr', [element('w:rStyle', [], { 'w:val': style })]);
  return inRun(tex === '' ? [] : [properties, text(`${before}${tex}${after}`)]);
}

/** A character of a font by its number; `F000` and above are the places of fonts without Unicode (§17.3.3.30). */
function symbol(node: XmlElement): XmlElement {
  const { 'w:font': font = '', 'w:char': char = '' } = node.attributes;
  const code = Number.parseInt(char, 16);
  if (DINGBATS.test(font) || !(code > 0 && code <= 0x10ffff)) return node;
  return text(String.fromCodePoint(code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code));
}

/** The entry that a drop-down list of a form shows, which has no text of its own (§17.16.9). */
function shownChoice(node: XmlElement): XmlNode[] {
  const list = childOf(childOf(node, 'w:ffData'), 'w:ddList');
  if (list === undefined) return [];
  const entries = elementsOf(list).filter(({ name }) => name === 'w:listEntry');
  const chosen = Number(wordValue(list, 'w:result') ?? wordValue(list, 'w:default') ?? 0);
  return [text(entries[chosen]?.attributes['w:val'] ?? '')];
}

function textLength(node: XmlElement): number {
  if (node.name === 'w:t') return node.children.join('').length;
  if (node.name === 'w:sym') return 1;
  return elementsOf(node).reduce((sum, child) => sum + textLength(child), 0);
}
