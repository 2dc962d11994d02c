import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { TextDecoder as WebTextDecoder } from '@exodus/bytes/encoding.js';
import type { HeaderList } from '../domain/fetch-result.ts';
import type { Content } from '../domain/scrape.ts';
import { bomLength, type Charset, detectCharset, incompleteTailLength } from './charset.ts';
import type { BodyMemory } from './codings/body-buffer.ts';
import { computeMimeType, type MimeType } from './mime-type.ts';

interface DecodedText {
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
    const whole = cut ? bytes.subarray(0, bytes.length - incompleteTailLength(bytes)) : bytes;
    if (isUtf8(whole)) return { bytes: whole, replaced: 0 };
    return decodeWithReplacement(whole, name, false);
  }
  if (name === 'replacement') {
    const replaced = bytes.length > 0 ? 1 : 0;
    return { bytes: replaced === 0 ? bytes : REPLACEMENT_UTF8, replaced };
  }
  return decodeWithReplacement(bytes, name, cut);
}

function decodeWithReplacement(bytes: Uint8Array, name: string, cut: boolean): DecodedText {
  // The one BOM is off already, a second one is text: so the decoder must leave it.
  const text = new WebTextDecoder(name, { ignoreBOM: true }).decode(bytes, { stream: cut });
  const marks = countReplacements(text);
  const replaced = marks === 0 ? 0 : Math.max(0, marks - countReplacementsInSource(bytes, name));
  return { bytes: Buffer.from(text, 'utf8'), replaced };
}

function countReplacements(text: string): number {
  let found = 0;
  for (let at = text.indexOf(REPLACEMENT); at !== -1; at = text.indexOf(REPLACEMENT, at + 1)) found++;
  return found;
}

