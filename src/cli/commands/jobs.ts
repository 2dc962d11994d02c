import { uuidBytes } from '../../base/uuid7.ts';
import type { ApiClient } from '../core/api-client.ts';
import {
  type CommandCall,
  type CommandContext,
  CommandError,
  type RunCommand,
  WRONG_USAGE,
} from '../core/command.ts';
import { INTERRUPTED, withApi } from '../core/connect.ts';
import { factsText, forTerminal, styled, tableText } from '../core/output.ts';
import { createStatusLine, type JobView, pauseText, progressLine } from '../core/progress.ts';
import { openResults, readResultOptions } from '../core/results.ts';

/** A job as `sluice jobs` shows it. */
interface ListedJob extends JobView {
  readonly kind: string;
  readonly name: string | null;
  readonly cost: number | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly expires_at: string | null;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly label: string | null;
  readonly waiting: { readonly reason: string; readonly until: string | null } | null;
  readonly last_error: { readonly code: string; readonly message: string; readonly url: string } | null;
}

/** An item of a job, without its content. */
interface FailedItem {
  readonly url: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly tries: number;
  readonly error: { readonly code: string; readonly message: string } | null;
}

const JOBS = '/api/v1/jobs/';
const MAX_PAGE = 200;
const DEFAULT_LIMIT = 20;

export const listJobs: RunCommand = (call, io) =>
  withApi(io, call, async (api, signal) => {
    const wanted = limitOf(call);
    const query = new URLSearchParams();
    for (const name of ['q', 'state', 'kind', 'tag', 'sort'])
      if (call.values.has(name)) query.set(name, call.values.get(name)!);
    if (call.flags.has('with-runs')) query.set('with_runs', 'true');
    const jobs: ListedJob[] = [];
    for (let cursor: string | null = ''; cursor !== null && jobs.length < wanted; ) {
      query.set('limit', String(Math.min(MAX_PAGE, wanted - jobs.length)));
      if (cursor !== '') query.set('cursor', cursor);
      const page: { items: ListedJob[]; next_cursor: string | null } = await api.call(
        'GET',
        `${JOBS}?${query}`,
        { signal },
      );
      jobs.push(...page.items);
      cursor = page.next_cursor;
    }
    if (asJson(call)) for (const job of jobs) io.out(JSON.stringify(job));
    else if (jobs.length === 0) io.err('no jobs');
    else io.out(jobTable(jobs));
    return 0;
  });

function limitOf({ values }: CommandCall): number {
  const text = values.get('limit') ?? String(DEFAULT_LIMIT);
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new CommandError(`--limit must be a whole number from 1 to 999999; got "${text}"`, WRONG_USAGE);
}

/** A pipe gets JSON. */
const asJson = ({ flags }: CommandCall): boolean => flags.has('json') || !process.stdout.isTTY;

function jobTable(jobs: readonly ListedJob[]): string {
  const rows = jobs.map((job) => [
    job.id,
    job.kind,
    job.state,
    `${job.counts.ok + job.counts.failed + job.counts.skipped}/${job.counts.found}`,
    String(job.counts.failed),
    job.created_at.slice(0, 16).replace('T', ' '),
    job.label ?? '',
  ]);
  return tableText(['ID', 'KIND', 'STATE', 'DONE', 'FAILED', 'CREATED', 'NAME'], rows).trimEnd();
}

export const showJob: RunCommand = (call, io) =>
  withJob(call, io, (api, id, signal) => api.call('GET', `${JOBS}${id}/`, { signal }));

/** A request that steers a job and gives the job. */
const steer =
  (verb: 'pause' | 'resume' | 'retry-failed' | 'try-now'): RunCommand =>
  (call, io) =>
    withJob(call, io, (api, id, signal) => api.call('POST', `${JOBS}${id}/${verb}/`, { signal }));

export const pauseJob = steer('pause');
export const resumeJob = steer('resume');
export const retryJob = steer('retry-failed');
export const tryJobNow = steer('try-now');

