import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { eventually, useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { createUser } from '../helpers/users.ts';

interface Trial {
  readonly step_seconds: number;
  readonly fired: number;
  readonly left_out: number;
  readonly items: readonly {
    readonly subject: string;
    readonly label: string;
    readonly points: readonly { readonly at: string; readonly value: number | null }[];
    readonly firings: readonly {
      readonly at: string;
      readonly resolved_at: string | null;
      readonly value: number;
    }[];
  }[];
}

interface Rule {
  readonly id: string;
  readonly user_id: string;
  readonly conditions: Readonly<Record<string, unknown>>;
  readonly channels: readonly { readonly url: string | null }[];
}

/** Nothing is sent there: the rules are switched off. */
const CHANNELS = [{ type: 'slack', url: 'https://8.8.8.8/services/T000/B000/XXXX' }];

describe('alerts about metrics', () => {
  const service = useService();
  const site = useSite();
  const create = (conditions: object, key?: string) =>
    service.api<Rule & { errors: { pointer: string }[] }>('POST', '/api/v1/alerts/', {
      body: { name: 'a rule', kind: 'metric', conditions, channels: CHANNELS, enabled: false },
      ...(key === undefined ? {} : { key }),
    });
  const attempt = (conditions: object, more: object = {}) =>
    service.api<Trial>('POST', '/api/v1/alerts/try/', { body: { kind: 'metric', conditions, ...more } });

  test('a rule has its defaults, and can be read and changed', async () => {
    const { status, body } = await create({ metric: 'blocked_rate', scope: 'host', threshold: 0.3 });
    assert.equal(status, 201);
    assert.deepEqual(body.conditions, {
      ...{ subject: null, threshold: 0.3, clear_threshold: 0.3, metric: 'blocked_rate', scope: 'host' },
      ...{ op: '>=', all_users: false, window_s: 3_600, min_scrapes: 20 },
    });
    const left = await create({ metric: 'budget_left', scope: 'key', threshold: 0.2 });
    assert.equal(left.body.conditions.op, '<=');
    assert.equal('window_s' in left.body.conditions, false);
    const changed = await service.api<Rule>('PATCH', `/api/v1/alerts/${body.id}/`, {
      body: { conditions: { metric: 'scrapes', scope: 'host', op: '<=', threshold: 0, subject: 'A.Test' } },
    });
    assert.equal(changed.body.conditions.subject, 'a.test');
    for (const { id } of [body, left.body]) await service.api('DELETE', `/api/v1/alerts/${id}/`);
  });

  test('what cannot be a rule is refused with a pointer', async () => {
    const { key } = await createUser(service);
    const others = await service.api<{ id: string }>('GET', '/api/v1/key/', { key });
    const revoked = (
      await service.api<{ id: string }>('POST', '/api/v1/keys/', { body: { name: 'to be revoked' } })
    ).body.id;
    await service.api('DELETE', `/api/v1/keys/${revoked}/`);
    const good = { metric: 'error_rate', threshold: 0.5 };
    const cases: readonly [object, string][] = [
      [{ threshold: 0.5 }, 'metric'],
      [{ metric: 'error_rate' }, 'threshold'],
      [{ ...good, threshold: 1.1 }, 'threshold'],
      [{ ...good, threshold: 0 }, 'threshold'],
      [{ ...good, threshold: -1 }, 'threshold'],
      [{ ...good, threshold: 'NaN' }, 'threshold'],
      [{ metric: 'scrapes', threshold: 1e308 }, 'threshold'],
      [{ ...good, clear_threshold: 0.6 }, 'clear_threshold'],
      [{ metric: 'scrapes', op: '<=', threshold: 5, clear_threshold: 4 }, 'clear_threshold'],
      [{ ...good, op: '<' }, 'op'],
      [{ ...good, window_s: 299 }, 'window_s'],
      [{ ...good, window_s: 2_592_001 }, 'window_s'],
      [{ ...good, baseline_days: 1 }, 'baseline_days'],
      [{ ...good, subject: 'a.test' }, 'subject'],
      [{ metric: 'scrapes', threshold: 1, min_scrapes: 1 }, 'min_scrapes'],
      [{ metric: 'budget_left', scope: 'all', threshold: 0.1 }, 'scope'],
      [{ metric: 'budget_left', scope: 'key', threshold: 0.1, window_s: 3_600 }, 'window_s'],
      [{ metric: 'scrapes', scope: 'user', threshold: 1, all_users: false }, 'all_users'],
      // Nothing has a price.
      [{ metric: 'cost', threshold: 5 }, 'metric'],
      [{ metric: 'scrapes', scope: 'key', threshold: 1, subject: others.body.id }, 'subject'],
      [{ metric: 'scrapes', scope: 'key', threshold: 1, subject: revoked }, 'subject'],
      [{ metric: 'scrapes', scope: 'user', threshold: 1, subject: 'nobody' }, 'subject'],
      [{ metric: 'scrapes', scope: 'scraper', threshold: 1, subject: 'vendor:none' }, 'subject'],
      [{ metric: 'scrapes', scope: 'vendor', threshold: 1, subject: 'none' }, 'subject'],
    ];
    for (const [conditions, member] of cases) {
      const refused = await create(conditions);
      assert.equal(refused.status, 400, JSON.stringify(conditions));
      assert.equal(refused.body.errors[0]!.pointer, `/conditions/${member}`, JSON.stringify(conditions));
    }
    const all = { metric: 'scrapes', scope: 'key', threshold: 1, subject: others.body.id, all_users: true };
    const made = await create(all);
    assert.equal(made.status, 201, 'administrators watch the keys of others');
    await service.api('DELETE', `/api/v1/alerts/${made.body.id}/`);
    const other = { kind: 'disk', conditions: { metric: 'scrapes' }, name: 'x', channels: CHANNELS };
    assert.equal((await service.api('POST', '/api/v1/alerts/', { body: other })).status, 400);
  });

  test('users have rules about their own scrapes; what all do is for administrators', async () => {
    const { key } = await createUser(service);
    for (const conditions of [
      { metric: 'scrapes', threshold: 1, all_users: true },
      { metric: 'scrapes', scope: 'user', threshold: 1 },
      { metric: 'budget_left', scope: 'host', threshold: 0.1 },
    ]) {
      assert.equal((await create(conditions, key)).status, 403, JSON.stringify(conditions));
      const body = { kind: 'metric', conditions };
      assert.equal((await service.api('POST', '/api/v1/alerts/try/', { body, key })).status, 403);
    }
    assert.equal((await create({ metric: 'scrapes', threshold: 1 }, key)).status, 201);
  });

  test('administrators and viewers see the rules of others, without the paths of their channels', async () => {
    const { key, id: owner } = await createUser(service);
    const { body: rule } = await create({ metric: 'scrapes', threshold: 1 }, key);
    assert.equal(rule.user_id, owner);
    const list = (query: string, withKey?: string) =>
      service.api<{ items: Rule[] }>(
        'GET',
        `/api/v1/alerts/${query}`,
        withKey === undefined ? {} : { key: withKey },
      );
    assert.deepEqual((await list('')).body.items, [], 'by default, her own');
    const [seen] = (await list(`?user_id=${owner}`)).body.items;
    assert.equal(seen!.id, rule.id);
    assert.equal(seen!.channels[0]!.url, 'https://8.8.8.8/***');
    assert.ok((await list('?user_id=all&limit=200')).body.items.some(({ id }) => id === rule.id));
    assert.equal((await service.api('GET', `/api/v1/alerts/${rule.id}/`)).status, 200);
    assert.equal((await service.api('POST', `/api/v1/alerts/${rule.id}/try/`)).status, 200);
    assert.equal((await service.api('GET', `/api/v1/alerts/events/?user_id=${owner}`)).status, 200);
    const { key: another } = await createUser(service);
    assert.equal((await list(`?user_id=${owner}`, another)).status, 400);
    assert.equal((await list('?user_id=all', another)).status, 400);
    assert.equal((await service.api('GET', `/api/v1/alerts/${rule.id}/`, { key: another })).status, 404);
    assert.equal((await service.api('POST', `/api/v1/alerts/${rule.id}/try/`, { key: another })).status, 404);
    const off = { enabled: false };
    assert.equal((await service.api('PATCH', `/api/v1/alerts/${rule.id}/`, { body: off })).status, 404);
    assert.equal((await service.api('DELETE', `/api/v1/alerts/${rule.id}/`)).status, 404);
  });

  test('a trial has the values of what was scraped, and tells when the rule would have fired', async () => {
    const ask = { metric: 'error_rate', window_s: 300, min_scrapes: 2, threshold: 0.5 };
    const empty = await attempt(ask);
    assert.equal(empty.body.fired, 0);
    assert.ok(
      empty.body.items[0]!.points.every(({ value }) => value === null),
      'no data',
    );
    for (const path of ['/status/503', '/html/10', '/status/404'])
      await service.scrape({ url: site.url + path, scraper: 'http', router: { max_attempts: 1 } });
    const { body } = await eventually(async () => {
      const tried = await attempt(ask);
      return (tried.body.items[0]!.points.at(-1)!.value ?? 0) > 0.6 && tried;
    });
    const [all] = body.items;
    assert.equal(body.step_seconds, 300);
    assert.equal(all!.subject, 'all');
    assert.equal(body.fired, 1);
    assert.ok(all!.firings[0]!.value > 0.6);
    assert.equal(all!.firings[0]!.resolved_at, null);
    const byHost = await attempt({ ...ask, scope: 'host', metric: 'p95_ms', threshold: 3_600_000 });
    assert.equal(byHost.body.fired, 0);
    assert.equal(byHost.body.items[0]!.subject, '127.0.0.1');
    assert.ok(byHost.body.items[0]!.points.at(-1)!.value! > 0);
    const later = await attempt({ ...ask, window_s: 604_800 });
    assert.equal(later.body.step_seconds, 86_400);
  });

  test('only rules about metrics are tried', async () => {
    const body = { kind: 'disk', conditions: {} };
    assert.equal((await service.api('POST', '/api/v1/alerts/try/', { body })).status, 400);
    const disk = await service.api<Rule>('POST', '/api/v1/alerts/', {
      body: { name: 'x', kind: 'disk', channels: CHANNELS, enabled: false },
    });
    assert.equal((await service.api('POST', `/api/v1/alerts/${disk.body.id}/try/`)).status, 400);
    await service.api('DELETE', `/api/v1/alerts/${disk.body.id}/`);
  });
});
