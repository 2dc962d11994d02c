import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type MadeSite, startMadeSite } from '../../helpers/made-site.ts';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { type Service, startService } from '../../helpers/service.ts';

describe('proxies, sessions and costs in the APIs of others', () => {
  let site: MadeSite;
  let proxy: ProxyServer;
  let service: Service;
  const folder = mkdtempSync(join(tmpdir(), 'sluice-dialects-'));
  const file = (name: string, value: unknown): string => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  before(async () => {
    site = await startMadeSite(() => '<h1>Hello</h1>');
    proxy = await startProxy();
    service = await startService({
      SLUICE_DIALECTS: 'scrapingbee,zyte',
      SLUICE_PROXIES: file('proxies.json', {
        pools: [
          {
            name: 'homes',
            type: 'residential',
            template: `http://u-{country}[-{session}]:pw@127.0.0.1:${proxy.port}`,
            countries: ['DE', 'GB'],
            price_per_request: 0.5,
            price_per_gb: 0,
          },
        ],
      }),
      SLUICE_ALLOW_DIRECT: 'true',
      SLUICE_PRICES: file('prices.json', {
        currency: 'EUR',
        scrapers: { http: 0.001, http_impersonate: 0.002, browser: 0.01 },
        direct: { price_per_request: 0, price_per_gb: 0 },
      }),
    });
  });
  after(async () => {
    await service?.end();
    await proxy?.close();
    await site?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const call = async (parameters: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({
      api_key: service.key,
      url: site.url,
      render_js: 'false',
      ...parameters,
    });
    const response = await fetch(`${service.base}/api/v1/?${query}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test('premium_proxy with a country and a session uses the pool, and costs what it costs', async () => {
    const first = await call({ premium_proxy: 'true', country_code: 'de', session_id: '7' });
    assert.equal(first.status, 200, first.text);
    assert.match(proxy.users.at(-1)!, /^u-de-\w+/i);
    assert.ok(Number(first.headers.get('spb-cost')) > 0.5, first.headers.get('spb-cost')!);
    await call({ premium_proxy: 'true', country_code: 'de', session_id: '7' });
    assert.equal(proxy.users.at(-1), proxy.users.at(-2));
    await call({ premium_proxy: 'true', country_code: 'de', session_id: '8' });
    assert.notEqual(proxy.users.at(-1), proxy.users.at(-2));
    const direct = await call({});
    assert.ok(Number(direct.headers.get('spb-cost')) <= 0.002);
  });

  test('the same with the names of ScraperAPI; max_cost is a limit', async () => {
    const paid = await call({ render: 'false', premium: 'true', country_code: 'uk', max_cost: '2' });
    assert.equal(paid.status, 200, paid.text);
    assert.match(proxy.users.at(-1)!, /^u-gb-/i);
    const dear = await call({ premium: 'true', country_code: 'uk', max_cost: '0.1' });
    assert.equal(dear.status, 400);
    assert.deepEqual(Object.keys((JSON.parse(dear.text) as { errors: { query: object } }).errors.query), [
      'max_cost',
    ]);
  });

  test('own_proxy', async () => {
    const count = proxy.targets.length;
    const own = await call({ own_proxy: `http://me:secret@127.0.0.1:${proxy.port}` });
    assert.equal(own.status, 200, own.text);
    assert.equal(proxy.targets.length, count + 1);
    assert.equal(proxy.users.at(-1), 'me');
  });

  test('Zyte: ipType, geolocation and session', async () => {
    const id = 'ab837d21-f848-42b2-8e88-47ea9d84bad0';
    const response = await fetch(`${service.base}/v1/extract`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${service.key}:`).toString('base64')}` },
      body: JSON.stringify({
        ...{ url: site.url, httpResponseBody: true },
        ...{ ipType: 'residential', geolocation: 'DE', session: { id } },
      }),
    });
    const body = (await response.json()) as Record<string, unknown>;
    assert.equal(response.status, 200, JSON.stringify(body));
    assert.deepEqual(body.session, { id });
    assert.match(proxy.users.at(-1)!, /^u-de-\w+/i);
  });
});
