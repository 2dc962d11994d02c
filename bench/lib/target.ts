/**
 * Serves the pages of the benchmarks, as a separate process: `GET /<n>` returns n KB of HTML. It uses bare sockets and
 * prepared bytes, to leave the processor to the measured services. Prints its port. Usage: target.ts [--utf8]
 */
import { createServer, type Socket } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const pages = new Map([1, 30, 200].map((kb) => [`/${kb}`, responseWith(page(kb * 1024))]));
const missing = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');

/** HTML of exactly so many bytes; with --utf8 one character in fifty is not ASCII. */
function page(bytes: number): Buffer {
  const name = process.argv.includes('--utf8') ? 'café – “naïve”' : 'coffee and cake';
  let html =
    '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Shelf</title></head>\n<body>\n';
  for (let n = 1; Buffer.byteLength(html) < bytes; n++)
    html += `<li class="item" data-id="${n}"><a href="/item/${n}?ref=list">${name} ${n}</a> <b>${n * 7}.99</b></li>\n`;
  const cut = Buffer.from(html).subarray(0, bytes);
  // Replaces a character that was cut in the middle by spaces.
  for (let end = bytes - 1; end > bytes - 5 && cut[end]! > 0x7f; end--) cut[end] = 0x20;
  return cut;
}

function responseWith(body: Buffer): Buffer {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: text/html; charset=utf-8\r\ndate: ${new Date().toUTCString()}\r\nserver: shelf\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

function serve(socket: Socket): void {
  let rest: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(HEAD_END); end >= 0; end = rest.indexOf(HEAD_END)) {
      const path = rest.toString('latin1', rest.indexOf(32) + 1, rest.indexOf(32, rest.indexOf(32) + 1));
      socket.write(pages.get(path) ?? missing);
      rest = rest.subarray(end + HEAD_END.length);
    }
  });
}

const server = createServer(serve);
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as { port: number }).port}`));
process.once('SIGTERM', () => process.exit(0));
