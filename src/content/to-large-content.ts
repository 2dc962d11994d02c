import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { TextDecoder as WebTextDecoder } from '@exodus/bytes/encoding.js';
import type { BodyRoom } from './body-bytes.ts';
import { brokenTail } from './broken-tail.ts';
import { bomLength, charsetOf } from './charset.ts';
import { count, inSource } from './decode-text.ts';
import { mimeOf } from './mime.ts';
import { type ContentAsk, type MadeContent, toContent } from './to-content.ts';

export interface LargeContent extends MadeContent {
  /** The signal ended the work: the text is only its beginning. */
  readonly stopped: boolean;
}

/** Bytes decoded between two turns of the event loop: 1 to 15 ms, by charset. */
const SLICE = 64 * 1024;
/** The most bytes of UTF-8 that one byte of any charset becomes. */
const MOST_UTF8 = 3;

/**
 * `toContent` for large bodies: no string of all of it is made, nothing blocks the event loop
 * for long, and text that is not UTF-8 yet is turned into it in memory of the room. null: there was no room for that.
 * @param keepBody false: a body in memory of the room is freed when it is no longer the content
 */
export async function toLargeContent(
  ask: ContentAsk,
  where: BodyRoom,
  keepBody = false,
): Promise<LargeContent | null> {
  const { body } = ask;
  const mime = mimeOf(ask.headers, body);
  if (ask.noBody || ask.undecoded || ask.want === 'base64' || mime.kind === 'binary')
    return { ...toContent(ask), stopped: false };
  const charset = charsetOf(body, mime.kind, mime.charsetLabel, ask.cutAtLimit);
  const bytes = charset.source === 'bom' ? body.subarray(bomLength(body)) : body;
  if (charset.name === 'utf-8') {
    const whole = ask.cutAtLimit ? bytes.subarray(0, bytes.length - brokenTail(bytes)) : bytes;
    if (isUtf8(whole)) {
      const content = { encoding: 'utf-8', bytes: whole } as const;
      return { content, charset, replaced: 0, mime, stopped: false };
    }
  }
  if (charset.name === 'replacement') return { ...toContent(ask), stopped: false };
  const made = await transcode(bytes, charset.name, ask.cutAtLimit, where);
  if (made === null) return null;
  if (!keepBody) {
    where.room.free(body.buffer);
    where.room.settle(made.utf8.length, made.utf8.length);
  }
  const content = { encoding: 'utf-8', bytes: made.utf8 } as const;
  return { content, charset, replaced: made.replaced, mime, stopped: made.stopped };
}

async function transcode(bytes: Uint8Array, name: string, cut: boolean, { room, signal }: BodyRoom) {
  const decoder = new WebTextDecoder(name, { ignoreBOM: true });
  const most = bytes.length * MOST_UTF8;
  const memory = room.memory(most);
  // Slices of an even length never cut one of its units; elsewhere a U+FFFD may be cut, but the search is fast.
  const utf16 = name.startsWith('utf-16');
  let out = Buffer.from(memory);
  let size = 0;
  let inText = 0;
  let written = 0;
  let last = false;
  for (let from = 0; !last && !signal.aborted; from += SLICE) {
    const slice = bytes.subarray(from, from + SLICE);
    last = from + SLICE >= bytes.length;
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
    inText += count(text);
    if (utf16) written += inSource(slice, name);
    await setImmediate();
  }
  memory.resize(size);
  if (inText > 0 && !utf16) written = inSource(bytes, name);
  const replaced = Math.max(0, inText - written);
  return { utf8: new Uint8Array(memory, 0, size), replaced, stopped: !last };
}
