import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type ClientRequest, request } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type CountingTarget, startCountingTarget } from '../helpers/counting-target.ts';
import { eventually, useOwnService, useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';

const LIMIT = 50;

describe('permits are released exactly once in each of the six endings', () => {
  const site = useSite();
  const service = useService();

  let calls = 0;

  /** Asserts that all permits are free except that of this call. */
  const allBack = () =>
    eventually(async () => {
      const { headers } = await service.api('GET', '/api/v1/scrapers/');
      return headers.get('ratelimit') === `"concurrency";r=${LIMIT - 1}`;
    });

  const head = (length: number) =>
    `POST /api/v1/scrape/ HTTP/1.1\r\nHost: x\r\nAuthorization: Api-Key ${service.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

  const endings: [string, () => Promise<unknown>][] = [
    ['200', async () => assert.equal((await service.scrape({ url: `${site.url}/text` })).status, 200)],
    ['400', async () => assert.equal((await service.scrape({})).status, 400)],
    ['404', async () => assert.equal((await service.api('GET', '/api/v1/scrape/none/')).status, 404)],
    ['502', async () => assert.equal((await service.scrape({ url: 'http://127.0.0.1:1/' })).status, 502)],
    [
      'abort while the target works',
      async () => {
        const away = new AbortController();
        // The request of an earlier call may come late.
        const path = `/hang?${++calls}`;
        const running = service.scrape({ url: site.url + path }, { signal: away.signal });
        await eventually(() => site.log.some(({ url }) => url === path));
        away.abort();
        await assert.rejects(running);
      },
    ],
    [
      'abort in the middle of the body',
      async () => {
        const socket = connect(service.port, '127.0.0.1');
        socket.on('error', () => {});
        socket.write(`${head(100)}{"url":`);
        await eventually(async () => {
          const { headers } = await service.api('GET', '/api/v1/scrapers/');
          return headers.get('ratelimit') === `"concurrency";r=${LIMIT - 2}`;
        });
        socket.destroy();
      },
    ],
  ];
  for (const [name, end] of endings)
    test(name, async () => {
      for (let n = 0; n < 3; n++) {
        await end();
        await allBack();
      }
    });

  test('of sixty requests that wait together, ten are refused', async () => {
    const away = new AbortController();
    const refused: number[] = [];
    const waiting = Array.from({ length: LIMIT + 10 }, async () => {
      const { status } = await service.scrape({ url: `${site.url}/hang` }, { signal: away.signal });
      refused.push(status);
    });
    await eventually(() => refused.length === 10);
    away.abort();
    const ends = await Promise.allSettled(waiting);
    assert.equal(ends.filter(({ status }) => status === 'rejected').length, LIMIT);
    assert.deepEqual(refused, Array(10).fill(429));
    await eventually(async () => {
      const { headers } = await service.api('GET', '/api/v1/scrapers/');
      return headers.get('ratelimit') === `"concurrency";r=${LIMIT - 1}`;
    });
  });

  test('after sixty aborts of each kind, all permits are free', async () => {
    for (const [, end] of endings.slice(4)) for (let n = 0; n < 60; n++) await end();
    await allBack();
    assert.equal(await eventually(() => site.connections() === 0 || site.connections() < 60), true);
  });

  test('a caller that disconnects in the middle of a large response releases its permit', async () => {
    const body = JSON.stringify({ url: `${site.url}/bytes/8000000` });
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.pause();
    socket.write(head(body.length) + body);
    await pause(300);
    socket.destroy();
    await allBack();
  });
});

interface Try {
  readonly from: number;
  readonly to: number;
  readonly status: number | 'aborted' | 'lost';
}

describe('permits: 60 at once with random disconnects', () => {
  const rounds = process.env.LONG === '1' ? 1000 : 30;
  const service = useOwnService({ SLUICE_LOG_LEVEL: 'warn' });
  const agent = new Agent({ keepAlive: true, maxSockets: 100 });
  let target: CountingTarget;
  /** The target takes so long that fifty at once are there together, on slow machines too. */
  let isHolding = false;
  let seed = 20261120;
  /** A repeatable sequence (mulberry32). */
  const random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };

  before(async () => {
    target = await startCountingTarget(() => (isHolding ? 3_000 : 8 + random() * 22));
  });
  after(async () => {
    agent.destroy();
    await target[Symbol.asyncDispose]();
  });

  /** One scrape; `abort`: null, or after how many ms; negative: in the middle of its own body. */
  async function one(abort: number | null): Promise<Try> {
    const from = performance.now();
    const body = JSON.stringify({ url: target.url, router: { trace: false, retain: 'none' } });
    const headers = {
      authorization: `Api-Key ${service.key}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
    };
    const call: ClientRequest = request(`${service.base}/api/v1/scrape/`, { method: 'POST', headers, agent });
    const ended = (status: Try['status']): Try => ({ from, to: performance.now(), status });
    let timer: NodeJS.Timeout | undefined;
    let aborted = false;
    const hangUp = () => {
      aborted = true;
      call.destroy();
    };
    try {
      const answer = once(call, 'response') as Promise<[import('node:http').IncomingMessage]>;
      answer.catch(() => {});
      if (abort !== null && abort < 0) {
        call.write(body.slice(0, 10));
        timer = setTimeout(hangUp, -abort);
      } else {
        call.end(body);
        if (abort !== null) timer = setTimeout(hangUp, abort);
      }
      const [incoming] = await answer;
      for await (const _ of incoming);
      // Refused before its body was sent completely: no other request can follow on this connection.
      if (abort !== null && abort < 0) call.destroy();
      return ended(incoming.statusCode!);
    } catch {
      return ended(aborted ? 'aborted' : 'lost');
    } finally {
      clearTimeout(timer);
    }
  }

  const remaining = async () => (await service.api('GET', '/api/v1/scrapers/')).headers.get('ratelimit');
  const allBack = () => eventually(async () => (await remaining()) === `"concurrency";r=${LIMIT - 1}`);

  test(`${rounds} rounds: never a 51st, never a 429 below 50, all slots back`, async () => {
    let refusals = 0;
    let aborts = 0;
    let answers = 0;
    for (let round = 0; round < rounds; round++) {
      const tries = await Promise.all(
        Array.from({ length: 60 }, async () => {
          await pause(random() * 10);
          const dice = random();
          return one(dice < 0.3 ? random() * 40 : dice < 0.4 ? -random() * 10 : null);
        }),
      );
      for (const [n, tried] of tries.entries()) {
        if (tried.status === 'aborted') aborts++;
        else if (tried.status === 200) answers++;
        else {
          assert.equal(tried.status, 429, `round ${round}, request ${n}`);
          refusals++;
          assertFull(tries, tried, round);
        }
      }
      await allBack();
      // When all permits are free, fifty at once are never refused.
      if (round % 10 === 9) {
        isHolding = round === 9;
        const fifty = await Promise.all(Array.from({ length: LIMIT }, () => one(null)));
        assert.deepEqual(
          fifty.filter(({ status }) => status !== 200),
          [],
          `after round ${round}`,
        );
        isHolding = false;
        await allBack();
      }
    }
    assert.ok(target.peak() <= LIMIT, `${target.peak()} in flight at the target`);
    assert.ok(target.peak() >= LIMIT / 2, `the target had only ${target.peak()} at once: nothing was tested`);
    // Whether any request was refused depends on the speed of the machine.
    assert.ok(aborts > 0 && answers > 0, `${answers} answers, ${aborts} aborts, ${refusals} refusals`);
    await eventually(() => target.now() === 0);
  });

  /**
   * At some moment while `refused` was under way at least fifty others may have held a slot. Seen from here a request
   * holds one from when it is sent until it is answered or, given up, a little longer: the service has to notice.
   */
  function assertFull(tries: readonly Try[], refused: Try, round: number): void {
    const GRACE_MS = 100;
    const others = tries.filter((other) => other !== refused && other.status !== 429);
    const end = (other: Try) => other.to + (other.status === 'aborted' ? GRACE_MS : 0);
    const moments = [refused.from, ...others.map((other) => other.from)].filter(
      (at) => at >= refused.from && at <= refused.to,
    );
    const most = Math.max(
      ...moments.map((at) => others.filter((other) => other.from <= at && end(other) >= at).length),
    );
    assert.ok(most >= LIMIT, `round ${round}: a 429 while at most ${most} others were running`);
  }
});
