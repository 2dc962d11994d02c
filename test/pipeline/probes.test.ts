import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { createDocumentReader } from '../../src/adapters/documents/document-reader.ts';
import { createProxies } from '../../src/adapters/proxies/create-proxies.ts';
import { createPageReader } from '../../src/adapters/reader/page-reader.ts';
import { SiteTextMemory, showsSameContent, visibleWords } from '../../src/assess/text-comparison.ts';
import { MemoryBudget } from '../../src/base/memory-budget.ts';
import { deadlineOf, systemClock } from '../../src/base/time.ts';
import { NO_POOLS } from '../../src/domain/pools.ts';
import { DEFAULT_PROXY_OPTIONS } from '../../src/domain/proxy.ts';
import type { Step } from '../../src/domain/scrape.ts';
import { runAttempt } from '../../src/pipeline/attempt.ts';
import { Probes } from '../../src/pipeline/probes.ts';
import { SiteLimiter } from '../../src/pipeline/site-limiter.ts';
import { Experience } from '../../src/router/experience.ts';
import { OK, SHELL } from '../../src/router/observations.ts';
import { ROUTES, routeIndex } from '../../src/router/routes.ts';
import { siteKeyOf } from '../../src/router/site-key.ts';
import { httpScraper } from '../adapters/http-scraper/kit.ts';
import { type JobChange, jobFor } from '../contracts/fetch-order.ts';
import { listen } from '../helpers/free-port.ts';
import { inProcess } from '../helpers/in-process.ts';
import { eventually } from '../helpers/service.ts';

const HTTP: Step = { scraper: 'http', proxyType: 'datacenter' };
const BROWSER: Step = { scraper: 'browser', proxyType: 'datacenter' };
const words = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => `word${from + n}`).join(' ');
const page = (text: string) => `<!doctype html><title>A shop</title><p>${text}</p>`;
const PAGE = page(words(0, 200));
const DAY_MS = 86_400_000;
const bytes = (text: string) => Buffer.from(text);

