import { Type } from 'typebox';
import { dateTime } from '../../domain/json-schema.ts';
import {
  combineSamples,
  HOUR_S,
  MINUTE_S,
  type SampleKind,
  type SampleMetric,
  type SampleValues,
} from '../../domain/samples.ts';
import type { SampleStore } from '../../ports/samples.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import type { QueryReader } from '../../wire/schema/query-reader.ts';

/** Number and length of the steps of each window. */
const WINDOWS = {
  '1h': { steps: 60, seconds: 60 },
  '24h': { steps: 96, seconds: 900 },
  '7d': { steps: 168, seconds: 3600 },
  '30d': { steps: 120, seconds: 21_600 },
  '90d': { steps: 90, seconds: 86_400 },
} as const;
type Window = keyof typeof WINDOWS;
const WINDOW_NAMES = Object.keys(WINDOWS) as Window[];

/** The query of all histories. */
export const HISTORY_QUERY = {
  parameters: {
    window: {
      description:
        'The last hour (in steps of one minute), day (15 minutes), 7 days (one hour), 30 days (6 hours) or 90 days (one day).',
      schema: Type.Enum(WINDOW_NAMES, { default: '24h' }),
    },
  },
  read: (query: QueryReader): { readonly window: Window } => ({
    window: query.oneOf('window', WINDOW_NAMES) ?? '24h',
  }),
};

/** The members of every history. */
export const HISTORY_MEMBERS = {
  window: Type.Enum(WINDOW_NAMES),
  from: dateTime('Start of the first step.'),
  to: dateTime('The current time; the last step is still running.'),
  step_seconds: Type.Integer({ minimum: 1 }),
};

export interface History<Kind extends SampleKind> {
  readonly members: {
    readonly window: Window;
    readonly from: string;
    readonly to: string;
    readonly step_seconds: number;
  };
  /** By name of the pool or vendor; '' for the system. */
  readonly series: readonly {
    readonly name: string;
    /** Over the whole window. */
    readonly total: (metric: SampleMetric<Kind>) => number | null;
    /** All steps, oldest first. `value` is null if nothing was measured. */
    readonly points: readonly {
      readonly at: string;
      readonly value: (metric: SampleMetric<Kind>) => number | null;
    }[];
  }[];
}

/** Reads the measurements of a window. @param now ms since the epoch */
export async function readHistory<Kind extends SampleKind>(
  samples: SampleStore,
  kind: Kind,
  { window, now }: { readonly window: Window; readonly now: number },
): Promise<History<Kind>> {
  const { steps, seconds } = WINDOWS[window];
  const stepMs = seconds * 1000;
  const last = Math.floor(now / stepMs) * stepMs;
  const starts = Array.from({ length: steps }, (_, index) => last - (steps - 1 - index) * stepMs);
  const stored = seconds < HOUR_S ? MINUTE_S : HOUR_S;
  const rows = await samples.list(stored, kind, starts[0]!, last + stepMs);
  const combine = (over: 'replicas' | 'time', all: readonly SampleValues[]) =>
    combineSamples(kind, over, all);
  const byName = Map.groupBy(rows, ({ name }) => name);
  const series = [...byName].toSorted().map(([name, ofName]) => {
    const moments = [...Map.groupBy(ofName, ({ at }) => at)].map(([at, same]) => ({
      at,
      values: combine(
        'replicas',
        same.map(({ values }) => values),
      ),
    }));
    const byStep = Map.groupBy(moments, ({ at }) => Math.floor(at / stepMs) * stepMs);
    const valuesOf = (list: readonly { readonly values: SampleValues }[]) =>
      combine(
        'time',
        list.map(({ values }) => values),
      );
    const total = valuesOf(moments);
    return {
      name,
      total: (metric: string) => total[metric] ?? null,
      points: starts.map((start) => {
        const values = valuesOf(byStep.get(start) ?? []);
        return { at: formatDateTime(start), value: (metric: string) => values[metric] ?? null };
      }),
    };
  });
  const members = {
    window,
    from: formatDateTime(starts[0]!),
    to: formatDateTime(now),
    step_seconds: seconds,
  };
  return { members, series };
}
