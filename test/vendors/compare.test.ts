import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bare, ordinary } from '../assess/a-page.ts';
import { type MadeSite, startMadeSite } from '../helpers/made-site.ts';
import { type Service, startService } from '../helpers/service.ts';
import type { Comparison } from '../helpers/wire-types.ts';
import { KEY, type StandIn, type StandIns, startStandIns } from './stand-in.ts';
import { ZYTE } from './stand-ins/zyte.ts';

const STAND_IN: StandIn = ZYTE.find(({ renders }) => !renders)!;
const WALL = bare(
  'Just a moment...',
  '<form id="challenge-form"></form><script>window._cf_chl_opt = {};</script>',
);

describe('vendors in a comparison', () => {
  let site: MadeSite;
  let standIns: StandIns;
  let service: Service;
  const dir = mkdtempSync(join(tmpdir(), 'sluice-compare-vendors-'));
  before(async () => {
    // `/wall` shows its page only to the vendor, whose requests have no `User-Agent`.
    site = await startMadeSite((path, request) =>
      path === '/wall' && request.headers['user-agent'] !== undefined ? WALL : ordinary(),
    );
    standIns = await startStandIns([STAND_IN]);
    const entry = (name: string, more: object) => ({
      name,
      kind: STAND_IN.kind,
      key: KEY,
      base_url: standIns.base(STAND_IN),
      ...STAND_IN.settings,
      ...more,
    });
    const vendors = [
      entry('cheap', { price: { per_success: 0.001 } }),
      entry('dear', { price: { per_success: 0.004 } }),
      entry('unpriced', {}),
      entry('wrong-key', { key: 'another-key-0123456789', price: { per_success: 0.0005 } }),
    ];
    writeFileSync(join(dir, 'vendors.json'), JSON.stringify({ vendors }));
    writeFileSync(join(dir, 'prices.json'), JSON.stringify({ currency: 'EUR', scrapers: { http: 0.0001 } }));
    service = await startService({
      SLUICE_VENDORS: join(dir, 'vendors.json'),
      SLUICE_PRICES: join(dir, 'prices.json'),
    });
  });
  after(async () => {
    await service?.end();
    await standIns?.[Symbol.asyncDispose]();
    await site?.[Symbol.asyncDispose]();
    rmSync(dir, { recursive: true, force: true });
  });

  async function compare(path: string, ways: readonly string[], more: object = {}) {
    const body = { request: { url: `${site.url}${path}`, ...more }, ways };
    const reply = await service.api<Comparison>('POST', '/api/v1/compare/', { body });
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  }

  test('the cheapest vendor that gets the page is the best, and not the wall that costs less', async () => {
    const { items, best, saved_per_1000 } = await compare('/wall', [
      'http',
      'vendor:dear',
      'vendor:cheap',
      'vendor:unpriced',
      'vendor:wrong-key',
    ]);
    assert.deepEqual(
      items.map(({ outcome, cost }) => [outcome, cost]),
      [
        ['blocked', 0.0001],
        ['ok', 0.004],
        ['ok', 0.001],
        ['ok', null],
        ['failed', 0],
      ],
    );
    assert.deepEqual(
      items.slice(1).map(({ likeness }) => likeness),
      [1, 1, 1, null],
    );
    assert.deepEqual(
      items[4]!.errors.map(({ code, details }) => [code, details?.reason]),
      [['vendor.failed', 'auth']],
    );
    assert.deepEqual([best, saved_per_1000], ['vendor:cheap', 3]);
  });

  test('a vendor whose cost is not known is the best only if no other gets the page', async () => {
    const { best, saved_per_1000 } = await compare('/wall', ['http', 'vendor:unpriced']);
    assert.deepEqual([best, saved_per_1000], ['vendor:unpriced', null]);
    assert.equal((await compare('/page', ['vendor:unpriced', 'vendor:dear'])).best, 'vendor:dear');
  });

  test('a vendor that may not have the credentials is refused; own scrapers go on', async () => {
    const headers = { Authorization: 'Bearer secret' };
    const { items, best } = await compare('/page', ['vendor:cheap', 'http'], { headers });
    assert.deepEqual(
      items.map(({ outcome }) => outcome),
      ['failed', 'ok'],
    );
    assert.equal(best, 'http');
  });
});
