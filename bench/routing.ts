import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Figures, figuresOf, meanOf } from './routing/figures.ts';
import { hotSite } from './routing/hot-site.ts';
import { policies, SCENARIOS, vendorSettings } from './routing/scenarios.ts';
import { simulate } from './routing/simulate.ts';
import { type SluicePolicy, sluice } from './routing/sluice.ts';
import { type VendorFigures, vendorFigures } from './routing/vendor-figures.ts';
import { VENDOR_SCENARIOS } from './routing/vendors.ts';
import { makeWorkload } from './routing/workload.ts';
import { makeWorld } from './routing/world.ts';

/** Not the seeds that the router was tuned with. */
const SEEDS = [121, 122, 123];
/**
 * Limits for `auto`: cost per success as a multiple of the oracle's, success rate below the oracle's, share of first
 * requests that give up too early, minutes until a lifted defense is noticed, microseconds for a decision.
 */
const LIMITS = { cost: 1.09, success: 0.012, gaveUpFirst: 0.01, minutes: 10, decisionUs: 20 };

/**
 * The same in a world with vendors; points of success; minutes from the begin of a trouble until attempts by the vendor are rare, and
 * from its end until it is used again where it is the best.
 */
const VENDOR_LIMITS = { cost: 1.08, success: 1, recovery: 10, foundAgain: 60 };

/**
 * Compares the router of the service with other policies and an oracle, in a simulated population of sites. Flags:
 * `--seeds=1,2`, `--only=S1`, `--short` (`auto` and the oracle alone). The exit code is 1 if a limit is exceeded.
 */
