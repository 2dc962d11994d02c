import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { systemClock } from '../src/base/time.ts';
import { createEgress } from '../src/egress/egress.ts';
import type { Scraper } from '../src/ports/scraper.ts';
import { createHttpScraper } from '../src/scrapers/http/create-http-scraper.ts';
import { createImpersonateScraper } from '../src/scrapers/impersonate/create-impersonate-scraper.ts';
import { loadBinding } from '../src/scrapers/impersonate/native-binding.ts';
import { pageOf } from '../test/contracts/fetch-order.ts';
import { selfSigned } from '../test/site/certificate.ts';
import { bareLibrary } from './lib/bare-library.ts';

const SIZES = [1, 30, 200];
const TURN_MS = 700;

/**
 * Compares, over TLS and alternating in one run, the requests per second of `http` with those of undici, and of
 * `http_impersonate` with those of its bare library. Then counts connections and descriptors over 2,000 scrapes, or
 * 100,000 with `--long`.
 */
export async function impersonate(flags: readonly string[]): Promise<void> {
  const { binding, reason } = loadBinding();
  if (binding === null) throw new Error(`http_impersonate is unavailable: ${reason}`);
  const target = fork(fileURLToPath(import.meta.url), ['target']);
  const [port] = (await once(target, 'message')) as [number];
  const egress = createEgress({ allow: ['127.0.0.0/8', '::1/128'], dnsServers: null, clock: systemClock });
  const dependencies = { egress, ca: null, clock: systemClock };
  const scrapers = [
    createHttpScraper({ ...dependencies, userAgent: 'Sluice/bench' }),
    createImpersonateScraper(dependencies),
  ] as const;
  const agent = new Agent({ connections: 64, connect: { rejectUnauthorized: false } });
  try {
    for (const http2 of [false, true])
      for (const size of SIZES)
        for (const concurrency of [1, 16]) {
          const url = `https://127.0.0.1:${port}/${size}`;
          const [http, httpImpersonate] = scrapers.map((scraper) => () => scrape(scraper, url, http2, size));
          const label = `${http2 ? 'HTTP/2  ' : 'HTTP/1.1'} ${size} KB, ${concurrency} at once`;
          await compare(
            `${label}: http_impersonate`,
            httpImpersonate!,
            () => bareLibrary(binding, { url, kb: size, http2, proxy: null }),
            concurrency,
          );
          if (!http2)
            await compare(
              `${label}: http            `,
              http!,
              () => fetchByUndici(agent, url, size),
              concurrency,
            );
        }
    await countLeftovers(
      scrapers[1],
      `https://127.0.0.1:${port}/1`,
      flags.includes('--long') ? 100_000 : 2_000,
    );
  } finally {
    for (const scraper of scrapers) await scraper.close();
    egress.close();
    await agent.close();
    target.disconnect();
  }
}

async function scrape(scraper: Scraper, url: string, http2: boolean, kb: number): Promise<void> {
  const { page } = await pageOf(scraper, url, { options: { http2, verifyTls: false } });
  if (page.body.length !== kb * 1024) throw new Error('the page has another length');
}

async function fetchByUndici(agent: Agent, url: string, kb: number): Promise<void> {
  const { body } = await request(url, { dispatcher: agent });
  if ((await body.arrayBuffer()).byteLength !== kb * 1024) throw new Error('the page has another length');
}

type FetchOnce = () => Promise<void>;

/** Prints the rates of our scraper and the bare client: medians of four alternating rounds, after one warm-up. */
async function compare(label: string, ours: FetchOnce, bare: FetchOnce, concurrency: number): Promise<void> {
  const rates: [number[], number[]] = [[], []];
  for (let round = -1; round < 4; round++) {
    for (const side of [0, 1] as const) {
      const rate = await rateOf(side === 0 ? ours : bare, concurrency);
      if (round >= 0) rates[side].push(rate);
    }
  }
  const [ourRate, bareRate] = rates.map((list) => list.toSorted((a, b) => a - b)[list.length >> 1]!);
  console.log(
    `${label} ${ourRate!.toFixed(0)}/s, bare ${bareRate!.toFixed(0)}/s, ratio ${(ourRate! / bareRate!).toFixed(2)}`,
  );
}

/** Requests per second. */
async function rateOf(once: FetchOnce, concurrency: number): Promise<number> {
  const began = performance.now();
  let done = 0;
  const worker = async () => {
    while (performance.now() - began < TURN_MS) {
      await once();
      done++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return (done * 1000) / (performance.now() - began);
}

/** Prints the open descriptors before and after so many scrapes, and the connections that these opened. */
async function countLeftovers(scraper: Scraper, url: string, count: number): Promise<void> {
  const descriptors = () => readdirSync('/proc/self/fd').length;
  const run = async (times: number) => {
    let left = times;
    const worker = async () => {
      while (left-- > 0) await scrape(scraper, url, left % 2 === 0, 1);
    };
    await Promise.all(Array.from({ length: 16 }, worker));
  };
  await run(200);
  const before = descriptors();
  const connectionsBefore = await connectionsOf(url);
  await run(count);
  const opened = (await connectionsOf(url)) - connectionsBefore;
  console.log(
    `${count} scrapes: ${before} descriptors before, ${descriptors()} after; ${opened} connections were opened`,
  );
}

/** How many connections the target has accepted, without those of this function. */
async function connectionsOf(url: string): Promise<number> {
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  const { body } = await request(new URL('/opened', url), { dispatcher: agent });
  const count = Number(await body.text());
  await agent.close();
  ownConnections++;
  return count - ownConnections;
}
let ownConnections = 0;

function serve(): void {
  const pages = new Map(SIZES.map((size) => [`/${size}`, Buffer.alloc(size * 1024, 'x')]));
  const server = createSecureServer({ ...selfSigned(), allowHTTP1: true }, (request, response) => {
    const page = request.url === '/opened' ? Buffer.from(String(opened)) : pages.get(request.url)!;
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length });
    response.end(page);
  });
  let opened = 0;
  server.on('secureConnection', () => opened++);
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}

if (process.argv[2] === 'target' && process.send !== undefined) serve();
