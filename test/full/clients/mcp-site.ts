import { linkPage, type MadeSite, startMadeSite } from '../../helpers/made-site.ts';

/** Of the long article. */
export const PARAGRAPHS = 60;

const paragraph = (n: number): string =>
  `Paragraph ${n} of the long article says that the river rose by ${n} centimetres during the night, that nobody was hurt 🌊, and that the bridge in the old town stays closed until the engineers have looked at every pillar of it.`;

const article = (): string =>
  `<!doctype html><html lang="en"><head><title>The long article</title></head><body><nav><a href="/">Home</a></nav><main><article><h1>The long article</h1>${Array.from(
    { length: PARAGRAPHS },
    (_, index) => `<p>${paragraph(index + 1)}</p>`,
  ).join('')}</article></main></body></html>`;

const WALL =
  '<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title><meta http-equiv="refresh" content="390"></head><body><div class="main-wrapper"><noscript>Enable JavaScript and cookies to continue</noscript></div><script>window._cf_chl_opt={cvId:"3"};</script></body></html>';

/** A site for the tools: `/article`, `/wall` (a bot check), `/missing`, `/slow` (never answers), `/site/…` (pages with links). */
export const startMcpSite = (): Promise<MadeSite> =>
  startMadeSite((path, _request, response) => {
    if (path === '/article') return article();
    if (path === '/slow') return undefined;
    if (path === '/picture' || path === '/bytes') {
      const type = path === '/picture' ? 'image/png' : 'application/octet-stream';
      response
        .writeHead(200, { 'content-type': type })
        .end(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]));
      return undefined;
    }
    if (path === '/empty') return '<!doctype html><title>Empty</title><body></body>';
    if (path === '/wall') {
      const headers = { 'content-type': 'text/html', server: 'cloudflare', 'cf-mitigated': 'challenge' };
      response.writeHead(403, headers).end(WALL);
      return undefined;
    }
    if (path === '/site/') return linkPage('Start', ['/site/a', '/site/b', '/site/c']);
    if (/^\/site\/[abc]$/.test(path)) return linkPage(`Page ${path.at(-1)!}`, ['/site/']);
    return null;
  });
