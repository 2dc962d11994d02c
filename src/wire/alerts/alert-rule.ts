import { type Static, Type } from 'typebox';
import {
  ALERT_CHANNELS,
  ALERT_KINDS,
  ALERT_METRICS,
  ALERT_THRESHOLDS,
  type AlertChannelType,
  type AlertConditions,
  type AlertKind,
  type AlertRule,
  CALENDAR_METRICS,
  DEFAULT_SITE_WINDOW,
  METRIC_MAX,
  METRIC_OPS,
  METRIC_SCOPES,
  type MetricConditions,
  SAMPLED_METRICS,
  type SiteWindow,
} from '../../domain/alerts.ts';
import { closed, mapOf, optional, orNull, textOrNull } from '../../domain/json-schema.ts';
import type { Written } from '../answer/json-members.ts';
import { formatDateTime, formatDateTimeOrNull } from '../date-time.ts';
import { addProblem, type Problems } from '../schema/problems.ts';
import { checkWebhookHeaders, checkWebhookUrl } from '../webhooks/webhook-schema.ts';

const Time = Type.String({ format: 'date-time' });

/** 30 days. */
const MAX_WINDOW_S = 2_592_000;
const MAX_SITE_WINDOW_S = 86_400;

const METRIC_MEMBERS = optional({
  metric: Type.Enum([...ALERT_METRICS], {
    description:
      'Of `metric`: the share of scrapes that are not OK or that are blocked (0–1), the duration that 95 % of them do not exceed (ms, to about a quarter), their number, their cost in `cost_unit` in the window or since the first of the month (UTC), or the share that is left of daily budgets of keys (scope `key`) or of budgets of sites (scope `host`).',
  }),
  scope: Type.Enum([...METRIC_SCOPES], {
    default: 'all',
    description:
      'Of `metric`: what is measured: all scrapes together, or by host, key, user, scraper or vendor: `subject`, or each by itself.',
  }),
  op: Type.Enum([...METRIC_OPS], {
    default: '>=',
    description:
      'Of `metric`: whether it fires at the threshold and above it, or below. Default of `budget_left`: `<=`.',
  }),
});

const SITE_MEMBERS = optional({
  all_users: Type.Boolean({
    default: DEFAULT_SITE_WINDOW.allUsers,
    description:
      'Of `site_success` and `metric`: the scrapes of all users. Only for administrators. Always true of the scope `user`.',
  }),
  window_s: Type.Integer({
    minimum: 300,
    maximum: MAX_WINDOW_S,
    default: DEFAULT_SITE_WINDOW.windowS,
    description:
      'The last seconds, which are measured: of `site_success` at most a day; of `metric` in whole steps of 5 minutes up to 12 hours, of an hour up to 14 days, else of a day. Not for `cost_month` and `budget_left`.',
  }),
  min_scrapes: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: DEFAULT_SITE_WINDOW.minScrapes,
    description:
      'Fewer scrapes in the window (of `site_success` also in the days before) say nothing. Of `metric` only for `error_rate`, `blocked_rate` and `p95_ms`.',
  }),
  baseline_days: Type.Integer({
    minimum: 1,
    maximum: 7,
    default: DEFAULT_SITE_WINDOW.baselineDays,
    description: 'Of `site_success`: days before the window that are compared with.',
  }),
});

