import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { browserProcessesOf, chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { eventually, useOwnService } from '../../helpers/service.ts';
import { createUser } from '../../helpers/users.ts';

const LONG = process.env.LONG === '1';
const SLOTS = 4;
const SPIN = '<p>before<script>setTimeout(() => { for (;;); }, 50)</script>';
const WORKERS =
  "<p>before<script>for (let n = 0; n < 4; n++) new Worker(URL.createObjectURL(new Blob(['for (;;);'])))</script>";

/** sched(7). */
const SCHED_IDLE = 5;
const chrt = spawnSync('chrt', ['--version']).status === 0;

const skip =
  process.platform !== 'linux'
    ? 'what is looked at is in /proc'
    : (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('while other pages never end', { skip }, () => {
  const service = useOwnService({ SLUICE_BROWSER_SLOTS: String(SLOTS) });
  let target: Target;
  let key: string;
  before(async () => {
    target = await startTarget({
      '/spin': html(SPIN),
      '/workers': html(WORKERS),
      '/calm': html('<p>calm'),
      '/never': () => {},
    });
    key = (await createUser(service)).key;
  });
  after(() => target[Symbol.asyncDispose]());

  test('a user who has all slots does not block others', async () => {
    const stop = new AbortController();
    const asked = target.asked.length;
    const held = Array.from({ length: SLOTS }, () =>
      service
        .scrape(
          { url: `${target.url}/never`, scraper: 'browser', timeout_ms: 120_000 },
          { signal: stop.signal },
        )
        .catch(() => null),
    );
    await eventually(() => target.asked.length - asked === SLOTS);
    const { status, body } = await service.scrape({ url: `${target.url}/calm`, scraper: 'browser' }, { key });
    assert.deepEqual([status, body.errors], [200, []], JSON.stringify(body));
    // Who has them waits for one of them.
    const own = await service.scrape({ url: `${target.url}/calm`, scraper: 'browser', timeout_ms: 2_000 });
    assert.deepEqual([own.status, own.body.code], [503, 'service.unavailable'], own.text);
    stop.abort();
    await Promise.all(held);
  });

  test('pages of other users have priority', async (t) => {
    const calm = async () => {
      const began = performance.now();
      const { status, body } = await service.scrape(
        { url: `${target.url}/calm`, scraper: 'browser' },
        { key },
      );
      assert.deepEqual([status, body.errors], [200, []], JSON.stringify(body));
      return performance.now() - began;
    };
    const timed = async (count: number) => {
      const times: number[] = [];
      for (let n = 0; n < count; n++) times.push(await calm());
      return times.sort((a, b) => a - b);
    };
    const count = LONG ? 300 : 10;
    await timed(3);
    const alone = await timed(count);
    const stop = new AbortController();
    const hostile = ['/spin', '/workers', '/spin'].map((path) =>
      service
        .scrape(
          { url: target.url + path, scraper: 'browser', timeout_ms: 120_000, wait_for_timeout_ms: 60_000 },
          { signal: stop.signal },
        )
        .catch(() => null),
    );
    const lowered = () =>
      pagesOf(service.pid).filter((threads) => threads.length > 0 && threads.every(({ nice }) => nice >= 10));
    // On a machine with much else to do, the others may not get as far.
    await eventually(() => lowered().length > 0, 60_000);
    const beside = await timed(count);
    if (chrt)
      await eventually(
        () => lowered().some((threads) => threads.every(({ policy }) => policy === SCHED_IDLE)),
        60_000,
      );
    stop.abort();
    await Promise.all(hostile);
    const p = (times: readonly number[], share: number) =>
      Math.round(times[Math.ceil(times.length * share) - 1]!);
    for (const [name, share] of [
      ['p50', 0.5],
      ['p95', 0.95],
    ] as const)
      t.diagnostic(
        `another user's scrapes, ${name}: ${p(alone, share)} ms alone, ${p(beside, share)} ms beside them: × ${(p(beside, share) / p(alone, share)).toFixed(2)}`,
      );
    await eventually(() => lowered().length === 0);
    await calm();
  });
});

/** Each would loop in a page of its own. */
const MOST_PROCESSORS = 8;

describe('while other pages take all processors', {
  skip: skip || (availableParallelism() > MOST_PROCESSORS && 'it would take too many pages'),
}, () => {
  const processors = availableParallelism();
  const service = useOwnService({ SLUICE_BROWSER_SLOTS: String(processors + 1) });
  let target: Target;
  before(async () => {
    target = await startTarget({ '/spin': html(SPIN), '/calm': html('<p>calm') });
  });
  after(() => target[Symbol.asyncDispose]());

  const pids = async (apart: boolean) => {
    const { body } = await service.api<System>('GET', '/api/v1/system/');
    return body.browsers.kinds
      .filter((kind) => kind.apart === apart)
      .flatMap(({ browsers }) => browsers.map(({ pid }) => pid));
  };

  for (const [title, leave] of [
    ['their own user stays in their browser', false],
    ['others leave it', true],
  ] as const)
    test(title, async () => {
      const key = leave ? (await createUser(service)).key : service.key;
      const calm = async () => {
        const { status, body } = await service.scrape(
          { url: `${target.url}/calm`, scraper: 'browser', timeout_ms: 60_000 },
          { key },
        );
        assert.deepEqual([status, body.errors], [200, []], JSON.stringify(body));
      };
      await calm();
      const before = await pids(false);
      const stop = new AbortController();
      const hostile = Array.from({ length: processors }, () =>
        service
          .scrape(
            {
              url: `${target.url}/spin`,
              scraper: 'browser',
              timeout_ms: 120_000,
              wait_for_timeout_ms: 60_000,
            },
            { signal: stop.signal },
          )
          .catch(() => null),
      );
      const isLast = (threads: readonly Thread[]) =>
        threads.length > 0 && threads.every(({ nice }) => nice === 19);
      await eventually(() => pagesOf(service.pid).filter(isLast).length >= processors, 60_000);
      for (let n = 0; n < 5; n++) await calm();
      if (leave) {
        await eventually(async () => {
          await calm();
          // The one before ends with its last page.
          const ofAll = await pids(false);
          return ofAll.length === 2 && ofAll.includes(before[0]!);
        }, 60_000);
      } else assert.deepEqual([await pids(true), await pids(false)], [[], before]);
      stop.abort();
      await Promise.all(hostile);
      await eventually(() => !pagesOf(service.pid).some(isLast));
      await calm();
    });
});

interface System {
  readonly browsers: {
    readonly kinds: readonly {
      readonly apart: boolean;
      readonly browsers: readonly { readonly pid: number }[];
    }[];
  };
}

interface Thread {
  readonly nice: number;
  readonly policy: number;
}

/** For each process of a page how its threads are scheduled: proc(5), fields 19 and 41 of `stat`. */
function pagesOf(service: number): readonly (readonly Thread[])[] {
  return browserProcessesOf(service)
    .filter(({ line }) => line.includes('--type=renderer'))
    .map(({ pid }) => {
      try {
        return readdirSync(`/proc/${pid}/task`).map((thread) => {
          const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
          const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
          return { nice: Number(fields[16]), policy: Number(fields[38]) };
        });
      } catch {
        return [];
      }
    });
}
