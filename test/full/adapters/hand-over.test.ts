import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { openPostgres, type Postgres } from '../../../src/adapters/postgres/postgres.ts';
import { createBrowserOnWorkers } from '../../../src/adapters/replicas/browser-on-workers.ts';
import { createHandOverStore } from '../../../src/adapters/replicas/hand-over-store.ts';
import { browserReporter, createHandOverWorker } from '../../../src/adapters/replicas/hand-over-worker.ts';
import { openReplicas } from '../../../src/adapters/replicas/registry.ts';
import { migratePostgres } from '../../../src/adapters/store/postgres/migrate.ts';
import { Credentials } from '../../../src/base/credentials.ts';
import { MemoryBudget } from '../../../src/base/memory-budget.ts';
import { CLIENT_DISCONNECTED, deadlineOf, deadlineUnder } from '../../../src/base/time.ts';
import { failure } from '../../../src/domain/failure.ts';
import type { FetchedPage, FetchResult } from '../../../src/domain/fetch-result.ts';
import type { ReplicaRole } from '../../../src/domain/replicas.ts';
import { createSealer, encryptionKey } from '../../../src/domain/sealing.ts';
import { urlCheckOf } from '../../../src/domain/url-check.ts';
import type { Replicas } from '../../../src/ports/replicas.ts';
import type { BrowserMonitor, FetchRequest, Scraper } from '../../../src/ports/scraper.ts';
import { afterwards } from '../../adapters/temp.ts';
import { orderFor } from '../../contracts/fetch-order.ts';
import { noPostgres, testDatabase } from '../../helpers/postgres.ts';
import { eventually } from '../../helpers/service.ts';
import { task } from '../../helpers/task.ts';

const sealer = createSealer([encryptionKey(new Uint8Array(32))]);
const NO_SETTINGS = { encryptionKeys: [sealer.keyId], shared: {}, others: {} };

type Fetch = (request: FetchRequest) => Promise<FetchResult>;

/** A scraper without a browser: what it does is the function of the test. */
function testBrowser(fetch: Fetch, slots = 2): Scraper & BrowserMonitor {
  return {
    name: 'browser',
    fetch,
    list: async () => [
      {
        type: 'chromium',
        version: '1',
        ageDays: 1,
        source: 'installed',
        headless: true,
        headed: false,
        used: true,
        reason: null,
      },
    ],
    state: () => ({ state: 'ready', sandbox: 'on', smallShm: false, outdatedDays: null }),
    activity: () => ({
      slots: { total: slots, busy: 0, waiting: 0 },
      pagesServed: 0,
      refused: 0,
      kinds: [],
      remote: [],
    }),
    waiting: () => 0,
    close: async () => {},
  };
}

const pageWith = (change: Partial<FetchedPage['page']> = {}): FetchedPage => ({
  page: {
    statusCode: 200,
    headers: [['content-type', 'text/html']],
    finalUrl: 'http://example.com/',
    method: 'GET',
    body: new TextEncoder().encode('<p>page'),
    cut: null,
    undecoded: false,
    cookies: [],
    ...change,
  },
  failure: null,
  redirects: [],
  requestHeaders: [['user-agent', 'x']],
  remoteIp: '127.0.0.1',
  timing: {
    dns: 1,
    connect: 2,
    tls: null,
    ttfb: 4,
    download: 5,
    load: 6,
    wait: null,
    actions: null,
    read: null,
  },
  sent: true,
  warnings: [],
  bytesOut: 10,
  bytesIn: 20,
});

interface World {
  replica(role: ReplicaRole, browsers?: Parameters<typeof openReplicas>[0]['browsers']): Promise<Replicas>;
  caller(): Promise<ReturnType<typeof createBrowserOnWorkers> & { replicas: Replicas }>;
  worker(
    fetch: Fetch,
    slots?: number,
  ): Promise<ReturnType<typeof createHandOverWorker> & { replicas: Replicas }>;
  readonly postgres: Postgres;
}

