import assert from 'node:assert/strict';
import { availableParallelism, getPriority } from 'node:os';
import { describe, it, type TestContext, test } from 'node:test';
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import { CLIENT_DISCONNECTED, deadlineIn } from '../../../../src/base/time.ts';
import type { RecyclingLimits } from '../../../../src/browser/engine/browser-process.ts';
import type { BrowserType } from '../../../../src/browser/engine/found-browser.ts';
import type { BrowserLease, Supervisor } from '../../../../src/browser/engine/supervisor.ts';
import { PageSlots, RoundRobinQueue } from '../../../../src/browser/engine/supervisor.ts';
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
const never = () => false;
const always = () => true;

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('FairQueue', () => {
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

/** Pages that a user opens at once: no limit. */
const ANY = 1_000;

describe('Slots', () => {
  it('refuses the thousand and first who waits, at once', async () => {
    const slots = new PageSlots(1, ANY);
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
    const slots = new PageSlots(2, ANY);
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
    const slots = new PageSlots(1, ANY);
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
    const slots = new PageSlots(4, ANY);
    const { signal } = new AbortController();
    const even = (slot: number) => slot % 2 === 0;
    const odd = (slot: number) => slot % 2 === 1;
    const taken = [odd, odd, even, odd].map((prefers) => slots.acquire('a', signal, prefers));
    assert.deepEqual(taken, [1, 3, 0, 2]);
  });

  it('forgets who does not wait any more', async () => {
    const slots = new PageSlots(2, ANY);
    const leaving = new AbortController();
    const { signal } = new AbortController();
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('a', signal)], [0, 1]);
    const left = slots.acquire('a', leaving.signal);
    const stays = slots.acquire('a', signal);
    leaving.abort();
    assert.equal(await left, 'ended');
    assert.equal(slots.waiting, 1);
    slots.release(1);
    assert.equal(await stays, 1);
    assert.equal(slots.acquire('a', leaving.signal), 'ended');
    slots.release(0);
    slots.release(1);
    assert.equal(slots.acquire('a', signal), 0, 'the lowest comes first');
  });
});

