import { endOf } from '../end-to-end/job-calls.ts';
import { linkPage, type MadeSite, startMadeSite } from '../helpers/made-site.ts';
import type { ServiceApi } from '../helpers/service.ts';

const WORDS = ['Anchors', 'Berths and tides', 'Cranes', 'Docks for ships', 'Ebb', 'A ferry has arrived'];

interface SeededCrawl extends AsyncDisposable {
  readonly id: string;
  readonly site: MadeSite;
}

/** A crawl that has ended: 12 pages of a site with folders, one of them missing, and links to other hosts. */
export async function seedCrawl(service: ServiceApi): Promise<SeededCrawl> {
  const pages = new Map<string, string>();
  const links = ['/about', '/docs/', 'http://other.test/a', 'http://other.test/b', 'http://third.test/'];
  pages.set('/', linkPage('Harbours', [...links, '/docs/missing/page']));
  pages.set('/about', linkPage('About', ['/']));
  const guides = [
    '/docs/guide/one',
    '/docs/guide/two',
    '/docs/guide/deep/three',
    '/docs/reference/a?part=/x/',
  ];
  pages.set('/docs/', linkPage('Docs', [...guides, '/docs/reference/b', '/news/2026/01/first']));
  // Pages of the same words would be taken for a trap.
  for (const [index, path] of [...guides, '/docs/reference/b', '/news/2026/01/first'].entries())
    pages.set(path, linkPage(WORDS[index]!, ['/', '/news/2026/02/second']));
  pages.set('/news/2026/02/second', linkPage('Second', ['/docs/']));
  const site = await startMadeSite((path) => pages.get(path) ?? null);
  const accepted = await service.api<{ id: string }>('POST', '/api/v1/crawls/', {
    body: {
      name: 'Harbours',
      url: `${site.url}/`,
      sitemap: 'ignore',
      retries: 0,
      request: { scraper: 'http', router: { accept: { not_contains: 'There is nothing' } } },
    },
  });
  await endOf(service, accepted.body.id);
  return { id: accepted.body.id, site, [Symbol.asyncDispose]: () => site[Symbol.asyncDispose]() };
}
