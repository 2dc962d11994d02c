import { type Pair, type Side, startPair } from './lib/pair.ts';
import { fixed, provenance, table, whole } from './lib/report.ts';
import { median, spreadPercent } from './lib/statistics.ts';
import type { Measured } from './lib/wrk.ts';

type Sample = Measured & { cpuMs: number };
type Cell = { readonly kb: number; readonly connections: number } & Record<Side, Sample[]>;

interface Plan {
  readonly sizes: readonly number[];
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

const FULL: Plan = { sizes: [1, 30, 200], connections: [1, 32, 50], rounds: 5, seconds: 3 };
const QUICK: Plan = { sizes: [1], connections: [1, 32], rounds: 1, seconds: 1 };

const SIDES: readonly Side[] = ['relay', 'http', 'auto'];

/** Compares Sluice with a bare relay, alternating in one run. The exit code is 1 if any response was an error. */
export async function throughput(flags: readonly string[]): Promise<void> {
  await using pair = await startPair({ utf8: !flags.includes('--ascii') });
  await measure(pair, flags.includes('--short') ? { ...FULL, rounds: 3, seconds: 2 } : FULL);
}

/** The same for a few seconds: only shows whether everything runs without errors. */
export async function quick(): Promise<void> {
  await using pair = await startPair({ utf8: false });
  await measure(pair, QUICK);
}

async function measure(pair: Pair, plan: Plan): Promise<void> {
  // V8 goes on compiling during the first 40,000 scrapes or so.
  const warmUpSeconds = plan === QUICK ? 1 : 12;
  for (const side of SIDES) await pair.load(side, 1, 32, warmUpSeconds);
  const cells: Cell[] = plan.sizes.flatMap((kb) =>
    plan.connections.map((connections) => ({ kb, connections, relay: [], http: [], auto: [] })),
  );
  for (let round = 0; round < plan.rounds; round++) {
    for (const cell of cells) {
      // The order is reversed in every other round, because later sides find a warmer machine.
      const order = round % 2 === 0 ? SIDES : SIDES.toReversed();
      for (const side of order)
        cell[side].push(await pair.load(side, cell.kb, cell.connections, plan.seconds));
    }
    console.error(`round ${round + 1} of ${plan.rounds}`);
  }
  print(cells, plan);
}

function print(cells: readonly Cell[], plan: Plan): void {
  const medianOf = (samples: readonly Sample[], member: 'perSecond' | 'p50' | 'p99' | 'cpuMs') =>
    median(samples.map((sample) => sample[member]));
  const ratios = (cell: Cell, side: Side, to: Side) =>
    cell[side].map((sample, n) => sample.perSecond / cell[to][n]!.perSecond);
  const rows = cells.map((cell) => {
    const { kb, connections, relay, http, auto } = cell;
    const toRelay = ratios(cell, 'http', 'relay');
    return [
      `${kb} KB, ${connections} connection${connections === 1 ? '' : 's'}`,
      ...[relay, http, auto].map((samples) => whole(medianOf(samples, 'perSecond'))),
      fixed(median(toRelay)),
      `±${fixed(spreadPercent(toRelay), 0)} %`,
      fixed(median(ratios(cell, 'auto', 'http'))),
      ...[relay, http, auto].map((samples) => fixed(medianOf(samples, 'p50'))),
      ...[relay, http].map((samples) => fixed(medianOf(samples, 'p99'))),
      ...[relay, http, auto].map((samples) => fixed(medianOf(samples, 'cpuMs'), 3)),
    ];
  });
  const head = ['', 'relay /s', '`http` /s', '`auto` /s', 'http : relay', 'spread', 'auto : http'];
  const p50 = ['relay p50 ms', 'http p50 ms', 'auto p50 ms', 'relay p99 ms', 'http p99 ms'];
  console.log(provenance('npm run bench'));
  console.log(`Medians of ${plan.rounds} rounds of ${plan.seconds} s, alternating.\n`);
  console.log(table([...head, ...p50, 'relay CPU ms', 'http CPU ms', 'auto CPU ms'], rows));
  for (const { kb, relay, http } of cells.filter((cell) => cell.connections === 1))
    console.log(
      `\nAdded latency at 1 connection, ${kb} KB: ${fixed(medianOf(http, 'p50') - medianOf(relay, 'p50'))} ms (p50).`,
    );
  const errors = cells
    .flatMap((cell) => [...cell.relay, ...cell.http, ...cell.auto])
    .reduce((sum, s) => sum + s.errors, 0);
  console.log(`\nResponses that were errors: ${errors}.`);
  if (errors > 0) process.exitCode = 1;
}
