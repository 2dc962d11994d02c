import { setTimeout as pause } from 'node:timers/promises';
import { type BenchBrowser, benchBrowser, sharedSwitches } from './lib/bench-browser.ts';
import { printBrowsers } from './lib/browser-report.ts';
import { type Contender, startContender } from './lib/contenders.ts';
import { installPeers, startBrowserless, startLibrary } from './lib/peers.ts';
import { type PhaseTimes, phasesOf, sincePhases } from './lib/phases.ts';
import { browserBelow, type CpuByKind, KINDS, treeCpu } from './lib/process-tree.ts';
import { type SluiceServed, startBeside, startSluice } from './lib/services.ts';
import type { Turned } from './lib/turns.ts';

export interface BrowserSample extends Turned {
  /** Seconds of the whole process tree. */
  readonly cpu: CpuByKind;
  /** Of Sluice alone, by its own word. */
  readonly phases: PhaseTimes | null;
}

export interface BrowserCell {
  readonly page: string;
  readonly concurrency: number;
  readonly samples: Record<string, BrowserSample[]>;
}

/** Pages, with what each must hold; the number of requests that one visit makes. */
const PAGES = {
  static: { needs: ['id="end"', 'data-id="329"'], requests: 1 },
  resources: { needs: ['alt="cake 11"', '<p class="by-script">'], requests: 21 },
  rendered: { needs: ['data-cards="300"', '<li class="tag">tag'], requests: 4 },
} as const;
type PageName = keyof typeof PAGES;

const number = (flags: readonly string[], name: string, otherwise: number): number => {
  const text = flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
  return text === undefined ? otherwise : Number(text);
};

/**
 * Sluice beside what else fetches pages with a browser, turn and turn about, in one run with one binary. Arguments: pages
 * (static, resources, rendered), `--at=4`, `--rounds=3`, `--seconds=4`, `--alone` (Sluice and the loop only).
 */
export async function browser(flags: readonly string[]): Promise<void> {
  const asked = flags.filter((flag): flag is PageName => flag in PAGES);
  const pages = asked.length > 0 ? asked : (Object.keys(PAGES) as PageName[]);
  const at = number(flags, 'at', 0);
  const [rounds, seconds] = [number(flags, 'rounds', 3), number(flags, 'seconds', 4)];
  await using opened = new AsyncDisposableStack();
  const bench = await benchBrowser();
  opened.defer(() => bench.remove());
  const target = await startBeside('browser-pages.ts');
  opened.defer(() => target.stop());
  const { sluice, contenders, missing } = await startAll(
    bench,
    opened,
    target.base,
    flags.includes('--alone'),
  );
  const cells = pages.flatMap((page) =>
    (at === 0 ? [1, 4, 8] : [at]).map((concurrency): BrowserCell => {
      const samples = Object.fromEntries(contenders.map(({ name }) => [name, []]));
      return { page, concurrency, samples };
    }),
  );
  const measure = async (
    { page, concurrency, samples }: BrowserCell,
    contender: Contender,
    seconds: number,
  ) => {
    const { needs, requests } = PAGES[page as PageName];
    // What the one before left behind is still being closed.
    await pause(300);
    const [cpu, asked] = [treeCpu(contender.pid), await requestsTo(target.base)];
    const phases = contender.name === 'Sluice' ? await phasesOf(sluice.base) : null;
    const turned = await contender.take({ url: `${target.base}/${page}`, needs, concurrency, seconds });
    await pause(150);
    samples[contender.name]!.push({
      ...turned,
      cpu: sinceCpu(cpu, treeCpu(contender.pid)),
      phases: phases && sincePhases(phases, await phasesOf(sluice.base)),
    });
    const made = (await requestsTo(target.base)) - asked;
    const due = (turned.latencies.length + turned.errors) * requests;
    if (made !== due && turned.errors === 0)
      console.error(`${contender.name}, ${page} at ${concurrency}: ${made} requests instead of ${due}.`);
    if (turned.firstError !== null) console.error(`${contender.name}: ${turned.firstError}`);
  };
  for (const cell of cells) for (const contender of contenders) await measure(cell, contender, 1.5);
  for (const { samples } of cells) for (const name of Object.keys(samples)) samples[name] = [];
  for (let round = 0; round < rounds; round++) {
    // Who goes first changes from round to round.
    for (const cell of cells)
      for (const n of contenders.keys())
        await measure(cell, contenders[(n + round) % contenders.length]!, seconds);
    console.error(`round ${round + 1} of ${rounds}`);
  }
  const command = ['npm run bench -- browser', ...flags].join(' ');
  printBrowsers({
    cells,
    names: contenders.map(({ name }) => name),
    missing,
    bench,
    command,
    rounds,
    seconds,
  });
}

const sinceCpu = (before: CpuByKind, after: CpuByKind): CpuByKind =>
  Object.fromEntries(KINDS.map((kind) => [kind, after[kind] - before[kind]])) as CpuByKind;

interface All {
  readonly sluice: SluiceServed;
  readonly contenders: readonly Contender[];
  /** Who does not run, and why. */
  readonly missing: readonly (readonly [name: string, reason: string])[];
}

async function startAll(
  bench: BenchBrowser,
  opened: AsyncDisposableStack,
  target: string,
  alone: boolean,
): Promise<All> {
  const sluice = await startSluice({ SLUICE_BROWSER_PATH: bench.path });
  opened.defer(() => sluice.stop());
  const { authorization, pid } = sluice;
  const asked = {
    endpoint: `${sluice.base}/api/v1/scrape/`,
    headers: { authorization },
    body: { scraper: 'browser', wait_for_load_state: 'load' },
    content: 'content',
  };
  const args = [JSON.stringify(asked)];
  const first = await startContender({ name: 'Sluice', program: 'lib/http-visitor.ts', args, pid });
  opened.defer(() => first.stop());
  const contenders = [first];
  const missing: [string, string][] = [];
  const warm = await first.take({
    url: `${target}/static`,
    needs: ['id="end"'],
    concurrency: 1,
    seconds: 0.1,
  });
  const commandLine = browserBelow(pid);
  if (commandLine === null) throw new Error(`Sluice does not run its browser: ${warm.firstError}`);
  bench.switches = sharedSwitches(commandLine);
  const starts: [string, () => Promise<Contender>][] = [
    [
      'Playwright loop',
      () => startContender({ name: 'Playwright loop', program: 'lib/naive-visitor.ts', browser: bench }),
    ],
  ];
  if (!alone) {
    const why = installPeers();
    const orNot = (start: () => Promise<Contender>) => () =>
      why === null ? start() : Promise.reject(new Error(why));
    starts.push(['puppeteer-cluster', orNot(() => startLibrary('puppeteer-cluster', bench))]);
    starts.push(['crawlee', orNot(() => startLibrary('crawlee', bench))]);
    starts.push(['browserless', orNot(() => startBrowserless(bench))]);
  }
  for (const [name, start] of starts) {
    try {
      const contender = await start();
      opened.defer(() => contender.stop());
      contenders.push(contender);
    } catch (error) {
      missing.push([name, (error as Error).message]);
    }
  }
  return { sluice, contenders, missing };
}

/** How many requests the target has seen. */
async function requestsTo(target: string): Promise<number> {
  const counts = (await (await fetch(`${target}/counts`)).json()) as Record<string, number>;
  return Object.entries(counts).reduce(
    (sum, [path, count]) => (path === '/favicon.ico' ? sum : sum + count),
    0,
  );
}
