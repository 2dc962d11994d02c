import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { AlertEvent, AlertInstance } from '../../src/domain/alerts.ts';
import type { AlertRound, NewAlertChannel, NewAlertRule } from '../../src/ports/alerts.ts';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT, idAt, T0 } from './samples.ts';

const CHANNELS = [idAt(T0, 901), idAt(T0, 902), idAt(T0, 903)] as const;

const channel = (index: number): NewAlertChannel => ({
  id: CHANNELS[index]!,
  type: index === 0 ? 'webhook' : 'slack',
  webhook: { source: 'alert', receiver: `anna ${index}`, events: [], spec: new Uint8Array([index]) },
});

const rule = (n: number, change: Partial<NewAlertRule> = {}): NewAlertRule => ({
  id: idAt(T0, n),
  userId: ANNA,
  name: `rule ${n}`,
  kind: 'disk',
  conditions: { subject: null, threshold: 0.9, clearThreshold: 0.8, site: null },
  forS: 60,
  clearForS: 30,
  enabled: true,
  createdAt: T0,
  channels: [],
  ...change,
});

const event = (ruleId: string, n: number, change: Partial<AlertEvent> = {}): AlertEvent => ({
  id: idAt(T0 + n, n),
  ruleId,
  n,
  userId: ANNA,
  state: 'firing',
  at: T0 + n,
  name: 'rule',
  kind: 'disk',
  subject: 'disk',
  value: 0.95,
  threshold: 0.9,
  since: T0,
  summary: 'It is full.',
  isSilenced: false,
  ...change,
});

const firing = (firedN: number): AlertInstance => ({
  subject: 'disk',
  state: 'firing',
  since: T0,
  value: 0.95,
  summary: 'It is full.',
  seenAt: T0 + 1,
  calmSince: null,
  firedN,
  isNotified: true,
});

const round = (id: string, change: Partial<AlertRound>, lastN = 0): AlertRound => ({
  rule: { id, userId: ANNA, name: 'rule', lastN },
  events: [],
  instances: [],
  removed: [],
  late: [],
  now: T0 + 1,
  ...change,
});

const messages = async ({ webhooks }: Store) =>
  (await webhooks.list({ userId: ANNA, sourceId: null, state: null }, 100, null)).map(
    ({ sourceId, sequence, type }) => `${CHANNELS.indexOf(sourceId)} ${sequence} ${type}`,
  );

