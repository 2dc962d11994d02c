import { strToU8, zipSync } from 'fflate';
import mammoth from 'mammoth';
import { type Archive, memberText, openArchive } from './archive.ts';
import type { HtmlWriter } from './html-writer.ts';
import { formulasAsText } from './office-formulas.ts';
import { coreProperties } from './office-package.ts';
import type { ReadPart } from './read-part.ts';

/** A converter returns the elements for a picture. The types of the package do not say so. */
const dropImage = (async () => []) as unknown as typeof mammoth.images.dataUri;

const BODY_MEMBER = 'word/document.xml';
/** Pictures are not read. */
const WANTED = /\.(?:xml|rels)$/;

/** Reads a document of Word. `externalFileAccess` is off in the package unless asked for. */
export async function readDocx(bytes: Buffer, writer: HtmlWriter): Promise<ReadPart> {
  const archive = openArchive(bytes, (name) => WANTED.test(name));
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(withReadableFormulas(archive)) },
    { externalFileAccess: false, convertImage: dropImage },
  );
  writer.markup(value);
  return { ...coreProperties(archive), pages: null, pagesRead: null, truncation: null };
}

/** The document as an archive again, without pictures; the package would leave out formulas, so they become text. */
function withReadableFormulas(archive: Archive): Uint8Array {
  const members = Object.fromEntries(archive);
  const body = memberText(archive, BODY_MEMBER);
  if (body !== null) members[BODY_MEMBER] = strToU8(formulasAsText(body));
  return zipSync(members, { level: 0 });
}
