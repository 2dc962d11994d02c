/**
 * Compares Sluice as it is here with another commit, by turns in one run: scrapes under load, and starts; with `--all` also pages in a
 * browser, reading of real pages (those in the folder that READING_DATA names), and crawls, where the other commit has them. Both run
 * from their sources. Processor time counts first: it is that of the whole process tree, user and system. With two processors or more, a
 * service has one of them for itself. Usage: against <commit> [--all] [--rounds=9] [--seconds=4]
 */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CRAWL_ENV, crawlBySluice } from './crawl.ts';
import { checkOut } from './lib/other-commit.ts';
import { treeCpu } from './lib/process-tree.ts';
import { fixed, provenance, table } from './lib/report.ts';
import { type Served, type SluiceServed, startBeside, startSluice } from './lib/services.ts';
import { median, spreadPercent } from './lib/statistics.ts';
import { wrk } from './lib/wrk.ts';

/** More than this ratio of processor time is slower. */
const LIMIT = 1.05;
const STARTS = 5;
/** V8 goes on compiling during the first 60,000 scrapes or so. */
const WARM_UP_SECONDS = 30;

interface Cell {
  readonly name: string;
  /** A server in this folder's `lib`, with its arguments, and the path of the page there. */
  readonly target: readonly string[];
  readonly path: string;
  /** Members of the request beside the URL. */
  readonly request: object;
  readonly connections: number;
}

const SHELF = ['target.ts', '--utf8'];
const httpCell = (scraper: 'http' | 'auto', kb: number, connections: number): Cell => ({
  name: `${kb} KB \`${scraper}\`, ${connections} connection${connections === 1 ? '' : 's'}`,
  target: SHELF,
  path: `/${kb}`,
  request: { scraper },
  connections,
});

const CELLS: readonly Cell[] = [
  httpCell('http', 1, 32),
  httpCell('auto', 1, 32),
  httpCell('http', 30, 32),
  httpCell('http', 200, 32),
  httpCell('http', 1, 1),
];

const BROWSER_CELL: Cell = {
  name: 'rendered page, `browser`, 4 connections',
  target: ['browser-pages.ts'],
  path: '/rendered',
  request: { scraper: 'browser', wait_for_load_state: 'load' },
  connections: 4,
};
const readingCell = (folder: string): Cell => ({
  name: 'main content as Markdown, 4 connections',
  target: ['file-pages.ts', join(folder, 'wcxb/html')],
  path: '/next',
  request: { scraper: 'http', scraper_options: { formats: ['markdown'], only_main_content: true } },
  connections: 4,
});
const CRAWLED_PAGES = 1_500;
const CRAWLS = 3;

