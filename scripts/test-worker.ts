/**
 * Runs test files one after another in this process, so that they share what is costly: loaded modules, the validators of the
 * OpenAPI document, and what test/helpers/world.ts keeps. scripts/test.ts sends the files, and reads the events.
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { run } from 'node:test';
import { closeFile, closeProcess } from '../test/helpers/world.ts';
import { countStarts, type Starts } from './test-starts.ts';

/** What a worker sends. */
export type Event =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly name: string; readonly reason: string }
  | { readonly kind: 'failed'; readonly name: string; readonly why: string }
  | { readonly kind: 'diagnostic'; readonly message: string }
  /** `cpu`: seconds of processor time that the file took in this process and in children that it has waited for. */
  | { readonly kind: 'ended'; readonly cpu: number; readonly starts: Starts };

const send = (event: Event): void => void process.send!(event);

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

/** The files whose tests read modules of the dashboard need its macros replaced. */
const readsDashboard = (file: string) => readFileSync(file, 'utf8').includes('/dashboard/src/');

async function runFile(file: string): Promise<void> {
  if (readsDashboard(file)) await import('./test-dashboard-modules.ts');
  const stream = run({ files: [file], isolation: 'none' });
  let hasFailed = false;
  const diagnostics: string[] = [];
  const fail = (name: string, why: string): void => {
    hasFailed = true;
    send({ kind: 'failed', name, why });
  };
  stream.on('test:pass', ({ name, skip, todo, details }) => {
    if (name === file) return fail(name, 'The file has no test.');
    // Only the tests of a suite are counted, unless the suite was skipped as a whole.
    if (details.type === 'suite' && skip === undefined) return;
    if (skip === undefined && todo === undefined) return send({ kind: 'passed' });
    const reason = typeof skip === 'string' && skip !== '' ? skip : 'no reason given';
    send({ kind: 'skipped', name, reason });
  });
  stream.on('test:fail', ({ name, details, todo }) => {
    if (todo !== undefined) return;
    // A suite fails with each of its tests, which are already counted.
    const error = details.error as Error & { failureType?: string };
    if (error.failureType !== 'subtestsFailed') fail(name, explain(error));
  });
  // Tests print tables in diagnostics of several lines, such as expected and actual verdicts.
  stream.on('test:diagnostic', ({ message }) => {
    diagnostics.push(message);
    if (message.includes('\n')) send({ kind: 'diagnostic', message });
  });
  stream.on('test:summary', ({ success }) => {
    // Such as an exception that belongs to no test.
    if (!success && !hasFailed) fail(file, diagnostics.join('\n'));
  });
  // A run waits until nothing keeps the process alive, which here others do. So it is ended when its root test has ended.
  const end = (message: unknown): void => {
    if ((message as { readonly name: string }).name === '<root>')
      setImmediate(() => process.emit('beforeExit', 0));
  };
  subscribe('tracing:node.test:end', end);
  // The stream ends only if it is read.
  stream.resume();
  await once(stream, 'end');
  unsubscribe('tracing:node.test:end', end);
  await closeFile();
}

/** Seconds of processor time of this process and of the children that it has waited for. */
function cpuSeconds(): number {
  try {
    // proc_pid_stat(5): utime, stime, cutime and cstime are fields 14 to 17. The name, field 2, may contain spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    // 100 clock ticks per second on all common architectures.
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

const startsSinceThen = countStarts();
process.on('message', async (file: string) => {
  const before = cpuSeconds();
  await runFile(file);
  send({ kind: 'ended', cpu: cpuSeconds() - before, starts: startsSinceThen() });
});
process.once('disconnect', async () => {
  await closeProcess();
  process.exit();
});
