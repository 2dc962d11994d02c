import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type SeenPage, SiteTextMemory } from '../../src/assess/text-comparison.ts';
import { bare, ordinary, prose, verdictOf } from './a-page.ts';

const SITE = 'https://site.example';
const DAY = 24 * 60 * 60 * 1000;
/** A page of the shop's own that a rule takes for a block: it is short of links, and its title and a word say so. */
const game = (about: string) =>
  bare(
    'Access Denied',
    `<h1>Access denied</h1><p>${about} is a board game about a firewall, for two players.</p>`,
  );

describe('texts of a site, compared', () => {
  const wall = bare(
    'Shop',
    '<p>We are sorry, our shop is taking a little rest at the moment. Do come and see us again.</p>',
  );
  const see = (memory: SiteTextMemory, path: string, body: string, scripted = false) =>
    verdictOf({ url: `${SITE}${path}`, body, scripted }, memory);

  test('what stands at many URLs, while a browser finds content at one, is a wall', () => {
    const memory = new SiteTextMemory();
    for (const path of ['/a', '/b', '/c', '/d']) assert.equal(see(memory, path, wall).kind, 'ok', path);
    assert.equal(see(memory, '/b', ordinary(), true).kind, 'ok');
    const { kind, signals } = see(memory, '/e', wall);
    assert.deepEqual([kind, signals], ['block', ['text/same-for-many-urls']]);
    assert.equal(verdictOf({ url: 'https://other.example/a', body: wall }, memory).kind, 'ok');
  });

  test('what a browser gets as well is what the site says', () => {
    const memory = new SiteTextMemory();
    for (const path of ['/a', '/b', '/c', '/d']) assert.equal(see(memory, path, wall).kind, 'ok');
    assert.equal(see(memory, '/b', wall, true).kind, 'ok');
    assert.equal(see(memory, '/f', ordinary(), true).kind, 'ok');
    assert.equal(see(memory, '/e', wall).kind, 'ok');
  });

  test('the number of an incident, or the address named, makes no other text; a query no other page', () => {
    const memory = new SiteTextMemory();
    const numbered = (n: number) =>
      wall.replace('a little rest', `a little rest (case ${n}a7 at /page-${'x'.repeat(n)})`);
    see(memory, '/a', numbered(1));
    see(memory, '/b', numbered(2));
    see(memory, '/b?x=1', numbered(3));
    see(memory, '/b', ordinary(), true);
    assert.equal(see(memory, '/b?x=2', numbered(4)).kind, 'ok', 'two pages are not many');
    assert.equal(see(memory, '/c', numbered(5)).kind, 'block');
  });

  test('that a page is gone is the word of the site itself, and honest at however many URLs', () => {
    const memory = new SiteTextMemory();
    assert.equal(see(memory, '/item/1', wall).kind, 'ok');
    assert.equal(see(memory, '/item/1', ordinary(), true).kind, 'ok');
    for (const status of [404, 410])
      for (const item of [1, 2, 3, 4, 5]) {
        const gone = { url: `${SITE}/item/${item}`, body: wall, status };
        assert.equal(verdictOf(gone, memory).kind, 'ok', `${status} ${item}`);
      }
    const refused = [5, 6, 7].map((item) => ({ url: `${SITE}/item/${item}`, body: wall, status: 403 }));
    assert.equal(refused.map((one) => verdictOf(one, memory).kind).at(-1), 'block', 'a refusal may say 403');
  });

  test('few words are the same by chance', () => {
    const memory = new SiteTextMemory();
    const short = bare('Shop', '<p>Sold out</p>');
    for (const path of ['/a', '/b', '/c']) see(memory, path, short);
    see(memory, '/a', ordinary(), true);
    assert.equal(see(memory, '/d', short).kind, 'ok');
  });

  test('a long text that two scrapers get alike, each at its own URL, mutes the rule for a day', () => {
    const memory = new SiteTextMemory();
    const blocked = verdictOf({ body: game('Doors') });
    assert.equal(blocked.kind, 'block', 'without comparison');
    const at = (time: number): SeenPage => ({ url: `${SITE}/games/new`, scripted: false, at: time });
    const sees = (path: string, scripted: boolean, text: string) =>
      memory.compare({ url: `${SITE}${path}`, scripted, at: 0 }, text, blocked.signals[0]!, blocked).kind;
    const first = `Doors. ${prose(600)}`;
    const second = `Windows. ${prose(700)}`;
    assert.equal(sees('/games/doors', false, first), 'block');
    assert.equal(sees('/games/doors', true, first), 'block', 'once is no proof');
    assert.equal(sees('/games/windows', false, second), 'block');
    assert.equal(sees('/games/windows', true, second), 'ok');
    const later = (time: number) =>
      memory.compare(at(time), `Gates. ${prose(650)}`, blocked.signals[0]!, blocked);
    assert.deepEqual(later(DAY - 1).signals, ['text/same-from-two-scrapers']);
    assert.equal(later(DAY + 1).kind, 'block');
    const other = { ...at(1), url: 'https://other.example/' };
    assert.equal(memory.compare(other, first, blocked.signals[0]!, blocked).kind, 'block');
  });

  test('a refusal that all get everywhere stays one', () => {
    const memory = new SiteTextMemory();
    const blocked = verdictOf({ body: game('Doors') });
    const refusal = `You may not. ${prose(600)}`;
    for (const path of ['/a', '/b', '/c'])
      for (const scripted of [false, true]) {
        const seen = { url: `${SITE}${path}`, scripted, at: 0 };
        assert.equal(memory.compare(seen, refusal, blocked.signals[0]!, blocked).kind, 'block');
      }
  });

  test('sites that were not seen for long are forgotten', () => {
    const memory = new SiteTextMemory(2);
    for (const path of ['/a', '/b', '/c']) see(memory, path, wall);
    see(memory, '/a', ordinary(), true);
    assert.equal(see(memory, '/d', wall).kind, 'block');
    for (const name of ['one', 'two']) verdictOf({ url: `https://${name}.example/`, body: wall }, memory);
    assert.equal(see(memory, '/d', wall).kind, 'ok');
  });
});
