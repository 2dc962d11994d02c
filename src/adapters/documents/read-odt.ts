import { type Archive, memberText, resolveMember } from './archive.ts';
import type { HtmlWriter } from './html-writer.ts';
import { emphasizingStyles, hidingStyles, odfProperties, openOdf } from './odf-archive.ts';
import type { ReadPart } from './read-part.ts';
import { readXml, type XmlAttributes } from './xml-events.ts';

/** Reads a text document of OpenDocument (ISO/IEC 26300). */
export function readOdt(bytes: Buffer, writer: HtmlWriter): ReadPart {
  const { archive, content } = openOdf(bytes);
  const styles = [memberText(archive, 'styles.xml') ?? '', content];
  const body = new OdtBody(writer, archive, {
    numbered: numberedListStyles(styles),
    hiding: hidingStyles(styles),
    ...emphasizingStyles(styles),
  });
  readXml(content, {
    open: (name, attributes) => body.open(name, attributes),
    close: (name) => body.close(name),
    text: (text) => body.text(text),
  });
  return { ...odfProperties(archive), pages: null, pagesRead: null, truncation: null };
}

/** Names of the list styles whose first level is numbered. */
function numberedListStyles(sources: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>();
  let style = '';
  for (const xml of sources)
    readXml(xml, {
      open(name, attributes) {
        if (name === 'text:list-style') style = attributes['style:name'] ?? '';
        else if (name === 'text:list-level-style-number' && attributes['text:level'] === '1')
          names.add(style);
      },
    });
  return names;
}

/** Elements whose content is not text of the document: deleted text, comments, outlines drawn by a form. */
const SKIPPED = new Set([
  'text:tracked-changes',
  'office:annotation',
  'office:forms',
  'svg:desc',
  'svg:title',
]);
const SPACES_LIMIT = 100;
const MAX_SPAN = 1000;
const NO_TAGS: readonly string[] = [];

/** Names of styles. */
interface OdtStyles {
  /** Of lists whose first level is numbered. */
  readonly numbered: ReadonlySet<string>;
  readonly hiding: ReadonlySet<string>;
  readonly bold: ReadonlySet<string>;
  readonly italic: ReadonlySet<string>;
}

/** Turns the elements of `office:text` into HTML as they come. */
class OdtBody {
  readonly #writer: HtmlWriter;
  readonly #archive: Archive;
  readonly #styles: OdtStyles;
  /** The HTML elements of each open element. */
  readonly #tags: (readonly string[])[] = [];
  readonly #lists: string[] = [];
  #skipDepth = 0;
  #hiddenDepth = 0;
  #noteDepth = 0;
  #inBody = false;

