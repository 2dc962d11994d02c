import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { TextDecoder as WebTextDecoder } from '@exodus/bytes/encoding.js';
import type { BodyMemory } from '../../base/memory-budget.ts';
import type { HeaderList } from '../../domain/fetch-result.ts';
import type { Content } from '../../domain/scrape.ts';
import { bomLength, type Charset, detectCharset, incompleteTailLength } from './charset.ts';
import { computeMimeType, type MimeType } from './mime-type.ts';

interface DecodedText {
  /** The text as UTF-8. A view of the input if that is valid UTF-8 already. */
  readonly bytes: Uint8Array;
  /** How many U+FFFD the decoder inserted for invalid bytes. */
  readonly replaced: number;
}

const REPLACEMENT = '\ufffd';
const REPLACEMENT_UTF8 = Buffer.from(REPLACEMENT);
/** U+FFFD in GB18030, the only legacy encoding that can represent it. */
const REPLACEMENT_GB18030 = Buffer.from([0x84, 0x31, 0xa4, 0x37]);

/**
 * Converts text to UTF-8 as browsers do (WHATWG Encoding). Node's own decoder is wrong for windows-1252, EUC-KR, Big5 and
 * others.
 * @param bytes without byte order mark
 * @param name an encoding of the Encoding Standard, lower-case
 * @param cut the bytes may end inside a character: an incomplete last character is dropped, not replaced
 */
export function toUtf8(bytes: Uint8Array, name: string, cut: boolean): DecodedText {
  if (name === 'utf-8') {
    const whole = cut ? bytes.subarray(0, bytes.length - incompleteTailLength(bytes)) : bytes;
    if (isUtf8(whole)) return { bytes: whole, replaced: 0 };
    return decodeWithReplacement(whole, name, /* cut */ false);
  }
  if (name === 'replacement') {
    const replaced = bytes.length > 0 ? 1 : 0;
    return { bytes: replaced === 0 ? bytes : REPLACEMENT_UTF8, replaced };
  }
  return decodeWithReplacement(bytes, name, cut);
}

function decodeWithReplacement(bytes: Uint8Array, name: string, cut: boolean): DecodedText {
  // The caller removed the BOM. A second one is text, and the decoder must not remove it.
  const text = new WebTextDecoder(name, { ignoreBOM: true }).decode(bytes, { stream: cut });
  // The decoder writes U+FFFD for what it cannot read. Those that the source itself has are no replacements.
  const inText = countFffd(text);
  const replaced = inText === 0 ? 0 : Math.max(0, inText - countFffdInSource(bytes, name));
  return { bytes: Buffer.from(text, 'utf8'), replaced };
}

/** How often the text has U+FFFD. */
function countFffd(text: string): number {
  let count = 0;
  for (let index = text.indexOf(REPLACEMENT); index !== -1; index = text.indexOf(REPLACEMENT, index + 1))
    count++;
  return count;
}

