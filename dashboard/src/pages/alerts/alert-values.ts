import { t } from '@lingui/core/macro';
import type { Alert, AlertKind } from '../../api/alerts.ts';
import { hostnameOf } from '../../api/sites.ts';
import { hostText } from '../../ui/host-text.ts';
import { ALERT_KINDS, type CHANNEL_LABELS, USUAL_SITE } from './alert-kinds.ts';
import { type Duration, durationOf, secondsOf } from './duration-field.tsx';
import { inApi, inForm, METRICS, type Metric, type MetricScope, type Op } from './metrics.ts';

/** A new rule of a kind, perhaps about a site (a host, also with its port) or a metric; or a rule that is edited. */
export type AlertSubject =
  | {
      readonly kind: AlertKind;
      readonly site?: string | undefined;
      readonly metric?: MetricPreset | undefined;
    }
  | { readonly alert: Alert };

/** What a new rule about a metric begins with, other than usual. */
export interface MetricPreset {
  readonly metric: Metric;
  readonly name?: string;
  /** Id of a key. */
  readonly key?: string | undefined;
  readonly op?: Op;
  readonly threshold?: number;
}

/** The host that a link to the page has named, as the records have it; null: the form was opened here. */
export const linkedSite = (subject: AlertSubject): string | null =>
  'site' in subject ? (subject.site ?? null) : null;

type ChannelType = keyof typeof CHANNEL_LABELS;

/** Who fills in the form, and what the service can send by. */
export interface FormContext {
  readonly isAdmin: boolean;
  /** The user's own address. */
  readonly email: string;
  readonly channelTypes: readonly ChannelType[];
}

/** What the form holds. Its members have the names of the API, so that the messages of a refusal find their fields. */
export interface Values {
  readonly kind: AlertKind;
  readonly name: string;
  readonly conditions: {
    /** A host in its own script, an ID or a name. Empty: all. */
    readonly subject: string;
    /** In percent, or a number of runs. */
    readonly threshold: number | string;
    /** In the same unit. Empty: as far below as usual. */
    readonly clear_threshold: number | string;
    readonly window_s: Duration;
    readonly baseline_days: number | string;
    readonly min_scrapes: number | string;
    readonly all_users: boolean;
    readonly metric: Metric;
    readonly scope: MetricScope;
    readonly op: Op;
  };
  readonly for_s: Duration;
  readonly clear_for_s: Duration;
  /** Channels of the rule that stay. */
  readonly kept: Alert['channels'];
  /** Ids of channels of the user. */
  readonly shared: string[];
  readonly channelType: ChannelType;
  readonly target: string;
}

/** The members of a refusal that have a field. */
export const ALERT_FIELDS = [
  'name',
  ...[
    'metric',
    'scope',
    'op',
    'subject',
    'threshold',
    'all_users',
    'clear_threshold',
    'window_s',
    'baseline_days',
    'min_scrapes',
  ].map((member) => `conditions.${member}`),
  'for_s',
  'clear_for_s',
  'channels',
];

/** Fields in the part “More settings”. */
const MORE_FIELDS = new Set(ALERT_FIELDS.slice(7, -1));
export const isInMore = (field: string, kind: AlertKind): boolean =>
  MORE_FIELDS.has(field) && !(kind === 'metric' && field === 'conditions.window_s');

const factorOf = (kind: AlertKind): number => (ALERT_KINDS[kind].threshold?.unit === 'runs' ? 1 : 100);
export const shown = (kind: AlertKind, value: number): number =>
  Number((value * factorOf(kind)).toPrecision(6));

/** The value at which a rule is resolved if none is chosen, by the value that fires; in the unit of the form. */
export function usualClear(kind: AlertKind, threshold: number | string): number | null {
  if (kind === 'metric') return typeof threshold === 'number' ? threshold : null;
  const text = ALERT_KINDS[kind].threshold;
  if (text === null || typeof threshold !== 'number') return null;
  return Number(((text.usualClear / text.usual) * threshold).toPrecision(3));
}

/** A site of the records as rules name it: in its own script, without a port. */
export const hostname = (host: string): string => hostText(hostnameOf(host));

const MAX_NAME = 200;