export async function routing(flags: readonly string[]): Promise<void> {
  const value = (name: string) => flags.find((flag) => flag.startsWith(`--${name}=`))?.split('=')[1];
  const seeds = value('seeds')?.split(',').map(Number) ?? SEEDS;
  const only = value('only');
  const short = flags.includes('--short');
  const failures: string[] = [];
  let last: SluicePolicy | null = null;
  for (const { name, settings } of SCENARIOS) {
    if (only !== undefined && !name.startsWith(`${only} `)) continue;
    const rows = new Map<string, Figures[]>();
    for (const seed of seeds) {
      const world = makeWorld(seed, settings);
      const workload = makeWorkload(world, seed + 1_000);
      const { auto, others } = policies(world);
      const [first, ...rest] = others;
      for (const policy of [first!, auto, ...(short ? [] : rest)]) {
        const figures = figuresOf(simulate(world, workload, policy));
        rows.set(policy.name, [...(rows.get(policy.name) ?? []), figures]);
      }
      last = auto;
    }
    const means = new Map([...rows].map(([policy, figures]) => [policy, meanOf(figures)]));
    print(name, means);
    failures.push(...judge(name, means));
  }
  for (const { name, vendors } of VENDOR_SCENARIOS) {
    if (only !== undefined && !name.startsWith(`${only} `)) continue;
    const figures = seeds.map((seed) => vendorFigures(seed, vendorSettings(vendors)));
    failures.push(...judgeVendors(name, figures));
  }
  for (const failure of last === null ? failures : []) console.log(`LIMIT EXCEEDED: ${failure}`);
  if (last === null && failures.length > 0) process.exitCode = 1;
  if (last === null) return;
  const { spent, experience } = last;
  const decision = medianUs(spent.deciding);
  console.log(
    `\na decision takes ${decision.toFixed(1)} µs, learning from an attempt ${medianUs(spent.learning).toFixed(1)} µs`,
  );
  if (decision > LIMITS.decisionUs) failures.push(`a decision takes ${decision.toFixed(1)} µs`);
  console.log(
    `a site takes about ${bytesPerSite()} bytes (${experience.memory.size} sites known at the end of the last run)`,
  );
  if (only === undefined) {
    console.log('\nbusy site, minutes from the end of a defense until pages are cheap again:');
    for (const probes of [true, false]) {
      const minutesBySeed = seeds.map((seed) =>
        hotSite(seed, (world) => sluice(world.arms, { missed: world.missed, probes })),
      );
      console.log(
        `  probes ${probes ? 'on' : 'off'}: ${minutesBySeed.map((minutes) => minutes.toFixed(0)).join(', ')}`,
      );
      if (probes && Math.max(...minutesBySeed) > LIMITS.minutes)
        failures.push('the end of a defense at a busy site is noticed too late');
    }
  }
  for (const failure of failures) console.log(`LIMIT EXCEEDED: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}

function medianUs(nanoseconds: readonly number[]): number {
  return nanoseconds.toSorted((a, b) => a - b)[nanoseconds.length >> 1]! / 1000;
}

function print(name: string, means: ReadonlyMap<string, Figures>): void {
  const oracle = means.get('oracle')!;
  console.log(`\n${name}`);
  console.log(
    '| policy | success % | units/request | units/success | × oracle | attempts | p50 s | p95 s | loss | gave up on first requests % | over cost limit |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  for (const [policy, f] of means)
    console.log(
      `| ${policy} | ${(100 * f.success).toFixed(1)} | ${f.perRequest.toFixed(2)} | ${f.perSuccess.toFixed(2)} | ${(f.perSuccess / oracle.perSuccess).toFixed(3)} | ${f.attempts.toFixed(2)} | ${f.median.toFixed(1)} | ${f.p95.toFixed(1)} | ${f.loss.toFixed(1)} | ${(100 * f.gaveUpFirst).toFixed(2)} | ${f.over} |`,
    );
}

/** The limits that `auto` exceeds in a scenario. */
function judge(name: string, means: ReadonlyMap<string, Figures>): string[] {
  const oracle = means.get('oracle')!;
  const auto = means.get('auto')!;
  const failures: string[] = [];
  if (auto.perSuccess > LIMITS.cost * oracle.perSuccess) failures.push(`${name}: cost per success`);
  if (auto.success < oracle.success - LIMITS.success) failures.push(`${name}: success`);
  if (auto.gaveUpFirst > LIMITS.gaveUpFirst) failures.push(`${name}: gave up on first requests`);
  if (auto.over > 0) failures.push(`${name}: ${auto.over} requests over their cost limit`);
  for (const [policy, { loss }] of means)
    if (policy !== 'oracle' && policy !== 'auto' && loss <= auto.loss)
      failures.push(`${name}: ${policy} is better`);
  return failures;
}

/** Prints the figures of a scenario with vendors. @returns the limits that `auto` exceeds */
function judgeVendors(name: string, bySeed: readonly VendorFigures[]): string[] {
  const mean = (of: (figures: VendorFigures) => number) =>
    bySeed.reduce((sum, each) => sum + of(each), 0) / bySeed.length;
  const cost = mean(({ auto, oracle }) => auto.perSuccess / oracle.perSuccess);
  const [best, own] = [mean(({ oracle }) => 100 * oracle.success), mean(({ auto }) => 100 * auto.success)];
  console.log(`\n${name}`);
  console.log(
    `  cost per success ${cost.toFixed(3)} × oracle; success ${own.toFixed(1)} %, oracle ${best.toFixed(1)} %`,
  );
  const failures: string[] = [];
  if (cost > VENDOR_LIMITS.cost) failures.push(`${name}: cost per success`);
  if (own < best - VENDOR_LIMITS.success) failures.push(`${name}: success`);
  for (const [at, { how }] of bySeed[0]!.troubles.entries()) {
    const list = (of: 'recovery' | 'foundAgain') => bySeed.map(({ troubles }) => troubles[at]![of]);
    console.log(
      `  ${how}: minutes until it is left ${list('recovery').join(', ')}; until it is used again ${list('foundAgain').join(', ')}`,
    );
    if (Math.max(...list('recovery')) > VENDOR_LIMITS.recovery) failures.push(`${name}: recovery`);
    if (Math.max(...list('foundAgain')) > VENDOR_LIMITS.foundAgain) failures.push(`${name}: found again`);
  }
  return failures;
}

/** Bytes of memory for a known site with one kind of page and a few attempts, as a mean over 100,000 sites. */
function bytesPerSite(): number {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const sites = 100_000;
  gc();
  const before = process.memoryUsage().heapUsed;
  const { experience } = sluice([...SCENARIOS[0]!.settings.arms], {});
  for (let n = 0; n < sites; n++) {
    const key = { site: `www.example-${n}.test`, pattern: '/products/*' };
    for (let i = 0; i < 4; i++)
      experience.record(key, 60 * i, { route: i % 2, observation: i % 2 === 0 ? 4 : 0 }, null);
  }
  // In the service, the list of changed sites is emptied every few seconds, when they are stored.
  experience.memory.takeChanged(sites);
  gc();
  const bytes = Math.round((process.memoryUsage().heapUsed - before) / sites);
  if (experience.memory.size !== sites) throw new Error('sites were forgotten');
  return bytes;
}
