import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { describe, it, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { RoundRobinQueue } from '../../../../src/base/round-robin-queue.ts';
import { CLIENT_DISCONNECTED, deadlineUnder } from '../../../../src/base/time.ts';
import { LinuxPageGovernor } from '../../../../src/browser/engine/linux-page-governor.ts';
import { PageSlots } from '../../../../src/browser/engine/page-slots.ts';
import type { BrowserLease, RecyclingLimits, Supervisor } from '../../../../src/browser/engine/supervisor.ts';
import type { BrowserType } from '../../../../src/domain/browser-options.ts';
import type { Failure } from '../../../../src/domain/failure.ts';
import { type LogEntry, supervise } from '../../../adapters/browser/launching.ts';
import {
  browserProcessesOf,
  browsersOnMachine,
  chromiums,
  foldersOf,
  processesOfGroup,
} from '../../../adapters/browser/stage.ts';
import { afterwards } from '../../../adapters/temp.ts';

const KIND = { type: 'chromium', headless: true, driver: 'playwright' } as const;
/** A host whose pages disturb others. */
const LOUD = 'loud.test';
/** A host whose pages disturb nobody. */
const CALM = 'calm.test';

/** The values of `headless`. */
const HEADLESS = true;
const HEADED = false;

/** A limit of recycling that no test reaches. */
const UNLIMITED = 1e15;

type PlaywrightLease = BrowserLease & { readonly browser: Browser };

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('RoundRobinQueue', () => {
  it('lets users take turns, and keeps the order of the items of each user', () => {
    const queue = new RoundRobinQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2']) queue.push(item[0]!, item);
    const shift = (isAllowed = (_userId: string) => true) => queue.shift(isAllowed)?.item;
    const order = Array.from({ length: 3 }, () => shift());
    queue.remove('a', 'a3');
    // The item is no longer in the queue: nothing changes.
    queue.remove('a', 'a3');
    queue.push('c', 'c2');
    queue.push('d', 'd1');
    assert.equal(
      shift(() => false),
      undefined,
    );
    order.push(shift((userId) => userId === 'd'));
    while (queue.size > 0) order.push(shift());
    assert.deepEqual(order, ['a1', 'b1', 'c1', 'd1', 'a2', 'b2', 'c2', 'a4']);
    assert.equal(shift(), undefined);
  });
});

describe('PageSlots', () => {
  it('refuses a request at once if 1,000 are waiting already', async () => {
    const slots = new PageSlots(1);
    const { signal } = new AbortController();
    // Slot 1 is the extra slot.
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('b', signal)], [0, 1]);
    const waits = Array.from({ length: 1_000 }, (_, index) => slots.acquire(`user ${index % 7}`, signal));
    assert.equal(slots.waiting, 1_000);
    assert.equal(slots.acquire('b', signal), 'full');
    for (const wait of waits) {
      assert.ok(wait instanceof Promise);
      slots.release(0);
    }
    assert.deepEqual(new Set(await Promise.all(waits)), new Set([0]));
    slots.release(0);
    slots.release(1);
    assert.deepEqual([slots.busy, slots.waiting], [0, 0]);
  });

  it('gives an extra slot to a user without a slot if other users have all slots', async () => {
    const slots = new PageSlots(2);
    const { signal } = new AbortController();
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('a', signal)], [0, 1]);
    const thirdOfA = slots.acquire('a', signal);
    // Slot 2 is the extra slot. User a does not get it, because a has two slots.
    assert.deepEqual([slots.acquire('b', signal), slots.busy, slots.waiting], [2, 3, 1]);
    const [secondOfB, firstOfC] = [slots.acquire('b', signal), slots.acquire('c', signal)];
    slots.release(2);
    // The extra slot goes to users without a slot, in turn, not to user a, who has waited longest.
    assert.deepEqual([await secondOfB, slots.waiting], [2, 2]);
    slots.release(0);
    assert.equal(await thirdOfA, 0);
    const thirdOfB = slots.acquire('b', signal);
    slots.release(2);
    assert.equal(await firstOfC, 2);
    slots.release(2);
    assert.equal(await thirdOfB, 2);
    for (const slot of [0, 1, 2]) slots.release(slot);
    assert.deepEqual([slots.acquire('a', signal), slots.busy], [0, 1]);
  });

  it('gives the extra slot to a user without a slot even if another user is first in the queue', async () => {
    const slots = new PageSlots(1);
    const { signal } = new AbortController();
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('b', signal)], [0, 1]);
    const [secondOfB, secondOfA] = [slots.acquire('b', signal), slots.acquire('a', signal)];
    slots.release(1);
    assert.deepEqual([await secondOfB, slots.waiting], [1, 1]);
    const thirdOfB = slots.acquire('b', signal);
    slots.release(0);
    assert.equal(await secondOfA, 0);
    slots.release(1);
    assert.equal(await thirdOfB, 1);
  });

  it('takes a free slot that the caller prefers, else the lowest free slot', () => {
    const slots = new PageSlots(4);
    const { signal } = new AbortController();
    const even = (slot: number) => slot % 2 === 0;
    const odd = (slot: number) => slot % 2 === 1;
    const taken = [odd, odd, even, odd].map((prefers) => slots.acquire('a', signal, prefers));
    assert.deepEqual(taken, [1, 3, 0, 2]);
  });

  it('removes a request from the queue when its signal aborts', async () => {
    const slots = new PageSlots(2);
    const leaving = new AbortController();
    const { signal } = new AbortController();
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('a', signal)], [0, 1]);
    const aborted = slots.acquire('a', leaving.signal);
    const waiting = slots.acquire('a', signal);
    leaving.abort();
    assert.equal(await aborted, 'aborted');
    assert.equal(slots.waiting, 1);
    slots.release(1);
    assert.equal(await waiting, 1);
    assert.equal(slots.acquire('a', leaving.signal), 'aborted');
    slots.release(0);
    slots.release(1);
    assert.equal(slots.acquire('a', signal), 0, 'the lowest free slot is taken first');
  });
});

