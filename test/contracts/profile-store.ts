import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { StoredProfile } from '../../src/domain/profiles.ts';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT, idAt, T0 } from './samples.ts';

const made = (n: number, change: Partial<StoredProfile> = {}): StoredProfile => ({
  ...{ id: idAt(T0 + n), userId: ANNA, name: `p${n}`, sites: ['example.com'], identity: null, exit: null },
  ...{ shared: false, state: 'ready', cookies: 2, bytes: 90, createdAt: T0 + n, refreshedAt: T0 + n },
  ...{ usedAt: null, expiresAt: null, version: 1, sealed: new Uint8Array([1, 2]) },
  ...{ hasCredentials: false, sealedCredentials: null },
  ...change,
});
const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);

/** What the ProfileStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function profileStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: profiles`, () => {
    const list = (userId: string | null, limit = 9, after: string | null = null) => ({
      ...{ userId, limit, after },
      now: T0,
    });

    test('come back as they were made, to their owner, or shared ones to all', async (t) => {
      const { profiles } = await open(t);
      const whole = made(1, {
        identity: { userAgent: 'a', device: null, locale: 'de' },
        exit: { country: 'DE', session: 's' },
        expiresAt: T0 + 1_000,
      });
      assert.equal(await profiles.create(whole, 9), 'created');
      assert.equal(await profiles.create(made(2, { userId: BERT, shared: true }), 9), 'created');
      const found = await profiles.get(ANNA, 'p1', T0);
      assert.deepEqual({ ...found, sealed: Uint8Array.from(found!.sealed) }, whole);
      assert.equal(await profiles.get(BERT, 'p1', T0), null);
      assert.equal((await profiles.get(ANNA, 'p2', T0))!.userId, BERT);
      assert.deepEqual(names(await profiles.list(list(ANNA))), ['p2', 'p1']);
      assert.deepEqual(names(await profiles.list(list(BERT))), ['p2']);
      assert.deepEqual(names(await profiles.list(list(null, 1))), ['p2']);
      assert.deepEqual(names(await profiles.list(list(null, 1, idAt(T0 + 2)))), ['p1']);
      assert.equal('sealed' in (await profiles.list(list(null)))[0]!, false);
    });

    test('a name is taken once by a user, and once by those that are shared; one’s own goes first', async (t) => {
      const { profiles } = await open(t);
      assert.equal(await profiles.create(made(1, { name: 'a', shared: true }), 9), 'created');
      assert.equal(await profiles.create(made(2, { name: 'a' }), 9), 'exists');
      assert.equal(await profiles.create(made(3, { name: 'a', userId: BERT, shared: true }), 9), 'exists');
      assert.equal(await profiles.create(made(4, { name: 'a', userId: BERT }), 9), 'created');
      assert.equal((await profiles.get(BERT, 'a', T0))!.userId, BERT);
      assert.equal(await profiles.update(idAt(T0 + 4), 1, { shared: true }), 'exists');
      assert.equal(await profiles.create(made(5), 1), 'full');
    });

    test('of two changes of one version, one is made', async (t) => {
      const { profiles } = await open(t);
      await profiles.create(made(1), 9);
      const change = (cookies: number) => profiles.update(idAt(T0 + 1), 1, { cookies });
      const results = await Promise.all([change(3), change(4), change(5)]);
      assert.deepEqual(results.toSorted(), ['changed', 'changed', 'updated']);
      const { version, cookies } = (await profiles.get(ANNA, 'p1', T0))!;
      assert.deepEqual([version, cookies], [2, 3 + results.indexOf('updated')]);
      await profiles.touch(idAt(T0 + 1), T0 + 7);
      assert.partialDeepStrictEqual(await profiles.get(ANNA, 'p1', T0), { version: 2, usedAt: T0 + 7 });
    });

    test('its owner is told that it is logged out, once, by the change that made it so', async (t) => {
      const { profiles, notifications, webhooks, channels } = await open(t);
      await profiles.create(made(1), 9);
      const id = idAt(T0 + 1);
      const spec = new Uint8Array([3]);
      const webhook = { source: 'profile', receiver: 'r', events: ['logged_out'], spec } as const;
      const facts = { host: 'example.com', sites: ['example.com'], scrapeId: null };
      const told = { at: T0 + 5, facts, webhook };
      const change = () => profiles.update(id, 1, { state: 'logged_out' }, told);
      const results = await Promise.all([change(), change()]);
      assert.deepEqual(results.toSorted(), ['changed', 'updated']);
      assert.equal(await profiles.update(id, 1, { state: 'ready' }, told), 'changed');
      assert.equal(await profiles.update(id, 2, { state: 'ready' }), 'updated');
      const all = await notifications.list({ userId: ANNA, unread: false }, 9, null);
      assert.deepEqual(
        all.map(({ type, sequence, title }) => [type, sequence, title]),
        [['profile.logged_out', 2, 'p1']],
      );
      assert.deepEqual((await notifications.find(id, 2))!.facts, facts);
      assert.equal(await notifications.find(id, 3), null);
      const filter = { userId: ANNA, sourceId: id, state: null };
      const deliveries = await webhooks.list(filter, 9, null);
      assert.deepEqual(
        deliveries.map(({ type, sequence, source }) => [type, sequence, source]),
        [['profile.logged_out', 2, 'profile']],
      );
      // The next time there is no webhook, and then another one.
      const again = (version: number, to: Parameters<typeof profiles.update>[3]) =>
        profiles.update(id, version, { state: 'logged_out' }, to);
      assert.equal(await again(3, { ...told, webhook: null }), 'updated');
      assert.equal((await webhooks.list(filter, 9, null)).length, 1);
      assert.equal(await again(4, { ...told, webhook: { ...webhook, receiver: 'q' } }), 'updated');
      assert.equal((await webhooks.list(filter, 9, null)).length, 2);
      // And then a channel.
      const channel = idAt(T0 + 2);
      const place = { ...webhook, source: 'channel' } as const;
      await channels.create(
        { id: channel, userId: ANNA, name: 'c', type: 'webhook', createdAt: T0, webhook: place },
        9,
      );
      const notify = { source: 'profile', title: null, events: [], channels: [channel] } as const;
      await notifications.setNotify(id, ANNA, notify);
      assert.equal(await again(5, { ...told, webhook: null }), 'updated');
      const toChannel = await webhooks.list({ ...filter, sourceId: channel }, 9, null);
      assert.deepEqual(
        toChannel.map(({ type, sequence, source }) => [type, sequence, source]),
        [['profile.logged_out', (await notifications.find(id, 6))!.number, 'channel']],
      );
      assert.deepEqual(
        (await channels.uses([channel], 9)).map(({ source, name }) => [source, name]),
        [['profile', 'p1']],
      );
      assert.equal(await profiles.delete(id), true);
      const left = await webhooks.list(filter, 9, null);
      assert.deepEqual(
        left.map(({ source }) => source),
        ['channel'],
      );
      assert.equal(await notifications.notifyOf(id), null);
    });

    test('an expired one is not found, does not hold its name, and is swept', async (t) => {
      const { profiles } = await open(t);
      await profiles.create(made(1, { name: 'a', expiresAt: T0 + 2, shared: true }), 9);
      assert.equal(await profiles.get(ANNA, 'a', T0 + 2), null);
      assert.deepEqual(await profiles.list({ ...list(ANNA), now: T0 + 2 }), []);
      assert.equal(await profiles.create(made(3, { name: 'a', expiresAt: T0 + 9 }), 9), 'created');
      await profiles.sweep(T0 + 9);
      assert.equal(await profiles.delete(idAt(T0 + 3)), false);
      await profiles.create(made(4), 9);
      assert.deepEqual([await profiles.delete(made(4).id), await profiles.delete(made(4).id)], [true, false]);
    });
  });
}
