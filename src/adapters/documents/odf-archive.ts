import { type Archive, memberText, openArchive } from './archive.ts';
import {
  cleanDate,
  cleanProperty,
  encryptedDocument,
  type ReadPart,
  UnreadableDocument,
} from './read-part.ts';
import { firstTexts, readXml } from './xml-events.ts';

const MEMBERS = new Set(['content.xml', 'styles.xml', 'meta.xml', 'META-INF/manifest.xml']);

/** The text of an embedded object, such as a formula. */
const EMBEDDED = /^[^/]+\/content\.xml$/;

/** Opens a file of OpenDocument (ISO/IEC 26300). @returns `content` is its text as XML */
export function openOdf(bytes: Buffer): { readonly archive: Archive; readonly content: string } {
  const archive = openArchive(bytes, (name) => MEMBERS.has(name) || EMBEDDED.test(name));
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

/** Elements of OpenDocument that hide what they style, by the attribute that says so (part 3, §19 and §20). */
const HIDING = {
  'style:table-properties': ['table:display', 'false'],
  'style:text-properties': ['text:display', 'none'],
} as const;

/** Names of the styles that hide what has them: sheets, tables, paragraphs and spans. */
export const hidingStyles = (sources: readonly string[]): ReadonlySet<string> => stylesWith(sources, HIDING);

const BOLD = { 'style:text-properties': ['fo:font-weight', 'bold'] } as const;
const ITALIC = { 'style:text-properties': ['fo:font-style', 'italic'] } as const;

/** Names of the styles of bold and of italic text. */
export const emphasizingStyles = (sources: readonly string[]) => ({
  bold: stylesWith(sources, BOLD),
  italic: stylesWith(sources, ITALIC),
});

/** An attribute and its value, by the element that has it. */
type StyleProperty = Readonly<Record<string, readonly [attribute: string, value: string]>>;

/** Names of the styles that have a property. Styles inherit from their parents. */
function stylesWith(sources: readonly string[], property: StyleProperty): ReadonlySet<string> {
  const own = new Map<string, boolean>();
  const parents = new Map<string, string>();
  let style = '';
  for (const xml of sources)
    readXml(xml, {
      open(name, attributes) {
        if (name === 'style:style') {
          style = attributes['style:name'] ?? '';
          const parent = attributes['style:parent-style-name'];
          if (parent !== undefined) parents.set(style, parent);
        }
        const [attribute, value] = property[name] ?? [];
        const given = attribute === undefined ? undefined : attributes[attribute];
        if (given !== undefined && style !== '') own.set(style, given === value);
      },
      close(name) {
        if (name === 'style:style') style = '';
      },
    });
  const hasProperty = (name: string) => {
    let id: string | undefined = name;
    for (let depth = 0; id !== undefined && depth < 20; depth++) {
      const has = own.get(id);
      if (has !== undefined) return has;
      id = parents.get(id);
    }
    return false;
  };
  return new Set([...own.keys(), ...parents.keys()].filter(hasProperty));
}
