import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createGzip } from 'node:zlib';
import { listen } from '../../helpers/free-port.ts';
import { metric, scrapeAndDiscard } from '../../helpers/many-at-once.ts';
import { eventually, type Service, startService, useOwnService } from '../../helpers/service.ts';

const MIB = 2 ** 20;
const LONG = process.env.LONG === '1';
const BOMBS = LONG ? 12 : 6;
const IN_USE = 'sluice_memory_in_use_bytes';

/** Pages as large as the path says: `/announced/10`, `/chunked/10`, `/latin/10` (windows-1252), `/bomb/2000` (MiB). */
function startLargeSite(): Server {
  const bodies = new Map<string, Buffer>();
  const fill: Readonly<Record<string, Buffer>> = {
    latin: Buffer.from('d\xe9j\xe0 vu \x80 ', 'latin1'),
    '': Buffer.from('The "quick" brown fox\njumps over the lazy dog. '),
  };
  const bodyOf = (kind: string, mib: number): Buffer => {
    const key = `${kind} ${mib}`;
    const body = bodies.get(key) ?? Buffer.alloc(mib * MIB, fill[kind] ?? fill['']);
    bodies.set(key, body);
    return body;
  };
  return createServer((request, response) => {
    const [, kind = '', size = '1'] = (request.url ?? '/').split('/');
    const type = kind === 'latin' ? 'text/html' : 'text/html; charset=utf-8';
    response.on('error', () => {});
    if (kind === 'small') return void response.writeHead(200, { 'content-type': type }).end('<p>small');
    if (kind === 'bomb') {
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' });
      const zip = createGzip();
      const zeros = Buffer.alloc(MIB);
      let left = Number(size);
      const more = () => (left-- > 0 ? zip.write(zeros, more) : zip.end());
      zip.on('error', () => {});
      response.once('close', () => zip.destroy());
      zip.pipe(response);
      more();
      return;
    }
    const body = bodyOf(kind === 'latin' ? kind : '', Number(size));
    if (kind !== 'chunked') {
      response.writeHead(200, { 'content-type': type, 'content-length': String(body.length) }).end(body);
      return;
    }
    response.writeHead(200, { 'content-type': type });
    let at = 0;
    const more = () => {
      while (at < body.length) {
        const ok = response.write(body.subarray(at, at + 65_536));
        at += 65_536;
        if (!ok) return void response.once('drain', more);
      }
      response.end();
    };
    more();
  });
}

