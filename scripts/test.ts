/**
 * Runs the tests: a process for each file, as many at once as there are processors, and one more.
 *   npm test             tier 1: every folder of test/ but full/ and long/
 *   npm run test:full    tier 2: test/full
 *   npm run test:long    tier 3: test/long, test/full, and the files of tier 1 that do more with LONG=1
 *   npm test -- PART …   the files of any tier with PART in their path
 *   --no-skip=REASON     a test that is skipped for a reason that contains this text counts as failed
 *   --record             writes the seconds of each file to test/durations.json, by which files are ordered
 *
 * A failed file is not run again.
 */
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';
import { layOutProgram } from './bundle.ts';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const tier = options.includes('--full') ? 'full' : options.includes('--long') ? 'long' : 'quick';
const noSkip = options.filter((one) => one.startsWith('--no-skip=')).map((one) => one.slice(10));
if (tier === 'long') process.env.LONG = '1';

/** Limit for a file of tier 1. A slower one is reported: move it to another tier, or make it faster. */
const QUICK_SECONDS = 15;
/** A file that takes longer hangs, and is stopped. */
const LIMIT_MINUTES = { quick: 3, full: 8, long: 60 }[tier];
const DURATIONS = 'test/durations.json';

const durations = JSON.parse(readFileSync(DURATIONS, 'utf8')) as Record<string, number>;
/** Whether a file runs more rounds with LONG=1, or draws other random examples. */
const growsWithLong = (file: string) => /process\.env\.LONG|fast-check/.test(readFileSync(file, 'utf8'));

function belongs(file: string): boolean {
  if (parts.length > 0) return parts.some((part) => file.includes(part));
  const folder = /^test\/(full|long)\//.exec(file)?.[1] ?? 'quick';
  return folder === tier || (tier === 'long' && (folder === 'full' || growsWithLong(file)));
}

/** The longest first, so that none of them starts when all others have ended. Files without a duration count as 10 s. */
const files = globSync('test/**/*.test.ts')
  .filter(belongs)
  .sort((a, b) => (durations[b] ?? 10) - (durations[a] ?? 10) || (a < b ? -1 : 1));
if (files.length === 0) {
  console.error('tests: no test file has such a path');
  process.exit(1);
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
  /** Seconds of processor time, with the processes that the file has started and waited for. */
  cpu: number;
}

/** The error of a test with its causes, without the frames of the test runner. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  const stack = cause.stack ?? cause.message;
  const text = stack.includes(cause.message) ? stack : `${cause.message}\n${stack}`;
  return text
    .split('\n')
    .filter((line) => !/^\s+at .*(node:internal|node:test)/.test(line))
    .slice(0, 60)
    .join('\n');
}

// The tests run the program as it is packed: it starts in half the time that the sources take.
process.env.TEST_PROGRAM = await layOutProgram();

// Each file is a separate process. With a shared cache, each module is compiled only once.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/sluice');

/** Runs one file and prints its result. */
async function runFile(file: string): Promise<Result> {
  const result: Result = { passed: 0, failures: [], skips: [], output: '', seconds: 0, cpu: 0 };
  const fail = (name: string, why: string): void => {
    result.failures.push(`${file}: ${name}`);
    console.log(`FAIL ${file}: ${name}\n${why.replace(/^/gm, '     ')}`);
  };
  // For the whole file: limits for single tests would not stop a file that does not end after its tests.
  const timeout = AbortSignal.timeout(LIMIT_MINUTES * 60_000);
  const stream = run({
    files: [file],
    signal: timeout,
    execArgv: [
      ...['--import', join(root, 'scripts/test-cpu.ts')],
      ...(readFileSync(file, 'utf8').includes('/dashboard/src/')
        ? ['--import', join(root, 'scripts/test-dashboard-modules.ts')]
        : []),
    ],
  });
  stream.on('test:pass', ({ name, skip, todo, details }) => {
    // Only the tests of a suite are counted, unless the suite was skipped as a whole.
    if (details.type === 'suite' && skip === undefined) return;
    if (name === file) return fail(name, 'the file has no test');
    if (skip === undefined && todo === undefined) return void result.passed++;
    const reason = typeof skip === 'string' && skip !== '' ? skip : 'no reason given';
    if (noSkip.some((part) => reason.includes(part))) return fail(name, `skipped: ${reason}`);
    result.skips.push(`${file}: ${reason}`);
  });
  stream.on('test:fail', ({ name, details, todo }) => {
    if (todo !== undefined) return;
    // A suite fails with each of its tests, which are already counted.
    const error = details.error as Error & { failureType?: string };
    if (error.failureType === 'subtestsFailed') return;
    // The file itself fails if it cannot be loaded, does not end, or throws outside of its tests.
    const reason = timeout.aborted ? `It did not end within ${LIMIT_MINUTES} minutes.` : error.message;
    if (name === file) fail('the file as a whole', `${reason}\n${result.output}`);
    else fail(name, explain(error));
  });
  const keepOutput = ({ message }: { readonly message: string }): void => {
    const cpu = /\[cpu ([\d.]+) s\]/.exec(message)?.[1];
    if (cpu !== undefined) result.cpu = Number(cpu);
    result.output = `${result.output}${message}`.slice(-8000);
  };
  // Tests print tables in diagnostics of several lines, such as expected and actual verdicts.
  stream.on('test:diagnostic', ({ file: source, message }) => {
    if (source !== undefined && message.includes('\n')) console.log(`${file}: ${message}`);
  });
  stream.on('test:stdout', keepOutput);
  stream.on('test:stderr', keepOutput);
  const begun = performance.now();
  // The stream ends only if it is read.
  stream.resume();
  await new Promise((resolve) => stream.once('end', resolve));
  result.seconds = (performance.now() - begun) / 1000;
  const { passed, failures, skips, seconds, cpu } = result;
  const more = `${failures.length > 0 ? `, ${failures.length} FAILED` : ''}${skips.length > 0 ? `, ${skips.length} skipped` : ''}`;
  const state = failures.length > 0 ? 'FAIL' : 'ok  ';
  console.log(
    `${state} ${file}  ${passed} passed${more}  ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processor`,
  );
  return result;
}

const begun = performance.now();
const results = new Map<string, Result>();
const waiting = [...files];
const worker = async (): Promise<void> => {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    results.set(file, await runFile(file));
  }
};
// Files often wait, so one more than there are processors runs at once.
const atOnce = Math.max(2, Math.min(6, availableParallelism() + 1));
await Promise.all(Array.from({ length: atOnce }, worker));

const all = [...results.values()];
const sum = (of: (result: Result) => number) => all.reduce((total, result) => total + of(result), 0);
const skips = Map.groupBy(
  all.flatMap(({ skips }) => skips),
  (line) => line,
);
for (const [line, times] of skips) console.log(`skipped ${times.length} × ${line}`);
if (tier === 'quick' && parts.length === 0) {
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
const failed = sum(({ failures }) => failures.length);
const passed = sum(({ passed }) => passed);
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
console.log(
  `${tier === 'quick' ? 'tests' : tier}: ${passed} passed, ${failed} failed, ${sum(({ skips }) => skips.length)} skipped ` +
    `(${files.length} files, ${seconds} s, ${sum(({ cpu }) => cpu).toFixed(0)} s of processor)`,
);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
