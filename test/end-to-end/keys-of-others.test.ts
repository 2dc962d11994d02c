import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { createUser } from '../helpers/users.ts';
import { newUser, signIn } from '../helpers/visitor.ts';

interface Key {
  readonly id: string;
  readonly user_id: string;
  readonly user_email: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  readonly scrapes_30d: number;
  readonly cost_30d: number | null;
}

interface User {
  readonly id: string;
  readonly last_seen_at: string | null;
  readonly last_used_at: string | null;
  readonly scrapes_30d: number;
}

describe('keys and users, as administrators see them', () => {
  const service = useService();
  const site = useSite();
  const keysOf = (query: string, key?: string) =>
    service.api<{ items: Key[] }>('GET', `/api/v1/keys/${query}`, key === undefined ? {} : { key });

  test('the keys of a user, with owner, last use and what they have scraped; never a secret', async () => {
    const bert = await createUser(service);
    await service.api('POST', '/api/v1/scrape/', {
      key: bert.key,
      body: { url: `${site.url}/html/10`, scraper: 'http' },
    });
    const [key] = await eventually(async () => {
      const { items } = (await keysOf(`?user_id=${bert.id}`)).body;
      return items[0]!.scrapes_30d === 1 && items;
    });
    assert.deepEqual([key!.user_id, key!.user_email, key!.cost_30d], [bert.id, bert.email, null]);
    assert.ok(key!.last_used_at !== null);
    const all = await keysOf('?user_id=all');
    assert.ok(all.body.items.some(({ id }) => id === key!.id));
    assert.equal(all.text.includes(bert.key.slice(24)), false);
    assert.equal((await service.api<Key>('GET', `/api/v1/keys/${key!.id}/`)).body.scrapes_30d, 1);
    assert.deepEqual(
      (await keysOf('')).body.items.map(({ id }) => id).includes(key!.id),
      false,
      'by default, her own',
    );
    assert.deepEqual((await keysOf('?user_id=nobody')).body.items, []);

    const user = (await service.api<User>('GET', `/api/v1/users/${bert.id}/`)).body;
    assert.equal(user.scrapes_30d, 1);
    assert.ok(user.last_used_at !== null);
    const list = (await service.api<{ items: User[] }>('GET', '/api/v1/users/')).body.items;
    assert.equal(list.find(({ id }) => id === bert.id)!.scrapes_30d, 1);
    const { id: unused } = await newUser(service);
    const nothing = (await service.api<User>('GET', `/api/v1/users/${unused}/`)).body;
    assert.deepEqual([nothing.last_used_at, nothing.last_seen_at, nothing.scrapes_30d], [null, null, 0]);
  });

  test('an administrator revokes the key of a colleague, which is in the audit log; but changes none', async () => {
    const bert = await createUser(service);
    const [key] = (await keysOf(`?user_id=${bert.id}`)).body.items;
    const path = `/api/v1/keys/${key!.id}/`;
    assert.equal((await service.api('PATCH', path, { body: { name: 'mine' } })).status, 404);
    assert.equal((await service.api('POST', `${path}rotate/`)).status, 404);
    assert.equal((await service.api('DELETE', path)).status, 204);
    assert.equal((await service.api('DELETE', path)).status, 404, 'again');
    assert.equal((await service.api('GET', '/api/v1/key/', { key: bert.key })).status, 401);
    const { body } = await service.api<{ items: { action: string; user_id: string }[] }>(
      'GET',
      `/api/v1/audit/?target_id=${key!.id}&action=key.revoked`,
    );
    assert.deepEqual(
      body.items.map(({ action, user_id: of }) => [action, of]),
      [['key.revoked', bert.id]],
    );
  });

  test('users see and revoke their own keys alone; viewers see all and revoke none', async () => {
    const [anna, bert, viewer] = [
      await createUser(service),
      await newUser(service),
      await newUser(service, { role: 'viewer' }),
    ];
    const [annas] = (await keysOf(`?user_id=${anna.id}`)).body.items;
    const path = `/api/v1/keys/${annas!.id}/`;
    // A session has the scope that keys of users lack.
    const user = await signIn(service, bert.email);
    assert.equal((await user.call('GET', `/api/v1/keys/?user_id=${anna.id}`)).status, 400);
    assert.equal((await user.call('GET', '/api/v1/keys/?user_id=all')).status, 400);
    assert.equal((await user.call('GET', `/api/v1/keys/?user_id=${bert.id}`)).status, 200);
    assert.equal((await user.call('GET', path)).status, 404);
    assert.equal((await user.call('DELETE', path)).status, 404);
    const reader = await signIn(service, viewer.email);
    assert.equal((await reader.call('GET', `/api/v1/keys/?user_id=${anna.id}`)).status, 200);
    assert.equal((await reader.call('GET', path)).status, 200);
    assert.equal((await reader.call('DELETE', path)).status, 403);
    assert.equal((await service.api('GET', '/api/v1/key/', { key: anna.key })).status, 200);
  });
});
