import { type Archive, memberText } from './archive.ts';
import { cleanDate, cleanProperty, type ReadPart } from './read-part.ts';
import { firstTexts } from './xml-events.ts';

/** The member of an Office Open XML file with its properties. */
export const CORE_MEMBER = 'docProps/core.xml';

export function coreProperties(archive: Archive): Pick<ReadPart, 'title' | 'author' | 'created'> {
  const names = ['dc:title', 'dc:creator', 'dcterms:created'];
  const texts = firstTexts(memberText(archive, CORE_MEMBER), names);
  return {
    title: cleanProperty(texts.get('dc:title')),
    author: cleanProperty(texts.get('dc:creator')),
    created: cleanDate(texts.get('dcterms:created')),
  };
}
