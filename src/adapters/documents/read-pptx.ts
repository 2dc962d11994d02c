import { type Archive, memberText, openArchive } from './archive.ts';
import type { HtmlWriter } from './html-writer.ts';
import { CORE_MEMBER, coreProperties, relations } from './office-package.ts';
import { pageLimit, type ReadLimits, type ReadPart, TIME_IS_UP, UnreadableDocument } from './read-part.ts';
import { readXml, type XmlAttributes } from './xml-events.ts';

const PRESENTATION = 'ppt/presentation.xml';
const WANTED =
  /^ppt\/(?:presentation\.xml|slides\/[^/]+\.xml|notesSlides\/[^/]+\.xml|(?:slides\/)?_rels\/[^/]+\.rels)$/;

/** Reads the slides of a presentation, each as a section: its title, texts and tables, then the notes of the speaker. */
export function readPptx(bytes: Buffer, writer: HtmlWriter, limits: ReadLimits): ReadPart {
  const archive = openArchive(bytes, (name) => WANTED.test(name) || name === CORE_MEMBER);
  const slides = slideMembers(archive);
  let truncation: string | null = null;
  let pagesRead = 0;
  let hidden = 0;
  for (const slide of slides) {
    if (pagesRead >= limits.maxPages) truncation = pageLimit(limits.maxPages);
    else if (limits.isTimeUp()) truncation = TIME_IS_UP;
    if (truncation !== null) break;
    const xml = memberText(archive, slide) ?? '';
    if (isHiddenSlide(xml)) {
      hidden++;
      continue;
    }
    pagesRead++;
    writer.open('section');
    writeShapes(xml, writer);
    const related = [...relations(archive, slide).values()];
    const notes = related.find(({ type }) => type === 'notesSlide')?.member;
    if (notes !== undefined) {
      writer.open('aside');
      writeShapes(memberText(archive, notes) ?? '', writer);
      writer.close('aside');
    }
    writer.close('section');
  }
  writer.hide('slides', hidden);
  return { ...coreProperties(archive), pages: slides.length - hidden, pagesRead, truncation };
}

/** A slide that a show leaves out (ECMA-376 part 1, §19.3.1.38). */
function isHiddenSlide(xml: string): boolean {
  return /^(?:<\?[^>]*>|\s)*<p:sld\b[^>]*\sshow="(?:0|false)"/.test(xml.slice(0, 10_000));
}

/** The members with the slides, in the order of the presentation. */
function slideMembers(archive: Archive): string[] {
  const presentation = memberText(archive, PRESENTATION);
  if (presentation === null) throw new UnreadableDocument('broken', 'The document has no list of slides.');
  const byId = relations(archive, PRESENTATION);
  const slides: string[] = [];
  readXml(presentation, {
    open(name, attributes) {
      const member = name === 'p:sldId' ? byId.get(attributes['r:id'] ?? '')?.member : undefined;
      if (member !== undefined) slides.push(member);
    },
  });
  return slides;
}

/** Elements that can be hidden: shapes, groups of them, tables and charts, pictures. */
const SHAPES = new Set(['p:sp', 'p:grpSp', 'p:graphicFrame', 'p:pic', 'p:cxnSp']);
/** Texts that each slide repeats, and the picture of the slide among the notes. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
/** ECMA-376, `ST_TextIndentLevelType`: levels are 0 to 8. */
const MAX_LEVEL = 8;

/** Writes the texts of the shapes of a slide in the order of the file, in which screen readers read them. */
function writeShapes(xml: string, writer: HtmlWriter): void {
  const shapes = new SlideShapes(writer);
  readXml(xml, {
    open: (name, attributes) => shapes.open(name, attributes),
    close: (name) => shapes.close(name),
    text: (text) => shapes.text(text),
  });
}

class SlideShapes {
  readonly #writer: HtmlWriter;
  /** The type of the placeholder that the shape fills; null: none. Body placeholders are lists. */
  #placeholder: string | null = null;
  #level = 0;
  #openLists = 0;
  #paragraphTag: string | null = null;
  #inText = false;
  #inCell = false;
  /** Depth of the element inside `mc:Fallback`, which repeats a shape for older programs; 0: outside. */
  #skipDepth = 0;
  #depth = 0;
  /** Depths of the open shapes. */
  readonly #shapeDepths: number[] = [];
  /** Depth of the shape that is hidden; 0: none. */
  #hiddenDepth = 0;

