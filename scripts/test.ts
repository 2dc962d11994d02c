/**
 * Runs the tests in as many processes as there are processors, and one or two more. Files of one process run one after another, and
 * share what is costly to open. A file with a comment "Own process: <why>" has a process of its own.
 *   npm test             tier 1: every folder of test/ but full/ and long/
 *   npm run test:full    tier 2: test/full
 *   npm run test:long    tier 3: test/long, test/full, and the files of tier 1 that do more with LONG=1
 *   npm test -- PART …   the files of any tier with PART in their path
 *   --changed[=COMMIT]   only files that a change since this commit (default: the last one) may concern
 *   --no-skip=REASON     a test that is skipped for a reason that contains this text counts as failed
 *   --own-process        each file has a process of its own
 *   --record             writes the seconds of each file to test/durations.json, by which files are ordered, and what a whole tier
 *                        took to test/budget.json
 *
 * A failed file is not run again. A whole tier that costs more than test/budget.json allows fails.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { layOutProgram } from './bundle.ts';
import { calibrateUntil } from './calibrate.ts';
import { type CpuGroup, openCpuGroup } from './cpu-group.ts';
import { addStarts, budgetOf, judge, recordBudget } from './test-budget.ts';
import { changedSince, concerned } from './test-changed.ts';
import type { Starts } from './test-starts.ts';
import type { Event } from './test-worker.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const tier = options.includes('--full') ? 'full' : options.includes('--long') ? 'long' : 'quick';
const noSkip = options.filter((one) => one.startsWith('--no-skip=')).map((one) => one.slice(10));
if (tier === 'long') process.env.LONG = '1';

/** Limit for a file of tier 1. A slower one is reported: move it to another tier, or make it faster. */
const QUICK_SECONDS = 15;
/** How long a worker may take to close what its files share. */
const END_MS = 20_000;
/** By tier of the file: one that takes longer hangs, and is stopped. */
const LIMIT_MINUTES = { quick: 3, full: 8, long: 60 };
const DURATIONS = 'test/durations.json';

const durations = JSON.parse(readFileSync(DURATIONS, 'utf8')) as Record<string, number>;
/** Whether a file runs more rounds with LONG=1, or draws other random examples. */
const growsWithLong = (file: string) => /process\.env\.LONG|fast-check/.test(readFileSync(file, 'utf8'));

type Tier = keyof typeof LIMIT_MINUTES;
const tierOf = (file: string) => (/^test\/(full|long)\//.exec(file)?.[1] ?? 'quick') as Tier;

/** Whether a file changes what others in its process would see. It says so, and why, in a comment. */
const needsOwnProcess = (file: string) => /^\/\/ Own process: /m.test(readFileSync(file, 'utf8'));

function belongs(file: string): boolean {
  if (parts.length > 0) return parts.some((part) => file.includes(part));
  const folder = tierOf(file);
  return folder === tier || (tier === 'long' && (folder === 'full' || growsWithLong(file)));
}

const since = options.find((one) => /^--changed(=|$)/.test(one));
const belonging = globSync('test/**/*.test.ts').filter(belongs);
if (belonging.length === 0) {
  console.error('tests: no test file has such a path');
  process.exit(1);
}
/** The longest first, so that none of them starts when all others have ended. Files without a duration count as 10 s. */
const files = (
  since === undefined ? belonging : concerned(belonging, changedSince(since.slice(10) || 'HEAD'))
).sort((a, b) => (durations[b] ?? 10) - (durations[a] ?? 10) || (a < b ? -1 : 1));
if (files.length === 0) {
  console.log('tests: the change concerns no test file');
  process.exit();
}

// Once before all tests, because otherwise each test file would build it, several at a time.
if (files.some((file) => file.includes('/dashboard/'))) {
  const built = spawnSync(process.execPath, ['scripts/build-dashboard.ts'], { stdio: 'inherit' });
  if (built.status !== 0) console.error('tests: the dashboard cannot be built; its tests will fail');
}

/** The result of one test file. */
interface Result {
  passed: number;
  readonly failures: string[];
  /** The reason of each skipped test. */
  readonly skips: string[];
  /** The end of its output, printed if the file as a whole fails. */
  output: string;
  /** Wall time. */
  seconds: number;
  /** Seconds of processor time, with all that the file has started (without cgroups: and waited for). */
  cpu: number;
  /** What was started, also for other files of the process. */
  starts: Starts;
}

// The tests run the program as it is packed: it starts in half the time that the sources take.
process.env.TEST_PROGRAM = await layOutProgram();

// With a cache that all processes share, each module is compiled only once.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/sluice');

/** A process that runs one file after another. */
interface Worker {
  readonly process: ChildProcess;
  readonly group: CpuGroup | null;
  /** Ends it with all that its files share. */
  end(): Promise<void>;
}

const workers = new Set<Worker>();
/** Seconds of processor time of all workers that have ended, with all that they have started. */
let cpuOfWorkers = 0;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const { group } of workers) group?.kill();
    process.exit(1);
  });
}