const CONDITIONS = {
  ...optional({
    subject: orNull(Type.String({ minLength: 1, maxLength: 255 }), {
      description:
        'Only this host (`site_success`), id of a key (`budget`) or of a monitor, name of a pool or vendor; of `metric` what `scope` says. null, the default: all.',
    }),
    threshold: Type.Number({
      minimum: 0,
      maximum: ALERT_THRESHOLDS.metric.max,
      description:
        'It fires from this value on. Of `site_success`: how much lower the share of successful scrapes is than in the days before, as 0.3 for 30 percentage points. Of `budget`, `disk` and `memory`: the share that is used. Of `pool`: the share of exits that cannot be used. Of `monitor`: failed runs in a row. Of `vendor`: always 1. Of `metric`, where it is required: the value.',
    }),
    clear_threshold: Type.Number({
      minimum: 0,
      maximum: ALERT_THRESHOLDS.metric.max,
      description:
        'It is resolved at this value or below. Lower than `threshold`. Of `metric` the other way round with `<=`; by default it is resolved on the other side of `threshold`.',
    }),
  }),
  ...METRIC_MEMBERS,
  ...SITE_MEMBERS,
};

const ConditionsMembers = closed(CONDITIONS, { title: 'AlertConditions' });
export const AlertConditionsMembers = ConditionsMembers;

/** Where a channel sends. */
export const CHANNEL_TARGET = optional({
  url: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'Of `webhook` and `slack` (or what takes the same messages). http or https.',
  }),
  headers: mapOf(Type.String({ maxLength: 8192 }), {
    maxProperties: 20,
    description: 'Of `webhook`: headers to send. Their values are masked when they are read.',
  }),
  to: Type.Array(Type.String({ minLength: 3, maxLength: 254 }), {
    minItems: 1,
    maxItems: 10,
    uniqueItems: true,
    description: 'Of `email`: addresses.',
  }),
});

const ChannelMembers = closed(
  {
    ...optional({
      id: Type.String({
        format: 'uuid',
        description:
          'A channel of yours (`/api/v1/channels/`); or, in a change, one of the rule, which stays as it is. Then it has no other members.',
      }),
      type: Type.Enum([...ALERT_CHANNELS]),
    }),
    ...CHANNEL_TARGET,
  },
  { title: 'AlertChannel' },
);

export type ChannelBody = Static<typeof ChannelMembers>;

/** How long a value must be too high or low enough. */
export const ALERT_TIMES = optional({
  for_s: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    description:
      'Seconds that the value must be too high before it fires. Default: 0 for `metric`, `budget`, `monitor` and `vendor`, otherwise 300.',
  }),
  clear_for_s: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    description:
      'Seconds that the value must be low enough before it is resolved. Default: 0 for `budget` and `monitor`, 600 for `vendor`, otherwise 300.',
  }),
});

const MEMBERS = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  conditions: Type.Optional(ConditionsMembers),
  ...ALERT_TIMES,
  channels: Type.Array(ChannelMembers, { minItems: 1, maxItems: 10 }),
  enabled: Type.Optional(Type.Boolean({ default: true })),
};

export const AlertRequest = closed(
  {
    kind: Type.Enum([...ALERT_KINDS], {
      description: '`pool`, `vendor`, `disk` and `memory` are only for administrators.',
    }),
    ...MEMBERS,
  },
  { title: 'AlertRequest' },
);

export const AlertChangeRequest = closed(
  { ...MEMBERS, name: Type.Optional(MEMBERS.name), channels: Type.Optional(MEMBERS.channels) },
  {
    title: 'AlertChange',
    description:
      '`conditions` replaces all of them. `channels` is the new list; those with only an `id` stay. With `enabled: false` it no longer fires, without a message.',
  },
);

export const AlertSilence = closed(
  {
    until: orNull(Time, { description: 'Nothing is sent before. null: the silence ends now.' }),
  },
  { title: 'AlertSilence' },
);

const ShownChannel = closed(
  {
    id: Type.String({ format: 'uuid' }),
    name: textOrNull('Of a channel of yours, which others may use, too. null: it belongs to the rule.'),
    type: Type.Enum([...ALERT_CHANNELS]),
    url: textOrNull('The path of a Slack URL is masked. Of `email` null.'),
    headers: mapOf(Type.String(), { description: 'With masked values.' }),
    to: Type.Array(Type.String()),
  },
  { title: 'AlertChannelView' },
);

