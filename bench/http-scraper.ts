/**
 * Compares requests per second of the scraper `http` with those of undici's `request`, alternating in one run. The target
 * is a separate process that sends prepared bytes, so that the clients dominate the measurement.
 *
 *   node bench/http-scraper.ts [rounds]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { MemoryBudget } from '../src/base/memory-budget.ts';
import { deadlineOf, systemClock } from '../src/base/time.ts';
import type { Task } from '../src/domain/task.ts';
import { createEgress } from '../src/egress/egress.ts';
import { createHttpScraper } from '../src/scrapers/http/create-http-scraper.ts';
import { task } from '../test/helpers/task.ts';

const SIZES = [1, 30, 200];
const CONCURRENCY = [1, 50];
const TURN_MS = 700;

if (process.argv[2] === 'target') serve();
else await compare(Number(process.argv[2] ?? 5));

function serve(): void {
  const responses = SIZES.map((size) => {
    const head = `HTTP/1.1 200 OK\r\nServer: bench\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: text/html; charset=utf-8\r\nCache-Control: no-cache\r\nContent-Length: ${size * 1024}\r\nConnection: keep-alive\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), Buffer.alloc(size * 1024, 'x')]);
  });
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      // Each packet is one request, because both clients wait for the response before they send the next.
      const kb = Number(bytes.toString('latin1', 5, bytes.indexOf(' ', 5)));
      socket.write(responses[SIZES.indexOf(kb)]!);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
  process.on('disconnect', () => process.exit());
}

async function compare(rounds: number): Promise<void> {
  const target = fork(fileURLToPath(import.meta.url), ['target']);
  const [port] = (await once(target, 'message')) as [number];
  const egress = createEgress({ allow: ['127.0.0.0/8'], dnsServers: null, clock: systemClock });
  const scraper = createHttpScraper({ egress, userAgent: 'Sluice/bench', ca: null, clock: systemClock });
  const lease = {
    proxyType: 'datacenter' as const,
    country: null,
    exit: 'direct',
    upstream: null,
    price: null,
    warnings: [],
    report() {},
    release() {},
  };
  const reservation = new MemoryBudget(2 ** 30).open();
  const agent = new Agent({ connections: 64, pipelining: 1 });
  try {
    for (const size of SIZES) {
      const url = `http://127.0.0.1:${port}/${size}`;
      const task = jobFor(url);
      const withScraper = async () => {
        using deadline = deadlineOf(60_000);
        const fetched = await scraper.fetch({
          userId: 'bench',
          task,
          lease,
          deadline,
          attemptDeadline: null,
          allowUrl: null,
          reservation,
        });
        if (fetched.page?.body.length !== size * 1024) throw new Error('the page has another length');
      };
      const withUndici = async () => {
        const signal = AbortSignal.timeout(60_000);
        const { body } = await request(url, { dispatcher: agent, signal });
        if ((await body.arrayBuffer()).byteLength !== size * 1024)
          throw new Error('the page has another length');
      };
      for (const concurrency of CONCURRENCY) {
        const turns: [Turn[], Turn[]] = [[], []];
        for (let round = -1; round < rounds; round++) {
          const pair = [await turn(withScraper, concurrency), await turn(withUndici, concurrency)] as const;
          // The first round only warms up.
          if (round >= 0) for (const side of [0, 1] as const) turns[side].push(pair[side]);
        }
        const [sluice, undici] = turns.map((side) => ({
          rate: median(side.map(({ rate }) => rate)),
          cpu: median(side.map(({ cpu }) => cpu)),
        })) as [Turn, Turn];
        console.log(
          `${size} KB, ${concurrency} at once: Sluice ${text(sluice)}, undici ${text(undici)}, ratio ${(sluice.rate / undici.rate).toFixed(2)}, by CPU ${(undici.cpu / sluice.cpu).toFixed(2)}`,
        );
      }
    }
  } finally {
    await scraper.close();
    egress.close();
    await agent.close();
    target.disconnect();
  }
}

interface Turn {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of CPU per request; varies less than the rate on a busy machine. */
  readonly cpu: number;
}

function text({ rate, cpu }: Turn): string {
  return `${rate.toFixed(0)}/s (${cpu.toFixed(0)} us)`;
}

async function turn(once: () => Promise<void>, concurrency: number): Promise<Turn> {
  const began = performance.now();
  const cpu = process.cpuUsage();
  let done = 0;
  const worker = async () => {
    while (performance.now() - began < TURN_MS) {
      await once();
      done++;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const { user, system } = process.cpuUsage(cpu);
  return { rate: (done * 1000) / (performance.now() - began), cpu: (user + system) / done };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}

function jobFor(url: string): Task {
  return task({ url, host: '127.0.0.1', scraper: 'http' });
}
