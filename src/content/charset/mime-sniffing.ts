// Sections (§) in this file are those of the WHATWG MIME Sniffing Standard.

/** Length of the resource header: sniffing reads no further (§5.2, §7). */
const RESOURCE_HEADER_BYTES = 1445;

/** Tags that mark HTML, if a space or `>` follows; letter case does not matter (§7.1). */
const HTML_TAGS = [
  '!DOCTYPE HTML',
  'HTML',
  'HEAD',
  'SCRIPT',
  'IFRAME',
  'H1',
  'DIV',
  'FONT',
  'TABLE',
  'A',
  'STYLE',
  'TITLE',
  'B',
  'BODY',
  'BR',
  'P',
];

/** Types by the first bytes, as latin-1; `.` stands for any byte (§6, §7.1). */
const SIGNATURES: readonly (readonly [pattern: string, essence: string])[] = [
  ['%!PS-Adobe-', 'application/postscript'],
  ['\xfe\xff', 'text/plain'],
  ['\xff\xfe', 'text/plain'],
  ['\xef\xbb\xbf', 'text/plain'],
  ['\0\0\x01\0', 'image/x-icon'],
  ['\0\0\x02\0', 'image/x-icon'],
  ['BM', 'image/bmp'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['RIFF....WEBPVP', 'image/webp'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['FORM....AIFF', 'audio/aiff'],
  ['ID3', 'audio/mpeg'],
  ['OggS\0', 'application/ogg'],
  ['MThd\0\0\0\x06', 'audio/midi'],
  ['RIFF....AVI ', 'video/avi'],
  ['RIFF....WAVE', 'audio/wave'],
  ['....ftypmp4', 'video/mp4'],
  ['\x1aE\xdf\xa3', 'video/webm'],
  ['\x1f\x8b\x08', 'application/x-gzip'],
  ['PK\x03\x04', 'application/zip'],
  ['Rar \x1a\x07\0', 'application/x-rar-compressed'],
  ['Rar!\x1a\x07', 'application/x-rar-compressed'],
];

/**
 * The type of a body whose type is not declared (§7.1).
 * @param scriptable false (nosniff): types that can contain scripts are not recognized
 */
export function sniffUnknown(body: Uint8Array, scriptable: boolean): string {
  if (scriptable) {
    const found = scriptableType(body);
    if (found !== null) return found;
  }
  const head = latin1(body, 0, 16);
  for (const [pattern, essence] of SIGNATURES) if (matchesSignature(head, pattern)) return essence;
  return hasBinaryBytes(body) ? 'application/octet-stream' : 'text/plain';
}

/** Whether a body sent as text/plain is text; old Apache servers send everything as text/plain (§7.2). */
export function isTextBody(body: Uint8Array): boolean {
  const [a, b, c] = body;
  if (body.length >= 2 && ((a === 0xfe && b === 0xff) || (a === 0xff && b === 0xfe))) return true;
  if (body.length >= 3 && a === 0xef && b === 0xbb && c === 0xbf) return true;
  return !hasBinaryBytes(body);
}

export function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b && body[2] === 0x08;
}

/** All that may precede the root element: byte order mark, white space, comments, declarations, processing instructions. */
const BEFORE_ROOT = /^(?:\xef\xbb\xbf)?(?:\s|<!--.*?-->|<!(?!--)[^>]*>|<\?.*?\?>)*/s;
const RSS_NAMESPACES = ['http://purl.org/rss/1.0/', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'];

/** The type of a feed sent as HTML (§7.3), or of a sitemap (our addition); null if the body is neither. */
export function feedType(body: Uint8Array): string | null {
  // The first bytes of nearly every HTML page show that it is not a feed.
  if (/^\s*<(?:!doctype html|html|head|body|div)\b/i.test(latin1(body, 0, 24))) return null;
  const head = latin1(body, 0, RESOURCE_HEADER_BYTES);
  const rest = head.slice(BEFORE_ROOT.exec(head)![0].length);
  if (rest.startsWith('<rss')) return 'application/rss+xml';
  if (rest.startsWith('<feed')) return 'application/atom+xml';
  if (/^<(?:urlset|sitemapindex)[\s>]/.test(rest)) return 'application/xml';
  return rest.startsWith('<rdf:RDF') && RSS_NAMESPACES.every((url) => rest.includes(url))
    ? 'application/rss+xml'
    : null;
}

function scriptableType(body: Uint8Array): string | null {
  let index = 0;
  const end = Math.min(body.length, RESOURCE_HEADER_BYTES);
  while (index < end && isWhitespace(body[index]!)) index++;
  if (body[index] === 0x3c) {
    const head = latin1(body, index + 1, index + 20).toUpperCase();
    if (head.startsWith('!--')) return 'text/html';
    if (latin1(body, index, index + 5) === '<?xml') return 'text/xml';
    for (const tag of HTML_TAGS) {
      if (!head.startsWith(tag)) continue;
      const after = head[tag.length];
      if (after === ' ' || after === '>') return 'text/html';
    }
  }
  return latin1(body, 0, 5) === '%PDF-' ? 'application/pdf' : null;
}

function isWhitespace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c;
}

/** Whether there are binary data bytes (§3): control characters that do not occur in text. */
function hasBinaryBytes(body: Uint8Array): boolean {
  const end = Math.min(body.length, RESOURCE_HEADER_BYTES);
  for (let n = 0; n < end; n++) {
    const byte = body[n]!;
    if (byte > 0x1f) continue;
    if (byte <= 8 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || byte >= 0x1c) return true;
  }
  return false;
}

function matchesSignature(head: string, pattern: string): boolean {
  if (head.length < pattern.length) return false;
  for (let n = 0; n < pattern.length; n++) {
    if (pattern[n] !== '.' && pattern[n] !== head[n]) return false;
  }
  return true;
}

function latin1(body: Uint8Array, from: number, to: number): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1', from, to);
}