/** How often the bytes themselves say U+FFFD. */
function countReplacementsInSource(bytes: Uint8Array, name: string): number {
  if (name === 'utf-16le' || name === 'utf-16be') {
    const [low, high] = name === 'utf-16le' ? [0xfd, 0xff] : [0xff, 0xfd];
    let found = 0;
    for (let at = 0; at + 1 < bytes.length; at += 2) if (bytes[at] === low && bytes[at + 1] === high) found++;
    return found;
  }
  const wanted =
    name === 'utf-8' ? REPLACEMENT_UTF8 : name === 'gb18030' || name === 'gbk' ? REPLACEMENT_GB18030 : null;
  if (wanted === null) return 0;
  const buffer = asBuffer(bytes);
  let found = 0;
  for (let at = buffer.indexOf(wanted); at !== -1; at = buffer.indexOf(wanted, at + wanted.length)) found++;
  return found;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export interface DecodeContentOptions {
  /** After content decoding. */
  readonly body: Uint8Array;
  /** Names lower-case. */
  readonly headers: HeaderList;
  /** The content coding could not be undone: what the bytes are nobody knows. */
  readonly undecoded: boolean;
  /** The body ends where it was cut, maybe inside of a character. */
  readonly cutAtLimit: boolean;
  /** There is none by nature: HEAD, 204, 304, or nothing came. */
  readonly noBody: boolean;
  readonly want: 'auto' | 'base64';
}

export interface DecodedContent {
  readonly content: Content;
  /** null where nothing was decoded to text. */
  readonly charset: Charset | null;
  /** Bytes (or runs of them) that were not valid in the charset and became U+FFFD. */
  readonly replaced: number;
  readonly mime: MimeType;
}

const NO_CONTENT: Content = { encoding: 'utf-8', bytes: new Uint8Array(0) };

/**
 * The `content` of an answer (contract §4): text types as text, all else as bytes.
 * For UTF-8 `content.bytes` is a view of the body.
 */
export function decodeContent(ask: DecodeContentOptions): DecodedContent {
  const { body } = ask;
  const mime = computeMimeType(ask.headers, body);
  if (ask.noBody || body.length === 0) {
    return { content: NO_CONTENT, charset: null, replaced: 0, mime };
  }
  if (ask.undecoded || ask.want === 'base64' || mime.kind === 'binary') {
    return { content: { encoding: 'base64', bytes: body }, charset: null, replaced: 0, mime };
  }
  const charset = detectCharset(body, mime.kind, mime.charsetLabel, ask.cutAtLimit);
  const bom = charset.source === 'bom' ? bomLength(body) : 0;
  const { bytes, replaced } = toUtf8(bom === 0 ? body : body.subarray(bom), charset.name, ask.cutAtLimit);
  return { content: { encoding: 'utf-8', bytes }, charset, replaced, mime };
}

interface DecodedLargeContent extends DecodedContent {
  /** The signal ended the work: the text is only its beginning. */
  readonly stopped: boolean;
}

/** Bytes decoded between two turns of the event loop: 1 to 15 ms, by charset. */
const SLICE_BYTES = 64 * 1024;
/** The most bytes of UTF-8 that one byte of any charset becomes. */
const MAX_UTF8_BYTES = 3;

/**
 * `toContent` for large bodies: no string of all of it is made, nothing blocks the event loop
 * for long, and text that is not UTF-8 yet is turned into it in memory of the room. null: there was no room for that.
 * @param keepBody false: a body in memory of the room is freed when it is no longer the content
 */
export async function decodeLargeContent(
  ask: DecodeContentOptions,
  where: BodyMemory,
  keepBody = false,
): Promise<DecodedLargeContent | null> {
  const { body } = ask;
  const mime = computeMimeType(ask.headers, body);
  if (ask.noBody || ask.undecoded || ask.want === 'base64' || mime.kind === 'binary')
    return { ...decodeContent(ask), stopped: false };
  const charset = detectCharset(body, mime.kind, mime.charsetLabel, ask.cutAtLimit);
  const bytes = charset.source === 'bom' ? body.subarray(bomLength(body)) : body;
  if (charset.name === 'utf-8') {
    const whole = ask.cutAtLimit ? bytes.subarray(0, bytes.length - incompleteTailLength(bytes)) : bytes;
    if (isUtf8(whole)) {
      const content = { encoding: 'utf-8', bytes: whole } as const;
      return { content, charset, replaced: 0, mime, stopped: false };
    }
  }
  if (charset.name === 'replacement') return { ...decodeContent(ask), stopped: false };
  const made = await transcode(bytes, charset.name, ask.cutAtLimit, where);
  if (made === null) return null;
  if (!keepBody) {
    where.room.free(body.buffer);
    where.room.shrink(made.utf8.length, made.utf8.length);
  }
  const content = { encoding: 'utf-8', bytes: made.utf8 } as const;
  return { content, charset, replaced: made.replaced, mime, stopped: made.stopped };
}

async function transcode(bytes: Uint8Array, name: string, cut: boolean, { room, signal }: BodyMemory) {
  const decoder = new WebTextDecoder(name, { ignoreBOM: true });
  const most = bytes.length * MAX_UTF8_BYTES;
  const memory = room.allocate(most);
  // Slices of an even length never cut one of its units; elsewhere a U+FFFD may be cut, but the search is fast.
  const utf16 = name.startsWith('utf-16');
  let out = Buffer.from(memory);
  let size = 0;
  let inText = 0;
  let written = 0;
  let last = false;
  for (let from = 0; !last && !signal.aborted; from += SLICE_BYTES) {
    const slice = bytes.subarray(from, from + SLICE_BYTES);
    last = from + SLICE_BYTES >= bytes.length;
    const text = decoder.decode(slice, { stream: cut || !last });
    const wanted = Math.min(most, size + 3 * text.length);
    if (wanted > memory.byteLength) {
      const next = Math.min(most, Math.max(wanted, Math.ceil(memory.byteLength * 1.5), bytes.length));
      const waits = room.reserve(bytes.length + next, bytes.length + most, signal);
      if (waits !== null && !(await waits)) return null;
      memory.resize(next);
      out = Buffer.from(memory);
    }
    size += out.write(text, size, 'utf8');
    inText += countReplacements(text);
    if (utf16) written += countReplacementsInSource(slice, name);
    await setImmediate();
  }
  memory.resize(size);
  if (inText > 0 && !utf16) written = countReplacementsInSource(bytes, name);
  const replaced = Math.max(0, inText - written);
  return { utf8: new Uint8Array(memory, 0, size), replaced, stopped: !last };
}