describe('Supervisor', { skip }, () => {
  it('starts one browser for all users when it is first needed, and lets users take turns', async (t) => {
    const supervisor = opened(t, 2);
    assert.deepEqual(supervisor.state().kinds, [], 'no browser runs before the first lease');
    const [one, two] = await Promise.all([lease(supervisor, 'a'), lease(supervisor, 'a')]);
    assert.deepEqual([one.slot, two.slot].sort(), [0, 1]);
    const extra = await lease(supervisor, 'b');
    assert.equal(one.browser, two.browser);
    assert.equal(
      browserProcessesOf(process.pid).filter(({ line }) => !/--type=|crashpad/.test(line)).length,
      1,
    );
    const order: string[] = [];
    const waits = ['a', 'a', 'a', 'b'].map(async (user, index) => {
      const waited = await lease(supervisor, user);
      order.push(`${user}${index}`);
      await (await waited.browser.newPage()).close();
      waited.release();
      return waited.queuedMs;
    });
    await pause(30);
    assert.deepEqual(supervisor.state().slots, { total: 2, busy: 3, waiting: 4 });
    one.release();
    // A second release changes nothing.
    one.release();
    // All waited for the pause of 30 ms. The timer may fire a little early.
    for (const queuedMs of await Promise.all(waits)) assert.ok(queuedMs >= 25, String(queuedMs));
    assert.deepEqual(order, ['a0', 'b3', 'a1', 'a2']);
    two.release();
    extra.release();
    const { slots, pagesServed, kinds } = supervisor.state();
    assert.deepEqual([slots.busy, slots.waiting, pagesServed], [0, 0, 7]);
    assert.deepEqual([kinds.length, kinds[0]!.launches, kinds[0]!.browsers[0]!.served], [1, 1, 7]);
  });

  it('ends the wait for a slot when the request times out or the caller disconnects', async (t) => {
    const supervisor = opened(t, 1);
    const first = await lease(supervisor, 'a');
    const timedOut = await tryLease(supervisor, 'a', 40);
    assert.ok('code' in timedOut);
    assert.deepEqual(
      [timedOut.code, timedOut.message],
      ['service.unavailable', 'The request timed out while it waited for a free browser slot.'],
    );
    const caller = new AbortController();
    const waiting = tryLease(supervisor, 'a', 10_000, caller.signal);
    caller.abort(CLIENT_DISCONNECTED);
    const cancelled = await waiting;
    assert.ok('code' in cancelled && cancelled.code === 'request.cancelled');
    first.release();
    assert.deepEqual(supervisor.state().slots, { total: 1, busy: 0, waiting: 0 });
  });

  it('releases the slot when the request times out while the browser starts', async (t) => {
    const supervisor = opened(t, 1);
    const timedOut = await tryLease(supervisor, 'a', 1);
    assert.ok('code' in timedOut && timedOut.code === 'service.unavailable', JSON.stringify(timedOut));
    assert.equal(supervisor.state().slots.busy, 0);
    (await lease(supervisor, 'a')).release();
  });

  it('starts a new browser when one has been killed', async (t) => {
    const logEntries: LogEntry[] = [];
    const supervisor = opened(t, 2, logEntries);
    (await lease(supervisor, 'a')).release();
    const pid = supervisor.state().kinds[0]!.browsers[0]!.pid!;
    const held = await lease(supervisor, 'a');
    const page = await held.browser.newPage();
    // A browser that ends within its first 5 s is not restarted until it is needed.
    await pause(5_100);
    assert.equal(held.isBrowserGone(), false);
    process.kill(pid, 'SIGKILL');
    await assert.rejects(page.goto('data:text/html,x'), /closed|disconnected|crash|is gone/i);
    await until(() => supervisor.state().kinds[0]!.launches === 2);
    assert.equal(held.isBrowserGone(), true);
    held.release({ suspect: true });
    const next = await lease(supervisor, 'a');
    assert.notEqual(next.browser, held.browser);
    await (await next.browser.newPage()).close();
    next.release();
    const { crashes, browsers } = supervisor.state().kinds[0]!;
    assert.equal(crashes, 1);
    assert.ok(!browsers.some((one) => one.pid === pid));
    assert.deepEqual(processesOfGroup(pid), []);
    assert.ok(
      logEntries.some(({ event, fields }) => event === 'a browser ended unexpectedly' && fields.pid === pid),
    );
  });

  it('opens no further pages in a suspect browser, and ends it after its last page', async (t) => {
    const supervisor = opened(t, 3);
    const [one, two] = [await lease(supervisor, 'a'), await lease(supervisor, 'b')];
    const page = await two.browser.newPage();
    const { pid } = supervisor.state().kinds[0]!.browsers[0]!;
    // The browser hangs now.
    process.kill(pid!, 'SIGSTOP');
    one.release({ suspect: true });
    const three = await lease(supervisor, 'a');
    assert.notEqual(three.browser, one.browser);
    await (await three.browser.newPage()).close();
    process.kill(pid!, 'SIGCONT');
    assert.equal(await page.evaluate('1 + 1'), 2, 'pages that are open in it still work');
    two.release();
    await until(() => processesOfGroup(pid!).length === 0);
    three.release();
    // Node reports the end of the browser a moment after its processes have left /proc.
    await until(() => supervisor.state().kinds[0]!.browsers.every((one) => one.pid !== pid));
    const { crashes, replaced } = supervisor.state().kinds[0]!;
    assert.deepEqual([crashes, replaced], [0, 1]);
  });

  it('replaces a browser that has served enough pages, and no lease waits for the new browser', async (t) => {
    const logEntries: LogEntry[] = [];
    const supervisor = opened(t, 2, logEntries, {
      pages: 3,
      ageMs: UNLIMITED,
      bytes: UNLIMITED,
      idleMs: 1e9,
    });
    const [held, second] = [await lease(supervisor, 'a'), await lease(supervisor, 'b')];
    const page = await held.browser.newPage();
    const first = supervisor.state().kinds[0]!.browsers[0]!.pid;
    second.release();
    (await lease(supervisor, 'b')).release();
    // Three pages were opened, which is the limit: a lease gets the old browser until the new one runs.
    const afterLimit = await lease(supervisor, 'b');
    const { recycles, launches } = supervisor.state().kinds[0]!;
    assert.ok(afterLimit.browser === held.browser || recycles === 1, `launches: ${launches}`);
    afterLimit.release();
    await until(() => supervisor.state().kinds[0]!.recycles === 1);
    const next = await lease(supervisor, 'b');
    assert.notEqual(next.browser, held.browser);
    assert.equal(await page.evaluate('1 + 1'), 2, 'pages that are open in the old browser still work');
    next.release();
    held.release();
    await until(() => processesOfGroup(first).length === 0);
    await until(() => supervisor.state().kinds[0]!.browsers.length === 1);
    const retired = logEntries.find(({ event }) => event === 'a browser is retired');
    assert.deepEqual([retired?.fields.pid, retired?.fields.why], [first, 'pages']);
    const { crashes, replaced } = supervisor.state().kinds[0]!;
    assert.deepEqual([crashes, replaced], [0, 0]);
  });

  it('gives other users a new browser while a page disturbs them, but not twice within a short time', async (t) => {
    const logEntries: LogEntry[] = [];
    const supervisor = opened(t, 6, logEntries);
    const kind = (quarantined: boolean) =>
      supervisor.state().kinds.find((one) => one.quarantined === quarantined)!;
    const [loud, held] = [await lease(supervisor, 'a', LOUD), await lease(supervisor, 'b')];
    const page = await held.browser.newPage();
    const first = kind(false).browsers[0]!.pid;
    loud.reportDisturbance('too many dialogs', { ongoing: true });
    // The second report changes nothing.
    loud.reportDisturbance('too many dialogs', { ongoing: true });
    await until(() => kind(false).recycles === 1);
    const next = await lease(supervisor, 'b');
    assert.notEqual(next.browser, loud.browser);
    assert.equal(await page.evaluate('1 + 1'), 2, 'pages that are open in the old browser still work');
    const retired = logEntries.find(({ event }) => event === 'a browser is retired');
    assert.deepEqual([retired?.fields.pid, retired?.fields.why], [first, 'disturbed']);
    await until(() => processesOfGroup(first).every(({ pid }) => getPriority(pid) > 0));
    // The last replacement was less than 30 s ago, so no other browser is started.
    next.reportDisturbance('too many dialogs', { ongoing: true });
    const { browser } = await lease(supervisor, 'c');
    assert.equal(browser, next.browser);
    assert.deepEqual([kind(false).launches, kind(false).recycles], [2, 1]);
    // Further pages of this user and host get a separate browser, which is started at once.
    await until(() => kind(true).browsers.length === 1);
    const apart = await lease(supervisor, 'a', LOUD);
    assert.deepEqual([apart.quarantined, next.quarantined], [true, false]);
    loud.release();
    held.release();
    await until(() => processesOfGroup(first).length === 0);
    // A suspect separate browser is replaced, like any other. Until the new one runs, the common browser is used.
    apart.release({ suspect: true });
    assert.equal((await lease(supervisor, 'a', LOUD)).browser, next.browser);
    await until(() => kind(true).launches === 2);
    const notices = logEntries.filter(({ event }) => /gets a separate browser/.test(event));
    assert.deepEqual(
      notices.map(({ fields }) => [fields.user_id, fields.host]),
      [
        ['a', LOUD],
        ['b', CALM],
      ],
    );
  });

  it('starts only the separate browser for a host in quarantine if no browser runs', async (t) => {
    const supervisor = opened(t, 2, [], undefined, [['a', LOUD]]);
    const [one, two] = await Promise.all([lease(supervisor, 'a', LOUD), lease(supervisor, 'a', LOUD)]);
    assert.deepEqual([one.quarantined, two.quarantined, one.browser === two.browser], [true, true, true]);
    const launches = supervisor.state().kinds.map((kind) => [kind.quarantined, kind.launches]);
    assert.deepEqual(
      new Map(launches as [boolean, number][]),
      new Map([
        [true, 1],
        [false, 0],
      ]),
    );
  });

  it('starts a separate browser beside the common one, and closes it when idle', async (t) => {
    const logEntries: LogEntry[] = [];
    const limits = { pages: UNLIMITED, ageMs: UNLIMITED, bytes: UNLIMITED, idleMs: 1_000 };
    const supervisor = opened(t, 2, logEntries, limits, [['a', LOUD]]);
    const kind = (quarantined: boolean) =>
      supervisor.state().kinds.find((one) => one.quarantined === quarantined)!;
    (await lease(supervisor, 'a')).release();
    const early = await lease(supervisor, 'a', LOUD);
    assert.equal(early.quarantined, false, 'a lease does not wait for the start of the separate browser');
    early.release();
    await until(() => kind(true).browsers.length === 1);
    const { pid } = kind(true).browsers[0]!;
    const apart = await lease(supervisor, 'a', LOUD);
    assert.equal(apart.quarantined, true);
    assert.equal((await lease(supervisor, 'b')).quarantined, false);
    // Longer than `idleMs`: the separate browser is not idle, because the page of `apart` is open.
    await pause(1_500);
    assert.equal(apart.isBrowserGone(), false);
    apart.release();
    await until(() => kind(true).browsers.length === 0);
    await until(() => processesOfGroup(pid).length === 0);
    assert.equal(kind(false).browsers.length, 1);
    const retired = logEntries.find(({ event }) => event === 'an idle separate browser is closed');
    assert.equal(retired?.fields.pid, pid);
  });

  it('gives a page the separate browser if its host was put into quarantine while the page waited for a slot', async (t) => {
    const supervisor = opened(t, 2);
    const [one, two] = [await lease(supervisor, 'a'), await lease(supervisor, 'a', LOUD)];
    await lease(supervisor, 'b');
    const waiting = lease(supervisor, 'a', LOUD);
    await until(() => supervisor.state().slots.waiting === 1);
    two.reportDisturbance('it did not become idle');
    await until(() =>
      supervisor.state().kinds.some((kind) => kind.quarantined && kind.browsers.length === 1),
    );
    one.release();
    assert.equal((await waiting).quarantined, true);
  });

  it('names the available browsers if the requested one is not installed', async (t) => {
    const supervisor = opened(t, 1);
    const all = await browsersOnMachine();
    for (const type of ['msedge', 'webkit'] as const) {
      if (all.some((one) => one.type === type)) continue;
      const failed = await tryLease(supervisor, 'a', 10_000, undefined, type);
      assert.ok('code' in failed);
      assert.equal(failed.code, 'browser.unavailable');
      assert.match(
        failed.message,
        new RegExp(
          `^The browser ${type} is not available here: it is not installed\\. Available: chromium \\d`,
        ),
      );
      assert.deepEqual(await supervisor.unavailableFailure(type, HEADLESS), failed);
    }
    assert.equal(await supervisor.unavailableFailure('chromium', HEADLESS), null);
    assert.equal(supervisor.state().slots.busy, 0);
  });

  it('starts one browser for each driver, and both share the slots', async (t) => {
    const supervisor = opened(t, 1);
    using deadline = deadlineUnder(30_000, new AbortController().signal);
    const request = { userId: 'a', host: CALM, type: 'chromium', headless: true, deadline } as const;
    const fast = await supervisor.lease({ ...request, driver: 'cdp' });
    assert.ok('browser' in fast, JSON.stringify(fast));
    assert.equal(fast.browser.isConnected(), true);
    const waiting = supervisor.lease({ ...request, driver: 'playwright' });
    await until(() => supervisor.state().slots.waiting === 1);
    fast.release();
    const full = await waiting;
    assert.ok('browser' in full);
    await (await (full as PlaywrightLease).browser.newPage()).close();
    full.release();
    const kinds = supervisor.state().kinds;
    assert.deepEqual(
      kinds.map(({ driver, launches, browsers }) => [driver, launches, browsers.length]),
      [
        ['cdp', 1, 1],
        ['playwright', 1, 1],
      ],
    );
    const { pid } = kinds[0]!.browsers[0]!;
    process.kill(pid, 'SIGKILL');
    await until(() => fast.isBrowserGone());
    await until(() => processesOfGroup(pid).length === 0);
  });

  it('opens windows on a virtual display', async (t) => {
    const supervisor = opened(t, 1);
    // Without a virtual display (Xvfb), windows are not available.
    const unavailable = await supervisor.unavailableFailure('chromium', HEADED);
    if (unavailable !== null) {
      assert.equal(unavailable.code, 'browser.unavailable');
      assert.match(
        unavailable.message,
        /^The browser chromium with a window \(headless: false\) is not available here: /,
      );
      return t.skip(unavailable.message);
    }
    const held = await tryLease(supervisor, 'a', 30_000, undefined, 'chromium', HEADED);
    assert.ok('browser' in held, JSON.stringify(held));
    const page = await held.browser.newPage();
    assert.doesNotMatch(await page.evaluate('navigator.userAgent'), /Headless/);
    held.release();
  });

  it('refuses waiting leases when it is closed, and leaves no process and no folder', async () => {
    const supervisor = supervise(1);
    const held = await lease(supervisor, 'a');
    const waiting = tryLease(supervisor, 'a', 10_000);
    await supervisor.close();
    const refused = await waiting;
    assert.ok('code' in refused);
    assert.deepEqual(
      [refused.code, refused.message],
      ['service.unavailable', 'The service stopped the request.'],
    );
    held.release();
    const after = await tryLease(supervisor, 'a', 10_000);
    assert.ok('code' in after && after.code === 'service.unavailable');
    assert.deepEqual([browserProcessesOf(process.pid), foldersOf(process.pid)], [[], []]);
  });
});

