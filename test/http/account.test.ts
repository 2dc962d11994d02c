import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { KEY_CREATE, KEY_PATCH, KEY_ROTATE, keyObject } from '../../src/http/endpoints/keys.ts';
import { USER_CREATE, USER_PATCH } from '../../src/http/endpoints/users.ts';
import { userObject } from '../../src/http/operations/user-object.ts';
import { responseValidator } from '../helpers/openapi.ts';

const pointers = (parsed: { readonly problems: readonly { readonly pointer?: string }[] | null }) =>
  parsed.problems?.map((problem) => problem.pointer);

describe('JSON of keys', () => {
  test('the body of a create request is read', () => {
    assert.deepEqual(KEY_CREATE.parse({ name: 'production' }).value, { name: 'production' });
    assert.deepEqual(
      KEY_CREATE.parse({
        name: 'n',
        expires_at: '2027-01-31T12:00:00Z',
        scopes: ['scrape', 'admin'],
        domains: ['example.com'],
        ips: ['192.0.2.0/24'],
        daily_budget: { amount: 5, unit: 'scrapes' },
        concurrency: 3,
      }).value,
      {
        name: 'n',
        expiresAt: Date.UTC(2027, 0, 31, 12),
        scopes: ['scrape', 'admin'],
        domains: ['example.com'],
        ips: ['192.0.2.0/24'],
        dailyBudget: { amount: 5, unit: 'scrapes' },
        concurrency: 3,
      },
    );
  });

  const REFUSED: readonly (readonly [body: unknown, pointer: string])[] = [
    [null, ''],
    [[], ''],
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(101) }, '/name'],
    [{ name: 'n', expires_at: 'tomorrow' }, '/expires_at'],
    [{ name: 'n', expires_at: 5 }, '/expires_at'],
    [{ name: 'n', scopes: [] }, '/scopes'],
    [{ name: 'n', scopes: ['write'] }, '/scopes/0'],
    [{ name: 'n', domains: 'x' }, '/domains'],
    [{ name: 'n', daily_budget: { amount: -1, unit: 'scrapes' } }, '/daily_budget/amount'],
    [{ name: 'n', daily_budget: { amount: '1', unit: 'scrapes' } }, '/daily_budget/amount'],
    [{ name: 'n', daily_budget: { amount: 1 } }, '/daily_budget/unit'],
    [{ name: 'n', daily_budget: { amount: 1, unit: 'euro' } }, '/daily_budget/unit'],
    [{ name: 'n', concurrency: 0 }, '/concurrency'],
    [{ name: 'n', admin: true }, '/admin'],
  ];
  for (const [body, pointer] of REFUSED) {
    test(`refused: ${JSON.stringify(body)}`, () =>
      assert.deepEqual(pointers(KEY_CREATE.parse(body)), [pointer]));
  }

  test('in a create or rotate request, null has the same meaning as an absent member', () => {
    const nulls = { scopes: null, domains: null, ips: null, expires_at: null, daily_budget: null };
    assert.deepEqual(KEY_CREATE.parse({ name: 'n', concurrency: null, ...nulls }).value, { name: 'n' });
    assert.deepEqual(pointers(KEY_CREATE.parse({ name: null, ...nulls })), ['/name']);
    assert.deepEqual(KEY_ROTATE.parse({ overlap_hours: null }).value, { overlapHours: 0 });
    assert.deepEqual(USER_CREATE.parse({ email: 'a@b.c', role: null, password: null }).value, {
      email: 'a@b.c',
    });
  });

  test('in a change request, null removes a limit, and an absent member does not change it', () => {
    assert.deepEqual(KEY_PATCH.parse({}).value, {});
    assert.deepEqual(KEY_PATCH.parse({ expires_at: null, daily_budget: null, concurrency: null }).value, {
      expiresAt: null,
      dailyBudget: null,
      concurrency: null,
    });
    assert.deepEqual(pointers(KEY_PATCH.parse({ name: null, key: 'x' })), ['/name', '/key']);
  });

  test('a rotate request has an overlap of 0 to 24 hours', () => {
    assert.deepEqual(KEY_ROTATE.parse({}).value, { overlapHours: 0 });
    assert.deepEqual(KEY_ROTATE.parse({ overlap_hours: 24 }).value, { overlapHours: 24 });
    assert.deepEqual(pointers(KEY_ROTATE.parse({ overlap_hours: 25 })), ['/overlap_hours']);
  });

  test('a key is returned without its hash', () => {
    const facts = {
      id: 'k1',
      userId: 'u',
      hash: new Uint8Array(32),
      name: 'n',
      prefix: 'slc_live_k1',
      last4: 'abcd',
      createdAt: 0,
      lastUsedAt: 1000,
      expiresAt: null,
      revokedAt: null,
      scopes: ['scrape'] as const,
      domains: [],
      ips: [],
      dailyBudget: null,
      concurrency: null,
    };
    const object = keyObject(facts, { requests: 7, cost: 0.5 });
    assert.deepEqual(Object.keys(object), [
      'id',
      'name',
      'test',
      'prefix',
      'last4',
      'created_at',
      'last_used_at',
      'expires_at',
      'revoked_at',
      'scopes',
      'domains',
      'ips',
      'daily_budget',
      'concurrency',
      'requests_today',
      'cost_today',
    ]);
    assert.equal(object.requests_today, 7);
    assert.equal(object.cost_today, 0.5);
    assert.equal(object.last_used_at, '1970-01-01T00:00:01.000Z');
    const shown = { ...object, user_id: 'u', user_email: 'a@b.test', scrapes_30d: 9, cost_30d: null };
    assert.deepEqual(responseValidator('getKey', 200)(shown), []);
    assert.deepEqual(responseValidator('listKeys', 200)({ items: [shown] }), []);
    assert.deepEqual(responseValidator('createKey', 201)({ ...object, key: 'slc_live_text' }), []);
    assert.notDeepEqual(responseValidator('getKey', 200)({ ...shown, key: 'slc_live_text' }), []);
  });
});