function startWorker(): Worker {
  const child = fork('scripts/test-worker.ts', { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const group = openCpuGroup(child.pid!);
  const exited = once(child, 'exit');
  const worker: Worker = {
    process: child,
    group,
    async end() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => {
        group?.kill();
        child.kill('SIGKILL');
      }, END_MS);
      await exited;
      clearTimeout(timer);
      workers.delete(worker);
      cpuOfWorkers += group?.seconds() ?? 0;
      group?.close();
    },
  };
  workers.add(worker);
  return worker;
}

/** Runs one file in a worker, and prints its result. A worker that ends or hangs fails the file, and is of no more use. */
async function runFile(file: string, worker: Worker): Promise<Result> {
  const result: Result = { passed: 0, failures: [], skips: [], output: '', seconds: 0, cpu: 0, starts: {} };
  const fail = (name: string, why: string): void => {
    result.failures.push(`${file}: ${name}`);
    console.log(`FAIL ${file}: ${name}\n${why.replace(/^/gm, '     ')}`);
  };
  const keepOutput = (text: Buffer): void => {
    result.output = `${result.output}${text}`.slice(-8000);
  };
  const begun = performance.now();
  const cpuBefore = worker.group?.seconds() ?? 0;
  const { process: child } = worker;
  child.stdout!.on('data', keepOutput);
  child.stderr!.on('data', keepOutput);
  let isTooLate = false;
  const ended = await new Promise<boolean>((resolve) => {
    const finish = (byItself: boolean): void => {
      clearTimeout(timer);
      child.removeAllListeners('message').removeListener('exit', died);
      resolve(byItself);
    };
    const died = () => finish(false);
    const minutes = LIMIT_MINUTES[process.env.LONG === '1' ? 'long' : tierOf(file)];
    const timer = setTimeout(() => {
      isTooLate = true;
      fail('the file as a whole', `It did not end within ${minutes} minutes.\n${result.output}`);
      worker.group?.kill();
      child.kill('SIGKILL');
    }, minutes * 60_000);
    child.once('exit', died);
    child.on('message', (event: Event) => {
      if (event.kind === 'passed') result.passed++;
      else if (event.kind === 'diagnostic') console.log(`${file}: ${event.message}`);
      else if (event.kind === 'ended') {
        result.cpu = event.cpu;
        result.starts = event.starts;
        finish(true);
      } else if (event.kind === 'failed') {
        // The file itself fails if it cannot be loaded.
        const isFile = event.name.endsWith(file);
        fail(
          isFile ? 'the file as a whole' : event.name,
          isFile ? `${event.why}\n${result.output}` : event.why,
        );
      } else if (noSkip.some((part) => event.reason.includes(part)))
        fail(event.name, `skipped: ${event.reason}`);
      else result.skips.push(`${file}: ${event.reason}`);
    });
    child.send(join(root, file));
  });
  child.stdout!.removeListener('data', keepOutput);
  child.stderr!.removeListener('data', keepOutput);
  if (!ended && !isTooLate) fail('the file as a whole', `Its process ended.\n${result.output}`);
  if (ended && result.passed + result.failures.length + result.skips.length === 0)
    fail('the file as a whole', 'the file has no test');
  result.seconds = (performance.now() - begun) / 1000;
  if (worker.group !== null) result.cpu = worker.group.seconds() - cpuBefore;
  const { passed, failures, skips, seconds, cpu } = result;
  const more = `${failures.length > 0 ? `, ${failures.length} FAILED` : ''}${skips.length > 0 ? `, ${skips.length} skipped` : ''}`;
  const state = failures.length > 0 ? 'FAIL' : 'ok  ';
  console.log(
    `${state} ${file}  ${passed} passed${more}  ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor`,
  );
  return result;
}

