/**
 * Runs the tests, one process a file: `npm test [-- part of a path …]`.
 *   --long                   full counts and the slow suites (LONG=1 in the tests)
 *   --no-skip=<part of why>  a test that is skipped for such a reason counts as failed
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const options = process.argv.slice(2).filter((argument) => argument.startsWith('--'));
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const long = options.includes('--long');
const noSkip = options.filter((one) => one.startsWith('--no-skip=')).map((one) => one.slice(10));
if (long) process.env.LONG = '1';

/** Those that take a minute or more begin first, or the end would wait for one of them alone. In this order. */
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
const total: Tally = { passed: 0, failed: 0, skipped: 0 };
const perFile = new Map<string, Tally>();
const failures: string[] = [];
/** What a test file wrote, for when the file itself fails. */
const outputs = new Map<string, string>();
const skips = new Map<string, number>();
const shown = (file: string | undefined) => relative(root, file ?? '?');

function tallyOf(file: string | undefined): Tally {
  const known = perFile.get(shown(file));
  if (known !== undefined) return known;
  const tally: Tally = { passed: 0, failed: 0, skipped: 0 };
  perFile.set(shown(file), tally);
  return tally;
}

function count(file: string | undefined, what: keyof Tally): void {
  tallyOf(file)[what]++;
  total[what]++;
}

function fail(file: string | undefined, name: string, why: string): void {
  count(file, 'failed');
  failures.push(`${shown(file)}: ${name}`);
  console.log(`FAIL ${shown(file)}: ${name}\n${why.replace(/^/gm, '     ')}`);
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
const minutes = long ? 60 : 8;
const stream = run({
  files,
  // One more than there are processors: most files wait for something now and then.
  concurrency: Math.max(2, Math.min(6, availableParallelism() + 1)),
  timeout: minutes * 60_000,
});
stream.on('test:pass', ({ name, skip, todo, details, file }) => {
  // A suite counts by its tests, unless it was skipped as a whole.
  if (details.type === 'suite' && skip === undefined) return;
  if (name === shown(file)) return fail(file, name, 'the file has no test');
  if (skip === undefined && todo === undefined) return count(file, 'passed');
  const reason = typeof skip === 'string' && skip !== '' ? skip : 'no reason given';
  if (noSkip.some((part) => reason.includes(part))) return fail(file, name, `skipped: ${reason}`);
  count(file, 'skipped');
  const line = `${shown(file)}: ${reason}`;
  skips.set(line, (skips.get(line) ?? 0) + 1);
});
stream.on('test:fail', ({ name, details, file, todo }) => {
  if (todo !== undefined) return;
  // A suite also fails when one of its tests does, which is already counted.
  const error = details.error as Error & { failureType?: string };
  if (error.failureType === 'subtestsFailed') return;
  // The file itself: it could not be loaded, left something open, or threw after its tests.
  const itself = name === shown(file);
  fail(
    file,
    itself ? 'the file as a whole' : name,
    itself ? `${error.message}\n${outputs.get(name) ?? ''}` : explain(error),
  );
});
const keepOutput = ({ file, message }: { readonly file?: string; readonly message: string }): void => {
  outputs.set(shown(file), `${outputs.get(shown(file)) ?? ''}${message}`.slice(-8000));
};
// Tables, such as which verdicts were expected and which were given.
stream.on('test:diagnostic', ({ file, message }) => {
  if (file !== undefined && message.includes('\n')) console.log(`${shown(file)}: ${message}`);
});
stream.on('test:stdout', keepOutput);
stream.on('test:stderr', keepOutput);
stream.on('test:summary', ({ file, duration_ms }) => {
  if (file === undefined) return;
  const { passed, failed, skipped } = tallyOf(file);
  const more = `${failed > 0 ? `, ${failed} FAILED` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  console.log(
    `${failed > 0 ? 'FAIL' : 'ok  '} ${shown(file)}  ${passed} passed${more}  ${(duration_ms / 1000).toFixed(1)} s`,
  );
});
// The stream only ends when somebody reads it.
stream.resume();
await new Promise((resolve) => stream.once('end', resolve));

for (const [line, times] of skips) console.log(`skipped ${times} × ${line}`);
for (const name of failures) console.log(`failed: ${name}`);
const seconds = ((performance.now() - begun) / 1000).toFixed(0);
console.log(
  `tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped (${files.length} files, ${seconds} s)`,
);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
