/**
 * Runs the tests, one process a file: `npm test [-- part of a path …]`.
 *   --long                   full counts and the slow suites (LONG=1 in the tests)
 *   --no-skip=<part of why>  a test that is skipped for such a reason counts as failed
 *
 * Several files run at once. Much of what is tested has to happen in time, and a busy machine may be late: a file that
 * fails is run once more, alone, and only what fails then, too, counts as failed. What it was the first time is shown,
 * and told again at the end.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { run } from 'node:test';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const long = options.includes('--long');
const noSkip = options.filter((one) => one.startsWith('--no-skip=')).map((one) => one.slice(10));
if (long) process.env.LONG = '1';

/** So many files, a tenth of all, may fail beside others, and be run again: on a slow day many that open browsers are late. */
const MOST_AGAIN = 30;

/** Those that take a minute or more, the longest first. */
const LONGEST = [
  'egress/browser-vectors',
  'dashboard/hostile-scrapes',
  'dashboard/playground.',
  'way/browser-machine',
  'way/browser-soak',
  'way/hostile-',
  'adapters/browser/contract',
  'way/cli',
  'way/fuzz',
  'dashboard/',
  'way/kill-loop',
  'way/browser-',
  'way/memory',
  'way/slowhttptest',
  'adapters/browser/',
  'adapters/store-sqlite-kill',
];
const rank = (file: string): number => {
  const at = LONGEST.findIndex((part) => file.includes(part));
  return at < 0 ? LONGEST.length : at;
};
const files = globSync('test/**/*.test.ts')
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
if (files.length === 0) {
  console.error('tests: no file fits');
  process.exit(1);
}

// Once for all of them: each test file would do it otherwise, several at a time.
if (files.some((file) => file.startsWith('test/dashboard/'))) {
  const built = spawnSync(process.execPath, ['scripts/build-dashboard.ts'], { stdio: 'inherit' });
  if (built.status !== 0) console.error('tests: the dashboard cannot be built; its tests will tell');
}

interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** What came of one test file. */
interface Result extends Tally {
  readonly failures: string[];
  readonly skips: string[];
  /** What it wrote, for when the file itself fails. */
  output: string;
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

// Each file is a process of its own: what one has compiled, the next one need not.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/sluice');

const begun = performance.now();
const minutes = long ? 60 : 12;

/** Runs one file, and tells what comes of it. */
async function runFile(file: string): Promise<Result> {
  const result: Result = { passed: 0, failed: 0, skipped: 0, failures: [], skips: [], output: '' };
  const fail = (name: string, why: string): void => {
    result.failed++;
    result.failures.push(`${file}: ${name}`);
    console.log(`FAIL ${file}: ${name}\n${why.replace(/^/gm, '     ')}`);
  };
  // A limit for each test alone would let a file go on that has left something open.
  const late = AbortSignal.timeout(minutes * 60_000);
  const stream = run({ files: [file], signal: late });
  stream.on('test:pass', ({ name, skip, todo, details }) => {
    // A suite counts by its tests, unless it was skipped as a whole.
    if (details.type === 'suite' && skip === undefined) return;
    if (name === file) return fail(name, 'the file has no test');
    if (skip === undefined && todo === undefined) return void result.passed++;
    const reason = typeof skip === 'string' && skip !== '' ? skip : 'no reason given';
    if (noSkip.some((part) => reason.includes(part))) return fail(name, `skipped: ${reason}`);
    result.skipped++;
    result.skips.push(`${file}: ${reason}`);
  });
  stream.on('test:fail', ({ name, details, todo }) => {
    if (todo !== undefined) return;
    // A suite also fails when one of its tests does, which is already counted.
    const error = details.error as Error & { failureType?: string };
    if (error.failureType === 'subtestsFailed') return;
    // The file itself: it could not be loaded, left something open, or threw after its tests.
    const why = late.aborted ? `It did not end within ${minutes} minutes.` : error.message;
    if (name === file) fail('the file as a whole', `${why}\n${result.output}`);
    else fail(name, explain(error));
  });
  const keepOutput = ({ message }: { readonly message: string }): void => {
    result.output = `${result.output}${message}`.slice(-8000);
  };
  // Tables, such as which verdicts were expected and which were given.
  stream.on('test:diagnostic', ({ file: told, message }) => {
    if (told !== undefined && message.includes('\n')) console.log(`${file}: ${message}`);
  });
  stream.on('test:stdout', keepOutput);
  stream.on('test:stderr', keepOutput);
  const begun = performance.now();
  // The stream only ends when somebody reads it.
  stream.resume();
  await new Promise((resolve) => stream.once('end', resolve));
  const { passed, failed, skipped } = result;
  const more = `${failed > 0 ? `, ${failed} FAILED` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${failed > 0 ? 'FAIL' : 'ok  '} ${file}  ${passed} passed${more}  ${seconds} s`);
  return result;
}

const results = new Map<string, Result>();
const rest = [...files];
/** Half of them begin with the longest, the others with the shortest: two of the longest at once make each other late. */
const work = async (_: unknown, n: number): Promise<void> => {
  const next = () => (n % 2 === 0 ? rest.shift() : rest.pop());
  for (let file = next(); file !== undefined; file = next()) results.set(file, await runFile(file));
};
// As many as there are processors: files that open browsers keep more than one busy, and with more of them pages come late.
const atOnce = Math.max(2, Math.min(6, availableParallelism()));
await Promise.all(Array.from({ length: atOnce }, work));

const failed = [...results].filter(([, { failed }]) => failed > 0);
/** What failed beside others, and not alone. */
const unsteady: string[] = [];
// When more fail, it is not the machine.
if (files.length > 1 && failed.length <= MOST_AGAIN) {
  for (const [file, { failures }] of failed) {
    console.log(`again, alone: ${file}`);
    const result = await runFile(file);
    results.set(file, result);
    unsteady.push(...failures.filter((name) => !result.failures.includes(name)));
  }
}

const skips = new Map<string, number>();
const total: Tally = { passed: 0, failed: 0, skipped: 0 };
for (const { passed, failed, skipped, skips: lines } of results.values()) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  for (const line of lines) skips.set(line, (skips.get(line) ?? 0) + 1);
}
for (const [line, times] of skips) console.log(`skipped ${times} × ${line}`);
for (const name of unsteady) console.log(`failed beside others, passed alone: ${name}`);
for (const { failures } of results.values()) for (const name of failures) console.log(`failed: ${name}`);
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
console.log(
  `tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped, ${unsteady.length} only alone (${files.length} files, ${seconds} s)`,
);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
