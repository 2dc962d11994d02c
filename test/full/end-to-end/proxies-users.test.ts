import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { SCRAPERS } from '../../helpers/scrapers.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import { createUser } from '../../helpers/users.ts';

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
      { name: 'gate', type: 'residential', template: `http://user-{session}:pw@127.0.0.1:${gate.port}` },
    ];
    writeFileSync(file, JSON.stringify({ pools }));
    service = await startService({ SLUICE_PROXIES: file });
    other = (await createUser(service)).key;
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
  /** Scrapes with this session. @returns the index of the exit that was used */
  const exitOf = async (key: string, scraper: string, session: string): Promise<number> => {
    const before = exits.map(({ targets }) => targets.length);
    await scrape(key, scraper, urlOf('http', '/text'), { pool: 'list', session });
    const used = exits.flatMap(({ targets }, at) => (targets.length > before[at]! ? [at] : []));
    assert.equal(used.length, 1);
    return used[0]!;
  };

  test('may have different exits; each session keeps its exit with every scraper', async () => {
    // The least used exit is chosen, so the second session gets the other exit.
    const mine = await exitOf(service.key, 'http', 'cart');
    const theirs = await exitOf(other, 'http', 'cart');
    assert.notEqual(mine, theirs);
    for (const scraper of [...SCRAPERS, ...SCRAPERS]) {
      assert.equal(await exitOf(service.key, scraper, 'cart'), mine, scraper);
      assert.equal(await exitOf(other, scraper, 'cart'), theirs, scraper);
    }
  });

  for (const scraper of SCRAPERS)
    for (const scheme of SCHEMES)
      test(`${scraper}, ${scheme}: have different user names at the proxy, and share no connection and no cookie`, async () => {
        const proxy = { type: 'residential', pool: 'gate', session: `of-${scraper}-${scheme}` };
        const userNames: Record<string, Set<string>> = { mine: new Set(), theirs: new Set() };
        // By turns, so that a connection that one user leaves open could be taken for the other by mistake.
        for (let turn = 0; turn < 3; turn++)
          for (const [who, key] of [
            ['mine', service.key],
            ['theirs', other],
          ] as const) {
            const [usersBefore, connectionsBefore] = [gate.users.length, gate.connections()];
            const set = await scrape(key, scraper, urlOf(scheme, `/cookies/set?${who}=${turn}`), proxy);
            // `/cookies/set` redirects to `/cookies`, which echoes the cookies of the request.
            const echoed = JSON.stringify((set.content ?? '').match(/(mine|theirs)=\d/g));
            assert.equal(echoed, JSON.stringify([`${who}=${turn}`]), set.content ?? '');
            const plain = await scrape(key, scraper, urlOf(scheme, '/cookies'), proxy);
            assert.doesNotMatch(plain.content ?? '', /mine=|theirs=/);
            for (const userName of gate.users.slice(usersBefore)) userNames[who]!.add(userName);
            // The first request of each user opens a connection.
            if (turn === 0) assert.ok(gate.connections() > connectionsBefore, who);
          }
        assert.deepEqual([userNames.mine!.size, userNames.theirs!.size], [1, 1]);
        assert.notDeepEqual(userNames.mine, userNames.theirs);
      });
});
