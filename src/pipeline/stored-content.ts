import { SMALL_BYTES } from '../base/memory-budget.ts';
import { detectCharset } from '../content/charset/charset.ts';
import {
  type DecodeContentOptions,
  decodeContent,
  decodeLargeContent,
} from '../content/charset/decode-content.ts';
import { computeMimeType, type MimeKind } from '../content/charset/mime-type.ts';
import type { HeaderList } from '../domain/fetch-result.ts';

/** The content of a record, with what is needed to find its media type. */
export interface StoredContent {
  /** UTF-8 of the text, or the raw bytes. */
  readonly bytes: Uint8Array;
  readonly encoding: 'utf-8' | 'base64';
  /** Response headers of the target; names are lower-case. */
  readonly headers: HeaderList;
  /** The content coding could not be decoded, so the type of the bytes is unknown. */
  readonly undecoded: boolean;
}

/** Bytes with their media type. */
export interface TypedContent {
  readonly bytes: Uint8Array;
  /** Value of Content-Type. */
  readonly type: string;
  /** `type/subtype` alone. */
  readonly essence: string;
}

type DecodeMemory = Parameters<typeof decodeLargeContent>[1];

const UNKNOWN = 'application/octet-stream';

/** The stored bytes with their media type; for text with its charset. */
export function typedContent({ bytes, encoding, headers, undecoded }: StoredContent): TypedContent {
  if (undecoded) return { bytes, type: UNKNOWN, essence: UNKNOWN };
  const { essence, kind, charsetLabel } = computeMimeType(headers, bytes);
  if (encoding === 'utf-8') {
    // The scrape decoded it as text, so it is text, whatever the UTF-8 copy looks like.
    const text = kind === 'binary' ? 'text/plain' : essence;
    return { bytes, type: `${text}; charset=utf-8`, essence: text };
  }
  if (kind === 'binary') return { bytes, type: essence, essence };
  const { name } = detectCharset(bytes, kind, charsetLabel, false);
  return { bytes, type: `${essence}; charset=${name}`, essence };
}

/**
 * The content as a browser can safely show it in a frame that forbids scripts: HTML in UTF-8, images, and every other text as
 * plain text.
 * @returns `unfit`: it is none of these; `out of memory`: no memory could be reserved to decode it
 */
export async function displayableContent(
  stored: StoredContent,
  memory: DecodeMemory,
): Promise<TypedContent | 'unfit' | 'out of memory'> {
  const { essence } = typedContent(stored);
  if (essence.startsWith('image/')) return typedContent(stored);
  const { kind } = computeMimeType(stored.headers, stored.bytes);
  if (stored.encoding === 'base64' && (stored.undecoded || kind === 'binary')) return 'unfit';
  const bytes = stored.encoding === 'utf-8' ? stored.bytes : await asUtf8(stored, memory);
  if (bytes === null) return 'out of memory';
  const displayType = kind === 'html' || essence === 'application/xhtml+xml' ? essence : 'text/plain';
  return { bytes, type: `${displayType}; charset=utf-8`, essence };
}

interface ReadableText {
  /** UTF-8; null: it is not text. */
  readonly bytes: Uint8Array | null;
  readonly kind: MimeKind;
  readonly essence: string;
}

/** The content as the text that it was read as when the page was fetched. @returns `out of memory`: none could be reserved */
export async function readableText(
  stored: StoredContent,
  memory: DecodeMemory,
): Promise<ReadableText | 'out of memory'> {
  const { essence } = typedContent(stored);
  const { kind } = computeMimeType(stored.headers, stored.bytes);
  if (stored.encoding === 'utf-8')
    return { bytes: stored.bytes, kind: kind === 'binary' ? 'text' : kind, essence };
  if (stored.undecoded || kind === 'binary') return { bytes: null, kind: 'binary', essence };
  const bytes = await asUtf8(stored, memory);
  return bytes === null ? 'out of memory' : { bytes, kind, essence };
}

/** Decodes text that is stored as bytes, because the caller wanted bytes. @returns null: no memory */
async function asUtf8({ bytes, headers }: StoredContent, memory: DecodeMemory): Promise<Uint8Array | null> {
  const options: DecodeContentOptions = {
    body: bytes,
    headers,
    undecoded: false,
    cutAtLimit: false,
    noBody: false,
    want: 'auto',
  };
  if (bytes.length <= SMALL_BYTES) return decodeContent(options).content.bytes;
  const decoded = await decodeLargeContent(options, memory);
  return decoded === null || decoded.stopped ? null : decoded.content.bytes;
}
