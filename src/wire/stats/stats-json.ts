import { percentile } from '../../domain/latency-cells.ts';
import type { StatsAsk, StatsRead } from '../../domain/stats.ts';
import { OUTCOMES } from '../record/outcomes.ts';
import { timeText } from '../record/time-text.ts';
import { type StatsQuery, WINDOWS } from './stats-query.ts';

/** The counters that a window is made of. @param now ms since the epoch */
export function statsAsk({ window, userId }: StatsQuery, now: number): StatsAsk {
  const { steps, seconds } = WINDOWS[window];
  const length = seconds * 1000;
  const last = Math.floor(now / length) * length;
  const at = Array.from({ length: steps }, (_, n) => last - (steps - 1 - n) * length);
  return { userId, step: seconds, at };
}

interface StepCounts {
  readonly outcomes: Map<string, number>;
  readonly latency: Map<number, number>;
}

/** The answer of `GET /api/v1/stats/`. */
export function statsObject(parts: {
  readonly query: StatsQuery;
  readonly ask: StatsAsk;
  readonly read: StatsRead;
  readonly now: number;
  readonly inFlight: { readonly now: number; readonly limit: number | null };
}) {
  const { query, ask, read, now, inFlight } = parts;
  const empty = (): StepCounts => ({ outcomes: new Map(), latency: new Map() });
  const byStep = new Map(ask.at.map((at) => [at, empty()]));
  const all = empty();
  let bytes = 0;
  for (const { at, kind, counts } of read.steps) {
    const step = byStep.get(at);
    if (step === undefined) continue;
    for (const [name, count] of counts) {
      if (kind === 'bytes') bytes += count;
      else if (kind === 'outcome') for (const to of [step, all]) raise(to.outcomes, name, count);
      else for (const to of [step, all]) raise(to.latency, Number(name), count);
    }
  }
  return {
    window: query.window,
    from: timeText(ask.at[0]!),
    to: timeText(now),
    step_seconds: ask.step,
    in_flight: inFlight,
    totals: { scrapes: scrapesOf(all), bytes, outcomes: outcomesOf(all) },
    latency_ms: {
      p50: percentile(all.latency, 0.5),
      p95: percentile(all.latency, 0.95),
      p99: percentile(all.latency, 0.99),
    },
    series: ask.at.map((at) => {
      const step = byStep.get(at)!;
      return {
        at: timeText(at),
        scrapes: scrapesOf(step),
        outcomes: outcomesOf(step),
        p50_ms: percentile(step.latency, 0.5),
        p95_ms: percentile(step.latency, 0.95),
      };
    }),
    hosts: read.hosts,
    errors: read.errors,
  };
}

const outcomesOf = ({ outcomes }: StepCounts) =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, outcomes.get(outcome) ?? 0]));

/** Dry runs fetch nothing, and are counted as an outcome only. */
function scrapesOf({ outcomes }: StepCounts): number {
  let total = 0;
  for (const [outcome, count] of outcomes) if (outcome !== 'planned') total += count;
  return total;
}

function raise<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