interface Sample {
  /** Milliseconds of processor time: of a request, or of a start. */
  readonly cpuMs: number;
  /** Requests a second, or starts. */
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const SIDES = ['here', 'there'] as const;
type Side = (typeof SIDES)[number];
/** Starts a service of each side. */
type Starts = Readonly<Record<Side, () => Promise<SluiceServed>>>;
type Samples = Readonly<Record<Side, Sample[]>>;
/** What was measured, by its name. */
type Row = readonly [name: string, samples: Samples];
const none = (): Samples => ({ here: [], there: [] });
/** Reversed in every other round, because later turns find another machine. */
const inTurn = (round: number): readonly Side[] => (round % 2 === 0 ? SIDES : SIDES.toReversed());

const cpuMs = (pid: number): number =>
  1000 * Object.values(treeCpu(pid)).reduce((sum, seconds) => sum + seconds, 0);

export async function against(flags: readonly string[]): Promise<void> {
  const number = (name: string, value: number) =>
    Number(flags.find((flag) => flag.startsWith(`--${name}=`))?.slice(name.length + 3) ?? value);
  const [rounds, seconds] = [number('rounds', 9), number('seconds', 4)];
  const commit = flags.find((flag) => !flag.startsWith('-'));
  if (commit === undefined) throw new Error('Name the other commit: npm run bench -- against <commit>');
  const unknown = flags.find((flag) => flag.startsWith('-') && !/^--(all|(rounds|seconds)=\d+)$/.test(flag));
  if (unknown !== undefined) throw new Error(`There is no flag ${unknown}.`);
  const isAll = flags.includes('--all');
  const readingData = process.env.READING_DATA;
  if (isAll && readingData === undefined)
    throw new Error('READING_DATA must name the folder with the pages.');
  const cells = [...CELLS, ...(isAll ? [BROWSER_CELL, readingCell(readingData!)] : [])];

  const other = checkOut(commit);
  // What starts the load stays on the first processor, with all that it starts from now on.
  const hasTwo = availableParallelism() > 1;
  if (hasTwo) execFileSync('taskset', ['-cp', '0', String(process.pid)]);
  const wrap = hasTwo ? ['taskset', '-c', '1'] : [];
  const startsWith = (env: NodeJS.ProcessEnv): Starts => ({
    here: () => startSluice(env, { wrap }),
    there: () => startSluice(env, { wrap, program: other.program }),
  });
  const startOf = startsWith({});

  const starts = await measureStarts(startOf);
  const loads = await measureLoads(startOf, cells, rounds, seconds);
  const crawls = isAll ? await measureCrawls(startsWith(CRAWL_ENV)) : [];

  console.log(provenance(`npm run bench -- against ${commit}`));
  console.log(
    `Medians of ${rounds} rounds of ${seconds} s (starts: ${STARTS}), by turns. Ratios: here to ${other.name}.\n`,
  );
  const rows: readonly Row[] = [...loads, ['start to ready', starts], ...crawls];
  const head = [
    '',
    'processor ms here',
    'there',
    'ratio',
    'spread',
    'a second: ratio',
    'p50: ratio',
    'p99: ratio',
  ];
  console.log(
    table(
      head,
      rows.map(([name, samples]) => [name, ...cellsOf(samples)]),
    ),
  );
  const slower = rows.filter(([, samples]) => median(ratios(samples, 'cpuMs')) > LIMIT);
  for (const [name] of slower) console.log(`\nSlower than ${LIMIT}: ${name}.`);
  if (slower.length > 0) process.exitCode = 1;
}

const ratios = ({ here, there }: Samples, of: keyof Sample) => here.map((one, n) => one[of] / there[n]![of]);

function cellsOf(samples: Samples): string[] {
  const { here, there } = samples;
  const cpu = ratios(samples, 'cpuMs');
  return [
    ...[here, there].map((side) => fixed(median(side.map((one) => one.cpuMs)), 3)),
    fixed(median(cpu)),
    `±${fixed(spreadPercent(cpu), 0)} %`,
    ...(['perSecond', 'p50', 'p99'] as const).map((of) => fixed(median(ratios(samples, of)))),
  ];
}

async function measureStarts(startOf: Starts): Promise<Samples> {
  const samples = none();
  // The first start of each compiles its modules, and is not counted.
  for (let round = -1; round < STARTS; round++) {
    for (const side of inTurn(round)) {
      const service = await startOf[side]();
      const { startMs } = service;
      if (round >= 0)
        samples[side].push({
          cpuMs: cpuMs(service.pid),
          perSecond: 1000 / startMs,
          p50: startMs,
          p99: startMs,
        });
      await service.stop();
    }
  }
  return samples;
}

async function measureLoads(
  startOf: Starts,
  cells: readonly Cell[],
  rounds: number,
  seconds: number,
): Promise<readonly Row[]> {
  await using opened = new AsyncDisposableStack();
  const targets = new Map<string, Served>();
  for (const { target } of cells) {
    const [program, ...args] = target;
    if (targets.has(program!)) continue;
    const started = await startBeside(program!, args);
    opened.defer(() => started.stop());
    targets.set(program!, started);
  }
  const services: Record<Side, SluiceServed> = { here: await startOf.here(), there: await startOf.there() };
  for (const side of SIDES) opened.defer(() => services[side].stop());

  const load = async (side: Side, cell: Cell, seconds: number): Promise<Sample> => {
    const { target, path, request, connections } = cell;
    const { base, authorization, pid } = services[side];
    // Sluice is still cancelling the requests that wrk aborted at its end.
    await pause(200);
    const before = cpuMs(pid);
    const measured = await wrk({
      url: `${base}/api/v1/scrape/`,
      authorization,
      body: JSON.stringify({ url: targets.get(target[0]!)!.base + path, ...request }),
      connections,
      seconds,
    });
    if (measured.errors > 0)
      throw new Error(`${side}, ${cell.name}: ${measured.errors} responses were errors`);
    return { ...measured, cpuMs: (cpuMs(pid) - before) / measured.requests };
  };

  for (const side of SIDES) await load(side, cells[0]!, WARM_UP_SECONDS);
  const rows: [Cell, Samples][] = [];
  for (const cell of cells) {
    await load('here', cell, 2);
    if (await isThere(load('there', cell, 2))) rows.push([cell, none()]);
  }
  for (let round = 0; round < rounds; round++) {
    for (const [cell, samples] of rows)
      for (const side of inTurn(round)) samples[side].push(await load(side, cell, seconds));
    console.error(`round ${round + 1} of ${rounds}`);
  }
  return rows.map(([{ name }, samples]) => [name, samples]);
}

async function measureCrawls(startOf: Starts): Promise<readonly Row[]> {
  const samples = none();
  const target = await startBeside('crawl-target.ts');
  try {
    if (!(await isThere(crawlBySluice(target.base, 20, startOf.there)))) return [];
    for (let round = 0; round < CRAWLS; round++)
      for (const side of inTurn(round)) {
        const { pages, cpuSeconds, wallSeconds } = await crawlBySluice(
          target.base,
          CRAWLED_PAGES,
          startOf[side],
        );
        const ms = (1000 * wallSeconds) / pages;
        samples[side].push({
          cpuMs: (1000 * cpuSeconds) / pages,
          perSecond: pages / wallSeconds,
          p50: ms,
          p99: ms,
        });
      }
  } finally {
    await target.stop();
  }
  return [['a page of a crawl', samples]];
}

/** @param work of the other commit @returns false: it fails, because the commit does not have what is measured */
const isThere = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: Error) => {
      console.error(`Left out: ${error.message}`);
      return false;
    },
  );
