/**
 * Serves the site of `npm run bench -- crawl`, as a separate process: 10,000 pages of 10 KB with 20 links each, which lead to
 * all of them. Prints its port.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const CRAWL_PAGES = 10_000;
const LINKS = 20;
const BYTES = 10 * 1024;

function page(n: number): string {
  const links = Array.from({ length: LINKS }, (_, link) => {
    const to = (n * LINKS + link + 1) % CRAWL_PAGES;
    return `<li><a href="/page/${to}">Page ${to} of the shelf</a></li>`;
  });
  const head = `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Page ${n}</title></head>\n<body>\n<nav><ul>${links.join('\n')}</ul></nav>\n<main><h1>Page ${n}</h1>\n`;
  let text = '';
  for (let line = 1; head.length + text.length < BYTES - 100; line++)
    text += `<p class="text" id="p${line}">On page ${n}, line ${line} tells of <b>coffee</b> and <i>cake</i>, and of what they cost.</p>\n`;
  return `${head}${text}</main>\n</body></html>`;
}

if (import.meta.main) {
  const server = createServer((request, response) => {
    const n = Number(
      /^\/(?:page\/(\d+))?$/.exec(request.url!)?.[1] ?? (request.url === '/' ? 0 : Number.NaN),
    );
    if (Number.isNaN(n)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(n));
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));
}