async function openWorld(t: TestContext): Promise<World> {
  const options = { url: await testDatabase(), directUrl: null, readUrl: null };
  await migratePostgres(options);
  const postgres = openPostgres(options);
  afterwards(t, () => postgres.close());
  const onError = (error: unknown) => t.diagnostic(String(error));
  const open: World['replica'] = async (role, browsers = () => null) => {
    const own = openPostgres(options);
    const replicas = await openReplicas({
      postgres: own,
      role,
      version: '1',
      settings: NO_SETTINGS,
      browsers,
      onError,
    });
    stores.set(replicas, createHandOverStore(own));
    afterwards(t, () => replicas.close().then(() => own.close()));
    return replicas;
  };
  const stores = new Map<Replicas, ReturnType<typeof createHandOverStore>>();
  return {
    postgres,
    replica: open,
    async caller() {
      const replicas = await open('api');
      const scraper = createBrowserOnWorkers({ store: stores.get(replicas)!, replicas, sealer, onError });
      afterwards(t, () => scraper.close());
      return { ...scraper, replicas };
    },
    async worker(fetch, slots) {
      const browser = testBrowser(fetch, slots);
      const reporter = browserReporter(browser);
      await reporter.ready;
      const replicas = await open('worker', reporter.report);
      const memory = new MemoryBudget(2 ** 30);
      const options = { store: stores.get(replicas)!, replicas, browser, memory, sealer, onError };
      const worker = createHandOverWorker(options);
      worker.start();
      afterwards(t, () => worker.stop(0));
      return { replicas, start: worker.start, stop: (ms) => worker.stop(ms), running: worker.running };
    },
  };
}

const hasWorker = (caller: { refusal?: Scraper['refusal'] }) =>
  eventually(() => caller.refusal!(browserTask()) === null);

const browserTask = (change: Parameters<typeof task>[0] = {}) => task({ scraper: 'browser', ...change });

async function fetchBy(
  scraper: Scraper,
  change: Parameters<typeof task>[0] = {},
  userId = 'u',
): Promise<FetchResult> {
  using deadline = deadlineOf(20_000);
  return await scraper.fetch({ ...orderFor(browserTask(change), deadline), userId });
}

/** Settles when the signal aborts, as a scrape that is cancelled. */
const hang: Fetch = ({ deadline: { signal } }) =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => resolve(failed(failure('request.cancelled', 'x')))),
  );

const failed = (cause: ReturnType<typeof failure>): FetchResult => ({
  ...pageWith(),
  page: null,
  failure: cause,
  statusCode: null,
});

