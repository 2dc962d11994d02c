import type { HeaderList } from '../domain/fetched.ts';
import { extractContentType } from './content-type.ts';
import { type MimeKind, mimeKind } from './mime-kind.ts';
import { feedType, isGzip, isTextBody, sniffUnknown } from './sniff.ts';

export interface Mime {
  /** `type/subtype`, lower-case: told, or sniffed where it is not told. */
  readonly essence: string;
  readonly kind: MimeKind;
  /** The `charset` parameter of Content-Type as written. */
  readonly charsetLabel: string | null;
  /** The type that the header names, where the bytes are plainly something else. */
  readonly wrong?: string;
}

interface Told extends Mime {
  /** What the body has to be asked: nothing, its type, or whether it is text, a feed or gzip at all. */
  readonly ask: 'nothing' | 'type' | 'text' | 'feed' | 'gzip';
}

const UNTOLD: Told = { essence: 'unknown/unknown', kind: 'binary', charsetLabel: null, ask: 'type' };
const NOT_TEXT: Mime = { essence: 'application/octet-stream', kind: 'binary', charsetLabel: null };

/** Values of Content-Type that old Apache sends for whatever it does not know (WHATWG MIME Sniffing §5.1). */
const APACHE = new Set([
  'text/plain',
  'text/plain; charset=ISO-8859-1',
  'text/plain; charset=iso-8859-1',
  'text/plain; charset=UTF-8',
]);

const ASK: ReadonlyMap<string, Told['ask']> = new Map([
  ['unknown/unknown', 'type'],
  ['application/unknown', 'type'],
  ['text/html', 'feed'],
  ['application/gzip', 'gzip'],
  ['application/x-gzip', 'gzip'],
]);

/** What has been parsed, by the header's text: a site sends the same few values over and over. */
const parsed = new Map<string, Told>();
const MOST_PARSED = 256;
const LONGEST_PARSED = 128;

/**
 * The type of a page (WHATWG MIME Sniffing §7): as told, sniffed where nothing is told (no Content-Type, none that is
 * one, any type, unknown/unknown, application/unknown) and for text/plain that is none. `X-Content-Type-Options: nosniff`
 * is heeded. HTML may be a feed (§7.3). Two steps are our own: gzip is no text, whatever the header says; and what the
 * header calls gzip but is not (`sitemap.xml.gz`, once its content coding is undone) is sniffed. Images and sound are not
 * sniffed further: it changes nothing about text or binary.
 */
export function mimeOf(headers: HeaderList, body: Uint8Array): Mime {
  let line: string | null = null;
  let lines: string[] | null = null;
  let noSniff = false;
  for (const [name, value] of headers) {
    if (name === 'content-type') {
      if (line === null) line = value;
      else if (lines === null) lines = [line, value];
      else lines.push(value);
    } else if (name === 'x-content-type-options') {
      // Fetch, "determine nosniff": the first value of the list decides.
      noSniff ||= value.split(',', 1)[0]!.trim().toLowerCase() === 'nosniff';
    }
  }
  const told = line === null ? UNTOLD : toldBy(line, lines);
  if (told.kind !== 'binary' && isGzip(body))
    return { essence: 'application/x-gzip', kind: 'binary', charsetLabel: null, wrong: told.essence };
  switch (told.ask) {
    case 'nothing':
      return told;
    case 'feed': {
      const essence = noSniff ? null : feedType(body);
      return essence === null ? told : { essence, kind: 'xml', charsetLabel: told.charsetLabel };
    }
    case 'text':
      return noSniff || isTextBody(body) ? told : NOT_TEXT;
    case 'gzip':
    case 'type': {
      if (told.ask === 'gzip' && isGzip(body)) return told;
      const essence = sniffUnknown(body, !noSniff);
      return { essence, kind: mimeKind(essence), charsetLabel: told.charsetLabel };
    }
  }
}

function toldBy(line: string, lines: readonly string[] | null): Told {
  if (lines !== null) return read(lines);
  const known = parsed.get(line);
  if (known !== undefined) return known;
  const told = read([line]);
  if (line.length <= LONGEST_PARSED) {
    if (parsed.size >= MOST_PARSED) parsed.clear();
    parsed.set(line, told);
  }
  return told;
}

function read(lines: readonly string[]): Told {
  const type = extractContentType(lines);
  if (type === null) return UNTOLD;
  const { essence, charset } = type;
  const apache = APACHE.has(lines[lines.length - 1]!);
  return {
    essence,
    kind: mimeKind(essence),
    charsetLabel: charset,
    ask: ASK.get(essence) ?? (apache ? 'text' : 'nothing'),
  };
}
