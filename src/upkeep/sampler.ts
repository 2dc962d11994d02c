import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/time.ts';
import {
  combineSamples,
  HOUR_S,
  KEPT_HOURS_MS,
  KEPT_MINUTES_MS,
  MAX_SAMPLED,
  MINUTE_S,
  type SampleKind,
  type SampleValues,
} from '../domain/samples.ts';
import type { SampleCounters } from '../observe/sample-counters.ts';
import type { SampleRow, SampleStore } from '../ports/samples.ts';
import { StorageError } from '../ports/store.ts';
import { type BackgroundLoop, startBackgroundLoop } from './background-loop.ts';

/** What is measured at a moment, of the system, and of each pool and vendor by its name. */
export interface Measurements {
  readonly system: SampleValues;
  readonly pool: ReadonlyMap<string, SampleValues>;
  readonly vendor: ReadonlyMap<string, SampleValues>;
}

export interface SamplerDeps {
  readonly samples: SampleStore;
  readonly counters: Pick<SampleCounters, 'drain'>;
  readonly measure: () => Promise<Measurements>;
  readonly clock: Clock;
  /** Called with unexpected errors. Errors of the storage are left out: the next stored record reports them. */
  readonly onError: (error: unknown) => void;
}

export interface Sampler extends BackgroundLoop {
  /** Stores what was measured until now, so that it can be read. */
  flush(): Promise<void>;
}

/** Between two measurements. The highest or lowest of a minute is stored. */
const PAUSE_MS = 10_000;
const MINUTE_MS = MINUTE_S * 1000;
const HOUR_MS = HOUR_S * 1000;
const SWEEP_INTERVAL_MS = 600_000;

/** Measures this process, and stores the measurements of each minute and hour, until `stop` has settled. */
export function startSampler({ samples, counters, measure, clock, onError }: SamplerDeps): Sampler {
  const replica = randomUUID();
  /** The rows of the running minute, by kind and name. */
  let rows = new Map<string, SampleRow>();
  let minute = minuteOf(clock);
  let sweepDue = clock.monotonic();

  const add = (kind: SampleKind, name: string, values: SampleValues) => {
    const key = `${kind} ${name}`;
    const before = rows.get(key);
    const isFull = before === undefined && kindCount(rows, kind) >= MAX_SAMPLED;
    if (isFull) return;
    const merged = before === undefined ? values : combineSamples(kind, 'time', [before.values, values]);
    rows.set(key, { step: MINUTE_S, at: minute, kind, name, replica, values: merged });
  };
  const addCounts = () => {
    for (const { kind, name, values } of counters.drain()) add(kind, name, values);
  };
  const addMeasurements = async () => {
    const { system, pool, vendor } = await measure();
    add('system', '', system);
    for (const [name, values] of pool) add('pool', name, values);
    for (const [name, values] of vendor) add('vendor', name, values);
  };
  const store = async () => {
    addCounts();
    const now = minuteOf(clock);
    await samples.put([...rows.values()]);
    if (now === minute) return;
    minute = now;
    rows = new Map();
  };

  /** Combines the minutes of the hours since the latest stored hour. Every replica may do it: the result is the same. */
  const storeHours = async () => {
    const now = clock.now();
    const oldest = hourOf(now - KEPT_MINUTES_MS) + HOUR_MS;
    const latest = Math.max(oldest, (await samples.latest(HOUR_S)) ?? oldest);
    for (let at = latest; at <= now; at += HOUR_MS) {
      const minutes = await samples.list(MINUTE_S, null, at, at + HOUR_MS);
      await samples.put(hourRows(at, minutes));
    }
  };

  const round = async () => {
    await addMeasurements();
    if (minuteOf(clock) !== minute) await store();
    if (clock.monotonic() < sweepDue) return;
    sweepDue = clock.monotonic() + SWEEP_INTERVAL_MS;
    await storeHours();
    await samples.sweep(MINUTE_S, clock.now() - KEPT_MINUTES_MS);
    await samples.sweep(HOUR_S, clock.now() - KEPT_HOURS_MS);
  };
  // One after the other: they change the same rows.
  let running: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    running = running.catch(() => {}).then(work);
    return running;
  };
  const report = (error: unknown) => {
    if (!(error instanceof StorageError)) onError(error);
  };
  const loop = startBackgroundLoop({ pauseMs: PAUSE_MS, onError: report }, () => inTurn(round));
  return {
    flush: () =>
      inTurn(async () => {
        await addMeasurements();
        await store();
        await storeHours();
      }),
    async stop() {
      await loop.stop();
      await inTurn(store).catch(report);
    },
  };
}

const minuteOf = (clock: Clock): number => Math.floor(clock.now() / MINUTE_MS) * MINUTE_MS;
const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;

function kindCount(rows: ReadonlyMap<string, SampleRow>, kind: SampleKind): number {
  let count = 0;
  for (const row of rows.values()) if (row.kind === kind) count++;
  return count;
}

/** The rows of an hour from those of its minutes. */
function hourRows(at: number, minutes: readonly SampleRow[]): readonly SampleRow[] {
  const byName = Map.groupBy(minutes, ({ kind, name }) => `${kind} ${name}`);
  return [...byName.values()].map((rows) => {
    const { kind, name } = rows[0]!;
    const steps = [...Map.groupBy(rows, (row) => row.at).values()].map((same) =>
      combineSamples(
        kind,
        'replicas',
        same.map(({ values }) => values),
      ),
    );
    return { step: HOUR_S, at, kind, name, replica: '', values: combineSamples(kind, 'time', steps) };
  });
}
