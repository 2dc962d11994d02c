import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  constants as zlib,
  zstdCompressSync,
} from 'node:zlib';

/**
 * The odd replies of curl's test suite, by the numbers of its tests. The baseline names the tests and what clients made
 * of them, not their bytes: these are our own, made after the names (what is odd about each) and the recorded results
 * (status, lengths, and which clients minded the line ends).
 */
export interface CurlReply {
  readonly id: string;
  readonly bytes: Buffer;
  /** What Sluice delivers where Chromium shows the bytes as text, or nothing. */
  readonly length?: number;
  /** The error that goes with the page, or the code of the refusal. */
  readonly code?: string;
  /** Chromium reads it and Sluice does not: why. */
  readonly refused?: string;
}

const text = (length: number): string => 'made up for this test. '.repeat(999).slice(0, length);
const PAGE = text(5041);
const LONG = text(16_512);

/** Head lines that end in LF alone, as most of these replies have them. */
function lf(lines: readonly string[], body: string | Buffer = ''): Buffer {
  return joined(lines, '\n', body);
}

function crlf(lines: readonly string[], body: string | Buffer = ''): Buffer {
  return joined(lines, '\r\n', body);
}

function joined(lines: readonly string[], end: string, body: string | Buffer): Buffer {
  const head = lines.map((line) => line + end).join('') + end;
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body as string, 'latin1')]);
}

const OK = 'HTTP/1.1 200 OK';
const SIX = text(6);
const six = (lines: readonly string[]) => lf([...lines, 'Content-Length: 6'], SIX);

