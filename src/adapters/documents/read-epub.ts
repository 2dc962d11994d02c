import { type Archive, memberText, openArchive, resolveMember } from './archive.ts';
import type { HtmlWriter } from './html-writer.ts';
import {
  cleanDate,
  cleanProperty,
  encryptedDocument,
  pageLimit,
  type ReadLimits,
  type ReadPart,
  TIME_IS_UP,
  UnreadableDocument,
} from './read-part.ts';
import { firstTexts, readXml, type XmlAttributes } from './xml-events.ts';

const WANTED = /\.(?:x?html?|xml|opf)$|^META-INF\//i;

/** Reads a book: its chapters in the order of the spine (EPUB 3.3 §5.7), each as a section. */
export function readEpub(bytes: Buffer, writer: HtmlWriter, limits: ReadLimits): ReadPart {
  const archive = openArchive(bytes, (name) => WANTED.test(name));
  // Encrypted fonts are usual, encrypted chapters have a licence beside them.
  if (archive.has('META-INF/rights.xml') || archive.has('META-INF/license.lcpl')) throw encryptedDocument();
  const { member, xml } = packageDocument(archive);
  const chapters = spineMembers(member, xml);
  let truncation: string | null = null;
  let pagesRead = 0;
  for (const chapter of chapters) {
    if (pagesRead >= limits.maxPages) truncation = pageLimit(limits.maxPages);
    else if (limits.isTimeUp()) truncation = TIME_IS_UP;
    if (truncation !== null) break;
    pagesRead++;
    writer.open('section');
    writeChapter(memberText(archive, chapter) ?? '', writer);
    writer.close('section');
  }
  const texts = firstTexts(xml, ['dc:title', 'dc:creator', 'dc:date']);
  return {
    title: cleanProperty(texts.get('dc:title')),
    author: cleanProperty(texts.get('dc:creator')),
    created: cleanDate(texts.get('dc:date')),
    pages: chapters.length,
    pagesRead,
    truncation,
  };
}

/** The file that lists the parts of the book. */
function packageDocument(archive: Archive): { member: string; xml: string } {
  let member = '';
  readXml(memberText(archive, 'META-INF/container.xml') ?? '', {
    open(name, attributes) {
      if (name === 'rootfile' && member === '') member = attributes['full-path'] ?? '';
    },
  });
  const xml = memberText(archive, member);
  if (xml === null) throw new UnreadableDocument('broken', 'The book has no package document.');
  return { member, xml };
}

function spineMembers(packageMember: string, xml: string): string[] {
  const hrefs = new Map<string, string>();
  const chapters: string[] = [];
  readXml(xml, {
    open(name, { id, href, idref }) {
      const local = name.replace(/^opf:/, '');
      if (local === 'item' && id !== undefined && href !== undefined) hrefs.set(id, href);
      if (local !== 'itemref' || idref === undefined) return;
      const target = hrefs.get(idref);
      if (target !== undefined) chapters.push(resolveMember(packageMember, target));
    },
  });
  return chapters;
}

const SKIPPED = new Set(['head', 'script', 'style', 'svg', 'iframe', 'object', 'audio', 'video', 'template']);
/** Elements without content of their own, which are left out: the document around the chapter, and pictures. */
const OMITTED = new Set(['html', 'body', 'img', 'link', 'meta']);
const VOID = new Set(['br', 'hr', 'wbr', 'col']);
const KEPT_ATTRIBUTES = ['lang', 'colspan', 'rowspan', 'start', 'datetime'];
const ABSOLUTE_URL = /^(?:https?|mailto):/i;

const isHidden = ({ hidden, style }: XmlAttributes): boolean =>
  hidden !== undefined || /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(style ?? '');

/** Writes the body of a chapter with the attributes that carry meaning. Links inside the book lead nowhere here. */
function writeChapter(xhtml: string, writer: HtmlWriter): void {
  let skipDepth = 0;
  let hiddenDepth = 0;
  const isWritten = (name: string) => skipDepth === 0 && !OMITTED.has(name) && /^[a-z][a-z0-9]*$/.test(name);
  readXml(
    xhtml.replace(/&(nbsp|mdash|ndash|hellip|[lr][sd]quo);/g, (entity) => HTML_ENTITIES[entity]!),
    {
      open(name, attributes) {
        if (hiddenDepth > 0 || (skipDepth === 0 && isHidden(attributes))) hiddenDepth++;
        if (skipDepth > 0 || SKIPPED.has(name) || hiddenDepth > 0) skipDepth++;
        if (!isWritten(name)) return;
        const kept = Object.fromEntries(KEPT_ATTRIBUTES.map((key) => [key, attributes[key]]));
        const href = ABSOLUTE_URL.test(attributes.href ?? '') ? attributes.href : undefined;
        writer.open(name, { href, ...kept });
      },
      close(name) {
        if (isWritten(name) && !VOID.has(name)) writer.close(name);
        if (skipDepth > 0) skipDepth--;
        if (hiddenDepth > 0) hiddenDepth--;
      },
      text(text) {
        if (skipDepth === 0) writer.text(text);
        else if (hiddenDepth > 0) writer.hide('characters', text.trim().length);
      },
    },
  );
}

/** Entities of HTML that books use although XML does not know them. */
const HTML_ENTITIES: Readonly<Record<string, string>> = {
  '&nbsp;': '\u00a0',
  '&mdash;': '—',
  '&ndash;': '–',
  '&hellip;': '…',
  '&lsquo;': '‘',
  '&rsquo;': '’',
  '&ldquo;': '“',
  '&rdquo;': '”',
};
