/** How measurements become one: their sum, the highest, or the lowest. */
type Rule = 'sum' | 'max' | 'min';

interface MetricRules {
  /** Over the replicas, at the same time. */
  readonly replicas: Rule;
  /** Over the time of a longer step. */
  readonly time: Rule;
}

const COUNTER: MetricRules = { replicas: 'sum', time: 'sum' };
/** Each replica has its own share, such as slots. */
const SHARE: MetricRules = { replicas: 'sum', time: 'max' };
/** All replicas see the same, or the worst of them counts. */
const HIGHEST: MetricRules = { replicas: 'max', time: 'max' };
const LOWEST: MetricRules = { replicas: 'min', time: 'min' };

/** What is measured each minute. Bytes, milliseconds, and micro-units of the currency. */
export const SAMPLE_METRICS = {
  pool: {
    attempts: COUNTER,
    ok: COUNTER,
    failed: COUNTER,
    blocked: COUNTER,
    bytes: COUNTER,
    /** Missing if no price is configured. */
    cost: COUNTER,
    healthy: LOWEST,
    proxies: HIGHEST,
  },
  vendor: {
    requests: COUNTER,
    ok: COUNTER,
    failed: COUNTER,
    /** Missing if no cost is known. */
    cost: COUNTER,
    /** 1: it was left alone, such as after failures. */
    left_alone: HIGHEST,
  },
  system: {
    replicas: SHARE,
    requests: SHARE,
    slots_used: SHARE,
    slots_total: SHARE,
    slots_waiting: SHARE,
    rss_bytes: SHARE,
    memory_bytes: SHARE,
    memory_limit_bytes: SHARE,
    storage_bytes: HIGHEST,
    /** Missing if the storage has no limit that is known here. */
    storage_limit_bytes: HIGHEST,
    disk_free_bytes: LOWEST,
    /** Shares that are in use, 0 to 1. */
    disk_share: HIGHEST,
    machine_memory_share: HIGHEST,
    jobs_queued: HIGHEST,
    event_loop_delay_ms: HIGHEST,
  },
} as const satisfies Record<string, Record<string, MetricRules>>;

export type SampleKind = keyof typeof SAMPLE_METRICS;
export type SampleMetric<Kind extends SampleKind> = keyof (typeof SAMPLE_METRICS)[Kind] & string;

/** By metric. One that is missing was not measured. */
export type SampleValues = Readonly<Record<string, number>>;

/** The lengths of the stored steps, s, and how long they are kept, ms. Rows of a minute are of one replica, those of an hour of all. */
export const MINUTE_S = 60;
export const HOUR_S = 3600;
export const KEPT_MINUTES_MS = 25 * 3_600_000;
export const KEPT_HOURS_MS = 91 * 86_400_000;

/** Pools and vendors whose measurements are kept; those beyond are left out. */
export const MAX_SAMPLED = 100;

/** Combines measurements of one pool or vendor, or of the system. @param over whose they are: replicas, or steps of time */
export function combineSamples(
  kind: SampleKind,
  over: keyof MetricRules,
  all: readonly SampleValues[],
): SampleValues {
  const rules: Readonly<Record<string, MetricRules>> = SAMPLE_METRICS[kind];
  const combined: Record<string, number> = {};
  for (const values of all)
    for (const [metric, value] of Object.entries(values)) {
      const before = combined[metric];
      const rule = rules[metric]?.[over];
      // A metric of another version is left out.
      if (rule === undefined) continue;
      combined[metric] = before === undefined ? value : combineTwo(rule, before, value);
    }
  return combined;
}

function combineTwo(rule: Rule, a: number, b: number): number {
  if (rule === 'sum') return a + b;
  return rule === 'max' ? Math.max(a, b) : Math.min(a, b);
}