export type ShownChannel = Static<typeof ShownChannel>;

export const AlertObject = closed(
  {
    id: Type.String({ format: 'uuid' }),
    user_id: Type.String({ format: 'uuid', description: 'Owner of the rule.' }),
    name: Type.String(),
    kind: Type.Enum([...ALERT_KINDS]),
    conditions: ConditionsMembers,
    for_s: Type.Integer(),
    clear_for_s: Type.Integer(),
    channels: Type.Array(ShownChannel),
    enabled: Type.Boolean(),
    silenced_until: orNull(Time, { description: 'Nothing is sent before.' }),
    created_at: Time,
    state: Type.Enum(['ok', 'firing']),
    since: orNull(Time, {
      description: 'Since when the first instance has been too high; null: none fires.',
    }),
    instances: Type.Array(
      closed({
        subject: Type.String({ description: 'As in events.' }),
        state: Type.Enum(['pending', 'firing'], { description: '`pending`: not for `for_s` seconds yet.' }),
        since: Time,
        value: Type.Number({ description: 'As of the last minute.' }),
        summary: Type.String(),
      }),
      { description: 'What is too high now. At most 50.' },
    ),
  },
  { title: 'Alert' },
);

export const AlertList = closed(
  {
    items: Type.Array(AlertObject),
    next_cursor: orNull(Type.String()),
    channel_types: Type.Array(Type.Enum([...ALERT_CHANNELS]), {
      description:
        'Types of channels that rules can have. `email` only with a mail server (`SLUICE_SMTP_URL`).',
    }),
  },
  { title: 'AlertList' },
);

export const AlertTestResult = closed(
  {
    channels: Type.Array(
      closed({
        id: Type.String({ format: 'uuid' }),
        type: Type.Enum([...ALERT_CHANNELS]),
        ok: Type.Boolean(),
        status: orNull(Type.Integer(), { description: 'Status of the answer; null: none, or mail.' }),
        error: orNull(Type.String()),
        duration_ms: Type.Integer(),
      }),
    ),
  },
  { title: 'AlertTestResult' },
);

export function alertObject(rule: AlertRule, channels: readonly ShownChannel[], now: number) {
  const firing = rule.instances.filter(({ state }) => state === 'firing');
  const { silencedUntil } = rule;
  return {
    id: rule.id,
    user_id: rule.userId,
    name: rule.name,
    kind: rule.kind,
    conditions: conditionsJson(rule.conditions),
    for_s: rule.forS,
    clear_for_s: rule.clearForS,
    channels,
    enabled: rule.enabled,
    silenced_until: silencedUntil === null || silencedUntil <= now ? null : formatDateTime(silencedUntil),
    created_at: formatDateTime(rule.createdAt),
    state: firing.length > 0 ? ('firing' as const) : ('ok' as const),
    since: formatDateTimeOrNull(firing.length > 0 ? Math.min(...firing.map(({ since }) => since)) : null),
    instances: rule.instances.map(({ subject, state, since, value, summary }) => ({
      subject,
      state,
      since: formatDateTime(since),
      value,
      summary,
    })),
  } satisfies Written<typeof AlertObject>;
}

const conditionsJson = ({ subject, threshold, clearThreshold, site, metric }: AlertConditions) => ({
  subject,
  threshold,
  clear_threshold: clearThreshold,
  ...(metric === undefined ? {} : metricJson(metric)),
  ...(site === null
    ? {}
    : {
        all_users: site.allUsers,
        window_s: site.windowS,
        min_scrapes: site.minScrapes,
        baseline_days: site.baselineDays,
      }),
});

const metricJson = ({ metric, scope, op, allUsers, windowS, minScrapes }: MetricConditions) => ({
  metric,
  scope,
  op,
  all_users: allUsers,
  ...(CALENDAR_METRICS.includes(metric) ? {} : { window_s: windowS }),
  ...(SAMPLED_METRICS.includes(metric) ? { min_scrapes: minScrapes } : {}),
});

