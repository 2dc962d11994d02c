import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { ClaimedDelivery, NewWebhook, WebhookEvent } from '../../src/domain/webhooks.ts';
import type { Store } from '../../src/ports/store.ts';
import type { DeliveryClaim, DeliveryEnd } from '../../src/ports/webhooks.ts';
import { ANNA, BERT, ended, idAt, item, job, T0 } from './samples.ts';

const ALL: readonly WebhookEvent[] = ['started', 'page', 'item_failed', 'done', 'failed', 'cancelled'];
const CLAIM: DeliveryClaim = {
  now: T0,
  leaseUntil: T0 + 1_000,
  limit: 100,
  perReceiver: 4,
  breakAfter: 3,
  breakMs: 60_000,
};

const hook = (change: Partial<NewWebhook> = {}): NewWebhook => ({
  source: 'job',
  receiver: 'anna https://a.test',
  events: ALL,
  spec: new Uint8Array([7]),
  ...change,
});

/** Starts a job of `pages` items. */
async function started({ jobs }: Store, n: number, webhook: NewWebhook | null, pages: number) {
  const settings = job(n, { perHost: 1_000, webhook });
  const { id } = settings;
  await jobs.create(settings);
  const items = Array.from({ length: pages }, (_, page) => item(`https://a.test/${page}`));
  await jobs.add(id, items, T0);
  await jobs.start(id, T0, { openJobs: 100, queuedItems: 1_000 });
  return settings;
}

/** Runs a job of `pages` items that all end, so that its events are stored. */
async function runJob(store: Store, n: number, webhook: NewWebhook | null, pages = 1): Promise<string> {
  const { id } = await started(store, n, webhook, pages);
  const request = { jobs: [{ id, limit: pages }], now: T0, leaseUntil: T0 + 10_000, perHost: 1_000 };
  const { items } = await store.jobs.claim(request);
  await store.jobs.end(items.map((claimed) => ended(claimed)));
  return id;
}

const sent = (
  { number, lease }: ClaimedDelivery,
  result: DeliveryEnd['result'],
  change: Partial<DeliveryEnd> = {},
): DeliveryEnd => ({
  number,
  lease,
  result,
  status: 200,
  error: null,
  durationMs: 5,
  answer: null,
  nextAt: T0 + 5_000,
  now: T0,
  ...change,
});

const ANNAS = { userId: ANNA, sourceId: null, state: null } as const;