export function valuesOf(subject: AlertSubject, { isAdmin, email, channelTypes }: FormContext): Values {
  const before = 'alert' in subject ? subject.alert : null;
  const kind = 'alert' in subject ? subject.alert.kind : subject.kind;
  const host = linkedSite(subject);
  const site = host === null ? null : hostname(host);
  const { suggestion, threshold: text, usual } = ALERT_KINDS[kind];
  const conditions = before?.conditions;
  const preset = 'alert' in subject ? undefined : subject.metric;
  const metric = conditions?.metric ?? preset?.metric ?? 'cost';
  const isMetric = kind === 'metric';
  const inUnit = (value: number) => (isMetric ? inForm(metric, value) : shown(kind, value));
  const threshold =
    conditions?.threshold === undefined
      ? isMetric
        ? (preset?.threshold ?? METRICS[metric].usual.threshold)
        : (text?.usual ?? '')
      : inUnit(conditions.threshold);
  const clear = conditions?.clear_threshold === undefined ? '' : inUnit(conditions.clear_threshold);
  const name = conditions?.subject ?? site ?? preset?.key ?? '';
  const channelType = channelTypes.includes('email') ? 'email' : 'slack';
  return {
    kind,
    name:
      before?.name ??
      preset?.name ??
      (site === null ? suggestion : t`${site} stops working`.slice(0, MAX_NAME)),
    conditions: {
      subject: kind === 'site_success' || conditions?.scope === 'host' ? hostText(name) : name,
      threshold,
      clear_threshold: clear === usualClear(kind, threshold) ? '' : clear,
      window_s: durationOf(
        conditions?.window_s ?? (isMetric && metric === 'cost' ? DAY_S : USUAL_SITE.window_s),
      ),
      baseline_days: conditions?.baseline_days ?? USUAL_SITE.baseline_days,
      min_scrapes: conditions?.min_scrapes ?? USUAL_SITE.min_scrapes,
      // Of the members of the API, only this one has another default here: an administrator means the site, whoever scrapes it.
      all_users: conditions?.all_users ?? (isAdmin && preset?.key === undefined),
      metric,
      scope: conditions?.scope ?? (preset?.key === undefined ? METRICS[metric].usual.scope : 'key'),
      op: conditions?.op ?? preset?.op ?? METRICS[metric].usual.op,
    },
    for_s: durationOf(before?.for_s ?? usual.forS),
    clear_for_s: durationOf(before?.clear_for_s ?? usual.clearForS),
    kept: before?.channels.filter(({ name: shared }) => shared === null) ?? [],
    shared: before?.channels.filter(({ name: shared }) => shared !== null).map(({ id }) => id) ?? [],
    channelType,
    target: before === null && channelType === 'email' ? email : '',
  };
}

/** Whether a setting in the part “More settings” differs from the usual one. */
export function hasMore({ kind, conditions, for_s, clear_for_s }: Values): boolean {
  const { usual } = ALERT_KINDS[kind];
  const { clear_threshold: clear, window_s, baseline_days, min_scrapes } = conditions;
  if (kind === 'metric')
    return (
      secondsOf(for_s) !== usual.forS ||
      secondsOf(clear_for_s) !== usual.clearForS ||
      clear !== '' ||
      min_scrapes !== USUAL_SITE.min_scrapes
    );
  return (
    secondsOf(for_s) !== usual.forS ||
    secondsOf(clear_for_s) !== usual.clearForS ||
    (kind !== 'vendor' && clear !== '') ||
    secondsOf(window_s) !== USUAL_SITE.window_s ||
    baseline_days !== USUAL_SITE.baseline_days ||
    min_scrapes !== USUAL_SITE.min_scrapes
  );
}

/** The conditions of a rule about a metric, as the API has them. */
function metricConditions({ conditions }: Values) {
  const {
    metric,
    scope,
    op,
    threshold,
    clear_threshold: clear,
    window_s,
    min_scrapes,
    all_users,
  } = conditions;
  const { hasWindow, isSampled } = METRICS[metric];
  const limit = conditions.subject.trim();
  return {
    metric,
    scope,
    op,
    subject: limit === '' ? null : scope === 'host' ? asciiHost(limit) : limit,
    threshold: inApi(metric, Number(threshold)),
    ...(clear === '' ? {} : { clear_threshold: inApi(metric, Number(clear)) }),
    ...(hasWindow ? { window_s: secondsOf(window_s) ?? USUAL_SITE.window_s } : {}),
    ...(isSampled ? { min_scrapes: Number(min_scrapes) } : {}),
    all_users: scope === 'user' || all_users,
  };
}

/** Whether a rule about a metric can be tried. */
export function isComplete({ conditions: { metric, threshold, op, window_s } }: Values): boolean {
  const seconds = secondsOf(window_s) ?? 0;
  const hasWindow = !METRICS[metric].hasWindow || isBetween(seconds, MIN_WINDOW_S, MAX_METRIC_WINDOW_S);
  return hasWindow && isBetween(threshold, op === '<=' ? 0 : Number.MIN_VALUE, Number.MAX_VALUE);
}

