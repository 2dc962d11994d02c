import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Agent, type Dispatcher, ProxyAgent, request } from 'undici';
import { systemClock } from '../src/base/time.ts';
import type { Upstream } from '../src/domain/proxy.ts';
import { createEgress } from '../src/egress/egress.ts';
import type { Scraper } from '../src/ports/scraper.ts';
import { createHttpScraper } from '../src/scrapers/http/create-http-scraper.ts';
import { createImpersonateScraper } from '../src/scrapers/impersonate/create-impersonate-scraper.ts';
import { loadBinding } from '../src/scrapers/impersonate/native-binding.ts';
import { pageOf } from '../test/contracts/fetch-order.ts';
import { startProxy } from '../test/helpers/proxy-server.ts';
import { selfSigned } from '../test/site/certificate.ts';
import { bareLibrary } from './lib/bare-library.ts';

const SIZES = [1, 30, 200];
const ROUNDS = 3;
const TURN_MS = 700;

interface Ports {
  readonly plain: number;
  readonly secure: number;
  readonly proxy: number;
}

/**
 * Compares, alternating in one run, `http` with undici (directly, and through a proxy with absolute URLs and with
 * CONNECT), and `http_impersonate` through the proxy with its bare library. Then counts connections and descriptors of
 * both scrapers over 2,000 scrapes, or 100,000 with `--long`.
 */
export async function proxies(flags: readonly string[]): Promise<void> {
  const { binding, reason } = loadBinding();
  if (binding === null) throw new Error(`http_impersonate is unavailable: ${reason}`);
  const servers = fork(fileURLToPath(import.meta.url), ['servers']);
  const [ports] = (await once(servers, 'message')) as [Ports];
  const egress = createEgress({ allow: ['127.0.0.0/8'], dnsServers: null, clock: systemClock });
  const dependencies = { egress, ca: null, clock: systemClock };
  const http = createHttpScraper({ ...dependencies, userAgent: 'Sluice/bench' });
  const httpImpersonate = createImpersonateScraper(dependencies);
  const upstream: Upstream = {
    kind: 'http',
    host: '127.0.0.1',
    port: ports.proxy,
    credentials: null,
    checkAddress: false,
    bypass: [],
  };
  const uri = `http://127.0.0.1:${ports.proxy}`;
  const tls = { rejectUnauthorized: false };
  const agents = {
    direct: new Agent({ connections: 64, connect: tls }),
    whole: new ProxyAgent({ uri, proxyTunnel: false, connections: 64 }),
    tunnel: new ProxyAgent({ uri, requestTls: tls, connections: 64 }),
  };
  const plain = `http://127.0.0.1:${ports.plain}`;
  const secure = `https://127.0.0.1:${ports.secure}`;
  const cases = [
    ['direct, http', plain, null, agents.direct],
    ['direct, https', secure, null, agents.direct],
    ['proxy, http', plain, upstream, agents.whole],
    ['proxy, https', secure, upstream, agents.tunnel],
  ] as const;
  try {
    for (const [name, base, caseUpstream, agent] of cases)
      for (const size of SIZES)
        for (const concurrency of [1, 16]) {
          const url = `${base}/${size}`;
          await compare(
            `http, ${name}, ${size} KB, ${concurrency} at once`,
            () => scrape(http, url, caseUpstream, size),
            () => fetchByUndici(agent, url, size),
            concurrency,
          );
        }
    for (const size of SIZES)
      for (const concurrency of [1, 16]) {
        const url = `${secure}/${size}`;
        const label = `http_impersonate, proxy, https, ${size} KB, ${concurrency} at once`;
        await compare(
          label,
          () => scrape(httpImpersonate, url, upstream, size),
          () => bareLibrary(binding, { url, kb: size, http2: false, proxy: uri }),
          concurrency,
        );
      }
    const count = flags.includes('--long') ? 100_000 : 2_000;
    for (const scraper of [http, httpImpersonate])
      await countLeftovers(scraper, `${secure}/1`, upstream, count, servers);
  } finally {
    await http.close();
    await httpImpersonate.close();
    egress.close();
    for (const agent of Object.values(agents)) await agent.close();
    servers.disconnect();
  }
}

