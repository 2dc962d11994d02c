/**
 * Alerts (contract §23): a rule watches a value, fires when it is too high for some time, and is resolved when it is low enough again.
 * These are the values that the store, the engine and the API share.
 */

/** What a rule watches. */
export const ALERT_KINDS = [
  'metric',
  'site_success',
  'budget',
  'monitor',
  'pool',
  'vendor',
  'disk',
  'memory',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** What a rule of the kind `metric` measures. */
export const ALERT_METRICS = [
  'error_rate',
  'blocked_rate',
  'p95_ms',
  'scrapes',
  'cost',
  'cost_month',
  'budget_left',
] as const;
export type AlertMetric = (typeof ALERT_METRICS)[number];

/** What it is measured of. */
export const METRIC_SCOPES = ['all', 'host', 'key', 'user', 'scraper', 'vendor'] as const;
export type MetricScope = (typeof METRIC_SCOPES)[number];

/** Whether a rule fires at the threshold and above it, or below it. */
export const METRIC_OPS = ['>=', '<='] as const;
export type MetricOp = (typeof METRIC_OPS)[number];

/** The subject of a rule about all scrapes together. */
export const ALL_SUBJECT = 'all';

/** Greatest thresholds. Shares are from 0 to 1. */
export const METRIC_MAX: Readonly<Record<AlertMetric, number>> = {
  error_rate: 1,
  blocked_rate: 1,
  p95_ms: 3_600_000,
  scrapes: 1_000_000_000,
  cost: 1_000_000_000,
  cost_month: 1_000_000_000,
  budget_left: 1,
};
/** Metrics that say nothing of a few scrapes. */
export const SAMPLED_METRICS: readonly AlertMetric[] = ['error_rate', 'blocked_rate', 'p95_ms'];
/** Metrics of a day or month of UTC, not of the last seconds. */
export const CALENDAR_METRICS: readonly AlertMetric[] = ['cost_month', 'budget_left'];
/** Metrics in the currency of costs. */
export const COST_METRICS: readonly AlertMetric[] = ['cost', 'cost_month'];

export interface MetricConditions {
  readonly metric: AlertMetric;
  readonly scope: MetricScope;
  readonly op: MetricOp;
  /** What all users do, for administrators; otherwise what the user of the rule does. */
  readonly allUsers: boolean;
  /** The last seconds, which are measured; of a calendar metric without meaning. */
  readonly windowS: number;
  /** Fewer scrapes in the window say nothing. */
  readonly minScrapes: number;
}

/** Kinds about the whole service: only administrators have such rules. */
export const SYSTEM_ALERT_KINDS: readonly AlertKind[] = ['pool', 'vendor', 'disk', 'memory'];

export const ALERT_CHANNELS = ['webhook', 'email', 'slack'] as const;
export type AlertChannelType = (typeof ALERT_CHANNELS)[number];

/** For each kind: the value is a share, or a number; and the usual thresholds. A vendor works or does not: 1 or 0. */
export const ALERT_THRESHOLDS: Readonly<
  Record<AlertKind, { readonly max: number; readonly threshold: number; readonly clear: number }>
> = {
  // Each metric has a scale of its own, and no usual threshold.
  metric: { max: 1_000_000_000, threshold: 1, clear: 1 },
  site_success: { max: 1, threshold: 0.3, clear: 0.15 },
  budget: { max: 1, threshold: 0.8, clear: 0.7 },
  monitor: { max: 1000, threshold: 3, clear: 0 },
  pool: { max: 1, threshold: 1, clear: 0.5 },
  vendor: { max: 1, threshold: 1, clear: 0 },
  disk: { max: 1, threshold: 0.9, clear: 0.85 },
  memory: { max: 1, threshold: 0.9, clear: 0.8 },
};

/**
 * Seconds that the value must be too high before the rule fires, and low enough before it is resolved. A vendor that rests is tried
 * again now and then, so it must work for longer.
 */
export const ALERT_DURATIONS: Readonly<
  Record<AlertKind, { readonly forS: number; readonly clearForS: number }>
> = {
  metric: { forS: 0, clearForS: 300 },
  site_success: { forS: 300, clearForS: 300 },
  budget: { forS: 0, clearForS: 0 },
  monitor: { forS: 0, clearForS: 0 },
  pool: { forS: 300, clearForS: 300 },
  vendor: { forS: 0, clearForS: 600 },
  disk: { forS: 300, clearForS: 300 },
  memory: { forS: 300, clearForS: 300 },
};

/** How the success of a site is measured. */
export interface SiteWindow {
  /** The scrapes of all users, for administrators; otherwise those of the user of the rule. */
  readonly allUsers: boolean;
  readonly windowS: number;
  /** Fewer scrapes in the window say nothing. */
  readonly minScrapes: number;
  /** Days before the window that are compared with. */
  readonly baselineDays: number;
}

export const DEFAULT_SITE_WINDOW: SiteWindow = {
  allUsers: false,
  windowS: 3600,
  minScrapes: 20,
  baselineDays: 7,
};

export interface AlertConditions {
  /** Host, id of the key or of the monitor, name of the pool or the vendor; null: all that there are. */
  readonly subject: string | null;
  /** It fires from this value on. */
  readonly threshold: number;
  /** It is resolved at this value or below. Lower than `threshold`; of `metric` it may be equal, and the other way round. */
  readonly clearThreshold: number;
  /** Of `metric`; of other kinds absent. */
  readonly metric?: MetricConditions;
  /** Of `site_success`; of other kinds null. */
  readonly site: SiteWindow | null;
}

/** Whether a rule is about the whole service or all users, so that only administrators have it. */
export const isAboutAll = (kind: AlertKind, { site, metric }: AlertConditions): boolean =>
  SYSTEM_ALERT_KINDS.includes(kind) ||
  site?.allUsers === true ||
  metric?.allUsers === true ||
  // What all users together may spend at a site.
  (metric?.metric === 'budget_left' && metric.scope === 'host');

/** A place where messages of a rule go. */
export interface AlertChannel {
  /** UUID version 7. Its deliveries have it as their source. */
  readonly id: string;
  readonly type: AlertChannelType;
  /** Where and what to send, sealed (`WebhookSpec`). */
  readonly spec: Uint8Array;
  /** Its name, if it is a channel of the user that others use, too; null: it belongs to the rule. */
  readonly sharedName: string | null;
}

/** Times are ms since the epoch. */
export interface AlertRule {
  /** UUID version 7. */
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly kind: AlertKind;
  readonly conditions: AlertConditions;
  /** Seconds that a value must be too high before the rule fires. */
  readonly forS: number;
  /** Seconds that it must be low enough before the rule is resolved. */
  readonly clearForS: number;
  readonly enabled: boolean;
  /** Nothing is sent before; null: it is not silenced. */
  readonly silencedUntil: number | null;
  readonly createdAt: number;
  /** Number of the latest event. */
  readonly lastN: number;
  readonly channels: readonly AlertChannel[];
  readonly instances: readonly AlertInstance[];
}

/** One site, key, pool or the like for which a rule is about to fire, or fires. */
export interface AlertInstance {
  /** As `AlertConditions.subject`; of `disk` and `memory` a fixed name. */
  readonly subject: string;
  readonly state: 'pending' | 'firing';
  /** Since when the value has been too high. */
  readonly since: number;
  readonly value: number;
  /** The value in a sentence. */
  readonly summary: string;
  /** When `value` was stored. */
  readonly seenAt: number;
  /** Since when a firing value has been low enough, or missing; null: it is not. */
  readonly calmSince: number | null;
  /** Number of the event that tells that it fires; null: pending. */
  readonly firedN: number | null;
  /** Whether that event was sent; false: the rule was silenced. */
  readonly isNotified: boolean;
}

/** A rule began to fire for a subject, or was resolved. */
export interface AlertEvent {
  /** UUID version 7. */
  readonly id: string;
  readonly ruleId: string;
  /** Number in the rule, from 1: the sequence of its deliveries. */
  readonly n: number;
  readonly userId: string;
  readonly state: 'firing' | 'resolved';
  readonly at: number;
  /** Name and kind of the rule at that time. */
  readonly name: string;
  readonly kind: AlertKind;
  readonly subject: string;
  readonly value: number | null;
  readonly threshold: number;
  readonly since: number;
  readonly summary: string;
  /** Nothing was sent, because the rule was silenced. */
  readonly isSilenced: boolean;
}