function chunked(data: string | Buffer, size: number, last = '0\n\n'): Buffer {
  const bytes = Buffer.from(data as string, 'latin1');
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\n`), part, Buffer.from('\n'));
  }
  return Buffer.concat([...parts, Buffer.from(last, 'latin1')]);
}

/** A gzip member whose header carries an extra field and a comment, both large (RFC 1952 §2.3). */
function adornedGzip(data: string): Buffer {
  const plain = gzipSync(data);
  const header = Buffer.from(plain.subarray(0, 10));
  header[3] = 4 | 16;
  const extra = Buffer.alloc(1002, 'x');
  extra.writeUInt16LE(1000, 0);
  return Buffer.concat([header, extra, Buffer.from(`${'c'.repeat(1000)}\0`), plain.subarray(10)]);
}

function coded(coding: string, bytes: Buffer, told = bytes.length): Buffer {
  return crlf([OK, `Content-Encoding: ${coding}`, `Content-Length: ${told}`], bytes);
}

/** The same bytes, the first of them wrong. */
function spoilt(bytes: Buffer, with_ = 0xff): Buffer {
  const copy = Buffer.from(bytes);
  copy.fill(with_, 0, 4);
  return copy;
}

const brotli = (data: string) => brotliCompressSync(data, { params: { [zlib.BROTLI_PARAM_QUALITY]: 5 } });
const noise = Buffer.from(Array.from({ length: 44 }, (_, at) => (at * 131) & 0xff));
const many = Array.from({ length: 5200 }, (_, at) => `X-${at}: a`);
const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(231, 0x21)]);
const zeros = Buffer.alloc(1024, 'a\0b');
const HALF_HEAD =
  'Chromium shows what came before the head ended; half a head may be half a field, so it is a reset';
const NO_STATUS = 'a status of 100 to 999 is part of every answer; none is made up';

const rows: readonly (readonly [number: number, bytes: Buffer, more?: Omit<CurlReply, 'id' | 'bytes'>])[] = [
  [1, crlf([OK, 'Content-Length: 6'], SIX)],
  [1033, Buffer.concat([lf(['HTTP/1.1 102 Processing']), six([OK])])],
  [1115, Buffer.concat([crlf(['HTTP/1.1 199 Odd']), crlf([OK, 'Content-Length: 0'])])],
  [1122, crlf([OK, 'Transfer-Encoding: gzip', 'Content-Length: 44'], noise), { length: 44 }],
  [1123, crlf([OK, 'Transfer-Encoding: deflate'], text(1305)), { length: 1305 }],
  [1124, lf([OK, 'Transfer-Encoding: gzip, chunked'], chunked(noise, 20)), { length: 44 }],
  [1154, six([OK, `X: ${'x'.repeat(100_000)}`])],
  [1174, Buffer.from('-a page without a head-\n'), { code: 'http.protocol' }],
  [1183, crlf([OK, 'Content-Length: 12'], text(12))],
  [1205, six([OK, `X: ${'x'.repeat(18_000)}`])],
  [
    1277,
    crlf([OK, 'Transfer-Encoding: gzip', 'Content-Encoding: deflate'], gzipSync(deflateSync(PAGE))),
    { code: 'content.decode_failed' },
  ],
  [129, crlf(['HTTP/1.2 200 OK', 'Content-Length: 6'], SIX)],
  [1416, lf([OK, 'Transfer-Encoding: chunked'], `${'f'.repeat(20)}\n${SIX}`), { code: 'content.incomplete' }],
  [1425, lf([OK, 'Content-Length: 5'], 'a\0b\x01\n')],
  [
    1430,
    crlf(['HTTP/1.1 -1234 OK', 'Content-Length: 6'], SIX),
    { code: 'http.protocol', refused: NO_STATUS },
  ],
  [1431, six(['HTTP/1.1 2 OK']), { code: 'http.protocol', refused: NO_STATUS }],
  [
    1432,
    crlf([`HTTP/1.1 ${'2'.repeat(100)} OK`, 'Content-Length: 6'], SIX),
    { code: 'http.protocol', refused: NO_STATUS },
  ],
  [1433, crlf([`HTTP/1.${'1'.repeat(100)} 200 OK`, 'Content-Length: 6'], SIX)],
  [1466, six(['HTTP/1.1 405 405'])],
  [1473, crlf([OK, ' X: y', 'Content-Length: 6'], SIX)],
  [1480, crlf(['HTTP/1.1 100 Continue'], 'no answer behind it'), { code: 'http.protocol' }],
  [151, lf(['HTTP/1.1 401 No', 'WWW-Authenticate: Basic realm="200 OK"', 'Content-Length: 193'], text(193))],
  [152, lf(['HTTP/1.1 401 No', 'WWW-Authenticate: NTLM', 'Content-Length: 193'], text(193))],
  [1546, crlf([OK, 'Transfer-Encoding: chunked, gzip'], '0\n\n')],
  [
    1665,
    Buffer.from(`${OK}\nContent-Type: text/html\nContent-Length: 6\n`),
    { code: 'connect.reset', refused: HALF_HEAD },
  ],
  [1722, lf([OK, 'Transfer-Encoding: chunked, identity'], chunked(text(145), 10))],
  [1723, lf([OK, 'Transfer-Encoding: chunked, chunked, identity'], chunked(text(145), 10))],
  [178, lf([OK, 'Content-Length: -6'], text(14))],
  [207, lf([OK, 'Transfer-Encoding: chunked'], `41\n${text(65)}\n41\n`), { code: 'content.incomplete' }],
  [2105, crlf([OK, 'X: a\rb', 'Content-Length: 6'], SIX)],
  [2106, lf([OK, 'Transfer-Encoding: chunked'], chunked(SIX, 3, '0\nX: a\0b\n\n'))],
  [221, coded('gzip', spoilt(gzipSync(SIX))), { code: 'content.decode_failed' }],
  [222, coded('deflate', deflateSync(PAGE))],
  [223, coded('deflate', spoilt(deflateSync(PAGE)), 2000), { code: 'content.decode_failed' }],
  [224, coded('gzip', adornedGzip(text(45)))],
  [230, coded('deflate, identity, gzip', gzipSync(deflateSync(PAGE))), { length: 5041 }],
  [232, coded('deflate', deflateRawSync(PAGE))],
  [262, six([OK, 'X: a\0b']), { code: 'http.protocol' }],
  [282, Buffer.from(`${OK}\n\n`)],
  [30, Buffer.alloc(0), { code: 'connect.reset' }],
  [314, coded('br', brotli(PAGE))],
  [315, coded('br', spoilt(brotli(PAGE)), 2000), { code: 'content.decode_failed' }],
  [316, coded('br', brotli(LONG))],
  [328, lf([OK, 'Content-Encoding: none', 'Content-Length: 38'], text(38))],
  [334, lf(['HTTP/1.1 204 No Content', 'Transfer-Encoding: chunked'], '0\n\n')],
  [34, lf([OK, 'Transfer-Encoding: chunked'], chunked(text(145), 40, '0 \nX: y\n\n'))],
  [36, lf([OK, 'Transfer-Encoding: chunked'], `no size\n${SIX}\n0\n\n`), { code: 'content.incomplete' }],
  [365, lf([OK, 'Content-Length: 200', 'Transfer-Encoding: chunked'], chunked(text(16), 16))],
  [37, Buffer.alloc(0), { code: 'connect.reset' }],
  [373, crlf([OK, 'Transfer-Encoding: chunked'], chunked(zeros, 100))],
  [374, crlf([OK, 'Content-Type: image/gif', 'Content-Length: 237'], gif)],
  [394, lf([OK, 'Content-Length: six'], SIX)],
  [395, lf([OK, 'Content-Length: 92233720368547758079'], SIX)],
  [396, coded('zstd', zstdCompressSync(PAGE))],
  [397, coded('zstd', zstdCompressSync(LONG))],
  [398, six([OK, 'no colon in it'])],
  [415, lf([OK, 'X: \x01\x08', 'Content-Length: -6'], text(14))],
  [436, crlf([OK, 'Content-Length: 6'], SIX)],
  [
    497,
    six([OK, ...Array.from({ length: 8 }, (_, at) => `X-${at}: ${'x'.repeat(40_000)}`)]),
    { code: 'http.protocol' },
  ],
  [54, lf(['HTTP/1.1 302 Found', 'Location:', 'Content-Length: 33'], text(33))],
  [747, six([OK, ...many])],
  [767, crlf([OK, 'Content-Length: 6', 'Content-Length: 6'], SIX)],
  [768, crlf([OK, 'Content-Length: 6', 'Content-Length: 6bar'], SIX), { code: 'http.protocol' }],
  [769, crlf([OK, 'Content-Length: 6 '], SIX)],
  [770, crlf([OK, 'Content-Length: 6, 6'], SIX)],
  [771, crlf([OK, 'Content-Length: 6', 'Content-Length: 7'], text(7)), { code: 'http.protocol' }],
  [
    772,
    crlf(['HTTP/1.1 301 Moved', 'Location: /one', 'Location: /two', 'Content-Length: 0']),
    { code: 'redirect.invalid' },
  ],
  [773, crlf(['HTTP/1.1 301 Moved', 'Location: /after', 'Location: /after', 'Content-Length: 0'])],
];

export const CURL_REPLIES: ReadonlyMap<string, CurlReply> = new Map(
  rows.map(([number, bytes, more]) => [`curl${number}`, { id: `curl${number}`, bytes, ...more }]),
);