export const cancelJob: RunCommand = (call, io) =>
  withApi(io, call, async (api, signal) => {
    const id = jobId(call);
    await api.call('DELETE', `${JOBS}${id}/${call.flags.has('purge') ? '?purge=1' : ''}`, { signal });
    return 0;
  });

async function withJob(
  call: CommandCall,
  io: CommandContext,
  ask: (api: ApiClient, id: string, signal: AbortSignal) => Promise<ListedJob>,
): Promise<number> {
  const id = jobId(call);
  return withApi(io, call, async (api, signal) => {
    const job = await ask(api, id, signal);
    io.out(asJson(call) ? JSON.stringify(job) : jobText(job));
    return 0;
  });
}

/** @throws CommandError */
function jobId({ words }: CommandCall): string {
  const id = words[0]!;
  if (uuidBytes(id) === null)
    throw new CommandError(`"${id}" is not the id of a job; see sluice jobs list`, WRONG_USAGE);
  return id.toLowerCase();
}

const STATE_COLOURS: Readonly<Partial<Record<JobView['state'], 'green' | 'yellow' | 'red'>>> = {
  done: 'green',
  paused: 'yellow',
  cancelled: 'yellow',
  failed: 'red',
};

function jobText(job: ListedJob): string {
  const { state, counts, outcomes, pause, error, cost } = job;
  const colour = STATE_COLOURS[state];
  const listed = (numbers: Readonly<Record<string, number>>) =>
    Object.entries(numbers)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || null;
  return [
    `${job.kind} ${job.id}  ${colour === undefined ? state : styled(colour, state, process.stdout)}`,
    ...factsText([
      ['name', job.label],
      ['progress', progressLine(job, 80)],
      ['items', listed(counts)],
      ['scrapes', listed(outcomes)],
      ['paused', pause === null ? null : pauseText(pause)],
      ['waits', job.waiting === null || pause !== null ? null : waitText(job.waiting)],
      ['last error', job.last_error === null || error !== null ? null : errorText(job.last_error)],
      ['error', error === null ? null : errorText(error)],
      ['cost', cost === null ? null : String(cost)],
      ['created', job.created_at],
      ['started', job.started_at],
      ['ended', job.ended_at],
      ['kept until', job.expires_at],
    ]),
  ].join('\n');
}

const errorText = ({ code, message }: { readonly code: string; readonly message: string }): string =>
  forTerminal(`${code}: ${message}`);

const waitText = ({ reason, until }: NonNullable<ListedJob['waiting']>): string =>
  until === null ? reason : `${reason}, until ${until}`;

export const jobResults: RunCommand = async (call, io) => {
  const id = jobId(call);
  const options = await readResultOptions(call);
  return withApi(io, call, async (api, signal) => {
    // Before a file is overwritten.
    await api.call('GET', `${JOBS}${id}/`, { signal });
    await using results = await openResults(options, createStatusLine(process.stderr));
    for await (const line of api.lines(`${JOBS}${id}/results/?include=${results.include}`)) {
      if (signal.aborted) break;
      await results.write(JSON.parse(line), line);
    }
    if (!signal.aborted) await results.finish(api, id);
    return signal.aborted ? INTERRUPTED : 0;
  });
};

export const jobErrors: RunCommand = (call, io) => {
  const id = jobId(call);
  return withApi(io, call, async (api, signal) => {
    let count = 0;
    for await (const line of api.lines(`${JOBS}${id}/results/?include=none&state=failed`)) {
      if (signal.aborted) return INTERRUPTED;
      const item = JSON.parse(line) as FailedItem;
      count++;
      io.out(asJson(call) ? line : itemText(item));
    }
    if (count === 0 && process.stderr.isTTY) io.err('nothing has failed');
    return 0;
  });
};

function itemText({ url, outcome, tries, error }: FailedItem): string {
  const why = error === null ? (outcome ?? 'failed') : `${error.code}: ${error.message}`;
  return `${styled('red', forTerminal(url), process.stdout)}\n  ${forTerminal(why)}${tries > 1 ? ` (${tries} tries)` : ''}`;
}
