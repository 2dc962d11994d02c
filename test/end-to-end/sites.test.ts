import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually, type Service, startService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { createUser } from '../helpers/users.ts';
import { newUser, signIn } from '../helpers/visitor.ts';
import type { Problem } from '../helpers/wire-types.ts';

interface Step {
  readonly scraper: string;
  readonly proxy_type: string;
}
interface Site {
  readonly host: string;
  readonly pinned: Step | null;
  readonly pages: readonly {
    readonly pattern: string;
    readonly attempts: number;
    readonly demands: readonly { readonly name: string; readonly probability: number }[];
    readonly history: readonly { readonly since: string; readonly name: string; readonly words: string }[];
    readonly ways: readonly (Step & {
      readonly est_success: number;
      readonly est_cost: number;
      readonly remembered: number;
    })[];
    readonly next: Step | null;
    readonly reason: string;
  }[];
}

interface SiteList {
  readonly items: readonly {
    readonly last_change: Readonly<Record<'at' | 'pattern' | 'before' | 'after', string>> | null;
  }[];
}

const PAGE = `<!doctype html><title>A page</title><p>${'The text of the page. '.repeat(40)}</p>`;
const WALL =
  '<!doctype html><title>Just a moment...</title><form id="challenge-form"></form><script>window._cf_chl_opt = {};</script>';
const HTTP: Step = { scraper: 'http', proxy_type: 'datacenter' };