test('closing the supervisor while a browser starts waits for the start and ends the browser', {
  skip,
}, async () => {
  const supervisor = supervise(1);
  const starting = tryLease(supervisor, 'a', 10_000);
  await pause(1);
  await supervisor.close();
  assert.ok('code' in (await starting));
  assert.deepEqual([browserProcessesOf(process.pid), foldersOf(process.pid)], [[], []]);
});

/** A supervisor that is closed at the end of the test. @param quarantined hosts that are in quarantine from the start */
function opened(
  t: TestContext,
  slots: number,
  logEntries: LogEntry[] = [],
  recycling?: RecyclingLimits,
  quarantined: readonly (readonly [userId: string, host: string])[] = [],
): Supervisor {
  const governor = new LinuxPageGovernor();
  for (const [userId, host] of quarantined) governor.quarantine(userId, host);
  const supervisor = supervise(slots, logEntries, recycling, governor);
  afterwards(t, () => supervisor.close());
  return supervisor;
}

/** A lease, or the failure if there is none within the time. */
async function tryLease(
  supervisor: Supervisor,
  userId: string,
  timeoutMs: number,
  signal?: AbortSignal,
  type: BrowserType = 'chromium',
  headless = HEADLESS,
): Promise<PlaywrightLease | Failure> {
  using deadline = deadlineUnder(timeoutMs, signal ?? new AbortController().signal);
  const request = { ...KIND, userId, host: CALM, type, headless, deadline };
  return (await supervisor.lease(request)) as PlaywrightLease | Failure;
}

/** A lease; throws if there is none within 30 s. */
async function lease(supervisor: Supervisor, userId: string, host = CALM): Promise<PlaywrightLease> {
  using deadline = deadlineUnder(30_000, new AbortController().signal);
  const leased = await supervisor.lease({ ...KIND, userId, host, deadline });
  if ('code' in leased) throw new Error(leased.message);
  return leased as PlaywrightLease;
}

async function until(isMet: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!isMet()) {
    assert.ok(performance.now() < deadline, `not met in time: ${isMet}`);
    await pause(10);
  }
}