/** The guarantees of `AlertStore`. */
export function alertStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: AlertStore`, () => {
    test('rules of a user, up to the limit, with their channels in order', async (t) => {
      const { alerts } = await open(t);
      assert.ok(await alerts.create(rule(1, { channels: [channel(1), channel(0)] }), 2));
      assert.ok(await alerts.create(rule(2, { enabled: false }), 2));
      assert.ok(!(await alerts.create(rule(3), 2)));
      assert.ok(await alerts.create(rule(4, { userId: BERT }), 2));
      const [second, first] = await alerts.list(ANNA, 10, null);
      assert.deepEqual([second?.name, first?.name], ['rule 2', 'rule 1']);
      assert.deepEqual(
        first?.channels.map(({ id, spec }) => [id, [...spec]]),
        [
          [CHANNELS[1], [1]],
          [CHANNELS[0], [0]],
        ],
      );
      assert.partialDeepStrictEqual(first, { forS: 60, clearForS: 30, lastN: 0, silencedUntil: null });
      assert.deepEqual(
        (await alerts.list(ANNA, 10, second!.id)).map(({ id }) => id),
        [first.id],
      );
      assert.equal(await alerts.get(first.id, BERT), null);
      assert.deepEqual((await alerts.enabled()).map(({ name: one }) => one).sort(), ['rule 1', 'rule 4']);
    });

    test('an event, its deliveries and its instance are stored together, and by one evaluation only', async (t) => {
      const store = await open(t);
      const { alerts } = store;
      const { id } = rule(1);
      await alerts.create(rule(1, { channels: [channel(0), channel(1)] }), 9);
      const fires = round(id, { events: [event(id, 1)], instances: [firing(1)] });
      await alerts.record(fires);
      assert.deepEqual((await messages(store)).sort(), ['0 1 alert.firing', '1 1 alert.firing']);
      const [found] = await alerts.enabled();
      assert.deepEqual([found?.lastN, found?.instances], [1, [firing(1)]]);
      assert.deepEqual(await alerts.eventOf(CHANNELS[0], 1), event(id, 1));
      assert.equal(await alerts.eventOf(CHANNELS[0], 2), null);
      // Another service has read the rule before.
      const other = {
        ...fires,
        instances: [{ ...firing(1), value: 7 }],
        events: [event(id, 1, { id: idAt(T0, 77) })],
      };
      await assert.rejects(alerts.record(other));
      assert.equal((await messages(store)).length, 2);
      assert.equal((await alerts.enabled())[0]?.instances[0]?.value, 0.95);
      const resolved = event(id, 2, { state: 'resolved', value: null, isSilenced: true });
      await alerts.record(round(id, { events: [resolved], removed: ['disk'] }, 1));
      assert.equal((await messages(store)).length, 2, 'silenced');
      assert.deepEqual((await alerts.get(id, ANNA))?.instances, []);
      assert.deepEqual(await alerts.events({ userId: ANNA, ruleId: null }, 10, null), [
        resolved,
        event(id, 1),
      ]);
      assert.deepEqual(await alerts.events({ userId: ANNA, ruleId: id }, 10, resolved.id), [event(id, 1)]);
      assert.deepEqual(await alerts.events({ userId: BERT, ruleId: null }, 10, null), []);
      const sent = await alerts.deliveries([event(id, 1).id, resolved.id]);
      assert.deepEqual(sent.map(({ eventId, type, state }) => [eventId, type, state]).sort(), [
        [event(id, 1).id, 'slack', 'queued'],
        [event(id, 1).id, 'webhook', 'queued'],
      ]);
    });

    test('a silenced event can be sent later', async (t) => {
      const store = await open(t);
      const { alerts } = store;
      const { id } = rule(1);
      await alerts.create(rule(1, { channels: [channel(0)] }), 9);
      const instance = { ...firing(1), isNotified: false };
      await alerts.record(round(id, { events: [event(id, 1, { isSilenced: true })], instances: [instance] }));
      assert.deepEqual(await messages(store), []);
      await alerts.record(round(id, { late: [1], instances: [firing(1)] }, 1));
      assert.deepEqual(await messages(store), ['0 1 alert.firing']);
      assert.deepEqual((await alerts.get(id, ANNA))?.instances, [firing(1)]);
      assert.equal((await alerts.eventOf(CHANNELS[0], 1))?.isSilenced, false);
    });

    test('removed channels get nothing more, and are swept when their deliveries are', async (t) => {
      const store = await open(t);
      const { alerts, webhooks } = store;
      const { id } = rule(1);
      await alerts.create(rule(1, { channels: [channel(0), channel(1)] }), 9);
      await alerts.record(round(id, { events: [event(id, 1)] }));
      await alerts.update(id, {
        name: 'new',
        forS: 5,
        silencedUntil: T0,
        channels: [channel(2), CHANNELS[1]],
      });
      const changed = await alerts.get(id, ANNA);
      assert.partialDeepStrictEqual(changed, { name: 'new', forS: 5, clearForS: 30, silencedUntil: T0 });
      assert.deepEqual(
        changed?.channels.map((one) => one.id),
        [CHANNELS[2], CHANNELS[1]],
      );
      await alerts.record(round(id, { events: [event(id, 2)] }, 1));
      assert.deepEqual((await messages(store)).filter((text) => text.includes(' 2 ')).sort(), [
        '1 2 alert.firing',
        '2 2 alert.firing',
      ]);
      await alerts.sweep(T0 + 2);
      assert.deepEqual(
        (await alerts.events({ userId: ANNA, ruleId: null }, 10, null)).map(({ n }) => n),
        [2],
      );
      assert.equal(
        (await messages(store)).length,
        4,
        'the deliveries of the removed channel are still listed',
      );
      await webhooks.sweep(T0 + 1_000, 100);
      await alerts.sweep(0);
      assert.equal(await webhooks.webhookOf(CHANNELS[0]), null);
      assert.notEqual(await webhooks.webhookOf(CHANNELS[1]), null);
    });

    test('a rule that is switched off forgets what fires; a deleted one leaves nothing that waits', async (t) => {
      const store = await open(t);
      const { alerts, webhooks } = store;
      const { id } = rule(1);
      await alerts.create(rule(1, { channels: [channel(0)] }), 9);
      await alerts.record(round(id, { events: [event(id, 1)], instances: [firing(1)] }));
      await alerts.update(id, { enabled: false });
      assert.partialDeepStrictEqual(await alerts.get(id, ANNA), { enabled: false, instances: [], lastN: 1 });
      assert.notEqual(await webhooks.nextDue(), null);
      await alerts.delete(id);
      assert.equal(await alerts.get(id, ANNA), null);
      assert.deepEqual(await alerts.events({ userId: ANNA, ruleId: null }, 10, null), []);
      assert.equal(await webhooks.nextDue(), null);
    });
  });
}
