import { linkPage, startMadeSite } from '../helpers/made-site.ts';

export const urlset = (urls: readonly string[]): string =>
  `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
    .map((url) => `<url><loc>${url}</loc></url>`)
    .join('')}</urlset>`;

export const sitemapIndex = (urls: readonly string[]): string =>
  `<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`;

/** A site with these files; everything else is a page without links. */
export async function siteWith(files: (base: string) => Readonly<Record<string, string | Buffer>>) {
  let base = '';
  const site = await startMadeSite((path, _request, response) => {
    const file = files(base)[path];
    if (file === undefined) return /^\/(?:robots|sitemap|wp-)/.test(path) ? null : linkPage(path, []);
    const types = { gz: 'application/gzip', txt: 'text/plain', xml: 'text/xml' };
    const type = types[path.split('.').at(-1) as 'gz'] ?? 'text/html';
    response.writeHead(200, { 'content-type': type }).end(file);
    return undefined;
  });
  base = site.url;
  return site;
}