/** A site that a browser has brought pages of, the parts of a pipeline, and one page that came. */
async function world(t: TestContext, { budget = 100, change = {} as JobChange, clock = systemClock } = {}) {
  let shown = PAGE;
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(shown);
  });
  await listen(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/shop`;
  const memory = new MemoryBudget(2 ** 28);
  const experience = new Experience(ROUTES);
  const reader = createPageReader({ memoryBytes: 2 ** 28, onError: (error) => assert.fail(String(error)) });
  const documents = createDocumentReader({ onError: (error) => assert.fail(String(error)) });
  const siteLimiter = new SiteLimiter(clock, null, inProcess(clock));
  const parts = {
    scrapers: new Map([['http' as const, httpScraper(t)]]),
    proxies: createProxies({ pools: NO_POOLS, allowDirect: true, clock, coordination: null }),
    clock,
    reader,
    documents,
    model: null,
    texts: new SiteTextMemory(),
    prices: null,
    experience,
    siteLimiter,
    memory,
    budget,
    onError: (error: unknown) => assert.fail(String(error)),
  };
  const probes = new Probes(parts);
  t.after(async () => {
    await probes.stop();
    await reader.close();
    await documents.close();
    server.close();
    server.closeAllConnections();
  });
  const now = clock.now() / 1000;
  const key = siteKeyOf(url);
  for (let n = 0; n < 3; n++) {
    experience.record(key, now - 900, { route: routeIndex(HTTP), observation: SHELL }, null);
    experience.record(key, now - 900, { route: routeIndex(BROWSER), observation: OK }, null);
  }
  const task = { ...jobFor(url, change), scraper: change.scraper ?? ('auto' as const) };
  using deadline = deadlineOf(20_000);
  const chosen = { step: HTTP, reason: '', pauseMs: 0, sharesTime: false };
  const order = {
    n: 1,
    task,
    chosen,
    deadline,
    allowUrl: null,
    userId: 'u',
    used: [],
    document: null,
    clearance: null,
  };
  const came = await runAttempt(parts, { ...order, reservation: memory.open() });
  const ask = {
    task,
    steps: [HTTP, BROWSER],
    tried: [{ ...came, step: BROWSER }],
    allowUrl: null,
    userId: 'u',
  };
  return {
    asked: () => asked - 1,
    spent: () => probes.spentToday(),
    show: (html: string) => {
      shown = html;
    },
    /** As after a complaint of the site. */
    async pace() {
      using deadline = deadlineOf(1000);
      const stay = await siteLimiter.acquire({ url, proxyType: 'datacenter', userId: 'u' }, deadline);
      const { page } = came.fetched!;
      const headers = [['retry-after', '600']] as const;
      stay.release({ verdict: 'rate', fetched: { page: { ...page!, statusCode: 429, headers } } });
    },
    /** As after so many requests by a browser. */
    after: (times: number) => {
      for (let n = 0; n < times; n++) probes.afterScrape(ask);
    },
    byHttp: () => {
      const view = experience.outlook(key, clock.now() / 1000, []);
      return { p: view.success(routeIndex(HTTP)), looks: view.attempts(routeIndex(HTTP)) };
    },
  };
}

describe('probes beside requests', () => {
  test('a site that does without scripts by now is found out', async (t) => {
    const { after, asked, byHttp } = await world(t);
    const before = byHttp();
    after(100);
    await eventually(() => byHttp().p > before.p + 0.1);
    assert.equal(asked(), 1, 'one in ten minutes');
  });

  test('a page that shows something else confirms what was known', async (t) => {
    const { after, asked, show, byHttp } = await world(t);
    show(page(words(500, 700)));
    const before = byHttp();
    after(100);
    await eventually(() => byHttp().looks > before.looks + 0.5);
    assert.ok(byHttp().p < before.p);
    assert.equal(asked(), 1);
  });

  test('what they may take is for one day (UTC)', async (t) => {
    const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
    let later = 0;
    const clock = { now: () => noon + later, monotonic: () => performance.now() + later };
    const { after, asked, spent } = await world(t, { budget: 1.5, clock });
    after(100);
    await eventually(() => asked() === 1);
    assert.equal(spent(), 1);
    // The site might be looked at again by now, were it not for the budget.
    later = 3_600_000;
    after(100);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(asked(), 1);
    assert.equal(spent(), 1);
    later = DAY_MS / 2;
    assert.equal(spent(), 0);
    after(100);
    await eventually(() => asked() === 2);
    assert.equal(spent(), 1);
  });

  const never: [string, JobChange, number?][] = [
    ['the operator gives no budget', {}, 0],
    ['the budget is less than one takes', {}, 0.9],
    ['a named scraper', { scraper: 'http' }],
    ['data', { method: 'POST' }],
    ['credentials', { headers: [['Authorization', 'Basic eA==']] }],
    ['a header that may be a key', { headers: [['X-Api-Key', 'a']] }],
    [
      'cookies',
      {
        cookies: [
          {
            name: 'a',
            value: 'b',
            domain: null,
            path: null,
            secure: false,
            httpOnly: false,
            sameSite: null,
            expires: null,
          },
        ],
      },
    ],
    ['a session', { proxy: { ...DEFAULT_PROXY_OPTIONS, session: 'cart' } }],
    [
      'what may go past the proxy, which teaches nothing',
      { proxy: { ...DEFAULT_PROXY_OPTIONS, bypass: ['.test'] } },
    ],
    ['a proxy of the caller', { proxyType: 'custom' }],
    ['a body', { body: { type: 'raw', bytes: bytes('a=b'), contentType: null } }],
    ['what only a browser can do', { requested: ['/screenshot'] }],
  ];
  for (const [name, change, budget] of never)
    test(`none: ${name}`, async (t) => {
      const { after, asked } = await world(t, { change, ...(budget === undefined ? {} : { budget }) });
      after(100);
      await new Promise((resolve) => setTimeout(resolve, 50));
      assert.equal(asked(), 0);
    });

  test('none while the site is paced for longer than a probe may take', async (t) => {
    const { after, asked, pace } = await world(t);
    await pace();
    after(100);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(asked(), 0);
  });

  test('the same page, another one, and what cannot be told', () => {
    const good = visibleWords(bytes(PAGE));
    assert.equal(showsSameContent(good, visibleWords(bytes(PAGE))), true);
    assert.equal(showsSameContent(good, visibleWords(bytes(page(words(0, 180))))), true);
    assert.equal(showsSameContent(good, visibleWords(bytes(page(words(0, 120))))), null);
    assert.equal(showsSameContent(good, visibleWords(bytes(page(words(0, 20))))), false);
    assert.equal(showsSameContent(good, visibleWords(bytes('<div id=root></div>'))), false);
    assert.equal(showsSameContent(visibleWords(bytes('')), good), null);
  });
});
