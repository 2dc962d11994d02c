import { isUtf8 } from 'node:buffer';
import { TextDecoder as WebTextDecoder } from '@exodus/bytes/encoding.js';
import { brokenTail } from './broken-tail.ts';

export interface DecodedText {
  /** The text as UTF-8; a view, no copy, where it is that already. */
  readonly bytes: Uint8Array;
  /** How many U+FFFD the decoder put in. */
  readonly replaced: number;
}

const REPLACEMENT = '\ufffd';
const REPLACEMENT_UTF8 = Buffer.from(REPLACEMENT);
/** The one legacy encoding that can write U+FFFD. */
const REPLACEMENT_GB18030 = Buffer.from([0x84, 0x31, 0xa4, 0x37]);

/**
 * Decodes to UTF-8 as browsers do (WHATWG Encoding). Node's own decoder is wrong for windows-1252, EUC-KR, Big5 and others.
 * @param bytes without byte order mark
 * @param name an encoding of the Encoding Standard, lower-case
 * @param cut the bytes end in the middle: what is left of the last character is dropped, not replaced
 */
export function toUtf8(bytes: Uint8Array, name: string, cut: boolean): DecodedText {
  if (name === 'utf-8') {
    const whole = cut ? bytes.subarray(0, bytes.length - brokenTail(bytes)) : bytes;
    if (isUtf8(whole)) return { bytes: whole, replaced: 0 };
    return replacing(whole, name, false);
  }
  if (name === 'replacement') {
    const replaced = bytes.length > 0 ? 1 : 0;
    return { bytes: replaced === 0 ? bytes : REPLACEMENT_UTF8, replaced };
  }
  return replacing(bytes, name, cut);
}

function replacing(bytes: Uint8Array, name: string, cut: boolean): DecodedText {
  // The one BOM is off already, a second one is text: so the decoder must leave it.
  const text = new WebTextDecoder(name, { ignoreBOM: true }).decode(bytes, { stream: cut });
  const marks = count(text);
  const replaced = marks === 0 ? 0 : Math.max(0, marks - inSource(bytes, name));
  return { bytes: Buffer.from(text, 'utf8'), replaced };
}

export function count(text: string): number {
  let found = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, at + 1)) found++;
  return found;
}

/** How often the bytes themselves say U+FFFD. */
export function inSource(bytes: Uint8Array, name: string): number {
  if (name === 'utf-16le' || name === 'utf-16be') {
    const [low, high] = name === 'utf-16le' ? [0xfd, 0xff] : [0xff, 0xfd];
    let found = 0;
    for (let at = 0; at + 1 < bytes.length; at += 2) if (bytes[at] === low && bytes[at + 1] === high) found++;
    return found;
  }
  const wanted =
    name === 'utf-8' ? REPLACEMENT_UTF8 : name === 'gb18030' || name === 'gbk' ? REPLACEMENT_GB18030 : null;
  if (wanted === null) return 0;
  const buffer = view(bytes);
  let found = 0;
  for (let at = buffer.indexOf(wanted); at !== -1; at = buffer.indexOf(wanted, at + wanted.length)) found++;
  return found;
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
