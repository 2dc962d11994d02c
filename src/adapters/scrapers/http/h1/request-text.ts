import type { HeaderList } from '../../../../domain/fetched.ts';

/** A request as it goes out over HTTP/1.1. */
export interface RequestBytes {
  /** Request line and header, the empty line at the end included; each character is one byte. */
  readonly head: string;
  readonly body: Uint8Array | null;
}

/** @param fields in order, names as they are to be written; values are byte strings. The first one is Host. */
export function requestText(method: string, target: string, fields: HeaderList): string {
  let text = `${method} ${target} HTTP/1.1\r\n`;
  for (const field of fields) text += `${field[0]}: ${field[1]}\r\n`;
  return `${text}\r\n`;
}
