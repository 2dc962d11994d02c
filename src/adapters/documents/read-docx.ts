import mammoth from 'mammoth';
import { checkArchive, openArchive } from './archive.ts';
import type { HtmlWriter } from './html-writer.ts';
import { CORE_MEMBER, coreProperties } from './office-properties.ts';
import type { ReadPart } from './read-part.ts';

/** A converter returns the elements for a picture. The types of the package do not say so. */
const dropImage = (async () => []) as unknown as typeof mammoth.images.dataUri;

/** Reads a document of Word. Pictures are left out; `externalFileAccess` is off in the package unless asked for. */
export async function readDocx(bytes: Buffer, writer: HtmlWriter): Promise<ReadPart> {
  checkArchive(bytes);
  const { value } = await mammoth.convertToHtml(
    { buffer: bytes },
    { externalFileAccess: false, convertImage: dropImage },
  );
  writer.markup(value);
  const archive = openArchive(bytes, (name) => name === CORE_MEMBER);
  return { ...coreProperties(archive), pages: null, pagesRead: null, truncation: null };
}
