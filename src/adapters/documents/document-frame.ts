import type { OsUser } from '../../base/unprivileged-user.ts';
import type { DocumentKind, DocumentReading } from '../../domain/document.ts';

// What a process that reads documents gets and gives.

/** Its argument, as JSON. */
export interface ProcessStart {
  /** Of all documents that it reads. */
  readonly kind: DocumentKind;
  /** The user that the process becomes by itself, before it gets a document; null: it is not root. */
  readonly becomes: OsUser | null;
}

/** How to read a document. */
export interface DocumentOrder {
  readonly maxPages: number;
  /** After this time the process stops where it can, and returns what it has read. */
  readonly ms: number;
}

export type UnreadableReason = 'encrypted' | 'broken' | 'unsupported' | 'too_large';

/** What the process writes to its standard output for each document: JSON in a line. */
export type ProcessResult =
  | { readonly kind: 'read'; readonly reading: DocumentReading }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableReason; readonly message: string };

/** The lengths of the order (JSON) and of the document in bytes, as 32-bit numbers. Both follow in the input of the process. */
const HEAD_BYTES = 8;

/** What the process gets before the bytes of a document. */
export function frameHead(order: DocumentOrder, documentLength: number): Buffer {
  const json = Buffer.from(JSON.stringify(order));
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(json.length, 0);
  head.writeUInt32BE(documentLength, 4);
  return Buffer.concat([head, json]);
}

/** The orders with their documents that come through the input of the process, until it ends. */
export async function* framesIn(
  input: AsyncIterable<Buffer>,
): AsyncGenerator<{ readonly order: DocumentOrder; readonly bytes: Buffer }> {
  const chunks = input[Symbol.asyncIterator]();
  let received: Buffer[] = [];
  /** So many bytes; null: the input ends before. */
  const take = async (length: number): Promise<Buffer | null> => {
    let missing = received.reduce((rest, chunk) => rest - chunk.length, length);
    while (missing > 0) {
      const { value, done } = await chunks.next();
      if (done) return null;
      received.push(value);
      missing -= value.length;
    }
    const all = Buffer.concat(received);
    received = [all.subarray(length)];
    return all.subarray(0, length);
  };
  for (;;) {
    const head = await take(HEAD_BYTES);
    if (head === null) return;
    const order = await take(head.readUInt32BE(0));
    const bytes = await take(head.readUInt32BE(4));
    if (order === null || bytes === null) return;
    yield { order: JSON.parse(order.toString()) as DocumentOrder, bytes };
  }
}
