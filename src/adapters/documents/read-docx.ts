import { strToU8, zipSync } from 'fflate';
import mammoth from 'mammoth';
import { memberText, openArchive } from './archive.ts';
import type { HtmlWriter } from './html-writer.ts';
import { coreProperties } from './office-package.ts';
import type { ReadPart } from './read-part.ts';
import { WordStyles } from './word-styles.ts';
import { DISPLAY_STYLE, FORMULA_STYLE, readableWordXml } from './word-text.ts';

/** A converter returns the elements for a picture. The types of the package do not say so. */
const dropImage = (async () => []) as unknown as typeof mammoth.images.dataUri;

/** The members with text: the body, and what is referred to from it. */
const TEXT_MEMBER = /^word\/(?:document|footnotes|endnotes)\d*\.xml$/;
const STYLES_MEMBER = 'word/styles.xml';
/** Pictures are not read. */
const WANTED = /\.(?:xml|rels)$/;
const STYLE_MAP = [`r.${FORMULA_STYLE} => span.math.inline`, `r.${DISPLAY_STYLE} => span.math.display`];
/** How the package writes check boxes of forms and of content controls. */
const CHECK_BOX = /<input type="checkbox"( checked="checked")? ?\/>/g;

/** Reads a document of Word. `externalFileAccess` is off in the package unless asked for. */
export async function readDocx(bytes: Buffer, writer: HtmlWriter): Promise<ReadPart> {
  const archive = openArchive(bytes, (name) => WANTED.test(name));
  const members = Object.fromEntries(archive);
  const styles = new WordStyles(memberText(archive, STYLES_MEMBER));
  for (const name of archive.keys())
    if (TEXT_MEMBER.test(name))
      members[name] = strToU8(readableWordXml(memberText(archive, name)!, styles, writer));
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(zipSync(members, { level: 0 })) },
    { externalFileAccess: false, convertImage: dropImage, styleMap: STYLE_MAP },
  );
  // Word shows them as these characters.
  writer.markup(value.replace(CHECK_BOX, (_, checked) => (checked === undefined ? '☐' : '☒')));
  return { ...coreProperties(archive), pages: null, pagesRead: null, truncation: null };
}
