import type { Clock } from '../base/time.ts';
import type { MonitorRow, RunResult } from '../domain/monitors.ts';
import type { NotificationFacts } from '../domain/notifications.ts';
import { runSummary } from '../domain/run-summary.ts';
import type { WebhookEvent } from '../domain/webhooks.ts';
import type { RunEnd } from '../ports/monitors.ts';
import { compareAll } from './compare-all.ts';
import { comparePages } from './compare-pages.ts';
import { type EndedRun, type FinishDeps, NO_CHANGE, troubleOf } from './ended-run.ts';
import { readVersion } from './read-snapshot.ts';

type FoundRun = Omit<RunEnd, 'event' | 'facts'>;

/** What people are told of a run. */
function factsOf({ request }: MonitorRow, { result }: FoundRun): NotificationFacts {
  const { url, urls } = JSON.parse(request) as { readonly url?: string; readonly urls?: readonly string[] };
  return { state: result.state, summary: runSummary(result), url: url ?? urls?.[0] ?? null };
}

/** Errors in a row after which the user is told. */
const TOLD_ERRORS = 3;

/** A page that used to be open and now asks for a sign-in is told at once; other errors when they last. */
function eventOf({ result, errors }: FoundRun): WebhookEvent | null {
  if (result.state === 'error') {
    const isTold = errors === TOLD_ERRORS || (errors === 1 && result.reason === 'signed_out');
    return isTold ? 'failed' : null;
  }
  return ['changed', 'gone', 'back'].includes(result.state) ? 'changed' : 'done';
}

const NO_PAGES = { pages: [], counts: null, incomplete: null };

/**
 * Compares the pages of a run whose job has ended, and stores the result. May be called again for the same run after a crash:
 * it compares with the same earlier pages.
 * @param signal ends the comparison of many pages; then nothing is stored, and the run stays under way
 */
export async function finishRun(deps: FinishDeps, ended: EndedRun, signal: AbortSignal): Promise<void> {
  const { monitor, now } = ended;
  let found: FoundRun;
  if (monitor.kind === 'request') found = await compareRequest(deps, ended);
  else {
    const result = await compareAll(deps, ended, signal);
    if (result === null) return;
    const errors = result.state === 'error' ? monitor.errors + 1 : 0;
    found = { result, scrapeId: null, snapshot: null, errors, isGone: false, now };
  }
  await deps.monitors.endRun(monitor.id, ended.run.n, {
    ...found,
    event: eventOf(found),
    facts: factsOf(monitor, found),
  });
}

/** Ends a run that could not begin. */
export async function failRun(
  { monitors, clock }: Pick<FinishDeps, 'monitors'> & { readonly clock: Clock },
  monitor: MonitorRow,
  n: number,
  reason: string,
): Promise<void> {
  const found = failedRun(monitor, reason, clock.now());
  await monitors.endRun(monitor.id, n, { ...found, event: eventOf(found), facts: factsOf(monitor, found) });
}

/** Ends a run under way whose monitor is about to be changed: its pages are not those of the next runs. */
export async function abandonRun(
  { monitors, clock }: Pick<FinishDeps, 'monitors'> & { readonly clock: Clock },
  monitor: MonitorRow,
  n: number,
): Promise<void> {
  const found = { ...failedRun(monitor, 'monitor_changed', clock.now()), errors: monitor.errors };
  await monitors.endRun(monitor.id, n, { ...found, event: null, facts: {} });
}

const failedRun = ({ errors, isGone }: MonitorRow, reason: string, now: number): FoundRun => ({
  result: { ...NO_CHANGE, state: 'error', reason, ...NO_PAGES },
  scrapeId: null,
  snapshot: null,
  errors: errors + 1,
  isGone,
  now,
});

async function compareRequest(deps: FinishDeps, ended: EndedRun): Promise<FoundRun> {
  const { monitor, run, job, now } = ended;
  const [item] = await deps.jobs.results(job.id, 0, 1);
  const scrapeId = item?.scrapeId ?? null;
  const common = { scrapeId, now, snapshot: null };
  const failed = (reason: string): FoundRun => ({ ...failedRun(monitor, reason, now), scrapeId });
  if (item === undefined) return failed(job.error?.code ?? `job_${job.state}`);
  const record = scrapeId === null ? null : await deps.records.get(scrapeId, null);
  const previous = await deps.monitors.page(monitor.id, BASELINE, run.n);
  const trouble = troubleOf(item, record, monitor.compare.format, previous !== null);
  if (trouble === 'gone')
    return {
      ...common,
      result: goneResult(monitor, previous?.scrapeId ?? null),
      errors: 0,
      isGone: true,
    };
  if (trouble !== null) return failed(trouble);
  const snapshot = await readVersion(record!, monitor.compare, deps, previous !== null);
  if (typeof snapshot === 'string') return failed(snapshot);
  await deps.monitors.putPage(monitor.id, run.n, { url: BASELINE, scrapeId: scrapeId!, bytes: snapshot });
  const result = await resultOf(monitor, previous, snapshot);
  return { ...common, result, snapshot, errors: 0, isGone: false };
}

/** The page of a monitor of one request has this name, because its URL may change by redirects. */
const BASELINE = '';

function goneResult({ isGone }: MonitorRow, previousId: string | null): RunResult {
  return {
    ...NO_CHANGE,
    state: isGone ? 'same' : 'gone',
    previousId,
    similarity: isGone ? 1 : 0,
    ...NO_PAGES,
  };
}

async function resultOf(
  { compare, isGone }: MonitorRow,
  previous: { readonly scrapeId: string; readonly bytes: Uint8Array } | null,
  snapshot: Uint8Array,
): Promise<RunResult> {
  if (previous === null) return { ...NO_CHANGE, state: isGone ? 'back' : 'first', ...NO_PAGES };
  const comparison = await comparePages(previous.bytes, snapshot, compare);
  const state = isGone ? 'back' : comparison.state;
  return { ...NO_CHANGE, ...comparison, state, previousId: previous.scrapeId, ...NO_PAGES };
}
