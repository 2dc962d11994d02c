import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLIENT_DISCONNECTED, deadlineUnder } from '../../../../src/base/time.ts';
import type { CallerCookie } from '../../../../src/domain/task.ts';
import type { Scraper } from '../../../../src/ports/scraper.ts';
import { browserScraper } from '../../../adapters/browser/kit.ts';
import { browserProcessesOf, chromiums, processes } from '../../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../../adapters/browser/target.ts';
import { fetchWith, pageOf, textOf } from '../../../contracts/fetch-order.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const cookie = (name: string, value: string, change: Partial<CallerCookie> = {}): CallerCookie => ({
  name,
  value,
  domain: null,
  path: null,
  secure: false,
  httpOnly: false,
  sameSite: null,
  expires: null,
  ...change,
});

/** The renderer processes of the browsers of this test. */
function renderers() {
  const groups = new Set(browserProcessesOf(process.pid).map(({ group }) => group));
  return processes().filter(({ line, group }) => /--type=renderer/.test(line) && groups.has(group));
}

describe('how a scrape in a browser ends', { skip }, () => {
  let target: Target;
  /** Another host, because its pages put it into quarantine: they get a separate browser. */
  let loops: Target;
  let scraper: Scraper;
  const cleanups: (() => unknown)[] = [];
  before(async () => {
    target = await startTarget({
      '/plain': html('<p>plain'),
      '/never': () => {},
      '/drips': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        const timer = setInterval(() => response.write('<p>drip</p>'), 50);
        response.on('close', () => clearInterval(timer));
      },
      '/slow-picture': html('<p>page</p><img src=/never>'),
      '/cookies': (request, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html', 'set-cookie': ['set=1; Path=/', 'mine=2; Path=/'] })
          .end(`<p>${request.headers.cookie ?? ''}</p>`),
      '/led': html('', 302, { location: '/cookies' }),
    });
    loops = await startTarget({
      '/loops': html('<p>loops</p><script>addEventListener("load", () => { for (;;); })</script>'),
      '/loops-at-once': html('<p>loops</p><script>for (;;);</script>'),
    });
    scraper = await browserScraper({ after: (cleanup) => void cleanups.push(cleanup as () => unknown) });
    await pageOf(scraper, `${target.url}/plain`, { timeoutMs: 60_000 });
  });
  after(async () => {
    for (const cleanup of cleanups) await cleanup();
    await target[Symbol.asyncDispose]();
    await loops[Symbol.asyncDispose]();
  });
  const urlOf = (path: string) => (path.startsWith('/loops') ? loops : target).url + path;
  /** Fetches, and checks that the result came in time. */
  const fetchInTime = async (path: string, change: Parameters<typeof fetchWith>[2] = {}) => {
    const began = performance.now();
    const timeoutMs = change.timeoutMs ?? 4_000;
    const fetched = await fetchWith(scraper, urlOf(path), { ...change, timeoutMs });
    const lateMs = performance.now() - began - timeoutMs;
    assert.ok(lateMs < 2_000, `${path}: ${lateMs} ms after its deadline`);
    return fetched;
  };

  test('a page that hangs is returned in time, as far as it was loaded', async () => {
    assert.equal((await fetchInTime('/never')).failure?.code, 'timeout.total');
    for (const path of ['/loops', '/loops-at-once']) {
      const fetched = await fetchInTime(path, { timeoutMs: 8_000 });
      // The scripts of the page are stopped, so that it can be read.
      const { statusCode, missingParts } = fetched.page!;
      assert.deepEqual([statusCode, missingParts!.at(-1)!.code], [200, 'timeout.total'], path);
    }
    const drips = await fetchInTime('/drips');
    assert.deepEqual(
      drips.page?.missingParts?.map(({ code, pointer }) => [code, pointer]),
      [['wait.load_timeout', '/wait_for_load_state']],
    );
    assert.match(Buffer.from(drips.page!.body).toString(), /<p>drip<\/p><p>drip<\/p>/);
    const picture = await fetchInTime('/slow-picture');
    assert.deepEqual([picture.page?.statusCode, picture.page?.missingParts?.length], [200, 1]);
    const met = await fetchInTime('/slow-picture', {
      browser: { waitForLoadState: 'domcontentloaded' },
    });
    assert.deepEqual(met.page?.missingParts, []);
    // The browser still works.
    assert.match(textOf(await pageOf(scraper, `${target.url}/plain`)), /plain/);
  });

  test('the time limit of an attempt no longer applies once a response header arrived, or a POST was sent', async () => {
    const shared = async (path: string, change: Parameters<typeof fetchWith>[2]) => {
      using deadline = deadlineUnder(4_000, new AbortController().signal);
      using share = deadlineUnder(2_000, deadline.signal);
      return await fetchWith(scraper, `${target.url}${path}`, change, { deadline, share });
    };
    assert.equal((await shared('/never', {})).failure?.code, 'timeout.attempt');
    assert.equal((await shared('/never', { method: 'POST' })).failure?.code, 'timeout.total');
    assert.equal((await shared('/drips', { timeoutMs: 4_000 })).page?.statusCode, 200);
  });

  test('a scrape ends when the caller has disconnected, not at its deadline', async () => {
    for (const path of ['/never', '/drips', '/loops']) {
      const caller = new AbortController();
      using deadline = deadlineUnder(40_000, caller.signal);
      setTimeout(() => caller.abort(CLIENT_DISCONNECTED), 1_000);
      const began = performance.now();
      const left = await fetchWith(scraper, urlOf(path), {}, { deadline });
      assert.equal(left.failure?.code, 'request.cancelled', path);
      assert.ok(performance.now() - began < 15_000, path);
    }
  });

  test('a page whose process dies is browser.crashed, and the next one works', async () => {
    target.asked.length = 0;
    const fetching = fetchWith(scraper, `${target.url}/slow-picture`, { timeoutMs: 20_000 });
    while (!target.asked.includes('GET /never')) await sleep(50);
    // Pages are opened in advance, so which renderer belongs to the scrape is unknown: all are killed.
    for (const { pid } of renderers()) process.kill(pid, 'SIGKILL');
    const crashed = await fetching;
    assert.deepEqual([crashed.failure?.code, crashed.sent], ['browser.crashed', true]);
    assert.match(textOf(await pageOf(scraper, `${target.url}/plain`, { timeoutMs: 30_000 })), /plain/);
  });

  test('a browser that dies is browser.crashed, and the next one works', async () => {
    target.asked.length = 0;
    const fetching = fetchWith(scraper, `${target.url}/never`, { timeoutMs: 20_000 });
    while (!target.asked.includes('GET /never')) await sleep(50);
    for (const { pid } of browserProcessesOf(process.pid).filter(({ line }) => !/--type=/.test(line)))
      process.kill(pid, 'SIGKILL');
    assert.equal((await fetching).failure?.code, 'browser.crashed');
    assert.match(textOf(await pageOf(scraper, `${target.url}/plain`, { timeoutMs: 30_000 })), /plain/);
  });

  test("the caller's cookies are in the result only if the target has set them again", async () => {
    const cookies = [
      cookie('mine', '1'),
      cookie('other', '1'),
      cookie('elsewhere', '1', { path: '/elsewhere' }),
    ];
    const { page } = await pageOf(scraper, `${target.url}/led`, { cookies });
    assert.match(textOf({ page } as never), /<p>mine=1; other=1<\/p>/);
    assert.deepEqual(page.cookies.map(({ name, value }) => [name, value]).sort(), [
      ['mine', '2'],
      ['set', '1'],
    ]);
  });

  test('a cookie that browsers refuse is named in the failure', async () => {
    const refused = await fetchWith(scraper, `${target.url}/plain`, {
      cookies: [cookie('__Secure-a', '1'), cookie('b', '1')],
    });
    assert.deepEqual(
      [refused.failure?.code, refused.failure?.pointer],
      ['scraper.unsupported_option', '/cookies'],
    );
    assert.match(refused.failure!.message, /__Secure-a/);
  });
});
