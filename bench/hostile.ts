import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { Worker } from 'node:worker_threads';
import { freePort } from '../test/helpers/free-port.ts';
import { fixed, provenance, table } from './lib/report.ts';
import { type SluiceServed, startSluice } from './lib/services.ts';
import { quantile } from './lib/statistics.ts';

/** Those of one user at once are 50; so many of the largest ones wait for each other already. */
const AT_ONCE = 20;
const SECONDS = 8;
const BYTES = 5 * 1024 * 1024 - 200;

/** As many of these as a body may have. */
const filled = (piece: (n: number) => string, most: number): string => {
  const pieces: string[] = [];
  for (let n = 0, bytes = 0; n < most && bytes < BYTES; n++) {
    const one = piece(n);
    pieces.push(one);
    bytes += one.length + 1;
  }
  return pieces.join(',');
};

/** JSON of callers at the limits of `JSON_LIMITS`, by what it is made of. */
const DATA: Readonly<Record<string, () => string>> = {
  'nothing (a small body)': () => '{"a":1}',
  'numbers, 290,000': () => `[${filled(() => '0', 290_000)}]`,
  'objects of one member, 99,000': () => `[${filled(() => '{"a":0}', 99_000)}]`,
  'objects of 290 names, 99,000': () => `[${filled((n) => `{"a-${n % 290}":0}`, 99_000)}]`,
  'objects of 24,000 names, 24,500': () => `[${filled((n) => `{"a-${n % 24_000}":0}`, 24_500)}]`,
  'one object of 24,000 names': () => `{${filled((n) => `"a-${n}":0`, 24_000)}}`,
  'secret members, 99,000': () => `[${filled(() => '{"pin":0}', 99_000)}]`,
  'lists, 900 deep': () => `[${filled(() => '['.repeat(900) + ']'.repeat(900), 110)}]`,
  'lists, 2.5 million deep (refused)': () => '['.repeat(BYTES),
  'the same member again and again (refused)': () => `{${filled(() => '"a":0', 290_000)}}`,
  'a text of escapes': () => `"${'\\u0041'.repeat(BYTES / 6)}"`,
  'a text of forms': () => `"${'pin=1&'.repeat(BYTES / 6)}"`,
};

/** Asks /healthz each few milliseconds from a thread of its own, so that the sending of bodies does not count. */
const WATCHER = `
const { parentPort, workerData } = require('node:worker_threads');
const { get, Agent } = require('node:http');
const agent = new Agent({ keepAlive: true });
const times = [];
let ends = false;
parentPort.once('message', () => { ends = true; });
const ask = () => {
  if (ends) { parentPort.postMessage(times); return agent.destroy(); }
  const began = performance.now();
  get(workerData + '/healthz', { agent }, (response) => response.resume().on('end', () => {
    times.push(performance.now() - began);
    setTimeout(ask, 2);
  }));
};
ask();`;

/** How long /healthz takes while one caller sends the worst bodies that it may. */
export async function hostile(): Promise<void> {
  const sluice = await startSluice();
  const rows: string[][] = [];
  try {
    const url = `http://127.0.0.1:${await freePort()}/`;
    for (const [name, data] of Object.entries(DATA)) {
      const body = Buffer.from(`{"url":"${url}","scraper":"http","data":${data()}}`);
      const watcher = new Worker(WATCHER, { eval: true, workerData: sluice.base });
      await once(watcher, 'online');
      const statuses = new Set<number>();
      const began = performance.now();
      let sent = 0;
      const seconds = () => (performance.now() - began) / 1000;
      const sends = async () => {
        for (; seconds() < SECONDS; sent++) statuses.add(await send(sluice, body));
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sends));
      const perSecond = fixed(sent / seconds(), 1);
      watcher.postMessage('end');
      const [times] = (await once(watcher, 'message')) as [number[]];
      const ms = [0.5, 0.99, 1].map((share) => fixed(quantile(times, share), 1));
      const bytes = fixed(body.length / 2 ** 20, 1);
      rows.push([name, bytes, [...statuses].join(' '), ...ms, perSecond]);
    }
  } finally {
    await sluice.stop();
  }
  console.log(provenance('npm run bench -- hostile'));
  console.log(`${AT_ONCE} bodies at once, for ${SECONDS} s.\n`);
  console.log(table(['`data`', 'MiB', 'status', '/healthz p50 ms', 'p99', 'max', 'bodies /s'], rows));
}

const agent = new Agent({ keepAlive: true });

async function send({ base, authorization }: SluiceServed, body: Buffer): Promise<number> {
  const asked = request(`${base}/api/v1/scrape/`, {
    agent,
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'content-length': body.length },
  });
  asked.end(body);
  const [response] = await once(asked, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}
