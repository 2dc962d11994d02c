import type { HeaderList } from '../domain/fetched.ts';
import type { Content } from '../domain/scrape.ts';
import { bomLength, type Charset, charsetOf } from './charset.ts';
import { toUtf8 } from './decode-text.ts';
import { type Mime, mimeOf } from './mime.ts';

export interface ContentAsk {
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

export interface MadeContent {
  readonly content: Content;
  /** null where nothing was decoded to text. */
  readonly charset: Charset | null;
  /** Bytes (or runs of them) that were not valid in the charset and became U+FFFD. */
  readonly replaced: number;
  readonly mime: Mime;
}

const NO_CONTENT: Content = { encoding: 'utf-8', bytes: new Uint8Array(0) };

/**
 * The `content` of an answer (contract §4): text types as text, all else as bytes.
 * For UTF-8 `content.bytes` is a view of the body.
 */
export function toContent(ask: ContentAsk): MadeContent {
  const { body } = ask;
  const mime = mimeOf(ask.headers, body);
  if (ask.noBody || body.length === 0) {
    return { content: NO_CONTENT, charset: null, replaced: 0, mime };
  }
  if (ask.undecoded || ask.want === 'base64' || mime.kind === 'binary') {
    return { content: { encoding: 'base64', bytes: body }, charset: null, replaced: 0, mime };
  }
  const charset = charsetOf(body, mime.kind, mime.charsetLabel, ask.cutAtLimit);
  const bom = charset.source === 'bom' ? bomLength(body) : 0;
  const { bytes, replaced } = toUtf8(bom === 0 ? body : body.subarray(bom), charset.name, ask.cutAtLimit);
  return { content: { encoding: 'utf-8', bytes }, charset, replaced, mime };
}