describe('memory', { timeout: 280_000 }, () => {
  const site = startLargeSite();
  let base = '';
  /** For tests that leave nothing behind. */
  const shared = useOwnService({ SLUICE_MEMORY_BYTES: '64MiB', SLUICE_LOG_LEVEL: 'warn' });
  before(async () => {
    await listen(site);
    base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  });
  after(() => {
    site.closeAllConnections();
    site.close();
  });

  const withBudget = (mib: number): Promise<Service> =>
    startService({ SLUICE_MEMORY_BYTES: `${mib}MiB`, SLUICE_LOG_LEVEL: 'warn' });
  const peakMib = (service: Service): number =>
    Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024;
  const nothingHeld = (service: Service) =>
    eventually(async () => (await metric(service.base, IN_USE)) === 0, 10_000);

  /** Scrapes so many pages of so many MiB at once, with a memory budget. */
  async function manyAtOnce(count: number, mib: number, budgetMib: number, kind: string, service = shared) {
    // Warm-up, because code is slow when it runs first; the first reading of /metrics resets the delay.
    for (let n = 0; n < 20; n++) await scrapeAndDiscard(service.base, { url: `${base}/small` });
    await metric(service.base, IN_USE);
    const body = { url: `${base}/${kind}/${mib}`, scraper_options: { max_content_bytes: 50 * MIB } };
    const ended = await Promise.all(
      Array.from({ length: count }, () => scrapeAndDiscard(service.base, body)),
    );
    const p99 = await metric(service.base, 'nodejs_eventloop_lag_p99_seconds');
    for (const { status, bytes, tail, retryAfter } of ended) {
      assert.ok(status === 200 || status === 503, `${status} ${tail}`);
      if (status === 200) assert.ok(bytes > mib * MIB && tail.endsWith('}}'), `${bytes} bytes`);
      else {
        assert.ok(retryAfter !== null);
        assert.match(tail, /"code":"service.unavailable"/);
      }
    }
    await nothingHeld(service);
    const good = ended.filter(({ status }) => status === 200).length;
    const peak = peakMib(service);
    console.log(
      `${count} × ${mib} MiB ${kind}, budget ${budgetMib} MiB: ${good} × 200, ${count - good} × 503, peak ${Math.round(peak)} MiB, event loop p99 ${Math.round(p99 * 1000)} ms`,
    );
    assert.ok(good > 0);
    assert.ok(peak < budgetMib + 300, `${peak} MiB`);
    if (count * mib > budgetMib) {
      const waited = ended.filter(({ tail }) => /"queue":[1-9]/.test(tail)).length;
      assert.ok(waited > 0, 'nobody waited');
    }
    return p99;
  }

  /** The same in a service of its own. */
  async function manyAtOnceAlone(count: number, mib: number, budgetMib: number, kind: string) {
    await using service = await withBudget(budgetMib);
    const p99 = await manyAtOnce(count, mib, budgetMib, kind, service);
    await service.stop();
    return p99;
  }

  /** The delay of the event loop in seconds is also that of a machine that others use: the best of three counts. */
  async function quick(run: () => Promise<number>): Promise<void> {
    const seen: number[] = [];
    do seen.push(await run());
    while (seen.at(-1)! >= 0.1 && seen.length < 3);
    assert.ok(Math.min(...seen) < 0.1, `p99 of the event loop: ${seen.join(', ')} s`);
  }

  test('more large pages at once than there is memory for', async () => {
    await manyAtOnce(LONG ? 12 : 9, 10, 64, 'announced');
  });
  test('large pages without Content-Length', async () => {
    await manyAtOnce(LONG ? 12 : 9, 10, 64, 'chunked');
  });
  test('large pages in another charset than UTF-8', async () => {
    await manyAtOnce(6, 10, 64, 'latin');
  });
  test('50 at once of 50 MiB', { skip: !LONG && 'only in long runs' }, () =>
    quick(() => manyAtOnceAlone(50, 50, 512, 'announced')),
  );
  test('50 at once of 50 MiB, without Content-Length', { skip: !LONG && 'only in long runs' }, () =>
    quick(() => manyAtOnceAlone(50, 50, 512, 'chunked')),
  );

  test('waiting scrapes get 503 at the deadline and end with their caller; a caller that does not read is disconnected', async () => {
    const service = await withBudget(16);
    try {
      // Holds all of the budget: its answer is larger than what the system takes for the caller.
      const hog = connect(service.port, '127.0.0.1').pause();
      const ask = JSON.stringify({
        url: `${base}/announced/30`,
        scraper_options: { max_content_bytes: 30 * MIB },
      });
      hog.on('error', () => {});
      hog.write(
        `POST /api/v1/scrape/ HTTP/1.1\r\nHost: x\r\nAuthorization: Api-Key ${service.key}\r\nContent-Type: application/json\r\nContent-Length: ${ask.length}\r\n\r\n${ask}`,
      );
      await eventually(async () => (await metric(service.base, IN_USE)) === 16 * MIB);
      const began = performance.now();
      const leaving = new AbortController();
      const left = scrapeAndDiscard(service.base, { url: `${base}/announced/1` }, leaving.signal);
      const waiting = service.scrape({ url: `${base}/chunked/1`, timeout_ms: 2_000 });
      await eventually(async () => (await metric(service.base, 'sluice_memory_waiting')) === 2);
      // Small pages are not held up.
      assert.equal((await service.scrape({ url: `${base}/small` })).status, 200);
      leaving.abort();
      assert.equal((await left).status, null);
      const late = await waiting;
      assert.ok(performance.now() - began < 20_000);
      assert.equal(late.status, 503);
      assert.equal(late.body.code, 'service.unavailable');
      assert.ok(late.headers.has('retry-after'));
      assert.equal(late.body.retryable, true);
      assert.ok(late.body.router.timing.queue! > 0);
      await eventually(async () => (await metric(service.base, 'sluice_memory_waiting')) === 0);
      if (LONG) {
        // 30 s without a byte taken: its memory is free, and the next one goes through.
        await eventually(async () => (await metric(service.base, IN_USE)) === 0, 45_000);
      } else hog.destroy();
      await nothingHeld(service);
      assert.equal((await scrapeAndDiscard(service.base, { url: `${base}/announced/10` })).status, 200);
      await nothingHeld(service);
      hog.destroy();
      await service.stop();
    } finally {
      await service[Symbol.asyncDispose]();
    }
  });

  test('large records are read within the budget too, and are the same', async () => {
    for (const kind of ['announced', 'latin']) {
      const made = await shared.scrape({ url: `${base}/${kind}/2` });
      assert.equal(made.status, 200);
      const read = await Promise.all(
        Array.from({ length: 5 }, () =>
          shared.api<{ content: string }>('GET', `/api/v1/scrape/${made.body.id}/`),
        ),
      );
      for (const { body } of read) assert.ok(body.content === made.body.content);
      assert.equal(Buffer.byteLength(made.body.content!) >= 2 * MIB, true);
    }
    await nothingHeld(shared);
  });

  test('of several large attempts only the best is kept', async () => {
    const { status, body } = await shared.scrape({
      url: `${base}/chunked/5`,
      scraper: 'http',
      router: { max_attempts: 3, accept: { contains: 'never', selector: 'no-such-element' } },
    });
    assert.equal(status, 200);
    assert.equal(body.router.outcome, 'unaccepted');
    assert.equal(body.router.attempts.length, 3);
    assert.equal(Buffer.byteLength(body.content!), 5 * MIB);
    await nothingHeld(shared);
  });

  test('decompression bombs take no more memory than the limit', async () => {
    const service = await withBudget(64);
    try {
      // It waits until browsers have been looked for, and one is unpacked: that takes memory, too.
      await service.api('GET', '/api/v1/scrapers/');
      for (let n = 0; n < 20; n++) await scrapeAndDiscard(service.base, { url: `${base}/small` });
      const before = peakMib(service);
      const bombs = async (count: number) => {
        const ended = await Promise.all(
          Array.from({ length: count }, () =>
            scrapeAndDiscard(service.base, { url: `${base}/bomb/200`, scraper: 'http' }),
          ),
        );
        for (const { status, tail } of ended) {
          assert.equal(status, 200);
          assert.match(tail, /content\.truncated/);
        }
        await nothingHeld(service);
        return peakMib(service);
      };
      const one = (await bombs(1)) - before;
      const many = await bombs(BOMBS);
      console.log(
        `a gzip bomb of 200 MiB, limit 10 MiB: ${Math.round(one)} MiB; ${BOMBS} at once, budget 64 MiB: peak ${Math.round(many)} MiB`,
      );
      assert.ok(one < 64, `${one} MiB`);
      // Far below the 200 MiB of each bomb. The heap is collected late on a busy machine.
      assert.ok(many < 64 + 400, `${many} MiB`);
      await service.stop();
    } finally {
      await service[Symbol.asyncDispose]();
    }
  });
});