describe('browser scrapes on workers', { skip: noPostgres, concurrency: 2 }, () => {
  test('the request and the result arrive whole', async (t) => {
    const world = await openWorld(t);
    const caller = await world.caller();
    const seen: FetchRequest[] = [];
    const result = pageWith({
      screenshot: { bytes: new Uint8Array([1, 2]), type: 'image/png', width: 3, height: 4 },
      pdf: { bytes: new Uint8Array([3]), pages: 1 },
      downloads: [{ bytes: new Uint8Array([4]), name: 'a', type: 'a/b', from: 'blob:' }],
      cut: failure('content.truncated', 'cut'),
      actions: [
        { index: 0, id: null, type: 'evaluate', status: 'ok', durationMs: 1, result: { a: [null, 'ü'] } },
      ],
      frames: [{ url: 'http://frame/', html: '<p>' }],
    });
    await world.worker(async (request) => {
      seen.push(request);
      return result;
    });
    await hasWorker(caller);
    const sent = browserTask({
      body: { type: 'raw', bytes: new Uint8Array([0, 255]), contentType: null },
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
      requestJson: () => assert.fail('only the record needs it'),
    });
    using deadline = deadlineOf(20_000);
    using attemptDeadline = deadlineUnder(5_000, deadline.signal);
    const upstream = {
      kind: 'http' as const,
      host: 'proxy',
      port: 1,
      credentials: new Credentials('u', 'p'),
      checkAddress: true,
      bypass: ['*.x'],
    };
    const document = pageWith({ body: new Uint8Array([9]) });
    const request = orderFor(sent, deadline, { upstream, share: attemptDeadline, exit: 'e' });
    const received = await caller.fetch({ ...request, document, allowUrl: urlCheckOf(['example.com']) });
    const { queuedMs, ...rest } = received;
    assert.deepEqual(rest, result);
    assert.ok(queuedMs !== undefined && queuedMs >= 0);
    const [got] = seen;
    const { requestJson: _a, ...gotTask } = got!.task;
    const { requestJson: _b, ...sentTask } = sent;
    assert.deepEqual(gotTask, sentTask);
    const { report: _c, release: _d, ...gotLease } = got!.lease;
    const { report: _e, release: _f, ...sentLease } = request.lease;
    assert.deepEqual(gotLease, sentLease);
    assert.deepEqual(gotLease.upstream?.credentials?.read(), { username: 'u', password: 'p' });
    assert.deepEqual(got!.document, document);
    assert.equal(got!.userId, 'u');
    assert.equal(got!.allowUrl?.(new URL('http://example.com/a')), null);
    assert.equal(got!.allowUrl?.(new URL('http://other.example/'))?.code, 'policy.domain');
    assert.ok(got!.deadline.remaining() > 15_000 && got!.deadline.remaining() < 20_000);
    assert.ok(got!.attemptDeadline!.remaining() < 5_000);
    assert.deepEqual((await world.postgres.read([['SELECT id FROM hand_overs', []]]))[0]!.rows, []);
  });

  test('nothing secret is stored in clear text', async (t) => {
    const world = await openWorld(t);
    const caller = await world.caller();
    await world.worker(hang);
    await hasWorker(caller);
    const cancel = new AbortController();
    using deadline = deadlineUnder(20_000, cancel.signal);
    const running = caller.fetch(
      orderFor(browserTask({ headers: [['Cookie2', 'secret-of-the-caller']] }), deadline),
    );
    const rows = await eventually(async () => {
      const [found] = await world.postgres.read([['SELECT * FROM hand_overs', []]]);
      return found!.rows.length > 0 && found!.rows;
    });
    const { request, ...rest } = rows[0] as { request: Buffer };
    assert.ok(!request.includes('secret-of-the-caller'));
    assert.ok(!JSON.stringify(rest).includes('secret-of-the-caller'));
    cancel.abort(CLIENT_DISCONNECTED);
    assert.equal((await running).failure?.code, 'request.cancelled');
  });

  test('what no worker has taken yet is counted', async (t) => {
    const world = await openWorld(t);
    const caller = await world.caller();
    await world.worker(hang, 1);
    await hasWorker(caller);
    assert.equal(caller.waiting(), 0);
    const cancel = new AbortController();
    using deadline = deadlineUnder(20_000, cancel.signal);
    const running = [1, 2, 3].map(() => caller.fetch(orderFor(browserTask(), deadline)));
    await eventually(() => caller.waiting() === 2);
    cancel.abort(CLIENT_DISCONNECTED);
    await Promise.all(running);
    assert.equal(caller.waiting(), 0);
  });

  test('large contents arrive in pieces; their memory is reserved here, and freed', async (t) => {
    const world = await openWorld(t);
    const caller = await world.caller();
    const body = new Uint8Array(9_000_000).map((_, index) => index % 251);
    const picture = new Uint8Array(3_000_000).fill(5);
    const screenshot = { bytes: picture, type: 'image/png', width: 1, height: 1 } as const;
    await world.worker(async () => pageWith({ body: body.slice(), screenshot }));
    await hasWorker(caller);
    const budget = new MemoryBudget(2 ** 30);
    const room = budget.open();
    using deadline = deadlineOf(20_000);
    const { page } = await caller.fetch(orderFor(browserTask(), deadline, { room }));
    assert.deepEqual(Buffer.compare(page!.body, body), 0);
    assert.deepEqual(Buffer.compare(page!.screenshot!.bytes, picture), 0);
    assert.ok(budget.inUse >= 12_000_000, `${budget.inUse}`);
    room.close();
    assert.equal(budget.inUse, 0);
    assert.equal(page!.body.length, 0);
  });

  test('a caller that goes away ends the scrape within a second', async (t) => {
    const world = await openWorld(t);
    const caller = await world.caller();
    const began = Promise.withResolvers<FetchRequest>();
    await world.worker((request) => {
      began.resolve(request);
      return hang(request);
    });
    await hasWorker(caller);
    const cancel = new AbortController();
    using deadline = deadlineUnder(20_000, cancel.signal);
    const running = caller.fetch(orderFor(browserTask(), deadline));
    const { deadline: remote } = await began.promise;
    cancel.abort(CLIENT_DISCONNECTED);
    assert.equal((await running).failure?.code, 'request.cancelled');
    await eventually(() => remote.signal.aborted);
    assert.equal(remote.signal.reason, CLIENT_DISCONNECTED);
  });

  test('a replica that counts as dead while it waits: its scrape ends, and is repeated if it lives', async (t) => {
    const world = await openWorld(t);
    const caller = await world.caller();
    const seen: FetchRequest[] = [];
    await world.worker(async (request) => (seen.push(request) === 1 ? hang(request) : pageWith()));
    await hasWorker(caller);
    const running = fetchBy(caller);
    await eventually(() => seen.length === 1);
    await world.postgres.write([['DELETE FROM live_replicas WHERE id = ?', [caller.replicas.id]]]);
    await eventually(() => seen[0]!.deadline.signal.aborted);
    assert.equal((await running).page?.statusCode, 200);
  });

  test('no worker: refused at once, before and during the wait', async (t) => {
    const world = await openWorld(t);
    const caller = await world.caller();
    assert.equal(caller.refusal!(browserTask())?.code, 'service.unavailable');
    assert.equal((await fetchBy(caller)).failure?.code, 'service.unavailable');
    assert.equal(caller.state().state, 'unavailable');
    const worker = await world.worker(hang, 0);
    await hasWorker(caller);
    assert.equal(caller.state().state, 'ready');
    assert.equal((await caller.list()).length, 1);
    assert.equal(
      caller.refusal!(browserTask({ browser: { ...browserTask().browser, headless: false } }))?.code,
      'browser.unavailable',
    );
    const waiting = fetchBy(caller);
    await worker.replicas.announceEnd();
    assert.equal((await waiting).failure?.code, 'service.unavailable');
  });

  test('a worker that counts as dead: its GET is repeated, and nobody repeats a POST', async (t) => {
    const world = await openWorld(t);
    const caller = await world.caller();
    const aborted: unknown[] = [];
    let calls = 0;
    const first = await world.worker(async (request) => {
      // It registers again soon, and may be the one that repeats the GET.
      if (++calls > 2) return pageWith();
      const result = await hang(request);
      aborted.push(request.deadline.signal.reason);
      return result;
    });
    await hasWorker(caller);
    const get = fetchBy(caller);
    const post = fetchBy(caller, { method: 'POST' });
    const claimed = async () => {
      const [found] = await world.postgres.read([['SELECT id FROM hand_overs WHERE worker IS NOT NULL', []]]);
      return found!.rows.length === 2;
    };
    await eventually(claimed);
    const second = await world.worker(async () => pageWith());
    await world.postgres.write([
      [
        `UPDATE live_replicas SET renewed_at = renewed_at - interval '11 seconds' WHERE id = ?`,
        [first.replicas.id],
      ],
    ]);
    assert.equal((await get).page?.statusCode, 200);
    const { failure: cause, sent } = await post;
    assert.equal(cause?.code, 'browser.crashed');
    assert.equal(sent, true);
    await eventually(() => aborted.length === 2);
    assert.ok(second.replicas.others().length > 0);
  });

  test('a worker that stops gives back what it has not finished', async (t) => {
    const world = await openWorld(t);
    const caller = await world.caller();
    const first = await world.worker(hang);
    await hasWorker(caller);
    const running = fetchBy(caller);
    const claimed = async () => {
      const [found] = await world.postgres.read([['SELECT id FROM hand_overs WHERE worker IS NOT NULL', []]]);
      return found!.rows.length === 1;
    };
    await eventually(claimed);
    await world.worker(async () => pageWith());
    await first.replicas.announceEnd();
    await first.stop(100);
    assert.equal((await running).page?.statusCode, 200);
  });

  test('the database forgets what is in work: a GET is handed over again', async (t) => {
    const world = await openWorld(t);
    const caller = await world.caller();
    let calls = 0;
    await world.worker(async (request) => (++calls === 1 ? hang(request) : pageWith()));
    await hasWorker(caller);
    const running = fetchBy(caller);
    await eventually(() => calls === 1);
    await world.postgres.write([['DELETE FROM hand_overs', []]]);
    assert.equal((await running).page?.statusCode, 200);
    assert.equal(calls, 2);
  });

  test('users take turns', async (t) => {
    const world = await openWorld(t);
    const caller = await world.caller();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    await world.worker(async ({ userId }) => {
      order.push(userId);
      await gate.promise;
      return pageWith();
    }, 1);
    await hasWorker(caller);
    const stored = async (count: number) => {
      const [found] = await world.postgres.read([['SELECT id FROM hand_overs', []]]);
      return found!.rows.length === count;
    };
    const all: Promise<FetchResult>[] = [];
    for (const userId of ['a', 'a', 'a', 'a', 'b', 'b']) {
      all.push(fetchBy(caller, {}, userId));
      await eventually(() => stored(all.length));
    }
    gate.resolve();
    await Promise.all(all);
    assert.deepEqual(order, ['a', 'b', 'a', 'b', 'a', 'a']);
  });
});