describe('contract §9: what is known of sites', () => {
  const site = useSite();
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-sites-'));
  let service: Service;
  before(async () => {
    service = await startService({}, { dataDir });
  });
  after(async () => {
    await service.end();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
  });
  const host = () => new URL(site.url).host;
  const path = (more = '') => `/api/v1/sites/${encodeURIComponent(host())}/${more}`;
  const look = async () => (await service.api<Site>('GET', path())).body;

  test('a site without scrapes is unknown', async () => {
    for (const name of ['never.test', 'a%2Fb', 'user%40a.test', '%20'])
      assert.equal((await service.api('GET', `/api/v1/sites/${name}/`)).status, 404);
  });

  test('returns what attempts have shown, the estimates, the next route and the reason', async () => {
    for (let n = 0; n < 3; n++) await service.scrape({ url: `${site.url}/text?${n}`, scraper: 'http' });
    const known = await look();
    assert.equal(known.host, host());
    assert.equal(known.pinned, null);
    const page = known.pages.find(({ pattern }) => pattern === '/text')!;
    assert.equal(page.attempts, 3);
    assert.equal(page.demands[0]?.name, 'open');
    const way = page.ways.find(
      ({ scraper, proxy_type }) => scraper === 'http' && proxy_type === 'datacenter',
    )!;
    assert.ok(way.est_success > 0.9 && way.est_cost === 1 && way.remembered > 2);
    assert.deepEqual(page.next, HTTP);
    assert.match(page.reason, /^the site shows no protection/);
    const { body } = await service.scrape({ url: `${site.url}/text` });
    assert.equal(body.router.attempts?.[0]?.reason, page.reason);
  });

  test('a host without its port, as in records, finds the site', async () => {
    const { status, body } = await service.api<Site>('GET', `/api/v1/sites/${new URL(site.url).hostname}/`);
    assert.equal(status, 200);
    assert.equal(body.host, host());
  });

  test('changes for a host without its port apply to the site that is shown for it', async () => {
    const byName = (more = '') => `/api/v1/sites/${new URL(site.url).hostname}/${more}`;
    const pinned = await service.api<Site>('POST', byName('pin/'), { body: { scraper: 'http' } });
    assert.deepEqual([pinned.body.host, pinned.body.pinned], [host(), HTTP]);
    assert.deepEqual((await look()).pinned, HTTP);
    assert.equal((await service.api('DELETE', byName('pin/'))).status, 204);
    assert.equal((await look()).pinned, null);
    assert.equal((await service.api('DELETE', byName())).status, 204);
    assert.equal((await service.api('GET', path())).status, 404);
    for (let n = 0; n < 3; n++) await service.scrape({ url: `${site.url}/text?${n}`, scraper: 'http' });
  });

  test('an administrator pins the first route of auto; the order of a request has priority', async () => {
    const pinned = await service.api<Site>('POST', path('pin/'), { body: { scraper: 'http' } });
    assert.equal(pinned.status, 200);
    assert.deepEqual(pinned.body.pinned, HTTP);
    const { body } = await service.scrape({ url: `${site.url}/text` });
    assert.match(body.router.attempts![0]!.reason, /^pinned/);
    const ordered = await service.scrape({ url: `${site.url}/text`, router: { order: ['http'] } });
    assert.match(ordered.body.router.attempts![0]!.reason, /order of the request/);
    for (const wrong of [
      {},
      { scraper: 'auto' },
      { scraper: 'http', proxy_type: 'custom' },
      { scraper: 'http', more: 1 },
    ])
      assert.equal((await service.api('POST', path('pin/'), { body: wrong })).status, 400);
  });

  test('the history of the protection: what it was, and since when', async () => {
    let walled = false;
    const shop = createServer((_request, response) => {
      response.writeHead(walled ? 403 : 200, { 'content-type': 'text/html' });
      response.end(walled ? WALL : PAGE);
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.2', resolve));
    const shopHost = `127.0.0.2:${(shop.address() as AddressInfo).port}`;
    const historyOf = async () =>
      (await service.api<Site>('GET', `/api/v1/sites/${shopHost}/`)).body.pages[0]!.history;
    const changeOf = async () => {
      const { body } = await service.api<SiteList>('GET', '/api/v1/sites/?q=127.0.0.2');
      return body.items[0]?.last_change;
    };
    const scrapes = async (count: number) => {
      for (let n = 0; n < count; n++) await service.scrape({ url: `http://${shopHost}/`, scraper: 'http' });
    };
    const startedAt = Date.now();
    await scrapes(4);
    const [open, ...none] = await historyOf();
    assert.deepEqual([open?.name, none], ['open', []]);
    assert.equal(await eventually(async () => (await changeOf()) === null), true, 'the first is no change');
    walled = true;
    await scrapes(8);
    const [now, earlier, ...more] = await historyOf();
    assert.deepEqual([earlier, more], [open, []]);
    assert.notEqual(now!.name, 'open');
    const since = Date.parse(now!.since);
    assert.ok(since >= Date.parse(open!.since) && since >= startedAt - 1_000 && since <= Date.now());
    assert.deepEqual(await changeOf(), {
      at: now!.since,
      pattern: '/',
      before: 'shows no protection',
      after: now!.words,
    });
    shop.close();
  });

  test('knowledge and pins survive a restart', async () => {
    const before = await look();
    await service.stop();
    service = await startService({}, { dataDir });
    const now = await eventually(async () => {
      const { status, body } = await service.api<Site>('GET', path());
      return status === 200 && body.pages.length === before.pages.length ? body : null;
    });
    assert.deepEqual(now.pinned, HTTP);
    const counts = ({ pages }: Site) =>
      pages.map(({ pattern, attempts, history }) => [pattern, attempts, history]);
    assert.deepEqual(counts(now), counts(before));
  });

  test('a key without the scope admin sees no sites', async () => {
    const made = await service.api<{ key: string }>('POST', '/api/v1/keys/', { body: { name: 'plain' } });
    const { key } = made.body;
    assert.equal((await service.api('GET', path(), { key })).status, 403);
    assert.equal((await service.api('DELETE', path(), { key })).status, 403);
    // A key made on the command line lacks the scope too, even that of an administrator.
    const other = (await createUser(service)).key;
    assert.equal((await service.api('GET', path(), { key: other })).status, 403);
  });

  test('users who are no administrators see the sites that they have records of, and change none', async () => {
    const { email } = await newUser(service);
    const user = await signIn(service, email);
    assert.equal((await user.call('GET', path())).status, 404, 'it is known, but not to this user');
    const body = { url: `${site.url}/text`, scraper: 'http' };
    assert.equal((await user.call('POST', '/api/v1/scrape/', { body })).status, 200);
    const own = await user.call<Site>('GET', path());
    assert.equal(own.status, 200);
    assert.equal(own.body.host, host());
    assert.equal((await user.call('GET', '/api/v1/sites/never.test/')).status, 404);
    assert.equal((await user.call('DELETE', path())).status, 403);
    assert.equal((await user.call('POST', path('pin/'), { body: { scraper: 'http' } })).status, 403);
    assert.equal((await user.call('DELETE', path('pin/'))).status, 403);
    assert.deepEqual((await look()).pinned, HTTP);
  });

  test('after DELETE of knowledge and pin, the site is unknown', async () => {
    assert.equal((await service.api('DELETE', path())).status, 204);
    const rest = await look();
    assert.deepEqual([rest.pages, rest.pinned], [[], HTTP]);
    const nothing = await service.api<Problem>('DELETE', path());
    assert.equal(nothing.status, 404);
    assert.match(
      nothing.body.detail,
      /^Nothing has been learned about this host\. To remove a pinned method, /,
    );
    assert.equal((await service.api('DELETE', path('pin/'))).status, 204);
    const again = await service.api<Problem>('DELETE', path('pin/'));
    assert.deepEqual([again.status, again.body.detail], [404, 'No method is pinned for this host.']);
    assert.equal((await service.api('GET', path())).status, 404);
  });
});
