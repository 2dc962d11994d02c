import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { browserProcessesOf, chromiums, foldersOf } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { eventually, useOwnService } from '../../helpers/service.ts';

const LONG = process.env.LONG === '1';
const PAGES = LONG ? 2_000 : 200;
const AT_ONCE = 4;
/** Of the pages, one each so many: a browser is killed under it; its caller hangs up. */
const KILL_EACH = LONG ? 250 : 70;
const ABORT_EACH = 9;

const skip =
  process.platform !== 'linux'
    ? 'what is looked at is in /proc'
    : (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** On a machine that is too busy for all of them, as many as there is time for show the same. */
const MOST_MS = LONG ? 3_600_000 : 120_000;

/** What a service holds that must not grow. */
interface Held {
  readonly processes: number;
  readonly folders: number;
  readonly descriptors: number;
  readonly inFlight: number;
  readonly slots: number;
  readonly memory: number;
  readonly temp: number;
}

describe(`${PAGES} pages, with browsers that are killed and callers who hang up`, { skip }, () => {
  const service = useOwnService({ SLUICE_BROWSER_SLOTS: String(AT_ONCE) });
  let target: Target;
  before(async () => {
    const rows = Array.from({ length: 300 }, (_, n) => `<p class="row">row ${n} of some text</p>`).join('');
    target = await startTarget({
      '/page': html(`<title>soak</title><h1>soak</h1>${rows}<script>document.cookie = 'a=1'</script>`),
      '/slow': (_, response) => void setTimeout(() => response.end('<p>slow'), 300),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  test('nothing is left of them', async (t) => {
    const scrape = async (path: string, signal: AbortSignal | null = null) => {
      const ask = { url: target.url + path, scraper: 'browser' };
      return (await service.scrape(ask, signal === null ? {} : { signal })).body.code ?? 'ok';
    };
    // What is loaded with the first page is no leak.
    for (let n = 0; n < AT_ONCE; n++) assert.equal(await scrape('/page'), 'ok');
    const before = await held();
    const rss: number[] = [];
    const ends = new Map<string, number>();
    const count = (end: string) => ends.set(end, (ends.get(end) ?? 0) + 1);
    let next = 0;
    let lost = 0;
    const one = async (n: number) => {
      if (n % KILL_EACH === KILL_EACH - 1) {
        const [browser] = browserProcessesOf(service.pid).filter(({ line }) => !line.includes('--type='));
        lost += kill(browser?.pid);
        count(await scrape('/slow'));
      } else if (n % ABORT_EACH === ABORT_EACH - 1) {
        const stop = new AbortController();
        const gone = scrape('/slow', stop.signal).catch(() => 'hung up');
        await pause(n % 300);
        stop.abort();
        count(await gone);
      } else count(await scrape('/page'));
      if (n % Math.ceil(PAGES / 20) === 0) rss.push(rssOf(service.pid));
    };
    const runner = async () => {
      for (let n = next++; n < PAGES && performance.now() - began < MOST_MS; n = next++) await one(n);
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, runner));
    const seconds = (performance.now() - began) / 1000;
    const pages = [...ends.values()].reduce((sum, some) => sum + some, 0);
    t.diagnostic(`${pages} pages in ${seconds.toFixed(0)} s, ${lost} kills: ${JSON.stringify([...ends])}`);
    t.diagnostic(
      `memory of the service: ${slope(rss).toFixed(1)} KB a page, ${rss.at(-1)! >> 20} MB at the end`,
    );
    // Those that were on their way in a browser that was killed.
    const crashed = ends.get('browser.crashed') ?? 0;
    assert.ok(crashed <= lost * AT_ONCE, JSON.stringify([...ends]));
    const strange = [...ends.keys()].filter((end) => !['ok', 'hung up', 'browser.crashed'].includes(end));
    assert.deepEqual(strange, []);
    // The current browser and a spare; the first start had one.
    const most = { ...before, processes: before.processes + 1, folders: before.folders + 1 };
    // A spare has two pipes and what it says; the rest is for connections that are kept for a while.
    const descriptors = before.descriptors + 30;
    const now = await eventually(async () => {
      const now = await held();
      const fits =
        now.processes <= most.processes &&
        now.folders <= most.folders &&
        now.descriptors <= descriptors &&
        now.temp <= before.temp &&
        now.inFlight === 0 &&
        now.slots === 0 &&
        now.memory === 0;
      return fits ? now : null;
    }).catch(async (error: unknown) => {
      throw new Error(`${JSON.stringify({ before, now: await held() })}: ${error}`);
    });
    t.diagnostic(JSON.stringify({ before, now }));
    await service.stop();
    assert.deepEqual([browserProcessesOf(service.pid), foldersOf(service.pid)], [[], []]);
  });

  async function held(): Promise<Held> {
    const text = await (await fetch(`${service.base}/metrics`)).text();
    const of = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
    return {
      // Of each browser the first: the others end with their page.
      processes: browserProcessesOf(service.pid).filter(({ line }) => !/--type=|crashpad/.test(line)).length,
      folders: foldersOf(service.pid).length,
      descriptors: readdirSync(`/proc/${service.pid}/fd`).length,
      inFlight: of('sluice_scrapes_in_flight'),
      slots: of('sluice_browser_slots_used'),
      memory: of('sluice_memory_in_use_bytes'),
      temp: readdirSync(tmpdir()).filter((name) => /chrom|playwright|scoped_dir/i.test(name)).length,
    };
  }
});

/** How many were killed: it may have ended meanwhile. */
function kill(pid: number | undefined): number {
  if (pid === undefined) return 0;
  try {
    process.kill(pid, 'SIGKILL');
    return 1;
  } catch {
    return 0;
  }
}

function rssOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024;
}

/** By least squares over the second half, when all is warm: KB for each page. */
function slope(rss: readonly number[]): number {
  const half = rss.slice(Math.floor(rss.length / 2));
  const pages = half.map((_, n) => n * Math.ceil(PAGES / 20));
  const [x, y] = [mean(pages), mean(half)];
  const over = pages.reduce((sum, page, n) => sum + (page - x) * (half[n]! - y), 0);
  const under = pages.reduce((sum, page) => sum + (page - x) ** 2, 0);
  return over / under / 1024;
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
