/**
 * Serves what `npm run bench -- jobs` asks for, as a separate process. Prints its port.
 * - `/links/N`: a page with 1,000 links that stand on no other page
 * - `/sitemap.xml`: 50,000 URLs
 * - any other path: a page of 10 KB with 20 links to others
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const LINKS = 1_000;
const SITEMAP_URLS = 50_000;

function html(title: string, links: readonly string[], bytes: number): string {
  const list = links.map((to) => `<li><a href="${to}">To ${to}</a></li>`).join('\n');
  let text = '';
  for (let line = 1; list.length + text.length < bytes; line++)
    text += `<p>On ${title}, line ${line} tells of <b>coffee</b> and <i>cake</i>, and of what they cost.</p>\n`;
  return `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body><ul>${list}</ul>${text}</body></html>`;
}

const SITEMAP = `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from(
  { length: SITEMAP_URLS },
  (_, n) => `<url><loc>ORIGIN/shelf/${n}</loc><lastmod>2026-01-01</lastmod></url>\n`,
).join('')}</urlset>`;

function answer(path: string, origin: string): { readonly type: string; readonly body: string } | null {
  if (path === '/sitemap.xml') return { type: 'application/xml', body: SITEMAP.replaceAll('ORIGIN', origin) };
  const links = /^\/links\/([\w-]+)$/.exec(path)?.[1];
  if (links !== undefined) {
    const made = Array.from({ length: LINKS }, (_, n) => `/links/${links}-${n.toString(36)}`);
    return { type: 'text/html', body: html(`shelf ${links}`, made, 0) };
  }
  const page = /^\/page\/(\d+)$/.exec(path)?.[1];
  if (page === undefined && path !== '/') return null;
  const first = Number(page ?? 0) * 20 + 1;
  const next = Array.from({ length: 20 }, (_, n) => `/page/${first + n}`);
  return { type: 'text/html', body: html(`page ${page}`, next, 10_240) };
}

const server = createServer((request, response) => {
  const found = answer(request.url!, `http://${request.headers.host}`);
  if (found === null) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': `${found.type}; charset=utf-8` }).end(found.body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));
