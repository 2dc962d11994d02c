/**
 * Serves the HTML files of a folder, as a separate process: each `GET /next` returns the next of them, and after the last the first again.
 * Prints its port. Usage: file-pages.ts <folder>
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const folder = process.argv[2]!;
const pages = readdirSync(folder)
  .sort()
  .map((name) => {
    const bytes = readFileSync(join(folder, name));
    return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
  });
let next = 0;
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end(pages[next++ % pages.length]);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));
