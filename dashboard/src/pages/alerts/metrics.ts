import { t } from '@lingui/core/macro';
import type { Alert } from '../../api/alerts.ts';
import { formatCost, formatCount, unbroken } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';

type Conditions = Alert['conditions'];
export type Metric = NonNullable<Conditions['metric']>;
export type MetricScope = NonNullable<Conditions['scope']>;
export type Op = NonNullable<Conditions['op']>;

interface MetricText {
  readonly label: string;
  /** What the threshold is. */
  readonly threshold: string;
  /** A value of the form is this many times one of the API. */
  readonly factor: number;
  readonly scopes: readonly MetricScope[];
  /** Of the last seconds; otherwise of a day or month. */
  readonly hasWindow: boolean;
  /** Few scrapes tell nothing. */
  readonly isSampled: boolean;
  readonly usual: { readonly op: Op; readonly threshold: number; readonly scope: MetricScope };
}

const EVERY: readonly MetricScope[] = ['all', 'host', 'key', 'user', 'scraper', 'vendor'];
const WINDOWED = { scopes: EVERY, hasWindow: true, isSampled: false, factor: 1 };
const SHARE = { ...WINDOWED, isSampled: true, factor: 100 };

export const METRICS: Readonly<Record<Metric, MetricText>> = {
  cost: {
    ...WINDOWED,
    label: t`Cost`,
    threshold: t({ message: 'Amount', context: 'money' }),
    usual: { op: '>=', threshold: 5, scope: 'key' },
  },
  cost_month: {
    ...WINDOWED,
    label: t`Cost of this month`,
    threshold: t({ message: 'Amount', context: 'money' }),
    hasWindow: false,
    usual: { op: '>=', threshold: 50, scope: 'all' },
  },
  budget_left: {
    ...WINDOWED,
    label: t`What is left of a budget`,
    threshold: t`Share in %`,
    factor: 100,
    scopes: ['key', 'host'],
    hasWindow: false,
    usual: { op: '<=', threshold: 20, scope: 'key' },
  },
  error_rate: {
    ...SHARE,
    label: t`Share of scrapes that are not OK`,
    threshold: t`Share in %`,
    usual: { op: '>=', threshold: 50, scope: 'all' },
  },
  blocked_rate: {
    ...SHARE,
    label: t`Share of scrapes that are blocked`,
    threshold: t`Share in %`,
    usual: { op: '>=', threshold: 30, scope: 'host' },
  },
  p95_ms: {
    ...WINDOWED,
    label: t`Time that 95 % of scrapes need at most`,
    threshold: t`Seconds`,
    factor: 1 / 1000,
    isSampled: true,
    usual: { op: '>=', threshold: 30, scope: 'host' },
  },
  scrapes: {
    ...WINDOWED,
    label: t`Number of scrapes`,
    threshold: t`Scrapes`,
    usual: { op: '<=', threshold: 0, scope: 'all' },
  },
};
export const METRIC_NAMES = Object.keys(METRICS) as readonly Metric[];

export const SCOPES: Readonly<Record<MetricScope, string>> = {
  all: t`All scrapes together`,
  host: t`A site`,
  key: t`An API key`,
  user: t`A user`,
  scraper: t`A scraper`,
  vendor: t`A vendor`,
};

/** What a rule can be limited to. @param isAdmin only administrators see what users do */
export const scopesOf = (metric: Metric, isAdmin: boolean): readonly MetricScope[] =>
  METRICS[metric].scopes.filter(
    (scope) => isAdmin || (scope !== 'user' && !(metric === 'budget_left' && scope === 'host')),
  );

export const inForm = (metric: Metric, value: number): number =>
  Number((value * METRICS[metric].factor).toPrecision(6));
export const inApi = (metric: Metric, value: number): number =>
  Number((value / METRICS[metric].factor).toPrecision(12));

/** A value with its unit. */
export function valueText(metric: Metric, value: number, unit: string): string {
  if (metric === 'cost' || metric === 'cost_month') return formatCost(value, unit);
  if (metric === 'p95_ms') return t`${inForm(metric, value)} s`;
  return metric === 'scrapes' ? formatCount(value) : `${inForm(metric, value)} %`;
}

const EACH: Readonly<Record<MetricScope, string>> = {
  all: SCOPES.all,
  host: t`each site`,
  key: t`each API key`,
  user: t`each user`,
  scraper: t`each scraper`,
  vendor: t`each vendor`,
};

/** What a rule measures: `Cost: each API key, at least 5 EUR`. @param name of what it is limited to; null: of all, each by itself */
export function metricText(conditions: Conditions, name: string | null, unit: string): string {
  const { metric = 'scrapes', scope = 'all', op = '>=', threshold = 0 } = conditions;
  const what = name === null ? EACH[scope] : scope === 'host' ? hostText(name) : name;
  const value = unbroken(valueText(metric, threshold, unit));
  const { label } = METRICS[metric];
  return op === '>=' ? t`${label}: ${what}, at least ${value}` : t`${label}: ${what}, at most ${value}`;
}