/** The members of a request that the form sends. */
export function bodyOf(values: Values) {
  const { kind, name, conditions, for_s, clear_for_s, kept, shared, channelType, target } = values;
  const { subject, threshold, clear_threshold: clear, window_s, all_users } = conditions;
  const limit = subject.trim();
  const added =
    target.trim() === ''
      ? []
      : channelType === 'email'
        ? [{ type: channelType, to: addressesIn(target) }]
        : [{ type: channelType, url: target.trim() }];
  return {
    name: name.trim(),
    conditions:
      kind === 'metric'
        ? metricConditions(values)
        : {
            subject: limit === '' ? null : kind === 'site_success' ? asciiHost(limit) : limit,
            ...(kind === 'vendor'
              ? {}
              : {
                  threshold: Number(threshold) / factorOf(kind),
                  ...(clear === '' ? {} : { clear_threshold: Number(clear) / factorOf(kind) }),
                }),
            ...(kind === 'site_success'
              ? {
                  window_s: secondsOf(window_s) ?? USUAL_SITE.window_s,
                  baseline_days: Number(conditions.baseline_days),
                  min_scrapes: Number(conditions.min_scrapes),
                  all_users,
                }
              : {}),
          },
    for_s: secondsOf(for_s) ?? 0,
    clear_for_s: secondsOf(clear_for_s) ?? 0,
    channels: [...kept.map(({ id }) => ({ id })), ...shared.map((id) => ({ id })), ...added],
  };
}

const addressesIn = (target: string): string[] => target.split(',').map((address) => address.trim());

/** As it is in the records: `Bücher.example:8080` → `xn--bcher-kva.example`. */
const asciiHost = (text: string): string =>
  URL.parse(text.includes('://') ? text : `http://${text}`)?.hostname ?? text;

const DAY_S = 86_400;
const MIN_WINDOW_S = 300;
const MAX_METRIC_WINDOW_S = 30 * DAY_S;

const durationError = (value: Duration): string | null => {
  const seconds = secondsOf(value);
  if (seconds === null) return t`Enter a number.`;
  return seconds > DAY_S ? t`Enter at most 24 hours.` : null;
};

const isBetween = (value: number | string, min: number, max: number): boolean =>
  typeof value === 'number' && value >= min && value <= max;

function targetError(target: string, { kept, shared, channelType }: Values): string | null {
  if (target.trim() === '') return kept.length + shared.length === 0 ? t`Enter where the messages go.` : null;
  if (channelType === 'email')
    return addressesIn(target).every((address) => /^[^\s@]+@[^\s@]+$/.test(address))
      ? null
      : t`Enter an e-mail address, such as maria@example.com.`;
  return /^https?:$/.test(URL.parse(target.trim())?.protocol ?? '')
    ? null
    : t`Enter a whole URL that begins with https:// or http://.`;
}

export const ALERT_VALIDATION = {
  name: (name: string) => (name.trim() === '' ? t`Enter a name.` : null),
  target: targetError,
  conditions: {
    threshold: (threshold: number | string, { kind, conditions: { op } }: Values) => {
      if (kind === 'metric' && op === '<=')
        return isBetween(threshold, 0, Number.MAX_VALUE) ? null : t`Enter a number.`;
      const max = kind === 'metric' ? Number.MAX_VALUE : 1000;
      return kind === 'vendor' || isBetween(threshold, Number.MIN_VALUE, max)
        ? null
        : t`Enter a number greater than 0.`;
    },
    clear_threshold: (clear: number | string, { kind, conditions: { threshold, op } }: Values) => {
      if (clear === '' || typeof threshold !== 'number') return null;
      if (kind === 'metric' && op === '<=')
        return Number(clear) >= threshold ? null : t`Enter at least the value that fires (${threshold}).`;
      if (kind === 'metric' && Number(clear) === threshold) return null;
      return Number(clear) < threshold ? null : t`Enter less than the value that fires (${threshold}).`;
    },
    window_s: (value: Duration, { kind }: Values) => {
      const seconds = secondsOf(value) ?? '';
      if (kind === 'metric')
        return isBetween(seconds, MIN_WINDOW_S, MAX_METRIC_WINDOW_S) ? null : t`Enter 5 minutes to 30 days.`;
      return isBetween(seconds, MIN_WINDOW_S, DAY_S) ? null : t`Enter 5 minutes to 24 hours.`;
    },
    baseline_days: (days: number | string) => (isBetween(days, 1, 7) ? null : t`Enter 1 to 7 days.`),
    min_scrapes: (count: number | string) =>
      isBetween(count, 1, 1_000_000) ? null : t`Enter a number between 1 and 1,000,000.`,
  },
  for_s: durationError,
  clear_for_s: durationError,
};
