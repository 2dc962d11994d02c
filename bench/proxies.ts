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
 * `http`, directly and through a proxy (whole URLs, and CONNECT), beside undici used bare in the same run, by turns, and
 * `http_impersonate` through it beside its library; then for each the connections that it took, and descriptors before
 * and after. `--long`: 100,000 scrapes for these, else 2,000.
 */
export async function proxies(flags: readonly string[]): Promise<void> {
  const { binding, reason } = loadBinding();
  if (binding === null) throw new Error(`http_impersonate is unavailable: ${reason}`);
  const others = fork(fileURLToPath(import.meta.url), ['others']);
  const [ports] = (await once(others, 'message')) as [Ports];
  const egress = createEgress({ allow: ['127.0.0.0/8'], dnsServers: null, clock: systemClock });
  const parts = { egress, ca: null, clock: systemClock };
  const scraper = createHttpScraper({ ...parts, userAgent: 'Sluice/bench' });
  const native = createImpersonateScraper(parts);
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
  const ways = [
    ['direct, http', plain, null, agents.direct],
    ['direct, https', secure, null, agents.direct],
    ['proxy, http', plain, upstream, agents.whole],
    ['proxy, https', secure, upstream, agents.tunnel],
  ] as const;
  try {
    for (const [name, base, way, agent] of ways)
      for (const size of SIZES)
        for (const concurrency of [1, 16]) {
          const url = `${base}/${size}`;
          const own = () => scraped(scraper, url, way, size);
          await beside(
            `http, ${name}, ${size} KB, ${concurrency} at once`,
            own,
            () => bare(agent, url, size),
            concurrency,
          );
        }
    for (const size of SIZES)
      for (const concurrency of [1, 16]) {
        const url = `${secure}/${size}`;
        const own = () => scraped(native, url, upstream, size);
        const label = `http_impersonate, proxy, https, ${size} KB, ${concurrency} at once`;
        await beside(
          label,
          own,
          () => bareLibrary(binding, { url, kb: size, http2: false, proxy: uri }),
          concurrency,
        );
      }
    const count = flags.includes('--long') ? 100_000 : 2_000;
    for (const one of [scraper, native]) await leftovers(one, `${secure}/1`, upstream, count, others);
  } finally {
    await scraper.close();
    await native.close();
    egress.close();
    for (const agent of Object.values(agents)) await agent.close();
    others.disconnect();
  }
}

async function scraped(
  scraper: Scraper,
  url: string,
  upstream: Upstream | null,
  size: number,
): Promise<void> {
  const exit = upstream === null ? 'direct' : 'proxy';
  const options = { verifyTls: false, http2: false } as const;
  const fetched = await pageOf(scraper, url, { options }, { exit, upstream });
  if (fetched.page.body.length !== size * 1024) throw new Error('not the page');
}

async function bare(dispatcher: Dispatcher, url: string, size: number): Promise<void> {
  const { body } = await request(url, { dispatcher, signal: AbortSignal.timeout(60_000) });
  if ((await body.arrayBuffer()).byteLength !== size * 1024) throw new Error('not the page');
}

async function beside(
  label: string,
  own: () => Promise<void>,
  theirs: () => Promise<void>,
  concurrency: number,
): Promise<void> {
  const rates: [number[], number[]] = [[], []];
  // The first round only warms up.
  for (let round = -1; round < ROUNDS; round++) {
    const pair = [await rateOf(own, concurrency), await rateOf(theirs, concurrency)] as const;
    if (round >= 0) for (const side of [0, 1] as const) rates[side].push(pair[side]);
  }
  const [mine, theirsRate] = [median(rates[0]), median(rates[1])];
  console.log(
    `${label}: ${mine.toFixed(0)}/s, bare ${theirsRate.toFixed(0)}/s, ratio ${(mine / theirsRate).toFixed(2)}`,
  );
}

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

async function leftovers(
  scraper: Scraper,
  url: string,
  upstream: Upstream,
  count: number,
  others: ReturnType<typeof fork>,
): Promise<void> {
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const connections = async (): Promise<number> => {
    others.send('connections');
    const [taken] = (await once(others, 'message')) as [number];
    return taken;
  };
  // With as many at once as counts: what is opened then is kept.
  await Promise.all(Array.from({ length: 16 }, () => scraped(scraper, url, upstream, 1)));
  const [before, taken] = [descriptors(), await connections()];
  let left = count;
  const worker = async () => {
    while (left-- > 0) await scraped(scraper, url, upstream, 1);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  console.log(
    `${scraper.name}: ${count} scrapes, 16 at once, through the proxy over TLS: ${(await connections()) - taken} connections to it; descriptors ${before} before, ${descriptors()} after`,
  );
}

/** Targets and proxy, in a process of their own. */
async function serveOthers(): Promise<void> {
  const pages = new Map(SIZES.map((size) => [String(size), Buffer.alloc(size * 1024, 'x')]));
  const secure = createServer(selfSigned(), (request, response) => {
    const page = pages.get(request.url!.slice(1))!;
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length }).end(page);
  });
  const plain = createTcp({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    // One request a packet: both clients wait for the answer before the next.
    socket.on('data', (bytes) => {
      const page = pages.get(/\/(\d+) /.exec(bytes.toString('latin1', 0, 200))![1]!)!;
      const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n`;
      socket.write(Buffer.concat([Buffer.from(head), page]));
    });
  });
  const proxy = await startProxy();
  const [a, b] = [await listening(plain), await listening(secure)];
  process.on('message', () => process.send!(proxy.connections()));
  process.on('disconnect', () => process.exit());
  process.send!({ plain: a, secure: b, proxy: proxy.port } satisfies Ports);
}

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

if (process.argv[2] === 'others') await serveOthers();
