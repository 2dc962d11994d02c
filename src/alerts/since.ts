import type { MonitorRow } from '../domain/monitors.ts';
import { MINUTE_S, type SampleMetric } from '../domain/samples.ts';
import type { HostStep } from '../domain/site-stats.ts';
import type { MonitorStore } from '../ports/monitors.ts';
import type { SampleStore } from '../ports/samples.ts';

const DAY_MS = 86_400_000;

/**
 * Since when a metric of the system has been at `threshold` or above, in every stored minute until the latest one; at most one day
 * back. Minutes in which nothing was measured do not count. @param now ms since the epoch
 * @returns start of the first such minute; null: the latest minute is below, or none is stored
 */
export async function highSince(
  samples: SampleStore,
  metric: SampleMetric<'system'>,
  threshold: number,
  now: number,
): Promise<number | null> {
  const rows = await samples.list(MINUTE_S, 'system', now - DAY_MS, now);
  const minutes = [...Map.groupBy(rows, ({ at }) => at)].toSorted(([a], [b]) => b - a);
  let since: number | null = null;
  for (const [at, ofReplicas] of minutes) {
    const isHigh = ofReplicas.some(({ values }) => (values[metric] ?? 0) >= threshold);
    if (!isHigh) break;
    since = at;
  }
  return since;
}

/**
 * Since when a site works worse: the start of the step from which on the scrapes fell short of `expected` the most.
 * @param steps of the site, in the order of time
 * @param expected the share of `ok` that tells the good steps from the bad ones
 * @returns ms since the epoch; null: no step fell short
 */
export function worseSince(steps: readonly HostStep[], expected: number): number | null {
  let since: number | null = null;
  let missing = 0;
  let most = 0;
  for (const { at, scrapes, ok } of steps.toReversed()) {
    missing += expected * scrapes - ok;
    if (missing <= most) continue;
    most = missing;
    since = at;
  }
  return since;
}

/** Runs of a monitor that are read to find its first failed one. */
const MAX_RUNS = 100;

/** When the first of the failed runs in a row began, ms since the epoch; null: it is too long ago, or there is none. */
export async function failingSince(
  monitors: Pick<MonitorStore, 'runs'>,
  { id, errors }: Pick<MonitorRow, 'id' | 'errors'>,
): Promise<number | null> {
  const runs = await monitors.runs(id, MAX_RUNS, null);
  const ended = runs.filter(({ state }) => state === 'ended');
  return ended[errors - 1]?.startedAt ?? null;
}
