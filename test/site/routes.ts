import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { textPdf } from '../adapters/documents/make-pdf.ts';
import { docxOf } from '../adapters/documents/make-zip.ts';
import { CHARSET_SAMPLES } from './charset-samples.ts';

/** One request as a route sees it, over HTTP/1.1 or HTTP/2 (whose compatible classes stand for Node's usual ones). */
export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** What stands after the name of the route: `/status/404` → `['404']`. */
  readonly rest: readonly string[];
  /** Names as sent, in the order of the wire; without HTTP/2 pseudo-headers. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Aborts when the site closes or the connection of the caller does. */
  readonly signal: AbortSignal;
  /** Breaks the connection off as a failing host does: without a proper end. */
  readonly hangUp: () => void;
}

type Route = (call: Call) => void | Promise<void>;
type Headers = Readonly<Record<string, string | string[]>>;

const HTML = 'text/html; charset=utf-8';
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Answers with a body whose length is told. */
function send(
  { request, response }: Call,
  status: number,
  type: string,
  body: string | Buffer,
  more: Headers = {},
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  response.writeHead(status, {
    'content-type': type,
    'content-length': String(bytes.length),
    ...more,
  });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

const sendJson = (call: Call, value: unknown, status = 200, more: Headers = {}): void =>
  send(call, status, 'application/json', JSON.stringify(value), more);

const made = new Map<string, Buffer>();
function once(key: string, make: () => Buffer): Buffer {
  const known = made.get(key);
  if (known !== undefined) return known;
  const bytes = make();
  made.set(key, bytes);
  return bytes;
}

/** Bytes 0, 1, … 255, 0, …: the same on every call. */
const bytesOf = (length: number): Buffer =>
  once(`bytes ${length}`, () => Buffer.from(Array.from({ length }, (_, at) => at & 0xff)));

/** An HTML page of exactly `length` bytes. */
function htmlOf(length: number): Buffer {
  return once(`html ${length}`, () => {
    const head = `<!doctype html><html lang="en"><head><title>Page of ${length} bytes</title></head><body><p>`;
    const tail = '</p></body></html>';
    const words = 'The quick brown fox jumps over the lazy dog. ';
    const room = Math.max(0, length - head.length - tail.length);
    return Buffer.from(head + words.repeat(Math.ceil(room / words.length)).slice(0, room) + tail);
  });
}

const PAGE = htmlOf(4000);
const BOT_WALL = `<!doctype html><html><head><title>Just a moment...</title></head><body><form id="challenge-form"></form>
<script>window._cf_chl_opt = {};</script><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script></body></html>`;
const number = (text: string | null | undefined, otherwise: number): number =>
  text === null || text === undefined || text === '' ? otherwise : Number(text);

const coded = (coding: string, encode: (bytes: Buffer) => Buffer): Route => {
  const bytes = encode(PAGE);
  return (call) => send(call, 200, HTML, bytes, { 'content-encoding': coding });
};

async function drip(call: Call): Promise<void> {
  const { response, url, signal } = call;
  const total = number(url.searchParams.get('bytes'), 10);
  const pause = number(url.searchParams.get('ms'), 100);
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': String(total) });
  for (let sent = 0; sent < total; sent++) {
    if (sent > 0) await sleep(pause, undefined, { signal });
    response.write(Buffer.from([sent & 0xff]));
  }
  response.end();
}

export const ROUTES: Readonly<Record<string, Route>> = {
  '': (call) => send(call, 200, HTML, PAGE),
  bytes: (call) => send(call, 200, 'application/octet-stream', bytesOf(number(call.rest[0], 1024))),
  html: (call) => send(call, 200, HTML, htmlOf(number(call.rest[0], 1024))),
  text: (call) => send(call, 200, 'text/plain; charset=utf-8', 'plain text\n'),
  json: (call) => sendJson(call, { title: 'A fixture', items: [{ price: 8 }, { price: 12.5 }], ok: true }),
  xml: (call) =>
    send(
      call,
      200,
      'application/xml',
      '<?xml version="1.0"?><list><item id="1">one</item><item id="2">two</item></list>',
    ),
  /** `/document/docx`, `/document/pdf`, and `/document/scan`, a PDF without text. */
  document: (call) => {
    const text = 'A document.';
    if (call.rest[0] === 'docx')
      send(call, 200, 'application/octet-stream', docxOf(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`));
    else
      send(call, 200, 'application/pdf', textPdf([call.rest[0] === 'scan' ? [] : [{ text, x: 50, y: 700 }]]));
  },
  /** What Cloudflare shows instead of a page, with status 200, as some services pass it on. */
  'bot-wall': (call) => send(call, 200, HTML, BOT_WALL),
  image: (call) => send(call, 200, 'image/png', PIXEL),
  /** Any status; `?location=` adds that header. 204 and 304 have no body. */
  status: (call) => {
    const status = number(call.rest[0], 200);
    const location = call.url.searchParams.get('location');
    const more: Headers = location === null ? {} : { location };
    if (status === 204 || status === 304) call.response.writeHead(status, more).end();
    else send(call, status, 'text/plain', `status ${status}\n`, more);
  },
  /** What was sent, in the order of the wire. */
  headers: (call) => sendJson(call, { headers: call.headers }),
  echo: (call) =>
    sendJson(call, {
      method: call.request.method,
      url: call.request.url,
      http_version: call.request.httpVersion,
      headers: call.headers,
      body: call.body.toString('base64'),
    }),
  /** `/redirect/3` → 2 → 1 → 0, a page; `?status=` chooses which redirect. */
  redirect: (call) => {
    const left = number(call.rest[0], 1);
    if (left <= 0) return send(call, 200, HTML, '<!doctype html><title>landed</title>');
    const location = `/redirect/${left - 1}${call.url.search}`;
    send(call, number(call.url.searchParams.get('status'), 302), 'text/plain', 'elsewhere\n', { location });
  },
  /** `?url=…&status=…`: to anywhere, as it is. */
  'redirect-to': (call) => {
    const location = call.url.searchParams.get('url') ?? '/';
    send(call, number(call.url.searchParams.get('status'), 302), 'text/plain', 'elsewhere\n', { location });
  },
  /** `/cookies/set?a=1&b=2` sets and leads to `/cookies`, which tells what came. */
  cookies: (call) => {
    if (call.rest[0] === 'set') {
      const cookies = [...call.url.searchParams].map(([name, value]) => `${name}=${value}; Path=/`);
      return send(call, 302, 'text/plain', 'set\n', { 'set-cookie': cookies, location: '/cookies' });
    }
    sendJson(call, {
      cookie: call.headers.filter(([name]) => name.toLowerCase() === 'cookie').map(([, value]) => value),
    });
  },
  /** `?name=value…` become headers of the answer; a name may repeat. */
  'with-headers': (call) => {
    const more: Record<string, string[]> = {};
    for (const [name, value] of call.url.searchParams) more[name] = [...(more[name] ?? []), value];
    send(call, 200, HTML, PAGE, more);
  },
  /** The head comes after so many milliseconds. */
  delay: async (call) => {
    await sleep(number(call.rest[0], 100), undefined, { signal: call.signal });
    send(call, 200, 'text/plain', 'late\n');
  },
  /** The head at once, then a byte every `?ms=` until `?bytes=` are out. */
  drip,
  gzip: coded('gzip', gzipSync),
  deflate: coded('deflate', deflateSync),
  'deflate-raw': coded('deflate', deflateRawSync),
  br: coded('br', brotliCompressSync),
  zstd: coded('zstd', zstdCompressSync),
  'gzip-br': coded('gzip, br', (bytes) => brotliCompressSync(gzipSync(bytes))),
  'gzip-broken': coded('gzip', (bytes) => gzipSync(bytes).subarray(0, 40)),
  /** `/charset/koi8-r` names it in the header, `?in=meta` in the page, `?in=none` nowhere. */
  charset: (call) => {
    const label = call.rest[0] ?? 'utf-8';
    const sample = CHARSET_SAMPLES[label];
    if (sample === undefined) return send(call, 404, 'text/plain', 'no such sample\n');
    const place = call.url.searchParams.get('in') ?? 'header';
    const meta = Buffer.from(place === 'meta' ? `<!doctype html><meta charset="${label}"><p>` : '');
    const type = place === 'header' ? `text/html; charset=${label}` : 'text/html';
    send(call, 200, type, Buffer.concat([meta, Buffer.from(sample.hex, 'hex')]));
  },
  /** Promises 1,000 bytes, gives 500, hangs up. */
  'close-midway': async (call) => {
    call.response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '1000' });
    call.response.write('x'.repeat(500));
    await sleep(20, undefined, { signal: call.signal });
    call.hangUp();
  },
  /** Hangs up without any answer. */
  'close-at-once': (call) => call.hangUp(),
  /** Never answers. */
  hang: () => {},
};
