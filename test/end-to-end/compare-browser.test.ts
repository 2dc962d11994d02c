import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { bare, ordinary } from '../assess/a-page.ts';
import { type MadeSite, startMadeSite } from '../helpers/made-site.ts';
import { useOwnService } from '../helpers/service.ts';
import type { Comparison } from '../helpers/wire-types.ts';

const WALL = bare(
  'Just a moment...',
  '<form id="challenge-form"></form><script>window._cf_chl_opt = {};</script>',
);
/** A wall that fits no rule. */
const NOTICE = bare(
  'Shop',
  '<p>We are sorry, our shop is taking a little rest at the moment. Do come and see us again.</p>',
);
const APP = JSON.stringify(ordinary({ title: 'Goods' }).replace(/^.*<body>|<\/body>.*$/gs, ''));
const SHELL = bare(
  'Goods',
  `<div id="root"></div><script>document.getElementById('root').innerHTML = ${APP.replaceAll('<', '\\u003c')};</script>`,
);
const isBrowser = ({ headers }: IncomingMessage): boolean => headers['sec-fetch-mode'] === 'navigate';

describe('a comparison with a browser', {
  skip: (await chromiums()).length === 0 && 'there is no Chromium on this machine',
}, () => {
  const home = mkdtempSync(join(tmpdir(), 'sluice-compare-'));
  const prices = join(home, 'prices.json');
  writeFileSync(prices, JSON.stringify({ currency: 'EUR', scrapers: { http: 0.0001, browser: 0.002 } }));
  const service = useOwnService({ SLUICE_PRICES: prices });
  let site: MadeSite;
  before(async () => {
    site = await startMadeSite((path, request) => {
      if (path === '/shell') return SHELL;
      if (path === '/page' || isBrowser(request)) return ordinary();
      return path === '/wall' ? WALL : NOTICE;
    });
  });
  after(async () => {
    await site?.[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });
  async function compare(path: string, ways: readonly string[]) {
    const body = { request: { url: `${site.url}${path}` }, ways };
    const reply = await service.api<Comparison>('POST', '/api/v1/compare/', { body });
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  }
  const outcomesOf = ({ items }: Comparison) => items.map(({ outcome }) => outcome);

  test('a shell that needs scripts is not the best, though it is cheaper', async () => {
    const { items, best, saved_per_1000 } = await compare('/shell', ['http', 'browser']);
    assert.deepEqual(
      items.map(({ scrape }) => scrape!.verdict),
      ['js_shell', 'ok'],
    );
    assert.deepEqual([best, saved_per_1000], ['browser', 0]);
    assert.equal(items[1]!.likeness, 1);
    assert.ok(items[0]!.likeness! < 0.2, String(items[0]!.likeness));
  });

  test('neither is a bot wall with status 200', async () => {
    const comparison = await compare('/wall', ['http', 'browser']);
    assert.deepEqual([outcomesOf(comparison), comparison.best], [['blocked', 'ok'], 'browser']);
    assert.equal(comparison.items[0]!.errors[0]!.code, 'target.blocked');
  });

  test('nor a notice in place of the page that nobody knows as a wall', async () => {
    const comparison = await compare('/notice', ['http', 'browser']);
    assert.deepEqual([outcomesOf(comparison), comparison.best], [['ok', 'ok'], 'browser']);
    assert.equal(comparison.items[0]!.likeness, 0);
  });

  test('of two that got the page, the cheaper one is the best', async () => {
    const { items, best, saved_per_1000 } = await compare('/page', ['browser', 'http']);
    assert.deepEqual(
      items.map(({ likeness, cost }) => [likeness, cost]),
      [
        [1, 0.002],
        [1, 0.0001],
      ],
    );
    assert.deepEqual([best, saved_per_1000], ['http', 1.9]);
  });
});
