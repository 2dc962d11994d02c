import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { describe, it, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { RoundRobinQueue } from '../../../../src/base/round-robin-queue.ts';
import { CLIENT_DISCONNECTED, deadlineIn } from '../../../../src/base/time.ts';
import { LinuxPageGovernor } from '../../../../src/browser/engine/linux-page-governor.ts';
import {
  type BrowserLease,
  PageSlots,
  type RecyclingLimits,
  type Supervisor,
} from '../../../../src/browser/engine/supervisor.ts';
import type { BrowserType } from '../../../../src/domain/browser-options.ts';
import type { Failure } from '../../../../src/domain/failure.ts';
import {
  chromiums,
  find,
  foldersOf,
  type Line,
  leftBy,
  ofGroup,
  supervise,
} from '../../../adapters/browser/stage.ts';
import { afterwards } from '../../../adapters/temp.ts';

const KIND = { type: 'chromium', headless: true, driver: 'playwright' } as const;
/** A host whose pages disturb others. */
const LOUD = 'loud.test';
const HOST = 'calm.test';

type PlaywrightLease = BrowserLease & { readonly browser: Browser };

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('RoundRobinQueue', () => {
  it('lets users take turns, and the first of each go first', () => {
    const queue = new RoundRobinQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2']) queue.push(item[0]!, item);
    const shift = (may = (_: string) => true) => queue.shift(may)?.item;
    const order = Array.from({ length: 3 }, () => shift());
    queue.remove('a', 'a3');
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
  it('refuses the thousand and first who waits, at once', async () => {
    const slots = new PageSlots(1);
    const { signal } = new AbortController();
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('b', signal)], [0, 1]);
    const waits = Array.from({ length: 1_000 }, (_, at) => slots.acquire(`user ${at % 7}`, signal));
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

  it('has one more for a user who has none while others have them all', async () => {
    const slots = new PageSlots(2);
    const { signal } = new AbortController();
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('a', signal)], [0, 1]);
    const third = slots.acquire('a', signal);
    assert.deepEqual([slots.acquire('b', signal), slots.busy, slots.waiting], [2, 3, 1]);
    const [b, c] = [slots.acquire('b', signal), slots.acquire('c', signal)];
    slots.release(2);
    // Whoever has none, in turn: not who has two.
    assert.deepEqual([await b, slots.waiting], [2, 2]);
    slots.release(0);
    assert.equal(await third, 0);
    const again = slots.acquire('b', signal);
    slots.release(2);
    assert.equal(await c, 2);
    slots.release(2);
    assert.equal(await again, 2);
    for (const slot of [0, 1, 2]) slots.release(slot);
    assert.deepEqual([slots.acquire('a', signal), slots.busy], [0, 1]);
  });

  it('has that one also for a user whose turn has passed', async () => {
    const slots = new PageSlots(1);
    const { signal } = new AbortController();
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('b', signal)], [0, 1]);
    const [b, a] = [slots.acquire('b', signal), slots.acquire('a', signal)];
    slots.release(1);
    assert.deepEqual([await b, slots.waiting], [1, 1]);
    const next = slots.acquire('b', signal);
    slots.release(0);
    assert.equal(await a, 0);
    slots.release(1);
    assert.equal(await next, 1);
  });

  it('prefers some of those that are free', () => {
    const slots = new PageSlots(4);
    const { signal } = new AbortController();
    const even = (slot: number) => slot % 2 === 0;
    const odd = (slot: number) => slot % 2 === 1;
    const taken = [odd, odd, even, odd].map((prefers) => slots.acquire('a', signal, prefers));
    assert.deepEqual(taken, [1, 3, 0, 2]);
  });

  it('forgets who does not wait any more', async () => {
    const slots = new PageSlots(2);
    const leaving = new AbortController();
    const { signal } = new AbortController();
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('a', signal)], [0, 1]);
    const left = slots.acquire('a', leaving.signal);
    const stays = slots.acquire('a', signal);
    leaving.abort();
    assert.equal(await left, 'aborted');
    assert.equal(slots.waiting, 1);
    slots.release(1);
    assert.equal(await stays, 1);
    assert.equal(slots.acquire('a', leaving.signal), 'aborted');
    slots.release(0);
    slots.release(1);
    assert.equal(slots.acquire('a', signal), 0, 'the lowest comes first');
  });
});