const isWholeTier = parts.length === 0 && since === undefined;
const ended = new AbortController();
const calibration = isWholeTier && tier !== 'long' ? calibrateUntil(ended.signal) : null;
const begun = performance.now();
const results = new Map<string, Result>();
const waiting = [...files];
/** Runs files until none is left, in one process, but for those that need their own. */
const runFiles = async (): Promise<void> => {
  let shared: Worker | null = null;
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const isAlone = options.includes('--own-process') || needsOwnProcess(file);
    const worker: Worker = (isAlone ? null : shared) ?? startWorker();
    results.set(file, await runFile(file, worker));
    const isOver = isAlone || !worker.process.connected;
    if (isOver) await worker.end();
    if (!isAlone) shared = isOver ? null : worker;
  }
  await shared?.end();
};
// Files often wait: with one process more than there are processors, tier 1 keeps these busy for 86 % of the time, with two more for
// 94 %. Files of the other tiers start several services and browsers themselves, and some need an answer in time.
const atOnce = Math.min(8, availableParallelism() + (tier === 'quick' ? 2 : 1));
await Promise.all(Array.from({ length: Math.min(atOnce, files.length) }, runFiles));
ended.abort();

const all = [...results.values()];
const sum = (of: (result: Result) => number) => all.reduce((total, result) => total + of(result), 0);
const skips = Map.groupBy(
  all.flatMap(({ skips }) => skips),
  (line) => line,
);
for (const [line, times] of skips) console.log(`skipped ${times.length} × ${line}`);
if (tier === 'quick' && isWholeTier) {
  for (const [file, { seconds }] of results) {
    if (seconds > QUICK_SECONDS) console.log(`over ${QUICK_SECONDS} s: ${file}  ${seconds.toFixed(1)} s`);
  }
}
for (const { failures } of all) for (const name of failures) console.log(`failed: ${name}`);
if (options.includes('--record')) {
  for (const [file, { seconds }] of results) durations[file] = Number(seconds.toFixed(1));
  const known = Object.entries(durations).filter(([file]) => globSync(file).length > 0);
  known.sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(DURATIONS, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
}
const cpu = cpuOfWorkers || sum(({ cpu }) => cpu);
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
let isOverBudget = false;
if (calibration !== null) {
  const calibrations = cpu / (await calibration);
  const starting = [...results].filter(([, { starts }]) => Object.keys(starts).length > 0);
  const cost = {
    calibrations,
    starts: addStarts(all.map(({ starts }) => starts)),
    files: Object.fromEntries(starting.map(([file, { starts }]) => [file, starts])),
  };
  const budget = budgetOf(tier);
  if (options.includes('--record')) recordBudget(tier, cost);
  else if (budget !== null) {
    const { told, fails } = judge(cost, budget);
    isOverBudget = fails;
    for (const line of told) console.log(line);
  }
}
const failed = sum(({ failures }) => failures.length);
const passed = sum(({ passed }) => passed);
console.log(
  `${tier === 'quick' ? 'tests' : tier}: ${passed} passed, ${failed} failed, ${sum(({ skips }) => skips.length)} skipped ` +
    `(${files.length} files, ${seconds} s, ${cpu.toFixed(0)} s of processor)`,
);
process.exitCode = failed === 0 && passed > 0 && !isOverBudget ? 0 : 1;
