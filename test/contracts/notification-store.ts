import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import {
  COLLECTED_FROM,
  LASTING_TRIES,
  MAX_COLLECTED,
  MESSAGES_PER_MINUTE,
  type Notify,
} from '../../src/domain/notifications.ts';
import type { ClaimedDelivery } from '../../src/domain/webhooks.ts';
import type { NewChannel, Told } from '../../src/ports/notifications.ts';
import type { Store } from '../../src/ports/store.ts';
import type { DeliveryClaim, DeliveryEnd } from '../../src/ports/webhooks.ts';
import { monitor } from './monitor-store.ts';
import { ANNA, BERT, ended, idAt, item, job, T0 } from './samples.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const SOURCE = idAt(T0, 700);
const OTHER_SOURCE = idAt(T0, 701);

const channel = (n: number, change: Partial<NewChannel> = {}): NewChannel => ({
  id: idAt(T0, 800 + n),
  userId: ANNA,
  name: `channel ${n}`,
  type: 'webhook',
  createdAt: T0,
  webhook: { source: 'channel', receiver: `anna ${n}`, events: [], spec: new Uint8Array([n]) },
  ...change,
});

const notify = (change: Partial<Notify> = {}): Notify => ({
  source: 'monitor',
  title: 'Prices',
  events: ['changed', 'failed'],
  channels: [channel(1).id],
  ...change,
});

const told = (sequence: number, change: Partial<Told> = {}): Told => ({
  sourceId: SOURCE,
  sequence,
  type: 'monitor.changed',
  event: 'changed',
  at: T0,
  facts: { summary: 'One line.' },
  ...change,
});

const claimAt = (now: number, change: Partial<DeliveryClaim> = {}): DeliveryClaim => ({
  now,
  leaseUntil: now + 1_000,
  limit: 100,
  perReceiver: 4,
  breakAfter: 1_000,
  breakMs: 1,
  ...change,
});

const tried = (
  { number, lease }: ClaimedDelivery,
  result: DeliveryEnd['result'],
  now: number,
  nextAt = now,
): DeliveryEnd => ({
  number,
  lease,
  result,
  status: result === 'delivered' ? 200 : 500,
  error: result === 'delivered' ? null : 'It answered 500.',
  durationMs: 5,
  answer: null,
  nextAt,
  now,
});

/** A store with a channel, and a source that tells by it. */
async function prepared(store: Store, change: Partial<Notify> = {}): Promise<void> {
  await store.channels.create(channel(1), 10);
  await store.notifications.setNotify(SOURCE, ANNA, notify(change));
}

const listOf = ({ notifications }: Store, userId = ANNA) =>
  notifications.list({ userId, unread: false }, 2_000, null);
const deliveriesOf = ({ webhooks }: Store, id = channel(1).id) =>
  webhooks.list({ userId: null, sourceId: id, state: null }, 2_000, null);
const stateOf = async ({ channels }: Store) => (await channels.get(channel(1).id, ANNA))!;

