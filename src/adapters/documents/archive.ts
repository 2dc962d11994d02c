import { strFromU8, type UnzipFileInfo, unzipSync } from 'fflate';
import { encryptedDocument, UnreadableDocument } from './read-part.ts';

/** Limits of what an archive may unpack to. Real documents are far below. */
const MAX_UNPACKED_BYTES = 256 * 2 ** 20;
const MAX_MEMBERS = 20_000;

/** Members of a ZIP file, by name. */
export type Archive = ReadonlyMap<string, Uint8Array>;

/**
 * Unpacks members of a ZIP file. No member gets more room than the size that the archive states, so that the sum of the
 * stated sizes limits what can be unpacked.
 * @param isWanted by name
 * @throws UnreadableDocument: too large; other errors: not a ZIP file
 */
export function openArchive(bytes: Uint8Array, isWanted: (name: string) => boolean): Archive {
  if (isEncryptedPackage(bytes)) throw encryptedDocument();
  let members = 0;
  let unpacked = 0;
  const filter = ({ name, originalSize }: UnzipFileInfo) => {
    members++;
    unpacked += originalSize;
    if (members > MAX_MEMBERS || unpacked > MAX_UNPACKED_BYTES)
      throw new UnreadableDocument(
        'too_large',
        `The document unpacks to more than ${MAX_UNPACKED_BYTES / 2 ** 20} MiB or ${MAX_MEMBERS} files.`,
      );
    return isWanted(name);
  };
  return new Map(Object.entries(unzipSync(bytes, { filter })));
}

const OLE2_START = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ENCRYPTED_STREAM = Buffer.from('EncryptedPackage', 'utf16le');

/** Office programs put an encrypted document into an OLE2 file, under its usual name (MS-OFFCRYPTO §1.3). */
function isEncryptedPackage(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.subarray(0, OLE2_START.length).equals(OLE2_START) && buffer.includes(ENCRYPTED_STREAM);
}

/** The text of a member: UTF-8, or UTF-16 with a byte order mark; null if there is none. */
export function memberText(archive: Archive, name: string): string | null {
  const bytes = archive.get(name);
  if (bytes === undefined) return null;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return strFromU8(bytes).replace(/^\ufeff/, '');
}

/** Resolves a path inside of an archive. @param from the member that contains the path */
export function resolveMember(from: string, path: string): string {
  try {
    return decodeURIComponent(new URL(path, `zip:///${from}`).pathname.slice(1));
  } catch {
    return '';
  }
}
