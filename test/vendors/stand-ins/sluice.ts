import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProxy } from '../../helpers/proxy-server.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { type ApiRequest, type ApiResponse, KEY, type StandIn } from '../stand-in.ts';

const PRICE = 2;
const PROXY_PRICE = 0.5;

/** The other Sluice: a real one, with a proxy in Germany. */
let other: Service | null = null;

async function startOther(): Promise<AsyncDisposable> {
  const proxy = await startProxy();
  const file = (name: string) => join(tmpdir(), `sluice-other-${process.pid}-${name}.json`);
  const pool = {
    name: 'a',
    type: 'datacenter',
    proxies: [`http://127.0.0.1:${proxy.port}`],
    countries: ['DE'],
    price_per_request: PROXY_PRICE,
  };
  writeFileSync(file('pools'), JSON.stringify({ pools: [pool] }));
  writeFileSync(file('prices'), JSON.stringify({ currency: 'USD', scrapers: { http: PRICE } }));
  other = await startService({
    SLUICE_API_KEY: KEY,
    SLUICE_PROXIES: file('pools'),
    SLUICE_PRICES: file('prices'),
  });
  return {
    async [Symbol.asyncDispose]() {
      await other?.end();
      await proxy.close();
      for (const name of ['pools', 'prices']) rmSync(file(name), { force: true });
    },
  };
}

const problem = (status: number, code: string, more: object = {}): ApiResponse => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...(status === 429 && { 'retry-after': '1' }) },
  body: JSON.stringify({ status, code, detail: `It failed with ${code}.`, ...more }),
});

export const SLUICE: readonly StandIn[] = [
  {
    name: 'other-sluice',
    kind: 'sluice',
    described: 'docs/openapi.json, by a second service that really runs',
    settings: { options: { scraper: 'http' } },
    tells: { status: true, headers: true, cookies: true, finalUrl: true, credits: PRICE + PROXY_PRICE },
    can: {
      post: true,
      headers: true,
      binary: true,
      country: true,
      session: true,
      screenshot: false,
      noRedirects: true,
      cookies: true,
      wait: false,
    },
    renders: false,
    start: startOther,
    async answer({ method, url, headers, body }) {
      const response = await fetch(`${other!.base}${url.pathname}${url.search}`, {
        method,
        headers: {
          authorization: headers.authorization ?? '',
          'content-type': headers['content-type'] ?? '',
        },
        body: new Uint8Array(body),
      });
      return {
        status: response.status,
        headers: { 'content-type': response.headers.get('content-type') ?? '' },
        body: Buffer.from(await response.arrayBuffer()),
      };
    },
    troubles: {
      auth: problem(401, 'auth.invalid'),
      credits: problem(402, 'budget.exhausted'),
      throttled: problem(429, 'limit.concurrency'),
      timeout: problem(504, 'timeout.total', { router: { request_cost: PRICE } }),
      blocked: problem(502, 'target.blocked'),
      unsupported: problem(502, 'dns.not_found'),
      protocol: problem(502, 'browser.crashed'),
    },
    asked(request: ApiRequest) {
      const { country = null, session = null } = JSON.parse(request.body.toString()).proxy;
      return { country, session };
    },
  },
];
