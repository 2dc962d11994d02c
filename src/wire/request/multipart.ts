import { randomBytes } from 'node:crypto';

export interface Part {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** null: a plain field. */
  readonly filename: string | null;
  readonly contentType: string | null;
}

/**
 * `multipart/form-data` (RFC 7578; names and file names escaped as the HTML standard says, "multipart/form-data encoding
 * algorithm"). The bytes of a value are sent as they are. The boundary is random, so that no value can hold it.
 */
export function multipart(parts: readonly Part[]): { readonly bytes: Buffer; readonly boundary: string } {
  const boundary = `----sluice-${randomBytes(18).toString('base64url')}`;
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    let head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(lineBreaks(part.name))}"`;
    if (part.filename !== null) head += `; filename="${escaped(part.filename)}"`;
    const type = part.contentType ?? (part.filename === null ? null : 'application/octet-stream');
    if (type !== null) head += `\r\nContent-Type: ${type}`;
    // A header value is Latin-1 text, everything else in the head is UTF-8; a type beyond ASCII does not exist.
    pieces.push(Buffer.from(`${head}\r\n\r\n`), part.bytes, Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return { bytes: Buffer.concat(pieces), boundary };
}

function lineBreaks(name: string): string {
  return name.replace(/\r\n|\r|\n/g, '\r\n');
}

function escaped(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