/** What the WebhookStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function webhookStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: webhooks`, () => {
    test('events that the webhook asks for become deliveries, with the numbers of the events', async (t) => {
      const store = await open(t);
      const id = await runJob(store, 1, hook({ events: ['page', 'done'] }), 2);
      await runJob(store, 2, null);
      const events = await store.jobs.events(id, 0, 10);
      const deliveries = (await store.webhooks.list(ANNAS, 10, null)).toReversed();
      assert.deepEqual(
        deliveries.map(({ sequence, type, item }) => [sequence, type, item]),
        events
          .filter(({ type }) => type === 'page' || type === 'done')
          .map(({ sequence, type, item }) => [sequence, `job.${type}`, item]),
      );
      assert.equal(deliveries.length, 3);
      assert.deepEqual(await store.webhooks.list({ ...ANNAS, userId: BERT }, 10, null), []);
    });

    test('an asynchronous scrape ends with its item', async (t) => {
      const store = await open(t);
      await runJob(store, 1, hook({ source: 'scrape' }));
      const types = (await store.webhooks.list(ANNAS, 10, null)).map(({ type }) => type);
      assert.deepEqual(types.toReversed(), ['scrape.started', 'scrape.done']);
    });

    test('a receiver gets only some at once, and does not delay others', async (t) => {
      const store = await open(t);
      await runJob(store, 1, hook({ events: ['page'] }), 10);
      await runJob(store, 2, hook({ events: ['page'], receiver: 'anna https://b.test' }), 2);
      const { webhooks } = store;
      assert.equal(await webhooks.nextDue(), T0);
      const claimed = await webhooks.claim(CLAIM);
      assert.equal(claimed.length, 6);
      assert.deepEqual(await webhooks.claim(CLAIM), []);
      const [first] = claimed;
      assert.partialDeepStrictEqual(first, { state: 'sending', tries: 1, spec: new Uint8Array([7]) });
      assert.equal(await webhooks.end(sent(first!, 'delivered')), true);
      assert.equal((await webhooks.claim(CLAIM)).length, 1);
    });

    test('the end of a try is stored once, and only with the latest lease', async (t) => {
      const store = await open(t);
      const { webhooks } = store;
      await runJob(store, 1, hook({ events: ['done'] }));
      const [late] = await webhooks.claim(CLAIM);
      const [again] = await webhooks.claim({ ...CLAIM, now: T0 + 2_000, leaseUntil: T0 + 3_000 });
      assert.equal(again!.number, late!.number);
      assert.equal(await webhooks.end(sent(late!, 'delivered')), false);
      const answer = new Uint8Array([65]);
      assert.equal(await webhooks.end(sent(again!, 'retry', { status: 500, error: 'no', answer })), true);
      assert.equal(await webhooks.end(sent(again!, 'delivered')), false);
      const [stored] = await webhooks.list(ANNAS, 1, null);
      assert.partialDeepStrictEqual(stored, { state: 'queued', tries: 2, status: 500, error: 'no', answer });
      assert.equal(await webhooks.nextDue(), T0 + 5_000);
      assert.deepEqual(await webhooks.claim({ ...CLAIM, now: T0 + 4_000 }), []);
    });

    test('what a dead process was sending waits again', async (t) => {
      const store = await open(t);
      await runJob(store, 1, hook({ events: ['done'] }));
      assert.equal((await store.webhooks.claim(CLAIM)).length, 1);
      await store.webhooks.recover(T0);
      assert.equal((await store.webhooks.claim(CLAIM)).length, 1);
    });

    test('what a dead process was sending is due when its lease has ended', async (t) => {
      const store = await open(t);
      const { webhooks } = store;
      await runJob(store, 1, hook({ events: ['done'] }));
      const [first] = await webhooks.claim(CLAIM);
      assert.equal(await webhooks.nextDue(), CLAIM.leaseUntil);
      assert.deepEqual(await webhooks.claim({ ...CLAIM, now: CLAIM.leaseUntil }), []);
      const [again] = await webhooks.claim({ ...CLAIM, now: CLAIM.leaseUntil + 1 });
      assert.deepEqual([again?.number, again?.lease], [first!.number, first!.lease + 1]);
    });

    test('a receiver that fails again and again is asked rarely, until it answers', async (t) => {
      const store = await open(t);
      const { webhooks } = store;
      await runJob(store, 1, hook({ events: ['page'] }), 12);
      const [a, b, c, d] = await webhooks.claim(CLAIM);
      for (const delivery of [a!, b!, c!]) await webhooks.end(sent(delivery, 'retry', { status: 500 }));
      await webhooks.end(sent(d!, 'retry', { status: null }));
      const one = await webhooks.claim(CLAIM);
      assert.equal(one.length, 1);
      await webhooks.end(sent(one[0]!, 'retry'));
      assert.deepEqual(await webhooks.claim(CLAIM), []);
      const later = { ...CLAIM, now: T0 + 60_000, leaseUntil: T0 + 61_000 };
      const [next, ...others] = await webhooks.claim(later);
      assert.deepEqual(others, []);
      await webhooks.end(sent(next!, 'delivered'));
      assert.equal((await webhooks.claim(later)).length, 4);
    });

    test('a receiver that is gone gets nothing more of the job', async (t) => {
      const store = await open(t);
      const { webhooks } = store;
      const id = await runJob(store, 1, hook(), 6);
      const [first, second] = await webhooks.claim(CLAIM);
      await webhooks.end(sent(first!, 'gone', { status: 410, error: 'gone' }));
      await webhooks.end(sent(second!, 'delivered'));
      const states = (await webhooks.list(ANNAS, 20, null)).map(({ state }) => state);
      assert.equal(states.filter((state) => state === 'queued').length, 0);
      await store.jobs.retryFailed(id, T0);
      assert.equal((await webhooks.list(ANNAS, 20, null)).length, states.length);
    });

    test('a delivery that has ended can be sent again; one that waits cannot', async (t) => {
      const store = await open(t);
      const { webhooks } = store;
      const id = await runJob(store, 1, hook({ events: ['done'] }));
      const [delivery] = await webhooks.list(ANNAS, 1, null);
      const { sequence } = delivery!;
      assert.equal(await webhooks.redeliver(id, sequence, T0), false);
      await webhooks.end(sent((await webhooks.claim(CLAIM))[0]!, 'delivered'));
      assert.equal(await webhooks.redeliver(id, sequence, T0 + 9), true);
      assert.partialDeepStrictEqual(await webhooks.get(id, sequence, ANNA), {
        state: 'queued',
        tries: 0,
        nextAt: T0 + 9,
      });
      assert.equal(await webhooks.get(id, sequence, BERT), null);
    });

    test('what has waited too long is given up; what is old is deleted', async (t) => {
      const store = await open(t);
      const { webhooks } = store;
      await runJob(store, 1, hook({ events: ['page'] }), 3);
      await webhooks.addTest(idAt(T0 + 9), ANNA, hook({ source: 'test' }), T0);
      assert.equal(await webhooks.giveUp(T0, 'late', 10), 0);
      assert.equal(await webhooks.giveUp(T0 + 1, 'late', 2), 2);
      assert.equal(await webhooks.giveUp(T0 + 1, 'late', 10), 2);
      assert.equal(await webhooks.nextDue(), null);
      assert.equal(await webhooks.sweep(T0, 10), 0);
      assert.equal(await webhooks.sweep(T0 + 1, 10), 4);
      assert.deepEqual(await webhooks.list(ANNAS, 10, null), []);
    });

    test('what a delivery sends is kept until it has ended, in whatever way', async (t) => {
      const store = await open(t);
      const { jobs, webhooks } = store;
      const content = new Uint8Array([1, 2, 3]);
      const pages = async (n: number, events: readonly WebhookEvent[], count: number) => {
        const { id } = await started(store, n, hook({ events, receiver: `anna https://${n}.test` }), count);
        const request = { jobs: [{ id, limit: count }], now: T0, leaseUntil: T0 + 10_000, perHost: 1_000 };
        const { items } = await jobs.claim(request);
        await jobs.end(items.map((claimed) => ended(claimed, { webhookContent: content })));
        return id;
      };
      await pages(1, ['page', 'done'], 3);
      await pages(2, ['done'], 1);
      const claimed = await webhooks.claim(CLAIM);
      const ofPages = claimed.filter(({ type }) => type === 'job.page');
      assert.deepEqual(
        claimed.map(({ type, contentBytes }) => [type, contentBytes]).toSorted(),
        [
          ...ofPages.map(() => ['job.page', 3]),
          ...['job.done', 'job.done'].map((type) => [type, 0]),
        ].toSorted(),
      );
      const [first, second, third] = ofPages;
      for (const { number } of ofPages) assert.deepEqual(await webhooks.content(number), content);
      await webhooks.end(sent(first!, 'delivered'));
      await webhooks.end(sent(second!, 'retry'));
      assert.equal(await webhooks.content(first!.number), null);
      assert.deepEqual(await webhooks.content(second!.number), content);
      assert.equal(await webhooks.giveUp(T0 + 1, 'late', 10), 1);
      assert.equal(await webhooks.content(second!.number), null);
      await webhooks.end(sent(third!, 'gone', { status: 410 }));
      assert.equal(await webhooks.content(third!.number), null);

      const deleted = await pages(3, ['page'], 1);
      const [last] = await webhooks.claim(CLAIM);
      assert.deepEqual(await webhooks.content(last!.number), content);
      await jobs.delete(deleted);
      assert.equal(await webhooks.content(last!.number), null);
    });

    test('a deleted job leaves no deliveries', async (t) => {
      const store = await open(t);
      const id = await runJob(store, 1, hook(), 3);
      await store.jobs.delete(id);
      assert.deepEqual(await store.webhooks.list({ ...ANNAS, userId: null }, 10, null), []);
      assert.equal(await store.webhooks.nextDue(), null);
    });

    test('secrets and the default of a user', async (t) => {
      const { webhooks } = await open(t);
      assert.equal(await webhooks.user(ANNA), null);
      await webhooks.setDefaults(ANNA, new Uint8Array([9]));
      await webhooks.insertSecret(ANNA, new Uint8Array([1]));
      await webhooks.insertSecret(ANNA, new Uint8Array([2]));
      const first = { secret: new Uint8Array([1]), previous: null, previousUntil: null };
      assert.partialDeepStrictEqual(await webhooks.user(ANNA), { ...first, defaults: new Uint8Array([9]) });
      await webhooks.rotateSecret(ANNA, new Uint8Array([3]), T0);
      const rotated = { secret: new Uint8Array([3]), previous: new Uint8Array([1]), previousUntil: T0 };
      assert.partialDeepStrictEqual(await webhooks.user(ANNA), rotated);
      await webhooks.setDefaults(ANNA, null);
      assert.equal((await webhooks.user(ANNA))!.defaults, null);
      assert.equal(await webhooks.user(BERT), null);
    });
  });
}
