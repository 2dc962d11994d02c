import { isAscii, isUtf8 } from 'node:buffer';
import { normalizeEncoding } from '@exodus/bytes/encoding.js';
import { brokenTail } from './broken-tail.ts';
import type { MimeKind } from './mime-kind.ts';
import { lateMeta, prescanHtml, prescanXml } from './prescan.ts';

export interface Charset {
  /** Name of the encoding by the Encoding Standard, lower-case. */
  readonly name: string;
  /** What told it. `utf-8`: nothing did, but the bytes are valid UTF-8; `default`: nothing did at all. */
  readonly source: 'bom' | 'http' | 'meta' | 'xml' | 'utf-8' | 'default';
}

const BOM_UTF8: Charset = { name: 'utf-8', source: 'bom' };
const BOM_UTF16LE: Charset = { name: 'utf-16le', source: 'bom' };
const BOM_UTF16BE: Charset = { name: 'utf-16be', source: 'bom' };
const HTTP_UTF8: Charset = { name: 'utf-8', source: 'http' };
const VALID_UTF8: Charset = { name: 'utf-8', source: 'utf-8' };
const DEFAULT: Charset = { name: 'windows-1252', source: 'default' };

/** Length of the byte order mark that the bytes begin with; 0: there is none. */
export function bomLength(body: Uint8Array): 0 | 2 | 3 {
  switch (body[0]) {
    case 0xef:
      return body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
    case 0xfe:
      return body[1] === 0xff ? 2 : 0;
    case 0xff:
      return body[1] === 0xfe ? 2 : 0;
  }
  return 0;
}

/**
 * The charset of a text (contract §4; WHATWG Encoding §6 "BOM sniff", HTML §13.2.3.2): byte order mark, Content-Type,
 * `<meta>` or XML declaration in the first 1,024 bytes, UTF-8 if the bytes are that, a later `<meta>` in the head,
 * windows-1252. Labels that nobody knows are passed over.
 *
 * JSON: standards read it as UTF-8 always (`Response.json()`), servers label it by habit. So the label counts, but not
 * against bytes that are UTF-8 and not ASCII: by chance no other charset gives such.
 * @param label the `charset` of Content-Type
 * @param cut the bytes may end in the middle of a character
 */
export function charsetOf(body: Uint8Array, kind: MimeKind, label: string | null, cut: boolean): Charset {
  const bom = bomLength(body);
  if (bom !== 0) return bom === 3 ? BOM_UTF8 : body[0] === 0xff ? BOM_UTF16LE : BOM_UTF16BE;
  const told = label === null ? null : normalizeEncoding(label);
  if (told === 'utf-8') return HTTP_UTF8;
  if (told !== null) {
    const wrong = kind === 'json' && !told.startsWith('utf-16') && !isAscii(body) && validUtf8(body, cut);
    return wrong ? VALID_UTF8 : { name: told, source: 'http' };
  }
  if (kind === 'html' || kind === 'xml') {
    const named = kind === 'html' ? prescanHtml(body) : prescanXml(body);
    if (named !== null) return named;
  }
  if (validUtf8(body, cut)) return VALID_UTF8;
  const late = kind === 'html' ? lateMeta(body) : null;
  return late === null ? DEFAULT : { name: late, source: 'meta' };
}

function validUtf8(body: Uint8Array, cut: boolean): boolean {
  return isUtf8(cut ? body.subarray(0, body.length - brokenTail(body)) : body);
}