describe('JSON of users', () => {
  test('the bodies of create and change requests are read, and errors do not show the password', () => {
    assert.deepEqual(
      USER_CREATE.parse({ email: 'a@b.test', role: 'admin', concurrency: 5, password: 'long enough' }).value,
      {
        email: 'a@b.test',
        role: 'admin',
        concurrency: 5,
        password: 'long enough',
      },
    );
    assert.deepEqual(USER_PATCH.parse({ disabled: true, concurrency: null }).value, {
      disabled: true,
      concurrency: null,
    });
    assert.deepEqual(pointers(USER_CREATE.parse({ role: 'root' })), ['/email', '/role']);
    assert.deepEqual(pointers(USER_PATCH.parse({ email: 'x', disabled: 1 })), ['/email', '/disabled']);
    const short = USER_CREATE.parse({ email: 'a@b.test', password: 'geheim' });
    assert.deepEqual(pointers(short), ['/password']);
    assert.doesNotMatch(JSON.stringify(short), /geheim/);
  });

  test('a user is returned with the limit that applies, and without the password hash', () => {
    const facts = {
      id: 'u',
      email: 'a@b.test',
      role: 'user' as const,
      passwordHash: '$scrypt$never shown',
      concurrency: null,
      disabledAt: null,
      createdAt: 0,
      limits: {},
      lastSeenAt: null,
    };
    const object = userObject(facts, {
      defaultConcurrency: 50,
      lastSeenAt: 60_000,
      inFlight: 3,
      hasSecondFactor: true,
      hasIdentity: false,
    });
    assert.deepEqual(object, {
      id: 'u',
      email: 'a@b.test',
      role: 'user',
      concurrency: 50,
      job_concurrency: 20,
      limits: {
        open_jobs: 1_000,
        queued_items: 1_000_000,
        monitors: 500,
        schedules: 500,
        datasets: 100,
        profiles: 100,
        templates: 100,
        streams: 20,
      },
      concurrency_is_default: true,
      disabled_at: null,
      created_at: '1970-01-01T00:00:00.000Z',
      has_password: true,
      has_second_factor: true,
      has_identity: false,
      last_seen_at: '1970-01-01T00:01:00.000Z',
      in_flight: 3,
    });
    const shown = { ...object, last_used_at: null, scrapes_30d: 9, cost_30d: 0.5 };
    assert.deepEqual(responseValidator('getUser', 200)(shown), []);
    assert.deepEqual(responseValidator('listUsers', 200)({ items: [shown] }), []);
  });
});
