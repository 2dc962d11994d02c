import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { SCRAPERS } from '../../helpers/scrapers.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

describe('pools with a template, and a pool in two countries', () => {
  const site = useSite();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-template-'));
  let gate: ProxyServer;
  /** One proxy in each country. */
  const exits: Record<string, ProxyServer> = {};
  let service: Service;

  before(async () => {
    gate = await startProxy();
    for (const country of ['DE', 'US']) exits[country] = await startProxy();
    const template = `http://cust+1%40x-cc-{country}-{COUNTRY}[-st-{region}][-city-{city}]-{session}:pw@127.0.0.1:${gate.port}`;
    const proxies = Object.entries(exits).map(([country, { port }]) => ({
      url: `http://127.0.0.1:${port}`,
      country: country.toLowerCase(),
      city: country === 'DE' ? 'Köln' : 'New York',
    }));
    const pools = [
      { name: 'gate', type: 'residential', template, countries: ['DE', 'FR'] },
      { name: 'list', type: 'datacenter', proxies, countries: ['DE', 'US'] },
    ];
    const file = join(folder, 'proxies.json');
    writeFileSync(file, JSON.stringify({ pools }));
    service = await startService({ SLUICE_PROXIES: file });
  });
  after(async () => {
    await service?.end();
    for (const proxy of [gate, ...Object.values(exits)]) await proxy?.close();
    rmSync(folder, { recursive: true });
  });

  const scrape = async (scraper: string, proxy: object) => {
    const { body, text } = await service.scrape({ url: `${site.url}/text`, scraper, proxy });
    assert.equal(body.status_code, 200, text);
    return body.router.attempts[0]!.country;
  };
  /** The user names that the provider got meanwhile, without the value of {session}. */
  const told = async (scraper: string, proxy: object) => {
    const before = gate.users.length;
    const country = await scrape(scraper, { type: 'residential', ...proxy });
    const users = gate.users.slice(before).map((user) => user.replace(/-[0-9a-f]{12}$/, ''));
    return { country, users: [...new Set(users)] };
  };

  const cities = [
    ['Berlin', 'berlin'],
    ['New  York', 'new_york'],
    ['São Paulo', 'são_paulo'],
    ["St. John's_2", "st._john's_2"],
    ['東京', '東京'],
  ] as const;
  for (const scraper of SCRAPERS)
    test(`${scraper}: places are inserted into the user name unchanged, whatever characters they have`, async () => {
      for (const [city, word] of cities) {
        const { users } = await told(scraper, { country: 'de', city });
        assert.deepEqual(users, [`cust+1@x-cc-de-DE-city-${word}`]);
      }
      const { users } = await told(scraper, { country: 'FR', region: 'Île-de-France' });
      assert.deepEqual(users, ['cust+1@x-cc-fr-FR-st-île-de-france']);
    });

  test('a value that is no place name is refused', async () => {
    for (const city of ['A:B', 'a@b', 'a/b', '50%', 'a%40b', '{session}', '[a]', 'a\r\nb']) {
      const proxy = { type: 'residential', country: 'DE', city };
      const { status, body } = await service.scrape({ url: site.url, scraper: 'http', proxy });
      assert.deepEqual([status, body.errors[0]?.pointer], [400, '/proxy/city'], city);
    }
  });

  test('without a country those of the pool are used in turn; a named one is used; an unknown one is refused', async () => {
    const seen: string[] = [];
    for (let at = 0; at < 4; at++) {
      const { country, users } = await told('http', {});
      assert.deepEqual(users, [`cust+1@x-cc-${country!.toLowerCase()}-${country}`]);
      seen.push(country!);
    }
    assert.deepEqual(seen.toSorted(), ['DE', 'DE', 'FR', 'FR']);
    for (let at = 0; at < 3; at++) assert.equal((await told('http', { country: 'fr' })).country, 'FR');
    const before = gate.connections();
    const { status, body } = await service.scrape({
      url: site.url,
      scraper: 'http',
      proxy: { type: 'residential', country: 'US' },
    });
    assert.deepEqual([status, body.code], [422, 'proxy.country_unavailable']);
    assert.equal(gate.connections(), before);
  });

  for (const scraper of SCRAPERS)
    test(`${scraper}: only the exits in the requested country are used`, async () => {
      const asked = () =>
        Object.entries(exits).map(([country, { targets }]) => [country, targets.length] as const);
      for (const [where, expected] of [
        [{ country: 'US' }, 'US'],
        [{ country: 'de' }, 'DE'],
        [{ city: 'new york' }, 'US'],
        [{ country: 'DE', city: 'KÖLN' }, 'DE'],
      ] as const) {
        const before = new Map(asked());
        for (let at = 0; at < 2; at++)
          assert.equal(await scrape(scraper, { pool: 'list', ...where }), expected);
        for (const [country, count] of asked())
          assert.equal(
            count > before.get(country)!,
            country === expected,
            `${country} for ${JSON.stringify(where)}`,
          );
      }
    });

  test('a place without an exit is refused; without a place the exits of all countries are used', async () => {
    for (const where of [{ country: 'FR' }, { country: 'US', city: 'Köln' }, { city: 'Rome' }]) {
      const { status, body } = await service.scrape({ url: site.url, proxy: { pool: 'list', ...where } });
      assert.deepEqual([status, body.code], [422, 'proxy.country_unavailable'], JSON.stringify(where));
    }
    // Without a country, the exits of both are used in turn.
    const countries = [];
    for (let at = 0; at < 6; at++) countries.push(await scrape('http', { pool: 'list' }));
    assert.deepEqual(new Set(countries), new Set(['DE', 'US']));
  });
});