async function scrape(scraper: Scraper, url: string, upstream: Upstream | null, size: number): Promise<void> {
  const exit = upstream === null ? 'direct' : 'proxy';
  const options = { verifyTls: false, http2: false } as const;
  const fetched = await pageOf(scraper, url, { options }, { exit, upstream });
  if (fetched.page.body.length !== size * 1024) throw new Error('the page has another length');
}

async function fetchByUndici(dispatcher: Dispatcher, url: string, size: number): Promise<void> {
  const { body } = await request(url, { dispatcher, signal: AbortSignal.timeout(60_000) });
  if ((await body.arrayBuffer()).byteLength !== size * 1024) throw new Error('the page has another length');
}

/** Prints the rates of our scraper and the bare client: medians of alternating rounds. */
async function compare(
  label: string,
  ours: () => Promise<void>,
  bare: () => Promise<void>,
  concurrency: number,
): Promise<void> {
  const rates: [number[], number[]] = [[], []];
  // The first round only warms up.
  for (let round = -1; round < ROUNDS; round++) {
    const pair = [await rateOf(ours, concurrency), await rateOf(bare, concurrency)] as const;
    if (round >= 0) for (const side of [0, 1] as const) rates[side].push(pair[side]);
  }
  const [ourRate, bareRate] = [median(rates[0]), median(rates[1])];
  console.log(
    `${label}: ${ourRate.toFixed(0)}/s, bare ${bareRate.toFixed(0)}/s, ratio ${(ourRate / bareRate).toFixed(2)}`,
  );
}

/** Requests per second. */
async function rateOf(once: () => Promise<void>, concurrency: number): Promise<number> {
  const began = performance.now();
  let done = 0;
  const worker = async () => {
    for (; performance.now() - began < TURN_MS; done++) await once();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return (done * 1000) / (performance.now() - began);
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

/** Prints the open descriptors before and after so many scrapes, and the connections that these opened to the proxy. */
async function countLeftovers(
  scraper: Scraper,
  url: string,
  upstream: Upstream,
  count: number,
  servers: ReturnType<typeof fork>,
): Promise<void> {
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const connections = async (): Promise<number> => {
    servers.send('connections');
    const [count] = (await once(servers, 'message')) as [number];
    return count;
  };
  // Warm-up with as many at once as are counted: the connections opened here are kept and used again.
  await Promise.all(Array.from({ length: 16 }, () => scrape(scraper, url, upstream, 1)));
  const [before, connectionsBefore] = [descriptors(), await connections()];
  let left = count;
  const worker = async () => {
    while (left-- > 0) await scrape(scraper, url, upstream, 1);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  console.log(
    `${scraper.name}: ${count} scrapes, 16 at once, through the proxy over TLS: ${(await connections()) - connectionsBefore} connections to it; descriptors ${before} before, ${descriptors()} after`,
  );
}

/** Runs the two targets and the proxy; called in a process of its own. */
async function startServers(): Promise<void> {
  const pages = new Map(SIZES.map((size) => [String(size), Buffer.alloc(size * 1024, 'x')]));
  const secure = createServer(selfSigned(), (request, response) => {
    const page = pages.get(request.url!.slice(1))!;
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length }).end(page);
  });
  const plain = createTcp({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    // Each packet is one request, because both clients wait for the response before they send the next.
    socket.on('data', (bytes) => {
      const page = pages.get(/\/(\d+) /.exec(bytes.toString('latin1', 0, 200))![1]!)!;
      const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n`;
      socket.write(Buffer.concat([Buffer.from(head), page]));
    });
  });
  const proxy = await startProxy();
  const [plainPort, securePort] = [await listen(plain), await listen(secure)];
  process.on('message', () => process.send!(proxy.connections()));
  process.on('disconnect', () => process.exit());
  process.send!({ plain: plainPort, secure: securePort, proxy: proxy.port } satisfies Ports);
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

if (process.argv[2] === 'servers') await startServers();