/** A channel as it was asked for: the id of one that stays, or a new one. */
export type ReadChannel =
  | { readonly id: string }
  | {
      readonly type: AlertChannelType;
      /** null: `email`. */
      readonly url: string | null;
      readonly headers: Readonly<Record<string, string>>;
      readonly to: readonly string[];
    };

const CHANNEL_MEMBERS: Readonly<Record<AlertChannelType, readonly (keyof ChannelBody)[]>> = {
  webhook: ['type', 'url', 'headers'],
  email: ['type', 'to'],
  slack: ['type', 'url'],
};

/** @param known ids of the channels that the rule has, and of those of its user */
export function readChannel(
  { id: given, ...body }: ChannelBody,
  pointer: string,
  known: readonly string[],
  problems: Problems,
): ReadChannel {
  const { type } = body;
  if (given !== undefined) {
    const id = given.toLowerCase();
    if (!known.includes(id))
      addProblem(problems, `${pointer}/id`, 'is no channel of yours, and none of this rule');
    for (const member of Object.keys(body))
      addProblem(problems, `${pointer}/${member}`, 'cannot be changed: leave `id` out for a new channel');
    return { id };
  }
  if (type === undefined) {
    addProblem(problems, `${pointer}/type`, `is missing: ${ALERT_CHANNELS.join(', ')}`);
    return { id: '' };
  }
  return readChannelTarget(type, body, pointer, problems);
}

/** Checks where a channel of a type is to send. */
export function readChannelTarget(
  type: AlertChannelType,
  body: Omit<ChannelBody, 'id'>,
  pointer: string,
  problems: Problems,
): Exclude<ReadChannel, { readonly id: string }> {
  const { url, headers = {}, to = [] } = body;
  for (const member of Object.keys(body))
    if (!CHANNEL_MEMBERS[type].includes(member as keyof ChannelBody))
      addProblem(problems, `${pointer}/${member}`, `is not for channels of the type ${type}`);
  if (type !== 'email' && url === undefined) addProblem(problems, `${pointer}/url`, 'is missing');
  if (url !== undefined) checkWebhookUrl(url, `${pointer}/url`, problems);
  if (type === 'email' && body.to === undefined) addProblem(problems, `${pointer}/to`, 'is missing');
  to.forEach((address, index) => {
    if (!/^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+$/.test(address))
      addProblem(problems, `${pointer}/to/${index}`, 'is not an e-mail address');
  });
  checkWebhookHeaders(headers, `${pointer}/headers`, problems);
  return { type, url: url ?? null, headers, to };
}

