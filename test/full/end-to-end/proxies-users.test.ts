import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { secondUser } from '../../end-to-end/second-user.ts';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const scrapers = ['http', 'http_impersonate', ...((await chromiums()).length > 0 ? ['browser'] : [])];
const SCHEMES = ['http', 'https'] as const;

describe('sessions of the same name of two users', () => {
  const site = useSite({ tls: true });
  const folder = mkdtempSync(join(tmpdir(), 'sluice-users-'));
  const exits: ProxyServer[] = [];
  let gate: ProxyServer;
  let service: Service;
  let other: string;

  before(async () => {
    for (let at = 0; at < 2; at++) exits.push(await startProxy());
    gate = await startProxy();
    const file = join(folder, 'proxies.json');
    const pools = [
      { name: 'list', type: 'datacenter', proxies: exits.map(({ port }) => `http://127.0.0.1:${port}`) },
      { name: 'gate', type: 'residential', template: `http://word-{session}:pw@127.0.0.1:${gate.port}` },
    ];
    writeFileSync(file, JSON.stringify({ pools }));
    service = await startService({ SLUICE_PROXIES: file });
    other = await secondUser(service);
  });
  after(async () => {
    await service?.end();
    for (const proxy of [...exits, gate]) await proxy?.close();
    rmSync(folder, { recursive: true });
  });

  const scrape = async (key: string, scraper: string, url: string, proxy: object) => {
    const scraper_options = { verify_tls: false };
    const { body, text } = await service.scrape({ url, scraper, proxy, scraper_options }, { key });
    assert.equal(body.status_code, 200, text);
    return body;
  };
  const urlOf = (scheme: (typeof SCHEMES)[number], path: string) =>
    `${scheme === 'http' ? site.url : site.httpsUrl}${path}`;
  /** Which of the exits something went through meanwhile. */
  const exitOf = async (key: string, scraper: string, session: string): Promise<number> => {
    const before = exits.map(({ targets }) => targets.length);
    await scrape(key, scraper, urlOf('http', '/text'), { pool: 'list', session });
    const used = exits.flatMap(({ targets }, at) => (targets.length > before[at]! ? [at] : []));
    assert.equal(used.length, 1);
    return used[0]!;
  };

  test('may have different exits, and each keeps its own for every scraper', async () => {
    // The least used exit is chosen: the second one that begins gets the other.
    const mine = await exitOf(service.key, 'http', 'cart');
    const theirs = await exitOf(other, 'http', 'cart');
    assert.notEqual(mine, theirs);
    for (const scraper of [...scrapers, ...scrapers]) {
      assert.equal(await exitOf(service.key, scraper, 'cart'), mine, scraper);
      assert.equal(await exitOf(other, scraper, 'cart'), theirs, scraper);
    }
  });

  for (const scraper of scrapers)
    for (const scheme of SCHEMES)
      test(`${scraper}, ${scheme}: have a word of their own at a provider, and share no connection and no cookie`, async () => {
        const proxy = { type: 'residential', pool: 'gate', session: `of-${scraper}-${scheme}` };
        const words: Record<string, Set<string>> = { mine: new Set(), theirs: new Set() };
        // By turns: what one leaves open is there for the other to be taken by mistake.
        for (let turn = 0; turn < 3; turn++)
          for (const [who, key] of [
            ['mine', service.key],
            ['theirs', other],
          ] as const) {
            const [asked, opened] = [gate.users.length, gate.connections()];
            const set = await scrape(key, scraper, urlOf(scheme, `/cookies/set?${who}=${turn}`), proxy);
            // The site tells what came with the request that it was led to.
            const came = JSON.stringify((set.content ?? '').match(/(mine|theirs)=\d/g));
            assert.equal(came, JSON.stringify([`${who}=${turn}`]), set.content ?? '');
            const plain = await scrape(key, scraper, urlOf(scheme, '/cookies'), proxy);
            assert.doesNotMatch(plain.content ?? '', /mine=|theirs=/);
            for (const word of gate.users.slice(asked)) words[who]!.add(word);
            // The first of each needs a connection of its own.
            if (turn === 0) assert.ok(gate.connections() > opened, who);
          }
        assert.deepEqual([words.mine!.size, words.theirs!.size], [1, 1]);
        assert.notDeepEqual(words.mine, words.theirs);
      });
});
