import { setTimeout as pause } from 'node:timers/promises';
import { type BenchBrowser, benchBrowser, sharedSwitches } from './lib/bench-browser.ts';
import { printBrowsers } from './lib/browser-report.ts';
import { type Contender, startContender } from './lib/contenders.ts';
import { installPeers, startBrowserless, startLibrary } from './lib/peers.ts';
import { type PhaseTimes, phasesOf, sincePhases } from './lib/phases.ts';
import { browserBelow, type CpuByKind, KINDS, treeCpu } from './lib/process-tree.ts';
import { type SluiceServed, startBeside, startSluice } from './lib/services.ts';
import type { TurnResult } from './lib/turns.ts';

export interface BrowserSample extends TurnResult {
  /** Processor seconds of the whole process tree. */
  readonly cpu: CpuByKind;
  /** From the metrics of Sluice; null for other services. */
  readonly phases: PhaseTimes | null;
}

export interface BrowserCell {
  readonly page: string;
  readonly concurrency: number;
  readonly samples: Record<string, BrowserSample[]>;
}

/** Pages with the texts that each must contain, and the number of requests that one visit makes. */
const PAGES = {
  static: { needs: ['id="end"', 'data-id="329"'], requests: 1 },
  resources: { needs: ['alt="cake 11"', '<p class="by-script">'], requests: 21 },
  rendered: { needs: ['data-cards="300"', '<li class="tag">tag'], requests: 4 },
} as const;
type PageName = keyof typeof PAGES;

const numberFlag = (flags: readonly string[], name: string, defaultValue: number): number => {
  const text = flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3);
  return text === undefined ? defaultValue : Number(text);
};

/**
 * Compares Sluice with other services and libraries that fetch pages with a browser: in one run, alternating, all with the
 * same Chromium. Arguments: pages (static, resources, rendered), `--at=4` (visits at once), `--rounds=3`, `--seconds=4`,
 * `--alone` (only Sluice and the Playwright loop).
 */
export async function browser(flags: readonly string[]): Promise<void> {
  const named = flags.filter((flag): flag is PageName => flag in PAGES);
  const pages = named.length > 0 ? named : (Object.keys(PAGES) as PageName[]);
  const at = numberFlag(flags, 'at', 0);
  const [rounds, seconds] = [numberFlag(flags, 'rounds', 3), numberFlag(flags, 'seconds', 4)];
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
    // The previous contender is still closing its pages.
    await pause(300);
    const [cpu, requestsBefore] = [treeCpu(contender.pid), await requestsTo(target.base)];
    const phases = contender.name === 'Sluice' ? await phasesOf(sluice.base) : null;
    const result = await contender.runTurn({ url: `${target.base}/${page}`, needs, concurrency, seconds });
    await pause(150);
    samples[contender.name]!.push({
      ...result,
      cpu: sinceCpu(cpu, treeCpu(contender.pid)),
      phases: phases && sincePhases(phases, await phasesOf(sluice.base)),
    });
    const actual = (await requestsTo(target.base)) - requestsBefore;
    const expected = (result.latencies.length + result.errors) * requests;
    if (actual !== expected && result.errors === 0)
      console.error(
        `${contender.name}, ${page} at ${concurrency}: the target got ${actual} requests instead of ${expected}.`,
      );
    if (result.firstError !== null) console.error(`${contender.name}: ${result.firstError}`);
  };
  // Warm-up, whose samples are dropped.
  for (const cell of cells) for (const contender of contenders) await measure(cell, contender, 1.5);
  for (const { samples } of cells) for (const name of Object.keys(samples)) samples[name] = [];
  for (let round = 0; round < rounds; round++) {
    // Each round begins with another contender, so that none always runs on a warmer machine.
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

interface Started {
  readonly sluice: SluiceServed;
  readonly contenders: readonly Contender[];
  /** Contenders that could not be started. */
  readonly missing: readonly (readonly [name: string, reason: string])[];
}

async function startAll(
  bench: BenchBrowser,
  opened: AsyncDisposableStack,
  target: string,
  alone: boolean,
): Promise<Started> {
  const sluice = await startSluice({ SLUICE_BROWSER_PATH: bench.path });
  opened.defer(() => sluice.stop());
  const { authorization, pid } = sluice;
  const serviceOptions = {
    endpoint: `${sluice.base}/api/v1/scrape/`,
    headers: { authorization },
    body: { scraper: 'browser', wait_for_load_state: 'load' },
    content: 'content',
  };
  const args = [JSON.stringify(serviceOptions)];
  const first = await startContender({ name: 'Sluice', program: 'lib/http-visitor.ts', args, pid });
  opened.defer(() => first.stop());
  const contenders = [first];
  const missing: [string, string][] = [];
  // Makes Sluice start its browser, whose switches the others get too.
  const firstVisit = await first.runTurn({
    url: `${target}/static`,
    needs: ['id="end"'],
    concurrency: 1,
    seconds: 0.1,
  });
  const commandLine = browserBelow(pid);
  if (commandLine === null) throw new Error(`Sluice did not start its browser: ${firstVisit.firstError}`);
  bench.switches = sharedSwitches(commandLine);
  const starts: [string, () => Promise<Contender>][] = [
    [
      'Playwright loop',
      () => startContender({ name: 'Playwright loop', program: 'lib/naive-visitor.ts', browser: bench }),
    ],
  ];
  if (!alone) {
    const installError = installPeers();
    const ifInstalled = (start: () => Promise<Contender>) => () =>
      installError === null ? start() : Promise.reject(new Error(installError));
    starts.push(['puppeteer-cluster', ifInstalled(() => startLibrary('puppeteer-cluster', bench))]);
    starts.push(['crawlee', ifInstalled(() => startLibrary('crawlee', bench))]);
    starts.push(['browserless', ifInstalled(() => startBrowserless(bench))]);
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

/** How many requests the target has received, without those for the icon, which not every driver makes. */
async function requestsTo(target: string): Promise<number> {
  const counts = (await (await fetch(`${target}/counts`)).json()) as Record<string, number>;
  return Object.entries(counts).reduce(
    (sum, [path, count]) => (path === '/favicon.ico' ? sum : sum + count),
    0,
  );
}