/** What the ChannelStore and the NotificationStore of every implementation must do. */
export function notificationStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: channels`, () => {
    test('deliveries of a source are those of its webhook, and those to its channels', async (t) => {
      const store = await open(t);
      await prepared(store);
      await store.notifications.tell(told(1));
      await store.notifications.setNotify(OTHER_SOURCE, ANNA, notify());
      await store.notifications.tell({ ...told(1), sourceId: OTHER_SOURCE });
      const ofSource = await deliveriesOf(store, SOURCE);
      assert.deepEqual(
        ofSource.map(({ source, sourceId, type }) => [source, sourceId, type]),
        [['channel', channel(1).id, told(1).type]],
      );
      assert.equal((await deliveriesOf(store, OTHER_SOURCE)).length, 1);
      assert.equal((await deliveriesOf(store)).length, 2);
    });

    test('a channel comes back as it was made, only to its user, and up to the limit', async (t) => {
      const { channels } = await open(t);
      assert.equal(await channels.create(channel(1), 2), true);
      assert.equal(await channels.create(channel(2), 2), true);
      assert.equal(await channels.create(channel(3), 2), false);
      assert.equal(await channels.create(channel(3, { userId: BERT }), 2), true, 'the limit is of a user');
      assert.deepEqual(await channels.get(channel(1).id, ANNA), {
        id: channel(1).id,
        userId: ANNA,
        name: 'channel 1',
        type: 'webhook',
        state: 'ok',
        failingSince: null,
        lastError: null,
        lastDeliveredAt: null,
        createdAt: T0,
        spec: new Uint8Array([1]),
      });
      assert.equal(await channels.get(channel(1).id, BERT), null);
      assert.deepEqual(
        (await channels.list(ANNA, 1, null)).map((one) => one.name),
        ['channel 2'],
      );
      assert.deepEqual(
        (await channels.list(ANNA, 9, channel(2).id)).map((one) => one.name),
        ['channel 1'],
      );
      const ids = [channel(1).id, channel(3).id, 'no id'];
      assert.deepEqual(await channels.known(ANNA, ids), [channel(1).id]);
    });

    test('what uses a channel; deleting it ends that', async (t) => {
      const store = await open(t);
      const { channels, monitors, jobs, notifications } = store;
      await channels.create(channel(1), 10);
      const { id } = channel(1);
      await monitors.create(monitor(1, { notify: notify() }), 10);
      const running = job(2, { name: 'nightly', notify: notify({ source: 'job', title: null }) });
      await jobs.create(running);
      await jobs.add(running.id, [item('https://a.test/')], T0);
      await jobs.start(running.id, T0, { openJobs: 10, queuedItems: 10 });
      const used = (await channels.uses([id], 10)).map(({ source, name: of }) => [source, of]);
      assert.deepEqual(used.sort(), [
        ['job', 'nightly'],
        ['monitor', 'prices'],
      ]);
      await jobs.cancel(running.id, T0);
      assert.equal((await channels.uses([id], 10)).length, 1, 'a job that has ended uses it no more');
      await channels.delete(id);
      assert.deepEqual((await notifications.notifyOf(monitor(1).id))?.channels, []);
      assert.equal(await channels.get(id, ANNA), null);
    });

    test('failures for three days pause a channel, and its user is told', async (t) => {
      const store = await open(t);
      const { webhooks, notifications } = store;
      await prepared(store);
      await notifications.tell(told(1));
      let now = T0;
      for (let n = 1; n < LASTING_TRIES; n++) {
        const [delivery] = await webhooks.claim(claimAt(now));
        await webhooks.end(tried(delivery!, 'retry', now));
        assert.partialDeepStrictEqual(await stateOf(store), {
          state: 'failing',
          failingSince: T0,
          lastError: 'It answered 500.',
        });
        now += MINUTE_MS;
      }
      assert.equal((await listOf(store)).length, 1, 'a hiccup is not told');
      const [fourth] = await webhooks.claim(claimAt(now));
      await webhooks.end(tried(fourth!, 'retry', now));
      const [fifth] = await webhooks.claim(claimAt(now));
      await webhooks.end(tried(fifth!, 'retry', now));
      const types = async () => (await listOf(store)).map(({ type }) => type);
      assert.deepEqual(await types(), ['channel.failing', 'monitor.changed'], 'told once');
      now = T0 + 3 * DAY_MS;
      await notifications.tell(told(2, { at: now }));
      const late = (await webhooks.claim(claimAt(now))).find(({ tries }) => tries > LASTING_TRIES);
      await webhooks.end(tried(late!, 'retry', now));
      assert.equal((await stateOf(store)).state, 'paused');
      assert.deepEqual((await types())[0], 'channel.paused');
      await webhooks.recover(now);
      await notifications.tell(told(3, { at: now + 1 }));
      const [newest] = await deliveriesOf(store);
      assert.deepEqual([newest!.state, newest!.tries], ['failed', 0], 'nothing is sent, and that is stored');
      assert.match(newest!.error!, /paused/);
      await store.channels.resume(channel(1).id, null);
      assert.partialDeepStrictEqual(await stateOf(store), {
        state: 'ok',
        failingSince: null,
        lastError: null,
      });
      await notifications.tell(told(4, { at: now + 2 }));
      assert.equal((await deliveriesOf(store))[0]!.state, 'queued');
    });

    test('a message that arrives ends the failures; 410 pauses at once', async (t) => {
      const store = await open(t);
      const { webhooks, notifications } = store;
      await prepared(store);
      await notifications.tell(told(1));
      const [first] = await webhooks.claim(claimAt(T0));
      await webhooks.end(tried(first!, 'retry', T0));
      const [again] = await webhooks.claim(claimAt(T0 + 1));
      await webhooks.end(tried(again!, 'delivered', T0 + 1));
      assert.partialDeepStrictEqual(await stateOf(store), {
        state: 'ok',
        failingSince: null,
        lastDeliveredAt: T0 + 1,
      });
      await notifications.tell(told(2));
      const [gone] = await webhooks.claim(claimAt(T0 + 2));
      await webhooks.end(tried(gone!, 'gone', T0 + 2));
      assert.equal((await stateOf(store)).state, 'paused');
    });

    test('what was not sent, as it need not be, says nothing about the channel', async (t) => {
      const store = await open(t);
      await prepared(store);
      await store.notifications.tell(told(1));
      const [delivery] = await store.webhooks.claim(claimAt(T0));
      await store.webhooks.end(tried(delivery!, 'dropped', T0));
      assert.equal((await stateOf(store)).state, 'ok');
      assert.equal((await deliveriesOf(store))[0]!.state, 'failed');
    });

    test('a thousand events of a minute are few messages', async (t) => {
      const store = await open(t);
      const { webhooks, notifications } = store;
      await prepared(store);
      for (let n = 1; n <= 300; n++) await notifications.tell(told(n));
      const sent: ClaimedDelivery[] = [];
      for (let at = T0; ; at = T0 + 2 * MINUTE_MS) {
        const claimed = await webhooks.claim(claimAt(at));
        for (const delivery of claimed) await webhooks.end(tried(delivery, 'delivered', at));
        sent.push(...claimed);
        if (claimed.length === 0 && at > T0) break;
      }
      const numbers = sent.flatMap(({ sequence, collected }) => [sequence, ...collected]);
      assert.equal(new Set(numbers).size, 300, 'each event once');
      assert.equal(numbers.length, 300);
      assert.ok(sent.length <= MESSAGES_PER_MINUTE + 300 / MAX_COLLECTED + 1, `${sent.length} messages`);
      assert.ok((await deliveriesOf(store)).every(({ state }) => state === 'delivered'));
    });

    test('a collected message that fails is tried again with all that it contains', async (t) => {
      const store = await open(t);
      const { webhooks, notifications } = store;
      await prepared(store);
      for (let n = 1; n <= COLLECTED_FROM + 1; n++) await notifications.tell(told(n));
      const [only, ...others] = await webhooks.claim(claimAt(T0));
      assert.deepEqual([only!.collected.length, others.length], [COLLECTED_FROM, 0]);
      await webhooks.end(tried(only!, 'retry', T0, T0 + 5_000));
      assert.deepEqual(await webhooks.claim(claimAt(T0 + 4_000)), []);
      const [again] = await webhooks.claim(claimAt(T0 + 5_000));
      assert.equal(again!.collected.length, COLLECTED_FROM);
      // Its process died: what it was sending waits again.
      const [taken] = await webhooks.claim(claimAt(T0 + 7_000));
      assert.equal(taken!.collected.length, COLLECTED_FROM);
      assert.equal(await webhooks.end(tried(again!, 'delivered', T0 + 7_000)), false);
      assert.equal(await webhooks.end(tried(taken!, 'delivered', T0 + 7_000)), true);
      assert.ok((await deliveriesOf(store)).every(({ state }) => state === 'delivered'));
    });
  });

  describe(`${name}: notifications`, () => {
    test('an event is told once, if the source tells of it, by the channels of its user', async (t) => {
      const store = await open(t);
      const { notifications, channels } = store;
      await prepared(store);
      await channels.create(channel(2, { userId: BERT }), 10);
      await notifications.setNotify(SOURCE, ANNA, notify({ channels: [channel(1).id, channel(2).id] }));
      await notifications.tell(told(1));
      await notifications.tell(told(1));
      await notifications.tell(told(2, { event: 'done', type: 'monitor.done' }));
      await notifications.tell(told(1, { sourceId: idAt(T0, 701) }));
      const [only, ...others] = await listOf(store);
      assert.equal(others.length, 0);
      assert.partialDeepStrictEqual(only, {
        userId: ANNA,
        sourceId: SOURCE,
        sequence: 1,
        type: 'monitor.changed',
        title: 'Prices',
        facts: { summary: 'One line.' },
        readAt: null,
      });
      assert.deepEqual(await notifications.get(only!.number), only);
      const [delivery] = await deliveriesOf(store);
      assert.partialDeepStrictEqual(delivery, {
        sequence: only!.number,
        type: 'monitor.changed',
        userId: ANNA,
      });
      assert.deepEqual(
        await deliveriesOf(store, channel(2).id),
        [],
        'a channel of somebody else gets nothing',
      );
      assert.deepEqual(await listOf(store, BERT), []);
    });

    test('the end of a run of a monitor is told with it', async (t) => {
      const store = await open(t);
      const { monitors } = store;
      await store.channels.create(channel(1), 10);
      const made = monitor(1, { notify: notify() });
      await monitors.create(made, 10);
      const runEnd = {
        result: null as never,
        scrapeId: null,
        snapshot: null,
        errors: 0,
        isGone: false,
        facts: { summary: 'One line.' },
        now: T0 + 200,
      };
      const result = { state: 'changed', pages: [], counts: null, incomplete: null } as never;
      const begin = async (n: number) =>
        (await monitors.begin(made.id, { dueAt: null, nextAt: null, jobId: idAt(T0, 900 + n), now: T0 }))!;
      const first = await begin(1);
      const end = { ...runEnd, result, event: 'changed' as const };
      assert.equal(await monitors.endRun(made.id, first, end), true);
      assert.equal(await monitors.endRun(made.id, first, { ...end, now: T0 + 300 }), false);
      const abandoned = await begin(2);
      await monitors.endRun(made.id, abandoned, { ...end, event: null });
      await monitors.endRun(made.id, abandoned, { ...end, now: T0 + 400 });
      await monitors.endRun(made.id, await begin(3), { ...end, event: 'done' });
      const found = await listOf(store);
      assert.deepEqual(
        found.map(({ type, sequence }) => [type, sequence]),
        [['monitor.changed', first]],
      );
      assert.equal((await deliveriesOf(store)).length, 1);
      await monitors.update(made.id, { name: 'Offers' });
      assert.equal((await store.notifications.notifyOf(made.id))?.title, 'Offers');
      await monitors.update(made.id, { notify: notify({ events: [], channels: [] }) });
      await monitors.endRun(made.id, await begin(4), end);
      assert.equal((await listOf(store)).length, 1);
      await monitors.delete(made.id);
      assert.equal(await store.notifications.notifyOf(made.id), null);
    });

    test('the end of a job is told with it; an asynchronous scrape fails with its item', async (t) => {
      const store = await open(t);
      const { jobs } = store;
      await store.channels.create(channel(1), 10);
      const run = async (n: number, kind: 'batch' | 'scrape', state: 'ok' | 'failed') => {
        const settings = job(n, {
          kind,
          notify: notify({ source: kind === 'batch' ? 'job' : 'scrape', events: ['done', 'failed'] }),
        });
        await jobs.create(settings);
        await jobs.add(settings.id, [item(`https://a.test/${n}`)], T0);
        await jobs.start(settings.id, T0, { openJobs: 10, queuedItems: 10 });
        const { items } = await jobs.claim({
          jobs: [{ id: settings.id, limit: 1 }],
          now: T0,
          leaseUntil: T0 + 10_000,
          perHost: 10,
        });
        await jobs.end(items.map((claimed) => ended(claimed, { state })));
        return settings.id;
      };
      const batch = await run(1, 'batch', 'ok');
      const scrape = await run(2, 'scrape', 'failed');
      const found = (await listOf(store)).toReversed();
      assert.deepEqual(
        found.map(({ type, sourceId, facts: { ok, failed } }) => [type, sourceId, ok, failed]),
        [
          ['job.done', batch, 1, 0],
          ['scrape.failed', scrape, 0, 1],
        ],
      );
      assert.equal((await deliveriesOf(store)).length, 2);
      await jobs.delete(batch);
      assert.equal(await store.notifications.notifyOf(batch), null);
    });

    test('reading, page by page, and marking as read', async (t) => {
      const store = await open(t);
      const { notifications } = store;
      await prepared(store, { channels: [] });
      for (let n = 1; n <= 5; n++) await notifications.tell(told(n));
      const all = await listOf(store);
      const [first, second] = all;
      assert.equal(await notifications.countUnread(ANNA), 5);
      assert.equal(await notifications.markRead(BERT, { upTo: first!.number }, T0), 0);
      assert.equal(await notifications.markRead(ANNA, { numbers: [second!.number] }, T0 + 1), 1);
      assert.equal(await notifications.markRead(ANNA, { numbers: [second!.number] }, T0 + 2), 0);
      assert.equal((await notifications.get(second!.number))?.readAt, T0 + 1);
      const page = await notifications.list({ userId: ANNA, unread: true }, 2, first!.number);
      assert.deepEqual(page, all.slice(2, 4));
      assert.equal(await notifications.markRead(ANNA, { upTo: first!.number }, T0 + 3), 4);
      assert.equal(await notifications.countUnread(ANNA), 0);
    });

    test('old notifications are deleted, and numbers are not given again', async (t) => {
      const store = await open(t);
      const { notifications } = store;
      await prepared(store, { channels: [] });
      await notifications.tell(told(1, { at: T0 }));
      await notifications.tell(told(2, { at: T0 + 10 }));
      const [last] = await listOf(store);
      assert.equal(await notifications.sweep(T0 + 5, 100, 10), 1);
      assert.deepEqual(
        (await listOf(store)).map(({ sequence }) => sequence),
        [2],
      );
      await notifications.sweep(T0 + 50, 100, 10);
      await notifications.tell(told(3, { at: T0 + 60 }));
      const [newest] = await listOf(store);
      assert.ok(newest!.number > last!.number);
    });
  });
}
