import { type Archive, memberText, openArchive } from './archive.ts';
import {
  cleanDate,
  cleanProperty,
  encryptedDocument,
  type ReadPart,
  UnreadableDocument,
} from './read-part.ts';
import { firstTexts } from './xml-events.ts';

const MEMBERS = new Set(['content.xml', 'styles.xml', 'meta.xml', 'META-INF/manifest.xml']);

/** Opens a file of OpenDocument (ISO/IEC 26300). @returns `content` is its text as XML */
export function openOdf(bytes: Buffer): { readonly archive: Archive; readonly content: string } {
  const archive = openArchive(bytes, (name) => MEMBERS.has(name));
  if (memberText(archive, 'META-INF/manifest.xml')?.includes('manifest:encryption-data'))
    throw encryptedDocument();
  const content = memberText(archive, 'content.xml');
  if (content === null) throw new UnreadableDocument('broken', 'The document has no text (content.xml).');
  return { archive, content };
}

export function odfProperties(archive: Archive): Pick<ReadPart, 'title' | 'author' | 'created'> {
  const names = ['dc:title', 'dc:creator', 'meta:initial-creator', 'meta:creation-date'];
  const texts = firstTexts(memberText(archive, 'meta.xml'), names);
  return {
    title: cleanProperty(texts.get('dc:title')),
    author: cleanProperty(texts.get('meta:initial-creator') ?? texts.get('dc:creator')),
    created: cleanDate(texts.get('meta:creation-date')),
  };
}