  constructor(writer: HtmlWriter, archive: Archive, styles: OdtStyles) {
    this.#writer = writer;
    this.#archive = archive;
    this.#styles = styles;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'office:body') this.#inBody = true;
    if (this.#hiddenDepth > 0 || (this.#inBody && this.#skipDepth === 0 && this.#isHidden(name, attributes)))
      this.#hiddenDepth++;
    if (this.#skipDepth > 0 || SKIPPED.has(name) || this.#hiddenDepth > 0) this.#skipDepth++;
    this.#tags.push(this.#inBody && this.#skipDepth === 0 ? this.#openTags(name, attributes) : NO_TAGS);
  }

  close(name: string): void {
    if (this.#skipDepth > 0) this.#skipDepth--;
    if (this.#hiddenDepth > 0) this.#hiddenDepth--;
    if (name === 'text:note' && this.#noteDepth > 0) this.#noteDepth--;
    const tags = this.#tags.pop() ?? NO_TAGS;
    if (tags.length === 0) return;
    if (name === 'text:list') this.#lists.pop();
    if (name === 'text:note-body') this.#writer.text(')');
    else for (const tag of tags.toReversed()) this.#writer.close(tag);
  }

  text(text: string): void {
    if (this.#hiddenDepth > 0) this.#writer.hide('characters', text.trim().length);
    // White space between paragraphs is layout of the file.
    if (this.#inBody && this.#skipDepth === 0) this.#writer.text(text.replace(/[\s]+/g, ' '));
  }

  /** Hidden text, sections and rows; a condition counts as it was when the document was saved. */
  #isHidden(name: string, attributes: XmlAttributes): boolean {
    if (name === 'text:hidden-text' || name === 'text:hidden-paragraph')
      return attributes['text:is-hidden'] !== 'false';
    if (name === 'text:section' && attributes['text:display'] === 'none') return true;
    if (name === 'text:section' && attributes['text:display'] === 'condition')
      return attributes['text:is-hidden'] === 'true';
    if (/^(?:collapse|filter)$/.test(attributes['table:visibility'] ?? '')) return true;
    return this.#styles.hiding.has(attributes['text:style-name'] ?? attributes['table:style-name'] ?? '');
  }

  #openTags(name: string, attributes: XmlAttributes): readonly string[] {
    const writer = this.#writer;
    const opened = (tag: string, html: Record<string, string | undefined> = {}) => {
      writer.open(tag, html);
      return [tag];
    };
    switch (name) {
      case 'text:h': {
        const level = Number(attributes['text:outline-level'] ?? 1);
        return opened(`h${Math.min(6, Math.max(1, level || 1))}`);
      }
      case 'text:p':
        return this.#noteDepth > 0 ? NO_TAGS : opened('p');
      case 'text:list': {
        // A list in a list usually names no style.
        const style = attributes['text:style-name'];
        const tag =
          style === undefined ? (this.#lists.at(-1) ?? 'ul') : this.#styles.numbered.has(style) ? 'ol' : 'ul';
        this.#lists.push(tag);
        return opened(tag);
      }
      case 'text:list-item':
        return opened('li');
      case 'text:span': {
        const style = attributes['text:style-name'] ?? '';
        const { bold, italic } = this.#styles;
        return [...(bold.has(style) ? opened('strong') : []), ...(italic.has(style) ? opened('em') : [])];
      }
      case 'text:a':
        return opened('a', { href: attributes['xlink:href'] });
      case 'text:note':
        this.#noteDepth++;
        return NO_TAGS;
      case 'text:note-citation':
        return opened('sup');
      case 'text:note-body':
        writer.text(' (');
        return [name];
      case 'table:table':
        return opened('table');
      case 'table:table-row':
        return opened('tr');
      case 'table:table-cell':
        return opened('td', {
          colspan: span(attributes['table:number-columns-spanned']),
          rowspan: span(attributes['table:number-rows-spanned']),
        });
      case 'draw:object': {
        const object = resolveMember('content.xml', `${attributes['xlink:href']}/content.xml`);
        writeFormula(memberText(this.#archive, object) ?? '', writer);
        return NO_TAGS;
      }
      case 'text:line-break':
        writer.open('br');
        return NO_TAGS;
      case 'text:tab':
        writer.text(' ');
        return NO_TAGS;
      case 'text:s':
        writer.text(' '.repeat(Math.min(SPACES_LIMIT, Number(attributes['text:c'] ?? 1) || 1)));
        return NO_TAGS;
      default:
        return NO_TAGS;
    }
  }
}

/** Writes an embedded object that is a formula (MathML). Others are charts and parts of other documents. */
function writeFormula(xml: string, writer: HtmlWriter): void {
  let isFormula: boolean | null = null;
  /** Depth in an annotation: the same formula in another language. */
  let annotated = 0;
  readXml(xml, {
    open(name) {
      const local = localName(name);
      isFormula ??= local === 'math';
      if (annotated > 0 || local === 'annotation') annotated++;
      else if (isFormula) writer.open(local);
    },
    close(name) {
      if (annotated > 0) annotated--;
      else if (isFormula) writer.close(localName(name));
    },
    text(text) {
      if (isFormula && annotated === 0) writer.text(text.trim());
    },
  });
}

/** The name of an element without its prefix, made safe: it comes from the document. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1).replaceAll(/\W/g, '');

function span(value: string | undefined): string | undefined {
  const count = Number(value ?? 1);
  return count > 1 && count <= MAX_SPAN ? String(count) : undefined;
}