describe('registration of replicas', { skip: noPostgres }, () => {
  test('a later replica with other keys is refused, and one with other settings is not', async (t) => {
    const options = { url: await testDatabase(), directUrl: null, readUrl: null };
    await migratePostgres(options);
    const postgres = openPostgres(options);
    afterwards(t, () => postgres.close());
    const open = async (settings: Partial<typeof NO_SETTINGS> & { others?: Record<string, string> }) => {
      const replicas = await openReplicas({
        postgres,
        role: 'all',
        version: '1',
        settings: { ...NO_SETTINGS, shared: { SLUICE_SECRET: '1' }, ...settings },
        browsers: () => null,
        onError: (error) => t.diagnostic(String(error)),
      });
      afterwards(t, () => replicas.close());
      return replicas;
    };
    const first = await open({ others: { SLUICE_RETENTION_DAYS: '1' } });
    await assert.rejects(
      open({ shared: { SLUICE_SECRET: '2' } }),
      /^SettingsError: SLUICE_SECRET: must be the same/,
    );
    await assert.rejects(open({ encryptionKeys: ['other'] }), /SLUICE_ENCRYPTION_KEY: must be the same/);
    const second = await open({ others: { SLUICE_RETENTION_DAYS: '2' } });
    const message = ['Settings differ between replicas: SLUICE_RETENTION_DAYS.'];
    assert.deepEqual(second.warnings(), message);
    await eventually(() => first.warnings().length > 0);
    assert.deepEqual(first.warnings(), message);
    await second.close();
    await eventually(() => first.others().length === 0);
    assert.deepEqual(first.warnings(), []);
  });

  test('a replica that the database has forgotten registers again', async (t) => {
    const world = await openWorld(t);
    const [one, two] = [await world.replica('all'), await world.replica('all')];
    await eventually(() => one.others().length === 1);
    let lost = 0;
    one.onLost(() => lost++);
    await world.postgres.write([['DELETE FROM live_replicas', []]]);
    await eventually(() => one.others().length === 1 && two.others().length === 1 && lost > 0);
    assert.equal(one.problem(), null);
  });
});
