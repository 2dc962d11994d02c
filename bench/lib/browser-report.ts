import type { BrowserCell, BrowserSample } from '../browser.ts';
import type { BenchBrowser } from './bench-browser.ts';
import { meanPhases } from './phases.ts';
import { KINDS } from './process-tree.ts';
import { fixed, provenance, table } from './report.ts';
import { median, quantile, spreadPercent } from './statistics.ts';

export interface BrowserReport {
  /** One for each page and concurrency. */
  readonly cells: readonly BrowserCell[];
  /** Of the contenders, in the order of the report. */
  readonly names: readonly string[];
  /** Contenders that could not be started. */
  readonly missing: readonly (readonly [name: string, reason: string])[];
  readonly bench: BenchBrowser;
  readonly command: string;
  readonly rounds: number;
  readonly seconds: number;
}

const LOOP = 'Playwright loop';

export function printBrowsers(report: BrowserReport): void {
  const { cells, names, missing, bench, command, rounds, seconds } = report;
  console.log(provenance(command));
  const sandbox = bench.switches.includes('--no-sandbox') ? 'off' : 'on';
  const user = bench.user === null ? 'this user' : `user ${bench.user.uid}`;
  console.log(
    `All use Chromium ${bench.version} with the same ${bench.switches.length} switches, sandbox ${sandbox}, as ${user}; browserless adds switches of its own.`,
  );
  console.log(
    `Medians of ${rounds} rounds of ${seconds} s, alternating; quantiles over the latencies of all rounds.\n`,
  );
  const head = ['', 'pages/s', 'spread', '÷ loop', 'p50 ms', 'p95 ms', 'CPU s a page', 'errors'];
  const rows = cells.flatMap((cell) => names.map((name) => rowOf(cell, name)));
  console.log(table(head, rows));
  for (const [name, reason] of missing) console.log(`\n${name} was not measured: ${reason}.`);
  printCpu(cells, names);
  printPhases(cells);
  const errors = cells
    .flatMap(({ samples }) => samples.Sluice ?? [])
    .reduce((sum, one) => sum + one.errors, 0);
  console.log(`\nErrors of Sluice: ${errors}.`);
  if (errors > 0) process.exitCode = 1;
}

function rowOf({ page, concurrency, samples }: BrowserCell, name: string): string[] {
  const mine = samples[name]!;
  const latencies = mine.flatMap((one) => one.latencies);
  const label = `${page}, ${concurrency} at once: ${name}`;
  const errors = String(mine.reduce((sum, one) => sum + one.errors, 0));
  if (latencies.length === 0) return [label, '–', '–', '–', '–', '–', '–', errors];
  const rates = mine.map((one) => one.perSecond);
  const ratio = ratioOf(mine, samples[LOOP] ?? []);
  const cpu = cpuOf(mine).reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    label,
    fixed(median(rates), 1),
    `±${fixed(spreadPercent(rates), 0)} %`,
    ratio === null ? '–' : fixed(ratio),
    fixed(quantile(latencies, 0.5), 0),
    fixed(quantile(latencies, 0.95), 0),
    fixed(cpu, 3),
    errors,
  ];
}

/** Seconds a page, by kind of process. */
function cpuOf(samples: readonly BrowserSample[]) {
  const pages = samples.reduce((sum, one) => sum + one.latencies.length, 0);
  return KINDS.map((kind) => ({
    kind,
    seconds: samples.reduce((sum, one) => sum + one.cpu[kind], 0) / pages,
  }));
}

function printCpu(cells: readonly BrowserCell[], names: readonly string[]): void {
  console.log('\nWhere the processor time of a page goes, ms, by kind of process:\n');
  const lines = cells.flatMap(({ page, concurrency, samples }) =>
    names.map((name) => [
      `${page}, ${concurrency} at once: ${name}`,
      ...cpuOf(samples[name]!).map(({ seconds }) => fixed(seconds * 1000, 1)),
    ]),
  );
  console.log(table(['', ...KINDS], lines));
}

/** Median of the ratios of each round, because a machine that is slow for a while slows both sides of a round. */
function ratioOf(mine: readonly BrowserSample[], loop: readonly BrowserSample[]): number | null {
  if (loop.length === 0 || loop.some((one) => one.perSecond === 0)) return null;
  return median(mine.map((one, round) => one.perSecond / loop[round]!.perSecond));
}

function printPhases(cells: readonly BrowserCell[]): void {
  const rows = cells.map(({ page, concurrency, samples }) => {
    const phases = meanPhases(
      (samples.Sluice ?? []).flatMap((one) => (one.phases === null ? [] : [one.phases])),
    );
    return { label: `${page}, ${concurrency} at once`, phases };
  });
  const names = rows[0]?.phases.map(([name]) => name) ?? [];
  if (names.length === 0) return;
  console.log('\nWhere the time of a scrape goes in Sluice, ms (means, from its own metrics):\n');
  const lines = rows.map(({ label, phases }) => [label, ...phases.map(([, ms]) => fixed(ms, 1))]);
  console.log(table(['', ...names], lines));
}
