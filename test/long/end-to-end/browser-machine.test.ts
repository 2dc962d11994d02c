import assert from 'node:assert/strict';
import { readlinkSync, writeFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { browserProcessesOf, chromiums, foldersOf, processesOfGroup } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { afterwards } from '../../adapters/temp.ts';
import { startChild } from '../../helpers/child.ts';
import { eventually, type Service, type ServiceOptions, startService } from '../../helpers/service.ts';
import { createUser } from '../../helpers/users.ts';

interface Listed {
  readonly items: readonly { name: string; available: boolean; reason: string | null }[];
  readonly browsers: {
    readonly sandbox: string;
    readonly items: readonly {
      browser_type: string;
      version: string | null;
      build_age_days: number | null;
      source: string;
      headless: boolean;
      headed: boolean;
      used: boolean;
      reason: string | null;
    }[];
  };
}
interface Ready {
  readonly status: string;
  readonly browser: { readonly state: string; readonly sandbox: string };
  readonly warnings: readonly string[];
}

const found = await chromiums();
const skip = found.length === 0 && 'there is no Chromium on this machine';
const linux = process.platform !== 'linux' && 'what is looked at is in /proc';

/** Tests at once. Each has its own service and target, and mostly waits. */
const AT_ONCE = 3;

describe('browsers of this machine', { skip: skip || linux, concurrency: AT_ONCE }, () => {
  test('are listed, with those that are used and why the others are not', async (t) => {
    const service = await started(t);
    const { browsers, items } = await list(service);
    assert.equal(browsers.sandbox, 'on');
    assert.equal(items.find(({ name }) => name === 'browser')?.available, true);
    assert.equal(browsers.items.filter((one) => one.browser_type === 'chromium' && one.used).length, 1);
    const [first] = browsers.items.filter((one) => one.browser_type === 'chromium');
    assert.ok(first!.used, 'the preferred one is listed first');
    assert.match(first!.version!, /^\d+\.\d+/);
    assert.equal(
      first!.headed,
      !found.some(({ type, headlessShell }) => type === 'chromium' && headlessShell),
    );
    for (const { used, headless, reason, browser_type } of browsers.items) {
      if (['firefox', 'webkit'].includes(browser_type)) assert.equal(reason, 'not available in this version');
      if (!used && headless) assert.match(reason!, /^\d[\d.]+ \(\w+\) is preferred: [a-z]/);
    }
    for (const { path } of found) assert.ok(!JSON.stringify(browsers).includes(path));
  });

  test('a browser runs soon after the start, and /readyz says so', async (t) => {
    const service = await started(t);
    assert.deepEqual(await ready(service), {
      status: 'ok',
      role: 'all',
      browser: { state: 'unknown', sandbox: 'on' },
      warnings: [],
    });
    await eventually(() => browserProcessesOf(service.pid).length > 0, 15_000);
    await eventually(async () => (await ready(service)).browser.state === 'ready', 15_000);
    await service.stop();
    assert.deepEqual(
      [browserProcessesOf(service.pid), foldersOf(service.pid)],
      [[], []],
      'all ends with the service',
    );
  });

  test('without the sandbox: the start, /readyz and the list say so', async (t) => {
    const target = await aTarget(t);
    const service = await started(t, { SLUICE_BROWSER_SANDBOX: 'off' });
    assert.match(await service.output(), /Warning: browsers run without their sandbox/);
    const { browser, warnings } = await ready(service);
    assert.equal(browser.sandbox, 'off');
    assert.match(warnings.join(), /without their sandbox \(SLUICE_BROWSER_SANDBOX=off\)/);
    assert.equal((await list(service)).browsers.sandbox, 'off');
    const { status } = await service.scrape({ url: `${target.url}/page`, scraper: 'browser' });
    assert.equal(status, 200);
  });

  test('where user namespaces are forbidden there is no browser, unless the operator switches off the sandbox', async (t) => {
    const target = await aTarget(t);
    const wrap = await withoutNamespaces(t);
    if (typeof wrap === 'string') return t.skip(wrap);
    const service = await started(t, {}, { wrap });
    const why = /cannot use its sandbox: this machine forbids user namespaces.*SLUICE_BROWSER_SANDBOX=off/;
    const { items, browsers } = await list(service);
    const listed = items.find(({ name }) => name === 'browser')!;
    assert.equal(listed.available, false);
    assert.match(listed.reason!, why);
    assert.ok(browsers.items.every(({ used, headless }) => !used && !headless));
    for (const { reason } of browsers.items) assert.match(reason!, why);
    for (const more of [{ scraper: 'browser' }, { wait_for_selector: 'p' }, { browser_type: 'chromium' }]) {
      const { status, body } = await service.scrape({ url: `${target.url}/page`, ...more });
      assert.equal(status, 422, JSON.stringify(body));
      assert.match(body.detail!, why);
    }
    const { status, browser, warnings } = await ready(service);
    assert.deepEqual([status, browser], ['ok', { state: 'unavailable', sandbox: 'on' }]);
    assert.match(warnings.join(), /No browser is available here/);
    assert.equal((await service.scrape({ url: `${target.url}/page` })).status, 200, 'HTTP goes on');
    await eventually(
      async () => /Warning: scrapes that need a browser are refused/.test(await service.output()),
      15_000,
    );
    await service.stop();

    const open = await started(t, { SLUICE_BROWSER_SANDBOX: 'off' }, { wrap });
    const scraped = await open.scrape({ url: `${target.url}/page`, scraper: 'browser' });
    assert.equal(scraped.status, 200, JSON.stringify(scraped.body));
  });

  test('a browser that is killed during a scrape: 502 browser.crashed, and the next scrape works', async (t) => {
    const target = await aTarget(t);
    const service = await started(t);
    assert.equal((await service.scrape({ url: `${target.url}/page`, scraper: 'browser' })).status, 200);
    const hanging = service.scrape({ url: `${target.url}/never`, scraper: 'browser' });
    await eventually(() => target.asked.includes('GET /never'));
    for (const group of groupsOf(service)) process.kill(-group, 'SIGKILL');
    const { status, body } = await hanging;
    assert.deepEqual([status, body.code, body.retryable], [502, 'browser.crashed', true]);
    const next = await service.scrape({ url: `${target.url}/page`, scraper: 'browser' });
    assert.equal(next.status, 200, JSON.stringify(next.body));
  });

  test('if a browser dies before a scrape has sent anything, the scrape starts again in another', async (t) => {
    const target = await aTarget(t);
    const service = await started(t);
    const ask = () => service.scrape({ url: `${target.url}/page`, scraper: 'browser' });
    assert.equal((await ask()).status, 200);
    const asked = target.asked.length;
    // It hangs: it accepts commands to open pages, and never opens one.
    const groups = browsersOf(service);
    for (const group of groups) process.kill(-group, 'SIGSTOP');
    const waiting = ask();
    await pause(1_000);
    assert.equal(target.asked.length, asked);
    for (const group of groups) process.kill(-group, 'SIGKILL');
    const { status, body } = await waiting;
    assert.deepEqual([status, body.errors], [200, []], JSON.stringify(body));
  });

  test('a browser that hangs is replaced and ended', async (t) => {
    const target = await aTarget(t);
    const service = await started(t);
    const ask = () => service.scrape({ url: `${target.url}/page`, scraper: 'browser' });
    assert.equal((await ask()).status, 200);
    const groups = browsersOf(service);
    for (const group of groups) process.kill(-group, 'SIGSTOP');
    const { status, body } = await ask();
    assert.deepEqual([status, body.errors], [200, []], JSON.stringify(body));
    await eventually(() => groups.every((group) => processesOfGroup(group).length === 0));
  });

  test('a slow browser is not replaced because a caller disconnects before there is a page', async (t) => {
    const target = await aTarget(t);
    const service = await started(t);
    const ask = (signal: AbortSignal | null = null) =>
      service.scrape({ url: `${target.url}/page`, scraper: 'browser' }, signal === null ? {} : { signal });
    assert.equal((await ask()).status, 200);
    const groups = browsersOf(service);
    for (const group of groups) process.kill(-group, 'SIGSTOP');
    const stop = new AbortController();
    const hungUp = ask(stop.signal).catch(() => {});
    await pause(300);
    stop.abort();
    await hungUp;
    // Much longer than a page takes to close, and much shorter than a browser is given for it.
    await pause(1_000);
    for (const group of groups) process.kill(-group, 'SIGCONT');
    assert.equal((await ask()).status, 200);
    const { body } = await service.api('GET', '/api/v1/system/');
    const { kinds } = (body as { browsers: { kinds: { replaced: number }[] } }).browsers;
    assert.deepEqual(
      kinds.map(({ replaced }) => replaced),
      [0],
    );
  });

  test('with more than a thousand waiting scrapes, further ones get 503 at once', async (t) => {
    const target = await aTarget(t);
    const service = await started(t, { SLUICE_BROWSER_SLOTS: '1' });
    const limit = await service.cli(['users', 'set', '--email', 'admin@localhost', '--concurrency', '1100']);
    assert.equal(limit.code, 0, limit.stderr);
    await eventually(async () => {
      const { headers } = await service.api('GET', '/api/v1/scrapers/');
      return headers.get('ratelimit-policy')?.includes('q=1100');
    });
    const stop = new AbortController();
    const ask = (path: string, signal: AbortSignal | null = null) =>
      service.scrape(
        { url: target.url + path, scraper: 'browser', timeout_ms: 120_000 },
        signal === null ? {} : { signal },
      );
    const first = ask('/never', stop.signal).catch(() => {});
    await eventually(() => target.asked.includes('GET /never'));
    const waiting = Array.from({ length: 1_000 }, () => ask('/page', stop.signal).catch(() => {}));
    await eventually(async () => {
      const metrics = await (await fetch(`${service.base}/metrics`)).text();
      return metrics.includes('sluice_scrapes_in_flight 1001');
    });
    const refused = await ask('/page');
    assert.equal(refused.body.detail, '1000 scrapes are already waiting for a browser.');
    assert.deepEqual([refused.status, refused.body.code], [503, 'service.unavailable']);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    stop.abort();
    await Promise.all([first, ...waiting]);
    const { status } = await ask('/page');
    assert.equal(status, 200, 'who hangs up is out of the queue');
  });

  test('users take turns, and the wait is in timing.queue', async (t) => {
    const target = await aTarget(t);
    const service = await started(t, { SLUICE_BROWSER_SLOTS: '1' });
    const { key } = await createUser(service);
    const [stop, stopBeyond] = [new AbortController(), new AbortController()];
    const holding = service
      .scrape({ url: `${target.url}/never`, scraper: 'browser' }, { signal: stop.signal })
      .catch(() => {});
    const asked = target.asked.length;
    await eventually(() => target.asked.length > asked);
    // The one slot beyond the limit, for a user who has no page.
    const beyond = service
      .scrape({ url: `${target.url}/never`, scraper: 'browser' }, { signal: stopBeyond.signal, key })
      .catch(() => {});
    await eventually(() => target.asked.length > asked + 1);
    const order: string[] = [];
    const ask = async (name: string, options: { key?: string } = {}) => {
      const { status, body } = await service.scrape(
        { url: `${target.url}/page`, scraper: 'browser' },
        options,
      );
      assert.equal(status, 200, JSON.stringify(body));
      order.push(name);
      return body.router.timing.queue!;
    };
    const waiting = (count: number) =>
      eventually(async () => {
        const { body } = await service.api('GET', '/api/v1/system/');
        return (body as { browsers: { slots: { waiting: number } } }).browsers.slots.waiting === count;
      });
    const [one, two, three] = ['a1', 'a2', 'a3'].map((name) => ask(name));
    await waiting(3);
    const other = ask('b', { key });
    await waiting(4);
    await pause(500);
    stop.abort();
    const queued = await Promise.all([one, two, three, other]);
    stopBeyond.abort();
    await Promise.all([holding, beyond]);
    assert.ok(order.indexOf('b') <= 1, order.join());
    for (const ms of queued) assert.ok(ms! >= 400, String(queued));
  });
});

// Not concurrent with the tests above, because a starting service removes the files of all killed services.
describe('processes and files of a killed service', { skip: skip || linux }, () => {
  test('the browsers of a killed service end, and the next service removes its files', async (t) => {
    const target = await aTarget(t);
    const first = await started(t);
    await first.scrape({ url: `${target.url}/page`, scraper: 'browser' });
    const [group] = groupsOf(first);
    const second = await started(t);
    await second.scrape({ url: `${target.url}/page`, scraper: 'browser' });
    const [frozen] = groupsOf(second);
    // It cannot notice that its pipe is closed.
    process.kill(frozen!, 'SIGSTOP');
    await Promise.all([first.kill9(), second.kill9()]);
    await eventually(() => processesOfGroup(group!).length === 0, 10_000);
    assert.ok(processesOfGroup(frozen!).length > 0);
    const third = await started(t, { SLUICE_BROWSER_WARM: 'false' });
    await eventually(() => processesOfGroup(frozen!).length === 0);
    await eventually(() => [first, second].every(({ pid }) => foldersOf(pid).length === 0), 10_000);
    // It was not to start one before one is needed.
    const { status, browser } = await ready(third);
    assert.deepEqual([status, browser.state, browserProcessesOf(third.pid)], ['ok', 'unknown', []]);
    assert.equal((await third.scrape({ url: `${target.url}/page`, scraper: 'browser' })).status, 200);
    assert.equal((await ready(third)).browser.state, 'ready');
  });
});

async function aTarget(t: TestContext): Promise<Target> {
  const target = await startTarget({ '/page': html('<p>hello'), '/never': () => {} });
  afterwards(t, () => target[Symbol.asyncDispose]());
  return target;
}

async function started(
  t: TestContext,
  env: NodeJS.ProcessEnv = {},
  options: ServiceOptions = {},
): Promise<Service> {
  const service = await startService({ SLUICE_BROWSER_WARM: 'true', ...env }, options);
  afterwards(t, () => service[Symbol.asyncDispose]());
  return service;
}

async function list(service: Service): Promise<Listed> {
  const { status, body } = await service.api<Listed>('GET', '/api/v1/scrapers/');
  assert.equal(status, 200);
  return body;
}

async function ready(service: Service): Promise<Ready> {
  return (await (await fetch(`${service.base}/readyz`)).json()) as Ready;
}

/** Process groups of its browsers. */
const groupsOf = ({ pid }: Service): readonly number[] => [
  ...new Set(browserProcessesOf(pid).map(({ group }) => group)),
];

/** Those of the browsers themselves: what reports crashes has one of its own, and ends by itself. */
const browsersOf = (service: Service): readonly number[] =>
  groupsOf(service).filter((group) =>
    processesOfGroup(group).some(({ line }) => line.includes('--type=zygote')),
  );

/** A command prefix that runs a command where user namespaces are forbidden; or why that is not possible. */
async function withoutNamespaces(t: TestContext): Promise<readonly string[] | string> {
  if (process.getuid!() !== 0) return 'only root can set up such a place';
  const holder = startChild('unshare', ['--user', 'sleep', '120']);
  afterwards(t, () => holder.kill('SIGKILL'));
  const own = readlinkSync('/proc/self/ns/user');
  await eventually(() => {
    try {
      return readlinkSync(`/proc/${holder.pid}/ns/user`) !== own;
    } catch {
      return false;
    }
  });
  for (const map of ['uid_map', 'gid_map']) writeFileSync(`/proc/${holder.pid}/${map}`, '0 0 65536');
  const forbid = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"';
  return ['nsenter', '-U', '-t', `${holder.pid}`, '-S', '0', '-G', '0', 'sh', '-c', forbid, 'sh'];
}