/** How often the bytes themselves encode U+FFFD: those are text, not replacements by the decoder. */
function countFffdInSource(bytes: Uint8Array, name: string): number {
  if (name === 'utf-16le' || name === 'utf-16be') {
    const [low, high] = name === 'utf-16le' ? [0xfd, 0xff] : [0xff, 0xfd];
    let count = 0;
    for (let index = 0; index + 1 < bytes.length; index += 2)
      if (bytes[index] === low && bytes[index + 1] === high) count++;
    return count;
  }
  const encoded =
    name === 'utf-8' ? REPLACEMENT_UTF8 : name === 'gb18030' || name === 'gbk' ? REPLACEMENT_GB18030 : null;
  if (encoded === null) return 0;
  const buffer = asBuffer(bytes);
  let count = 0;
  for (
    let index = buffer.indexOf(encoded);
    index !== -1;
    index = buffer.indexOf(encoded, index + encoded.length)
  )
    count++;
  return count;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export interface DecodeContentOptions {
  /** The body after content decoding. */
  readonly body: Uint8Array;
  /** Names are lower-case. */
  readonly headers: HeaderList;
  /** The content coding could not be decoded, so the meaning of the bytes is unknown. */
  readonly undecoded: boolean;
  /** The body was cut, perhaps inside a character. */
  readonly cutAtLimit: boolean;
  /** The response has no body: HEAD, 204, 304, or nothing was received. */
  readonly noBody: boolean;
  /** `base64`: the caller wants the bytes, also of text. */
  readonly want: 'auto' | 'base64';
}

export interface DecodedContent {
  readonly content: Content;
  /** null if the content is not text. */
  readonly charset: Charset | null;
  /** How many U+FFFD stand for bytes that are invalid in the charset. */
  readonly replaced: number;
  readonly mime: MimeType;
}

const NO_CONTENT: Content = { encoding: 'utf-8', bytes: new Uint8Array(0) };

/**
 * The `content` of a response (contract §4): text for text types, bytes for all others.
 * If the body is UTF-8, `content.bytes` is a view of it.
 */
export function decodeContent(options: DecodeContentOptions): DecodedContent {
  const { body } = options;
  const mime = computeMimeType(options.headers, body);
  if (options.noBody || body.length === 0) {
    return { content: NO_CONTENT, charset: null, replaced: 0, mime };
  }
  if (options.undecoded || options.want === 'base64' || mime.kind === 'binary') {
    return { content: { encoding: 'base64', bytes: body }, charset: null, replaced: 0, mime };
  }
  const charset = detectCharset(body, mime.kind, mime.charsetLabel, options.cutAtLimit);
  const bom = charset.source === 'bom' ? bomLength(body) : 0;
  const { bytes, replaced } = toUtf8(bom === 0 ? body : body.subarray(bom), charset.name, options.cutAtLimit);
  return { content: { encoding: 'utf-8', bytes }, charset, replaced, mime };
}

interface DecodedLargeContent extends DecodedContent {
  /** The signal ended the work: the text is incomplete. */
  readonly stopped: boolean;
}

/** Bytes decoded before the event loop gets its turn: 1 to 15 ms, depending on the charset. */
const SLICE_BYTES = 64 * 1024;
/** One byte of any charset becomes at most so many bytes of UTF-8. */
const MAX_UTF8_BYTES = 3;

/**
 * `decodeContent` for large bodies. It converts in slices: it creates no string of the whole text and does not block the
 * event loop for long. The reservation counts the memory of the converted text.
 * @param keepBody false: the memory of the body is freed if the content is a converted copy
 * @returns null: the signal ended the wait for memory
 */
export async function decodeLargeContent(
  options: DecodeContentOptions,
  memory: BodyMemory,
  { keepBody = false } = {},
): Promise<DecodedLargeContent | null> {
  const { body } = options;
  const mime = computeMimeType(options.headers, body);
  if (options.noBody || options.undecoded || options.want === 'base64' || mime.kind === 'binary')
    return { ...decodeContent(options), stopped: false };
  const charset = detectCharset(body, mime.kind, mime.charsetLabel, options.cutAtLimit);
  const bytes = charset.source === 'bom' ? body.subarray(bomLength(body)) : body;
  if (charset.name === 'utf-8') {
    const whole = options.cutAtLimit ? bytes.subarray(0, bytes.length - incompleteTailLength(bytes)) : bytes;
    if (isUtf8(whole)) {
      const content = { encoding: 'utf-8', bytes: whole } as const;
      return { content, charset, replaced: 0, mime, stopped: false };
    }
  }
  if (charset.name === 'replacement') return { ...decodeContent(options), stopped: false };
  const converted = await transcode(bytes, charset.name, options.cutAtLimit, memory);
  if (converted === null) return null;
  const { utf8, replaced, stopped } = converted;
  if (!keepBody) {
    memory.reservation.free(body.buffer);
    memory.reservation.shrink(utf8.length, utf8.length);
  }
  return { content: { encoding: 'utf-8', bytes: utf8 }, charset, replaced, mime, stopped };
}

async function transcode(bytes: Uint8Array, name: string, cut: boolean, { reservation, signal }: BodyMemory) {
  const decoder = new WebTextDecoder(name, { ignoreBOM: true });
  const maxBytes = bytes.length * MAX_UTF8_BYTES;
  const textBuffer = reservation.allocate(maxBytes);
  // Slices have an even length. So they never cut a UTF-16 unit, and each slice can be searched for U+FFFD by itself. In
  // other charsets a slice may cut a character: there the body is searched as a whole.
  const utf16 = name.startsWith('utf-16');
  let output = Buffer.from(textBuffer);
  let size = 0;
  let inText = 0;
  let inSource = 0;
  let isLast = false;
  for (let from = 0; !isLast && !signal.aborted; from += SLICE_BYTES) {
    const slice = bytes.subarray(from, from + SLICE_BYTES);
    isLast = from + SLICE_BYTES >= bytes.length;
    const text = decoder.decode(slice, { stream: cut || !isLast });
    const needed = Math.min(maxBytes, size + 3 * text.length);
    if (needed > textBuffer.byteLength) {
      const newSize = Math.min(
        maxBytes,
        Math.max(needed, Math.ceil(textBuffer.byteLength * 1.5), bytes.length),
      );
      const wait = reservation.reserve(bytes.length + newSize, bytes.length + maxBytes, signal);
      if (wait !== null && !(await wait)) return null;
      textBuffer.resize(newSize);
      output = Buffer.from(textBuffer);
    }
    size += output.write(text, size, 'utf8');
    inText += countFffd(text);
    if (utf16) inSource += countFffdInSource(slice, name);
    await setImmediate();
  }
  textBuffer.resize(size);
  if (inText > 0 && !utf16) inSource = countFffdInSource(bytes, name);
  const replaced = Math.max(0, inText - inSource);
  return { utf8: new Uint8Array(textBuffer, 0, size), replaced, stopped: !isLast };
}
