import { sleep } from '../../base/wait.ts';
import { CallAborted } from '../core/api-client.ts';
import { forTerminal, openOutput, styled } from '../core/output.ts';
import { createStatusLine } from '../core/progress.ts';
import type { JobContext } from '../core/run-job.ts';

/** A run of a monitor, as far as the command line reads it. */
interface RunView {
  readonly n: number;
  readonly state: 'running' | 'ended' | 'skipped';
  readonly ended_at: string | null;
  readonly change: ChangeView | null;
}

interface ChangeView {
  readonly state: 'first' | 'same' | 'changed' | 'gone' | 'back' | 'error';
  readonly reason: string | null;
  readonly diff: string | null;
  readonly fields: readonly { readonly path: string; readonly before: unknown; readonly after: unknown }[];
  readonly picture: { readonly share: number } | null;
}

interface MonitorView {
  readonly id: string;
  readonly next_run_at: string | null;
}

interface PageWatch {
  readonly url: string;
  /** The body of `POST /api/v1/monitors/`. */
  readonly body: object;
  /** Runs with a change as lines of JSON. */
  readonly json: boolean;
}

const POLL_MS = 1_000;
/** Runs that are asked for at once; no more end within the time of a poll. */
const MAX_RUNS = 20;

/** Makes a monitor, prints the changes that it finds, and deletes it at Ctrl+C. @returns the exit code */
export async function watchPage(context: JobContext, watch: PageWatch): Promise<number> {
  const { api, io, signal } = context;
  const monitor = await api.call<MonitorView>('POST', '/api/v1/monitors/', { body: watch.body });
  const path = `/api/v1/monitors/${monitor.id}/`;
  try {
    await printChanges(context, watch, path);
    return 0;
  } catch (error) {
    if (signal.aborted && error instanceof CallAborted) return 0;
    throw error;
  } finally {
    await api
      .call('DELETE', path)
      .catch((error: Error) => io.err(`sluice: monitor ${monitor.id} may still run: ${error.message}`));
  }
}

/** Until Ctrl+C. */
async function printChanges(
  { api, io, signal }: JobContext,
  { url, json }: PageWatch,
  path: string,
): Promise<void> {
  const status = createStatusLine(process.stderr);
  await using output = await openOutput(null);
  let last = 0;
  let before = '';
  try {
    while (!signal.aborted) {
      const runs = `${path}runs/?limit=${MAX_RUNS}`;
      const { items } = await api.call<{ readonly items: readonly RunView[] }>('GET', runs, { signal });
      for (const run of [...items].reverse()) {
        if (run.state === 'running') break;
        if (run.n <= last) continue;
        last = run.n;
        const { change, ended_at: at } = run;
        if (change === null || at === null) continue;
        status.hide();
        if (change.state === 'error') io.err(`sluice: ${url}: ${change.reason ?? 'error'} at ${at}`);
        else {
          if (change.state !== 'first' && change.state !== 'same')
            await output.write(json ? `${JSON.stringify(run)}\n` : changeText(url, change, before, at));
          before = at;
        }
        const { next_run_at: next } = await api.call<MonitorView>('GET', path, { signal });
        const text = `${url}: ${change.state} at ${at}, next at ${next ?? 'no time'}`;
        status.show((columns) => forTerminal(text).slice(0, columns - 1));
      }
      await sleep(POLL_MS, signal);
    }
  } finally {
    status.hide();
  }
}

/** A change as a unified diff. @param before @param after when the page was looked at */
function changeText(url: string, change: ChangeView, before: string, after: string): string {
  const hunks = change.diff?.slice(change.diff.indexOf('@@')) ?? dataHunk(change);
  const text = `--- ${url}\t${before}\n+++ ${url}\t${after}\n${hunks.replace(/\n?$/, '\n')}`;
  return process.stdout.isTTY ? coloured(forTerminal(text)) : text;
}

/** Data and pictures have no lines: what differs is written as a hunk. */
function dataHunk({ state, fields, picture }: ChangeView): string {
  if (picture !== null) return `@@ ${(picture.share * 100).toFixed(2)} % of the pixels differ @@`;
  if (fields.length === 0) return `@@ ${state} @@`;
  const line = (sign: string, path: string, value: unknown) =>
    value === null ? [] : [`${sign}${path}: ${JSON.stringify(value)}`];
  return fields
    .flatMap(({ path, before, after }) => [
      `@@ ${path} @@`,
      ...line('-', path, before),
      ...line('+', path, after),
    ])
    .join('\n');
}

/** The lines of a diff in the usual colours, unless NO_COLOR is set. */
const coloured = (diff: string): string =>
  diff
    .split('\n')
    .map((line) => {
      const style = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : null;
      return style === null ? line : styled(style, line, process.stdout);
    })
    .join('\n');
