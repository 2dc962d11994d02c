import assert from 'node:assert/strict';
import type { ServiceApi } from '../helpers/service.ts';
import type { Site } from '../site/site.ts';

/** Makes scrapes of most outcomes, keys and users, so that the pages of the dashboard have content. */
export async function seed(service: ServiceApi, site: Site): Promise<void> {
  // The discard port (RFC 863), on which nothing listens.
  const closedPort = 'http://127.0.0.1:9/';
  const shop = { headers: { 'accept-language': 'de-CH' }, query: { page: 2 }, cookies: { currency: 'CHF' } };
  const scrapes: readonly object[] = [
    { url: `${site.url}/html/20000`, router: { tags: { project: 'catalogue' } } },
    { url: `${site.url}/html/2000?page=2` },
    { url: `${site.url}/json` },
    { url: `${site.url}/status/404` },
    { url: `${site.url}/status/503` },
    { url: `${site.url}/redirect/3` },
    { url: `${site.url}/cookies/set?session=abc&theme=dark` },
    { url: `${site.url}/echo`, method: 'POST', data: { name: 'a value', count: 3 } },
    { url: `${site.url}/html/50000`, scraper_options: { max_content_bytes: 1000 } },
    { url: `${site.url}/html/500`, router: { accept: { contains: 'not in this page' } } },
    { url: `${site.url}/html/500`, router: { dry_run: true } },
    { url: closedPort },
    { url: 'http://no-such-host.invalid/' },
    // The last one is the newest, which the screenshots of the documentation show.
    { ...shop, url: `${site.url}/echo?sort=price`, router: { tags: { project: 'catalogue' } } },
  ];
  for (const request of scrapes) {
    const { status, text } = await service.scrape({ scraper: 'auto', timeout_ms: 3_000, ...request });
    assert.ok(status !== 400 && status !== 500, text);
  }
  const keys: readonly object[] = [
    { name: 'Production crawler', scopes: ['scrape', 'read'], ips: ['203.0.113.0/24'] },
    {
      name: 'Development laptop',
      domains: ['example.com', '*.example.org'],
      daily_budget: { amount: 500, unit: 'scrapes' },
      concurrency: 5,
    },
    { name: 'Nightly price check', expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString() },
  ];
  for (const body of keys) await create(service, '/api/v1/keys/', body);
  await create(service, '/api/v1/users/', { email: 'maria@example.com', role: 'user' });
  await create(service, '/api/v1/users/', { email: 'jonas@example.com', role: 'user', concurrency: 120 });
}

async function create(service: ServiceApi, path: string, body: object): Promise<void> {
  const { status, text } = await service.api('POST', path, { body });
  assert.equal(status, 201, text);
}