/** The conditions of a rule about a metric, with its defaults. */
function readMetric(body: Static<typeof ConditionsMembers>, problems: Problems): AlertConditions {
  const at = (member: string, problem: string) => addProblem(problems, `/conditions/${member}`, problem);
  const { metric = 'scrapes', scope = 'all', subject = null, threshold = 0 } = body;
  const op = body.op ?? (metric === 'budget_left' ? '<=' : '>=');
  const clearThreshold = body.clear_threshold ?? threshold;
  const max = METRIC_MAX[metric];
  const isCalendar = CALENDAR_METRICS.includes(metric);
  if (body.metric === undefined) at('metric', `is missing: ${ALERT_METRICS.join(', ')}`);
  if (body.threshold === undefined) at('threshold', 'is missing');
  if (threshold > max) at('threshold', `must be at most ${max} for ${metric}`);
  if (op === '>=' && body.threshold === 0)
    at('threshold', 'must be greater than 0: every value is at least 0');
  if (clearThreshold > max) at('clear_threshold', `must be at most ${max} for ${metric}`);
  if (op === '>=' ? clearThreshold > threshold : clearThreshold < threshold)
    at(
      'clear_threshold',
      `must not be ${op === '>=' ? 'higher' : 'lower'} than \`threshold\` (${threshold})`,
    );
  if (scope === 'all' && subject !== null) at('subject', 'must be left out for the scope all');
  if (metric === 'budget_left' && scope !== 'key' && scope !== 'host')
    at('scope', 'must be key or host for budget_left');
  if (scope === 'user' && body.all_users === false) at('all_users', 'must be true for the scope user');
  if (isCalendar && body.window_s !== undefined) at('window_s', `is not for ${metric}`);
  if (!SAMPLED_METRICS.includes(metric) && body.min_scrapes !== undefined)
    at('min_scrapes', `is only for ${SAMPLED_METRICS.join(', ')}`);
  if (body.baseline_days !== undefined) at('baseline_days', 'is only for site_success');
  return {
    subject: scope === 'host' ? (subject?.toLowerCase() ?? null) : subject,
    threshold,
    clearThreshold,
    site: null,
    metric: {
      metric,
      scope,
      op,
      allUsers: scope === 'user' || (body.all_users ?? false),
      windowS: body.window_s ?? DEFAULT_SITE_WINDOW.windowS,
      minScrapes: SAMPLED_METRICS.includes(metric) ? (body.min_scrapes ?? DEFAULT_SITE_WINDOW.minScrapes) : 0,
    },
  };
}

/** The conditions of a rule, completed by the defaults of its kind. */
export function readConditions(
  kind: AlertKind,
  body: Static<typeof ConditionsMembers>,
  problems: Problems,
): AlertConditions {
  if (kind === 'metric') return readMetric(body, problems);
  const usual = ALERT_THRESHOLDS[kind];
  const threshold = body.threshold ?? usual.threshold;
  // As far below as usual.
  const clearThreshold =
    body.clear_threshold ?? Number(((usual.clear / usual.threshold) * threshold).toPrecision(3));
  const subject = body.subject ?? null;
  const at = (member: string, problem: string) => addProblem(problems, `/conditions/${member}`, problem);
  if (threshold === 0) at('threshold', 'must be greater than 0');
  if ((body.window_s ?? 0) > MAX_SITE_WINDOW_S) at('window_s', `must be at most ${MAX_SITE_WINDOW_S}`);
  for (const member of Object.keys(METRIC_MEMBERS))
    if (body[member as keyof typeof METRIC_MEMBERS] !== undefined) at(member, 'is only for metric');
  if (threshold > usual.max) at('threshold', `must be at most ${usual.max} for ${kind}`);
  if (kind === 'vendor' && threshold !== 1) at('threshold', 'must be 1 for vendor: it works or does not');
  if (kind === 'monitor' && !Number.isInteger(threshold)) at('threshold', 'must be a whole number of runs');
  if (clearThreshold >= threshold) at('clear_threshold', `must be lower than \`threshold\` (${threshold})`);
  if (subject !== null && (kind === 'disk' || kind === 'memory'))
    at('subject', `must be left out: ${kind} is about the whole machine`);
  if (kind !== 'site_success')
    for (const member of Object.keys(SITE_MEMBERS))
      if (body[member as keyof typeof SITE_MEMBERS] !== undefined) at(member, 'is only for site_success');
  return {
    subject: kind === 'site_success' ? (subject?.toLowerCase() ?? null) : subject,
    threshold,
    clearThreshold,
    site: kind === 'site_success' ? siteWindow(body) : null,
  };
}

const siteWindow = (body: Static<typeof ConditionsMembers>): SiteWindow => ({
  allUsers: body.all_users ?? DEFAULT_SITE_WINDOW.allUsers,
  windowS: body.window_s ?? DEFAULT_SITE_WINDOW.windowS,
  minScrapes: body.min_scrapes ?? DEFAULT_SITE_WINDOW.minScrapes,
  baselineDays: body.baseline_days ?? DEFAULT_SITE_WINDOW.baselineDays,
});
