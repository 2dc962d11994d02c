import { sleep } from '../../base/wait.ts';
import { type ApiClient, Unreachable } from './api-client.ts';
import { type CommandContext, CommandError } from './command.ts';
import { INTERRUPTED } from './connect.ts';
import {
  createStatusLine,
  type JobView,
  pauseText,
  progressLine,
  type StatusLine,
  summaryLine,
} from './progress.ts';
import { openResults, type ResultOptions, type ResultWriter } from './results.ts';

/** The path of an endpoint that starts a job, and what is sent to it. */
export interface JobStart {
  readonly path: '/api/v1/batches/' | '/api/v1/crawls/';
  readonly body?: unknown;
  readonly lines?: string;
}

/** Starts a job, and follows it to its end. @returns the exit code */
export async function runJob(
  { api, io, signal }: JobContext,
  start: JobStart,
  options: ResultOptions,
): Promise<number> {
  if (options.detach && api.isLocal)
    throw new CommandError('--detach needs SLUICE_URL, because a service in this process ends with it');
  const progress = createStatusLine(process.stderr);
  // Opened first, so that nothing is scraped for a file that cannot be written.
  await using results = options.detach ? null : await openResults(options, progress);
  if (signal.aborted) return INTERRUPTED;
  const { path, ...content } = start;
  const { id } = await api.call<{ readonly id: string }>('POST', path, content);
  if (results === null) {
    io.out(id);
    return 0;
  }
  const cancel = () => api.call('DELETE', `/api/v1/jobs/${id}/`);
  let cancelling: Promise<unknown> | null = null;
  const onInterrupt = () => {
    progress.hide();
    io.err(`sluice: cancelling job ${id}`);
    // A job that has ended meanwhile is no error, and the next request tells any other.
    cancelling = cancel().catch(() => {});
  };
  signal.addEventListener('abort', onInterrupt, { once: true });
  if (signal.aborted) onInterrupt();
  try {
    const job = await followJob({ api, io, progress, results }, id);
    await cancelling;
    return signal.aborted ? INTERRUPTED : exitCodeOf(job);
  } catch (error) {
    // Nobody would get the results.
    await cancel().catch(() => io.err(`sluice: job ${id} may still be running`));
    throw error;
  } finally {
    signal.removeEventListener('abort', onInterrupt);
    progress.hide();
  }
}

/** Follows a job that this command has not started. @returns the exit code */
export async function watchJob(
  { api, io, signal }: JobContext,
  id: string,
  options: ResultOptions,
): Promise<number> {
  const progress = createStatusLine(process.stderr);
  // Before a file is overwritten.
  await api.call<JobView>('GET', `/api/v1/jobs/${id}/`, { signal });
  await using results = await openResults(options, progress);
  try {
    const job = await followJob({ api, io, progress, results, signal }, id);
    if (!signal.aborted) return exitCodeOf(job);
    progress.hide();
    io.err(
      `sluice: job ${id} is ${job.state}, and ${api.isLocal ? 'waits for the next service' : 'goes on'}`,
    );
    return INTERRUPTED;
  } finally {
    progress.hide();
  }
}

export interface JobContext {
  readonly api: ApiClient;
  readonly io: CommandContext;
  /** Aborts at Ctrl+C. */
  readonly signal: AbortSignal;
}

interface Following {
  readonly api: ApiClient;
  readonly io: CommandContext;
  readonly progress: StatusLine;
  readonly results: ResultWriter;
  /** Ends the following, not the job. */
  readonly signal?: AbortSignal;
}

const POLL_MS = 500;
/** Results whose transfer breaks so often in a row are given up. */
const MAX_BREAKS = 20;

/** Writes the results of a job as they come, until it has ended. @returns the job */
async function followJob({ api, io, progress, results, signal }: Following, id: string): Promise<JobView> {
  let last = 0;
  let breaks = 0;
  let paused = '';
  for (;;) {
    // Read before its results: if it has ended now, they are complete.
    const job = await api.call<JobView>('GET', `/api/v1/jobs/${id}/`);
    const hasEnded = ['done', 'cancelled', 'failed'].includes(job.state);
    progress.show((columns) => progressLine(job, columns));
    const why = job.pause === null ? '' : pauseText(job.pause);
    if (why !== paused && why !== '' && !process.stderr.isTTY) io.err(`sluice: job ${id} is ${why}`);
    paused = why;
    try {
      for await (const line of api.lines(
        `/api/v1/jobs/${id}/results/?include=${results.include}&cursor=${last}`,
      )) {
        const item = JSON.parse(line);
        await results.write(item, line);
        last = item.n;
        breaks = 0;
      }
    } catch (error) {
      // The next round goes on after the last complete line.
      if (!(error instanceof Unreachable) || ++breaks > MAX_BREAKS) throw error;
      await sleep(POLL_MS, signal);
      continue;
    }
    if (signal?.aborted === true) return job;
    if (hasEnded) {
      await results.finish(api, id);
      progress.hide();
      if (process.stderr.isTTY || exitCodeOf(job) !== 0) io.err(summaryLine(job));
      return job;
    }
    await sleep(POLL_MS, signal);
  }
}

export const exitCodeOf = ({ state, counts }: JobView): number =>
  state === 'done' && counts.failed === 0 ? 0 : 1;
