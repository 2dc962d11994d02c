import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { freePort } from '../test/helpers/free-port.ts';
import { selfSigned } from '../test/site/certificate.ts';
import { startBeside, startSluice } from './lib/services.ts';
import { quantile } from './lib/statistics.ts';

const KB = 1;
const ROUNDS = 8;
const REQUESTS = 250;
/** What a request through the proxy port may take longer than one by the API, p50. */
const MAX_OVERHEAD_MS = 3;

interface Side {
  readonly name: string;
  readonly visit: () => Promise<void>;
  readonly latencies: number[];
}

/**
 * Compares pages of 1 KB by the API (`scraper: http`) with the same through the proxy port, one after the other, in turns. Fails if
 * the proxy port takes 3 ms longer.
 */
export async function proxyPort(): Promise<void> {
  const target = await startBeside('target.ts');
  const secure = fork(fileURLToPath(import.meta.url), ['secure']);
  const [securePort] = (await once(secure, 'message')) as [number];
  const port = await freePort();
  const sluice = await startSluice({ SLUICE_PROXY_PORT: String(port) });
  const ca = await (await fetch(`${sluice.base}/api/v1/proxy-ca.pem`)).text();
  const token = `Basic ${Buffer.from(`${sluice.authorization.split(' ')[1]}:verify_tls=false`).toString('base64')}`;
  const uri = `http://127.0.0.1:${port}`;
  const api = new Agent({ connections: 1 });
  const absolute = new ProxyAgent({ uri, token, proxyTunnel: false, connections: 1 });
  const tunnel = new ProxyAgent({ uri, token, requestTls: { ca }, connections: 1 });
  const http = `${target.base}/${KB}`;
  const https = `https://127.0.0.1:${securePort}/${KB}`;
  try {
    await compare('http', [
      side('API', () => byApi(sluice.base, sluice.authorization, http, api)),
      side('absolute URL', () => byProxy(http, absolute)),
      side('tunnel', () => byProxy(http, tunnel)),
    ]);
    await compare('https', [
      side('API', () => byApi(sluice.base, sluice.authorization, https, api)),
      side('tunnel with TLS', () => byProxy(https, tunnel)),
    ]);
  } finally {
    await Promise.all([api, absolute, tunnel].map((agent) => agent.close()));
    await Promise.all([sluice.stop(), target.stop()]);
    secure.disconnect();
  }
}

const side = (name: string, visit: Side['visit']): Side => ({ name, visit, latencies: [] });

async function compare(scheme: string, sides: readonly Side[]): Promise<void> {
  for (let round = 0; round <= ROUNDS; round++)
    for (const { visit, latencies } of sides)
      for (let n = 0; n < REQUESTS; n++) {
        const began = performance.now();
        await visit();
        // The first round warms up.
        if (round > 0) latencies.push(performance.now() - began);
      }
  const [api, ...others] = sides.map(({ name, latencies }) => ({
    name,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }));
  console.log(`${scheme}, ${KB} KB: ${describe(api!)}`);
  for (const other of others) {
    const overhead = other.p50 - api!.p50;
    console.log(`${scheme}, ${KB} KB: ${describe(other)}, p50 ${overhead.toFixed(2)} ms more than the API`);
    if (overhead > MAX_OVERHEAD_MS)
      throw new Error(`${other.name} takes more than ${MAX_OVERHEAD_MS} ms longer than the API`);
  }
}

const describe = ({ name, p50, p99 }: { name: string; p50: number; p99: number }): string =>
  `${name.padEnd(15)} p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;

async function byApi(
  base: string,
  authorization: string,
  url: string,
  dispatcher: Dispatcher,
): Promise<void> {
  const { body } = await request(`${base}/api/v1/scrape/`, {
    method: 'POST',
    dispatcher,
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ url, scraper: 'http', allow_redirects: false },
      ...{ scraper_options: { verify_tls: false }, router: { trace: false } },
    }),
  });
  const { content } = (await body.json()) as { content?: string };
  checkLength(content?.length ?? 0);
}

async function byProxy(url: string, dispatcher: Dispatcher): Promise<void> {
  const { body } = await request(url, { dispatcher });
  checkLength((await body.text()).length);
}

function checkLength(length: number): void {
  if (length < KB * 900) throw new Error(`the page has only ${length} bytes`);
}

/** The target with TLS, in a process of its own. */
if (process.argv[2] === 'secure') {
  const server = createServer(selfSigned(), (_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>A page</title><p>${'word '.repeat(KB * 200)}</p>`);
  });
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
  process.once('disconnect', () => process.exit());
}