describe('Slots, while pages are opened', () => {
  const { signal } = new AbortController();

  it('lets a user open pages one after the other while others have any', async () => {
    const slots = new PageSlots(4, 1);
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('b', signal)], [0, 1]);
    slots.pageSettled(1);
    const [second, third] = [slots.acquire('a', signal), slots.acquire('a', signal)];
    assert.equal(slots.waiting, 2);
    slots.pageShown(1);
    assert.equal(slots.waiting, 2, 'that was not theirs');
    slots.pageShown(0);
    assert.deepEqual([await second, slots.waiting], [2, 1]);
    slots.pageShown(0);
    assert.equal(slots.waiting, 1, 'once for each page');
    slots.release(2);
    assert.deepEqual([await third, slots.waiting], [2, 0], 'one that is over is no longer being opened');
  });

  it('lets a new page of another user meet one that is opened, and no second one', async () => {
    const slots = new PageSlots(6, 1);
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('b', signal)], [0, 1]);
    const [second, third] = [slots.acquire('a', signal), slots.acquire('a', signal)];
    slots.pageShown(0);
    slots.pageShown(1);
    assert.equal(slots.waiting, 2, 'theirs is still new');
    assert.equal(slots.acquire('c', signal), 2, 'who has none does not wait');
    slots.release(1);
    assert.deepEqual([await second, slots.waiting], [1, 1]);
    slots.pageShown(1);
    assert.equal(slots.waiting, 1, 'that of c has met one now');
    slots.pageSettled(2);
    assert.deepEqual([await third, slots.waiting], [3, 0]);
  });

  it('lets nobody wait who is alone', async () => {
    const slots = new PageSlots(4, 1);
    assert.deepEqual([slots.acquire('a', signal), slots.acquire('a', signal)], [0, 1]);
    assert.equal(slots.acquire('b', signal), 2);
    const next = slots.acquire('a', signal);
    assert.equal(slots.waiting, 1);
    slots.release(2);
    assert.equal(await next, 2, 'alone again');
  });

  it('lets a user open as many at once as it was made for', () => {
    const slots = new PageSlots(8, 3);
    slots.acquire('b', signal);
    const taken = [1, 2, 3, 4].map(() => slots.acquire('a', signal));
    assert.deepEqual(taken.slice(0, 3), [1, 2, 3]);
    assert.ok(taken[3] instanceof Promise);
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
      mine.release(false);
      return mine.queuedMs;
    });
    await pause(30);
    assert.deepEqual(supervisor.state().slots, { total: 2, busy: 3, waiting: 4 });
    one.release(false);
    one.release(false);
    for (const queued of await Promise.all(waits)) assert.ok(queued >= 25, String(queued));
    assert.deepEqual(order, ['a0', 'b3', 'a1', 'a2']);
    two.release(false);
    beyond.release(false);
    const { slots, leases, kinds } = supervisor.state();
    assert.deepEqual([slots.busy, slots.waiting, leases], [0, 0, 7]);
    assert.deepEqual([kinds.length, kinds[0]!.launches, kinds[0]!.browsers[0]!.served], [1, 1, 7]);
  });

  it('has a user open pages one after the other while another has one', async (t) => {
    const most = Math.max(1, Math.floor(availableParallelism() / 2));
    const supervisor = opened(t, most + 3);
    const waiting = () => supervisor.state().slots.waiting;
    await lease(supervisor, 'b');
    await pause(550);
    // From here on time stands still: no page grows old.
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const held: BrowserLease[] = [];
    while (held.length < most) held.push(await lease(supervisor, 'a'));
    const next = lease(supervisor, 'a');
    await turn();
    assert.equal(waiting(), 1);
    held[0]!.pageShown();
    await next;
    const last = lease(supervisor, 'a');
    await turn();
    assert.equal(waiting(), 1);
    t.mock.timers.tick(499);
    await turn();
    assert.equal(waiting(), 1);
    t.mock.timers.tick(1);
    await last;
    assert.equal(waiting(), 0);
    t.mock.timers.reset();
  });

  it('tells who has a page whether others have any beside it, until it is over', async (t) => {
    const supervisor = opened(t, 4);
    const [one, same] = [await lease(supervisor, 'a'), await lease(supervisor, 'a')];
    assert.equal(one.shared, false, 'those are all of one user');
    const [two, three] = [await lease(supervisor, 'b'), await lease(supervisor, 'c')];
    assert.equal(one.shared, true);
    same.release(false);
    one.release(false);
    assert.deepEqual([one.shared, two.shared], [false, true], 'what others have then is not beside it');
    three.release(false);
    assert.equal(two.shared, false);
    two.release(false);
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
    first.release(false);
    assert.deepEqual(supervisor.state().slots, { total: 1, busy: 0, waiting: 0 });
  });

  it('does not hold a slot for who does not wait for the start', async (t) => {
    const supervisor = opened(t, 1);
    const late = await ask(supervisor, 'a', 1);
    assert.ok('code' in late && late.code === 'service.unavailable', JSON.stringify(late));
    assert.equal(supervisor.state().slots.busy, 0);
    (await lease(supervisor, 'a')).release(false);
  });

  it('replaces a browser that was lost', async (t) => {
    const lines: Line[] = [];
    const supervisor = opened(t, 2, lines);
    assert.equal(await supervisor.warmUp({ ...KIND, quarantined: false }), null);
    const pid = supervisor.state().kinds[0]!.browsers[0]!.pid!;
    const held = await lease(supervisor, 'a');
    const page = await held.browser.newPage();
    // Younger ones are only started again when somebody needs them.
    await pause(5_100);
    assert.equal(held.isBrowserGone(), false);
    process.kill(pid, 'SIGKILL');
    await assert.rejects(page.goto('data:text/html,x'), /closed|disconnected|crash/i);
    await until(() => supervisor.state().kinds[0]!.launches === 2);
    assert.equal(held.isBrowserGone(), true);
    held.release(true);
    const next = await lease(supervisor, 'a');
    assert.notEqual(next.browser, held.browser);
    await (await next.browser.newPage()).close();
    next.release(false);
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
    one.release(true);
    const three = await lease(supervisor, 'a');
    assert.notEqual(three.browser, one.browser);
    await (await three.browser.newPage()).close();
    process.kill(pid!, 'SIGCONT');
    assert.equal(await page.evaluate('1 + 1'), 2, 'what runs in it may end');
    two.release(false);
    await until(() => ofGroup(pid!).length === 0);
    three.release(false);
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
    others[0]!.release(false);
    (await lease(supervisor, 'b')).release(false);
    // The third page was closed: the next one gets the old browser until the new one runs.
    const third = await lease(supervisor, 'b');
    const { recycles, launches } = supervisor.state().kinds[0]!;
    assert.ok(third.browser === held.browser || recycles === 1, `nobody waits for a start: ${launches}`);
    third.release(false);
    await until(() => supervisor.state().kinds[0]!.recycles === 1);
    const next = await lease(supervisor, 'b');
    assert.notEqual(next.browser, held.browser);
    assert.equal(await page.evaluate('1 + 1'), 2, 'what runs in the old one may end');
    next.release(false);
    held.release(false);
    await until(() => ofGroup(first).length === 0);
    await until(() => supervisor.state().kinds[0]!.browsers.length === 1);
    const done = lines.find(({ event }) => event === 'a browser is retired');
    assert.deepEqual([done?.fields.pid, done?.fields.why], [first, 'pages']);
    const { crashes, replaced } = supervisor.state().kinds[0]!;
    assert.deepEqual([crashes, replaced], [0, 0]);
  });

  it('has others leave a browser in which a page disturbs them, once in a while', async (t) => {
    const lines: Line[] = [];
    const supervisor = opened(t, 4, lines);
    const [loud, held] = [await lease(supervisor, 'a'), await lease(supervisor, 'b')];
    const page = await held.browser.newPage();
    const first = supervisor.state().kinds[0]!.browsers[0]!.pid;
    loud.reportDisturbance();
    loud.reportDisturbance();
    await until(() => supervisor.state().kinds[0]!.recycles === 1);
    const next = await lease(supervisor, 'b');
    assert.notEqual(next.browser, loud.browser);
    assert.equal(await page.evaluate('1 + 1'), 2, 'what runs in it goes on');
    const done = lines.find(({ event }) => event === 'a browser is retired');
    assert.deepEqual([done?.fields.pid, done?.fields.why], [first, 'disturbed']);
    if (process.platform === 'linux')
      await until(() => ofGroup(first).every(({ pid }) => getPriority(pid) > 0));
    // Soon after it nobody is driven out again.
    next.reportDisturbance();
    const { browser } = await lease(supervisor, 'c');
    assert.equal(browser, next.browser);
    const { launches, recycles } = supervisor.state().kinds[0]!;
    assert.deepEqual([launches, recycles], [2, 1]);
    // It has become the one for such pages: no other is started for them.
    assert.deepEqual([loud.quarantined, held.quarantined, next.quarantined], [true, true, false]);
    loud.release(false);
    held.release(false);
    const apart = await lease(supervisor, 'a', always);
    assert.equal(apart.browser, loud.browser);
    const kind = supervisor.state().kinds.find((one) => one.quarantined)!;
    assert.deepEqual([kind.launches, kind.browsers.map(({ pid }) => pid)], [0, [first]]);
    // There, it is replaced as every other one.
    apart.release(true);
    await until(() => ofGroup(first).length === 0);
    assert.equal((await lease(supervisor, 'a', always)).browser, next.browser, 'until that runs');
    await until(() => supervisor.state().kinds.find((one) => one.quarantined)!.launches > 0);
  });

  it('starts none of all for a page apart where none runs', async (t) => {
    const supervisor = opened(t, 2);
    const [one, two] = await Promise.all([lease(supervisor, 'a', always), lease(supervisor, 'a', always)]);
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
    const supervisor = opened(t, 2, lines, { pages: 1e9, ageMs: 1e9, bytes: 1e15, idleMs: 1_000 });
    const kind = (apart: boolean) => supervisor.state().kinds.find((one) => one.quarantined === apart)!;
    (await lease(supervisor, 'a')).release(false);
    const early = await lease(supervisor, 'a', always);
    assert.equal(early.quarantined, false, 'nobody waits for its start');
    early.release(false);
    await until(() => kind(true).browsers.length === 1);
    const { pid } = kind(true).browsers[0]!;
    const apart = await lease(supervisor, 'a', always);
    assert.equal(apart.quarantined, true);
    assert.equal((await lease(supervisor, 'b')).quarantined, false);
    // Longer than it is kept for nothing.
    await pause(1_500);
    assert.equal(apart.isBrowserGone(), false);
    apart.release(false);
    await until(() => kind(true).browsers.length === 0);
    await until(() => ofGroup(pid).length === 0);
    assert.equal(kind(false).browsers.length, 1);
    const done = lines.find(({ event }) => event === 'an idle separate browser is closed');
    assert.equal(done?.fields.pid, pid);
  });

  it('asks whether a page is to be apart once more after its wait for a slot', async (t) => {
    const supervisor = opened(t, 2);
    // While another user has one, each has one slot.
    const one = await lease(supervisor, 'a');
    await lease(supervisor, 'b');
    let isNoted = false;
    const waits = lease(supervisor, 'a', () => isNoted);
    await until(() => supervisor.state().slots.waiting === 1);
    isNoted = true;
    supervisor.warmUpQuarantined(KIND);
    await until(() =>
      supervisor.state().kinds.some((kind) => kind.quarantined && kind.browsers.length === 1),
    );
    one.release(false);
    assert.equal((await waits).quarantined, true);
  });

  it('has a spare ready for a while after one was lost', async (t) => {
    const supervisor = opened(t, 1);
    const one = await lease(supervisor, 'a');
    one.release(true);
    await until(() => supervisor.state().kinds[0]!.launches === 3);
    const { browsers, replaced } = supervisor.state().kinds[0]!;
    const spares = browsers.filter(({ draining }) => !draining).map(({ pid }) => pid);
    assert.deepEqual([spares.length, replaced], [2, 1]);
    const two = await lease(supervisor, 'a');
    two.release(true);
    const three = await lease(supervisor, 'a');
    assert.notEqual(three.browser, two.browser);
    const used = supervisor.state().kinds[0]!.browsers.find(({ pages }) => pages === 1);
    assert.ok(spares.includes(used!.pid), 'nobody waits for a start');
    three.release(false);
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

  it('gives each lane a browser of its own, and both the same slots', async (t) => {
    const supervisor = opened(t, 1);
    using deadline = deadlineIn(30_000, new AbortController().signal);
    const ask = { userId: 'a', type: 'chromium', headless: true, isQuarantined: never, deadline } as const;
    const fast = await supervisor.lease({ ...ask, driver: 'cdp' });
    assert.ok('browser' in fast, JSON.stringify(fast));
    assert.equal(fast.browser.isConnected(), true);
    const waits = supervisor.lease({ ...ask, driver: 'playwright' });
    await until(() => supervisor.state().slots.waiting === 1);
    fast.release(false);
    const full = await waits;
    assert.ok('browser' in full);
    await (await full.browser.newPage()).close();
    full.release(false);
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
    held.release(false);
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
    held.release(false);
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

function opened(t: TestContext, slots: number, lines: Line[] = [], wear?: RecyclingLimits): Supervisor {
  const supervisor = supervise(slots, lines, wear);
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
): Promise<BrowserLease | Failure> {
  using deadline = deadlineIn(ms, signal ?? new AbortController().signal);
  return await supervisor.lease({ ...KIND, userId, type, headless, isQuarantined: never, deadline });
}

async function lease(
  supervisor: Supervisor,
  userId: string,
  isQuarantined: () => boolean = never,
): Promise<BrowserLease> {
  using deadline = deadlineIn(30_000, new AbortController().signal);
  const got = await supervisor.lease({ ...KIND, userId, isQuarantined, deadline });
  if ('code' in got) throw new Error(got.message);
  return got;
}

async function until(met: () => boolean): Promise<void> {
  const late = performance.now() + 10_000;
  while (!met()) {
    assert.ok(performance.now() < late, `not met in time: ${met}`);
    await pause(10);
  }
}
