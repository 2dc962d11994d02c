/** Signatures and lengths of the records of a ZIP file (APPNOTE 4.3). */
const END_SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');
const MEMBER_SIGNATURE = 0x02014b50;
const END_LENGTH = 22;
const MEMBER_LENGTH = 46;
const MAX_COMMENT_LENGTH = 0xffff;
const MAX_MEMBERS = 20_000;

/** The names of the members of a ZIP file, from its central directory; empty if it is not one. */
export function zipMemberNames(body: Uint8Array): ReadonlySet<string> {
  const names = new Set<string>();
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const tail = Math.max(0, bytes.length - END_LENGTH - MAX_COMMENT_LENGTH);
  const end = bytes.subarray(tail).lastIndexOf(END_SIGNATURE);
  if (end === -1 || tail + end + END_LENGTH > bytes.length) return names;
  let at = bytes.readUInt32LE(tail + end + 16);
  while (names.size < MAX_MEMBERS && at + MEMBER_LENGTH <= bytes.length) {
    if (bytes.readUInt32LE(at) !== MEMBER_SIGNATURE) break;
    const nameLength = bytes.readUInt16LE(at + 28);
    const start = at + MEMBER_LENGTH;
    names.add(bytes.toString('latin1', start, start + nameLength));
    at = start + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return names;
}