describe('Supervisor', { skip }, () => {
  it('starts one browser for all, on the first need, and is fair', async (t) => {
    const supervisor = opened(t, 2);
    assert.deepEqual(supervisor.state().kinds, [], 'nothing before');
    const [one, two] = await Promise.all([lease(supervisor, 'a'), lease(supervisor, 'a')]);
    assert.deepEqual([one.slot, two.slot].sort(), [0, 1]);
    const beyond = await lease(supervisor, 'b');
    assert.equal(one.browser, two.browser);
    assert.equal(leftBy(process.pid).filter(({ line }) => !/--type=|crashpad/.test(line)).length, 1);
    const order: string[] = [];
    const waits = ['a', 'a', 'a', 'b'].map(async (user, at) => {
      const mine = await lease(supervisor, user);
      order.push(`${user}${at}`);
      await (await mine.browser.newPage()).close();
      mine.release();
      return mine.queuedMs;
    });
    await pause(30);
    assert.deepEqual(supervisor.state().slots, { total: 2, busy: 3, waiting: 4 });
    one.release();
    one.release();
    for (const queued of await Promise.all(waits)) assert.ok(queued >= 25, String(queued));
    assert.deepEqual(order, ['a0', 'b3', 'a1', 'a2']);
    two.release();
    beyond.release();
    const { slots, pagesServed: leases, kinds } = supervisor.state();
    assert.deepEqual([slots.busy, slots.waiting, leases], [0, 0, 7]);
    assert.deepEqual([kinds.length, kinds[0]!.launches, kinds[0]!.browsers[0]!.served], [1, 1, 7]);
  });

  it('ends a wait with the time, or when the caller hangs up', async (t) => {
    const supervisor = opened(t, 1);
    const first = await lease(supervisor, 'a');
    const late = await ask(supervisor, 'a', 40);
    assert.ok('code' in late);
    assert.deepEqual(
      [late.code, late.message],
      ['service.unavailable', 'The request timed out while it waited for a free browser slot.'],
    );
    const caller = new AbortController();
    const waiting = ask(supervisor, 'a', 10_000, caller.signal);
    caller.abort(CLIENT_DISCONNECTED);
    const gone = await waiting;
    assert.ok('code' in gone && gone.code === 'request.cancelled');
    first.release();
    assert.deepEqual(supervisor.state().slots, { total: 1, busy: 0, waiting: 0 });
  });

  it('does not hold a slot for who does not wait for the start', async (t) => {
    const supervisor = opened(t, 1);
    const late = await ask(supervisor, 'a', 1);
    assert.ok('code' in late && late.code === 'service.unavailable', JSON.stringify(late));
    assert.equal(supervisor.state().slots.busy, 0);
    (await lease(supervisor, 'a')).release();
  });

  it('replaces a browser that was lost', async (t) => {
    const lines: Line[] = [];
    const supervisor = opened(t, 2, lines);
    (await lease(supervisor, 'a')).release();
    const pid = supervisor.state().kinds[0]!.browsers[0]!.pid!;
    const held = await lease(supervisor, 'a');
    const page = await held.browser.newPage();
    // Younger ones are only started again when somebody needs them.
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
    assert.deepEqual(ofGroup(pid), []);
    assert.ok(
      lines.some(({ event, fields }) => event === 'a browser ended unexpectedly' && fields.pid === pid),
    );
  });

  it('gives nobody a suspect browser, and ends it with its last page', async (t) => {
    const supervisor = opened(t, 3);
    const [one, two] = [await lease(supervisor, 'a'), await lease(supervisor, 'b')];
    const page = await two.browser.newPage();
    const { pid } = supervisor.state().kinds[0]!.browsers[0]!;
    // It hangs.
    process.kill(pid!, 'SIGSTOP');
    one.release({ suspect: true });
    const three = await lease(supervisor, 'a');
    assert.notEqual(three.browser, one.browser);
    await (await three.browser.newPage()).close();
    process.kill(pid!, 'SIGCONT');
    assert.equal(await page.evaluate('1 + 1'), 2, 'what runs in it may end');
    two.release();
    await until(() => ofGroup(pid!).length === 0);
    three.release();
    // The system has forgotten its processes a moment before Node tells that it ended.
    await until(() => supervisor.state().kinds[0]!.browsers.every((one) => one.pid !== pid));
    const { crashes, replaced } = supervisor.state().kinds[0]!;
    assert.deepEqual([crashes, replaced], [0, 1]);
  });

  it('has another take over from one that has done enough, without anybody waiting', async (t) => {
    const lines: Line[] = [];
    const supervisor = opened(t, 2, lines, { pages: 3, ageMs: 1e9, bytes: 1e15, idleMs: 1e9 });
    const [held, ...others] = [await lease(supervisor, 'a'), await lease(supervisor, 'b')];
    const page = await held.browser.newPage();
    const first = supervisor.state().kinds[0]!.browsers[0]!.pid;
    others[0]!.release();
    (await lease(supervisor, 'b')).release();
    // The third page was closed: the next one gets the old browser until the new one runs.
    const third = await lease(supervisor, 'b');
    const { recycles, launches } = supervisor.state().kinds[0]!;
    assert.ok(third.browser === held.browser || recycles === 1, `nobody waits for a start: ${launches}`);
    third.release();
    await until(() => supervisor.state().kinds[0]!.recycles === 1);
    const next = await lease(supervisor, 'b');
    assert.notEqual(next.browser, held.browser);
    assert.equal(await page.evaluate('1 + 1'), 2, 'what runs in the old one may end');
    next.release();
    held.release();
    await until(() => ofGroup(first).length === 0);
    await until(() => supervisor.state().kinds[0]!.browsers.length === 1);
    const done = lines.find(({ event }) => event === 'a browser is retired');
    assert.deepEqual([done?.fields.pid, done?.fields.why], [first, 'pages']);
    const { crashes, replaced } = supervisor.state().kinds[0]!;
    assert.deepEqual([crashes, replaced], [0, 0]);
  });

  it('gives others a new browser while a page disturbs them, once in a while', async (t) => {
    const lines: Line[] = [];
    const supervisor = opened(t, 6, lines);
    const kind = (quarantined: boolean) =>
      supervisor.state().kinds.find((one) => one.quarantined === quarantined)!;
    const [loud, held] = [await lease(supervisor, 'a', LOUD), await lease(supervisor, 'b')];
    const page = await held.browser.newPage();
    const first = kind(false).browsers[0]!.pid;
    loud.reportDisturbance('too many dialogs', { ongoing: true });
    loud.reportDisturbance('too many dialogs', { ongoing: true });
    await until(() => kind(false).recycles === 1);
    const next = await lease(supervisor, 'b');
    assert.notEqual(next.browser, loud.browser);
    assert.equal(await page.evaluate('1 + 1'), 2, 'what runs in it goes on');
    const done = lines.find(({ event }) => event === 'a browser is retired');
    assert.deepEqual([done?.fields.pid, done?.fields.why], [first, 'disturbed']);
    await until(() => ofGroup(first).every(({ pid }) => getPriority(pid) > 0));
    // Soon after it no other browser is started.
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
    await until(() => ofGroup(first).length === 0);
    // It is replaced as every other one.
    apart.release({ suspect: true });
    assert.equal((await lease(supervisor, 'a', LOUD)).browser, next.browser, 'until that runs');
    await until(() => kind(true).launches === 2);
    const notes = lines.filter(({ event }) => /gets a separate browser/.test(event));
    assert.deepEqual(
      notes.map(({ fields }) => [fields.user_id, fields.host]),
      [
        ['a', LOUD],
        ['b', HOST],
      ],
    );
  });

  it('starts no common browser for a page in quarantine where none runs', async (t) => {
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

  it('starts one apart beside, and ends it when it has nothing more to do', async (t) => {
    const lines: Line[] = [];
    const limits = { pages: 1e9, ageMs: 1e9, bytes: 1e15, idleMs: 1_000 };
    const supervisor = opened(t, 2, lines, limits, [['a', LOUD]]);
    const kind = (apart: boolean) => supervisor.state().kinds.find((one) => one.quarantined === apart)!;
    (await lease(supervisor, 'a')).release();
    const early = await lease(supervisor, 'a', LOUD);
    assert.equal(early.quarantined, false, 'nobody waits for its start');
    early.release();
    await until(() => kind(true).browsers.length === 1);
    const { pid } = kind(true).browsers[0]!;
    const apart = await lease(supervisor, 'a', LOUD);
    assert.equal(apart.quarantined, true);
    assert.equal((await lease(supervisor, 'b')).quarantined, false);
    // Longer than it is kept for nothing.
    await pause(1_500);
    assert.equal(apart.isBrowserGone(), false);
    apart.release();
    await until(() => kind(true).browsers.length === 0);
    await until(() => ofGroup(pid).length === 0);
    assert.equal(kind(false).browsers.length, 1);
    const done = lines.find(({ event }) => event === 'an idle separate browser is closed');
    assert.equal(done?.fields.pid, pid);
  });

  it('asks once more after the wait for a slot whether a page is in quarantine', async (t) => {
    const supervisor = opened(t, 2);
    const [one, two] = [await lease(supervisor, 'a'), await lease(supervisor, 'a', LOUD)];
    await lease(supervisor, 'b');
    const waits = lease(supervisor, 'a', LOUD);
    await until(() => supervisor.state().slots.waiting === 1);
    two.reportDisturbance('it did not become idle');
    await until(() =>
      supervisor.state().kinds.some((kind) => kind.quarantined && kind.browsers.length === 1),
    );
    one.release();
    assert.equal((await waits).quarantined, true);
  });

  it('says what there is instead of what is not there', async (t) => {
    const supervisor = opened(t, 1);
    const all = await find();
    for (const type of ['msedge', 'webkit'] as const) {
      if (all.some((one) => one.type === type)) continue;
      const failed = await ask(supervisor, 'a', 10_000, undefined, type);
      assert.ok('code' in failed);
      assert.equal(failed.code, 'browser.unavailable');
      assert.match(
        failed.message,
        new RegExp(
          `^The browser ${type} is not available here: it is not installed\\. Available: chromium \\d`,
        ),
      );
      assert.deepEqual(await supervisor.unavailableFailure(type, true), failed);
    }
    assert.equal(await supervisor.unavailableFailure('chromium', true), null);
    assert.equal(supervisor.state().slots.busy, 0);
  });

  it('gives each driver a browser of its own, and both the same slots', async (t) => {
    const supervisor = opened(t, 1);
    using deadline = deadlineIn(30_000, new AbortController().signal);
    const ask = { userId: 'a', host: HOST, type: 'chromium', headless: true, deadline } as const;
    const fast = await supervisor.lease({ ...ask, driver: 'cdp' });
    assert.ok('browser' in fast, JSON.stringify(fast));
    assert.equal(fast.browser.isConnected(), true);
    const waits = supervisor.lease({ ...ask, driver: 'playwright' });
    await until(() => supervisor.state().slots.waiting === 1);
    fast.release();
    const full = await waits;
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
    await until(() => ofGroup(pid).length === 0);
  });

  it('opens windows on a virtual display', async (t) => {
    const supervisor = opened(t, 1);
    const why = await supervisor.unavailableFailure('chromium', false);
    if (why !== null) {
      assert.equal(why.code, 'browser.unavailable');
      assert.match(
        why.message,
        /^The browser chromium with a window \(headless: false\) is not available here: /,
      );
      return t.skip(why.message);
    }
    const held = await ask(supervisor, 'a', 30_000, undefined, 'chromium', false);
    assert.ok('browser' in held, JSON.stringify(held));
    const page = await held.browser.newPage();
    assert.doesNotMatch(await page.evaluate('navigator.userAgent'), /Headless/);
    held.release();
  });

  it('refuses who waits when it is closed, and leaves nothing', async () => {
    const supervisor = supervise(1);
    const held = await lease(supervisor, 'a');
    const waiting = ask(supervisor, 'a', 10_000);
    await supervisor.close();
    const refused = await waiting;
    assert.ok('code' in refused);
    assert.deepEqual(
      [refused.code, refused.message],
      ['service.unavailable', 'The service is shutting down.'],
    );
    held.release();
    const after = await ask(supervisor, 'a', 10_000);
    assert.ok('code' in after && after.code === 'service.unavailable');
    assert.deepEqual([leftBy(process.pid), foldersOf(process.pid)], [[], []]);
  });
});

test('closing while a browser is being started waits for it', { skip }, async () => {
  const supervisor = supervise(1);
  const starting = ask(supervisor, 'a', 10_000);
  await pause(1);
  await supervisor.close();
  assert.ok('code' in (await starting));
  assert.deepEqual([leftBy(process.pid), foldersOf(process.pid)], [[], []]);
});

function opened(
  t: TestContext,
  slots: number,
  lines: Line[] = [],
  recycling?: RecyclingLimits,
  quarantined: readonly (readonly [userId: string, host: string])[] = [],
): Supervisor {
  const governor = new LinuxPageGovernor();
  for (const [userId, host] of quarantined) governor.quarantine(userId, host);
  const supervisor = supervise(slots, lines, recycling, governor);
  afterwards(t, () => supervisor.close());
  return supervisor;
}

async function ask(
  supervisor: Supervisor,
  userId: string,
  ms: number,
  signal?: AbortSignal,
  type: BrowserType = 'chromium',
  headless = true,
): Promise<PlaywrightLease | Failure> {
  using deadline = deadlineIn(ms, signal ?? new AbortController().signal);
  const request = { ...KIND, userId, host: HOST, type, headless, deadline };
  return (await supervisor.lease(request)) as PlaywrightLease | Failure;
}

async function lease(supervisor: Supervisor, userId: string, host = HOST): Promise<PlaywrightLease> {
  using deadline = deadlineIn(30_000, new AbortController().signal);
  const got = await supervisor.lease({ ...KIND, userId, host, deadline });
  if ('code' in got) throw new Error(got.message);
  return got as PlaywrightLease;
}

async function until(met: () => boolean): Promise<void> {
  const late = performance.now() + 10_000;
  while (!met()) {
    assert.ok(performance.now() < late, `not met in time: ${met}`);
    await pause(10);
  }
}
