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

/** Sluice beside a bare relay, turn and turn about, in one run. Fails when an answer was an error. */
export async function throughput(flags: readonly string[]): Promise<void> {
  await using pair = await startPair({ utf8: !flags.includes('--ascii') });
  await measure(pair, flags.includes('--short') ? { ...FULL, rounds: 3, seconds: 2 } : FULL);
}

/** The same for a few seconds: does it run at all, and without errors? The figures mean little. */
export async function quick(): Promise<void> {
  await using pair = await startPair({ utf8: false });
  await measure(pair, QUICK);
}

async function measure(pair: Pair, plan: Plan): Promise<void> {
  const warm = plan === QUICK ? 1 : 5;
  for (const side of ['relay', 'sluice'] as const) await pair.load(side, 1, 32, warm);
  const cells: Cell[] = plan.sizes.flatMap((kb) =>
    plan.connections.map((connections) => ({ kb, connections, relay: [], sluice: [] })),
  );
  for (let round = 0; round < plan.rounds; round++) {
    for (const cell of cells) {
      // Who goes first changes too: the second finds the machine warmer.
      const order: Side[] = round % 2 === 0 ? ['relay', 'sluice'] : ['sluice', 'relay'];
      for (const side of order)
        cell[side].push(await pair.load(side, cell.kb, cell.connections, plan.seconds));
    }
    console.error(`round ${round + 1} of ${plan.rounds}`);
  }
  print(cells, plan);
}

function print(cells: readonly Cell[], plan: Plan): void {
  const of = (samples: readonly Sample[], member: 'perSecond' | 'p50' | 'p99' | 'cpuMs') =>
    median(samples.map((sample) => sample[member]));
  const rows = cells.map(({ kb, connections, relay, sluice }) => [
    `${kb} KB, ${connections} connection${connections === 1 ? '' : 's'}`,
    whole(of(relay, 'perSecond')),
    whole(of(sluice, 'perSecond')),
    fixed(median(sluice.map((sample, n) => sample.perSecond / relay[n]!.perSecond))),
    `±${fixed(spreadPercent(sluice.map((sample, n) => sample.perSecond / relay[n]!.perSecond)), 0)} %`,
    fixed(of(relay, 'p50')),
    fixed(of(sluice, 'p50')),
    fixed(of(relay, 'p99')),
    fixed(of(sluice, 'p99')),
    fixed(of(relay, 'cpuMs'), 3),
    fixed(of(sluice, 'cpuMs'), 3),
  ]);
  const head = ['', 'relay /s', 'Sluice /s', 'ratio', 'spread', 'relay p50 ms', 'Sluice p50 ms'];
  console.log(provenance('npm run bench'));
  console.log(`Medians of ${plan.rounds} rounds of ${plan.seconds} s, turn and turn about.\n`);
  console.log(table([...head, 'relay p99 ms', 'Sluice p99 ms', 'relay CPU ms', 'Sluice CPU ms'], rows));
  for (const { kb, relay, sluice } of cells.filter((cell) => cell.connections === 1))
    console.log(
      `\nAdded at 1 connection, ${kb} KB: ${fixed(of(sluice, 'p50') - of(relay, 'p50'))} ms (p50).`,
    );
  const errors = cells
    .flatMap((cell) => [...cell.relay, ...cell.sluice])
    .reduce((sum, s) => sum + s.errors, 0);
  console.log(`\nAnswers that were errors: ${errors}.`);
  if (errors > 0) process.exitCode = 1;
}