  constructor(writer: HtmlWriter) {
    this.#writer = writer;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (this.#skipDepth > 0 || name === 'mc:Fallback') {
      this.#skipDepth++;
      return;
    }
    this.#depth++;
    if (SHAPES.has(name)) this.#shapeDepths.push(this.#depth);
    // The properties of a shape, a table or a group of shapes come first in it.
    const isHidden = name === 'p:cNvPr' && /^(?:1|true)$/.test(attributes.hidden ?? '');
    if (isHidden && this.#hiddenDepth === 0 && this.#shapeDepths.length > 0) {
      this.#hiddenDepth = this.#shapeDepths.at(-1)!;
      this.#writer.hide('shapes', 1);
    }
    if (this.#hiddenDepth > 0) return;
    switch (name) {
      case 'p:sp':
        this.#placeholder = null;
        break;
      case 'p:ph':
        this.#placeholder = attributes.type ?? 'body';
        break;
      case 'a:p':
        this.#level = 0;
        break;
      case 'a:pPr':
        this.#level = Math.min(MAX_LEVEL, Number(attributes.lvl ?? 0) || 0);
        break;
      case 'a:t':
        this.#beginParagraph();
        this.#inText = true;
        break;
      case 'a:br':
        if (this.#paragraphTag !== null) this.#writer.open('br');
        break;
      case 'a:tbl':
        this.#writer.open('table');
        break;
      case 'a:tr':
        this.#writer.open('tr');
        break;
      case 'a:tc':
        this.#openCell(attributes);
        break;
    }
  }

  close(name: string): void {
    if (this.#skipDepth > 0) {
      this.#skipDepth--;
      return;
    }
    if (this.#shapeDepths.at(-1) === this.#depth) this.#shapeDepths.pop();
    const isHidden = this.#hiddenDepth > 0;
    if (this.#hiddenDepth === this.#depth) this.#hiddenDepth = 0;
    this.#depth--;
    if (isHidden) return;
    switch (name) {
      case 'a:t':
        this.#inText = false;
        break;
      case 'a:p':
        if (this.#paragraphTag !== null) this.#writer.close(this.#paragraphTag);
        this.#paragraphTag = null;
        break;
      case 'p:sp':
        this.#setListDepth(0);
        break;
      case 'a:tbl':
        this.#writer.close('table');
        break;
      case 'a:tr':
        this.#writer.close('tr');
        break;
      case 'a:tc':
        if (this.#inCell) this.#writer.close('td');
        this.#inCell = false;
        break;
    }
  }

  text(text: string): void {
    if (this.#inText && this.#paragraphTag !== null && this.#hiddenDepth === 0) this.#writer.text(text);
  }

  /** A paragraph begins with its first text, because empty ones are only space. */
  #beginParagraph(): void {
    if (this.#paragraphTag !== null) return;
    const placeholder = this.#inCell ? null : this.#placeholder;
    if (placeholder !== null && REPEATED.has(placeholder)) return;
    if (placeholder === 'title' || placeholder === 'ctrTitle') this.#paragraphTag = 'h2';
    else if (placeholder === 'body' || placeholder === 'obj') this.#paragraphTag = 'li';
    else this.#paragraphTag = 'p';
    this.#setListDepth(this.#paragraphTag === 'li' ? this.#level + 1 : 0);
    this.#writer.open(this.#paragraphTag);
  }

  #setListDepth(depth: number): void {
    for (; this.#openLists < depth; this.#openLists++) this.#writer.open('ul');
    for (; this.#openLists > depth; this.#openLists--) this.#writer.close('ul');
  }

  #openCell({ gridSpan, rowSpan, hMerge, vMerge }: XmlAttributes): void {
    this.#inCell = hMerge === undefined && vMerge === undefined;
    if (this.#inCell) this.#writer.open('td', { colspan: gridSpan, rowspan: rowSpan });
  }
}
