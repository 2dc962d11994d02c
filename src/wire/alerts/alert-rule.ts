import { type Static, Type } from 'typebox';
import {
  ALERT_CHANNELS,
  ALERT_KINDS,
  ALERT_THRESHOLDS,
  type AlertChannelType,
  type AlertConditions,
  type AlertKind,
  type AlertRule,
  DEFAULT_SITE_WINDOW,
  type SiteWindow,
} from '../../domain/alerts.ts';
import { closed, mapOf, optional, orNull, textOrNull } from '../../domain/json-schema.ts';
import type { Written } from '../answer/json-members.ts';
import { formatDateTime, formatDateTimeOrNull } from '../date-time.ts';
import { addProblem, type Problems } from '../schema/problems.ts';
import { checkWebhookHeaders, checkWebhookUrl } from '../webhooks/webhook-schema.ts';

const Time = Type.String({ format: 'date-time' });

const SITE_MEMBERS = optional({
  all_users: Type.Boolean({
    default: DEFAULT_SITE_WINDOW.allUsers,
    description: 'Of `site_success`: the scrapes of all users. Only for administrators.',
  }),
  window_s: Type.Integer({
    minimum: 300,
    maximum: 86_400,
    default: DEFAULT_SITE_WINDOW.windowS,
    description: 'Of `site_success`: the last seconds, whose success is measured.',
  }),
  min_scrapes: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: DEFAULT_SITE_WINDOW.minScrapes,
    description: 'Of `site_success`: fewer scrapes in the window, or in the days before, say nothing.',
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
        'Only this host (`site_success`), id of a key (`budget`) or of a monitor, name of a pool or vendor. null, the default: all.',
    }),
    threshold: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1000,
      description:
        'It fires from this value on. Of `site_success`: how much lower the share of successful scrapes is than in the days before, as 0.3 for 30 percentage points. Of `budget`, `disk` and `memory`: the share that is used. Of `pool`: the share of exits that cannot be used. Of `monitor`: failed runs in a row. Of `vendor`: always 1.',
    }),
    clear_threshold: Type.Number({
      minimum: 0,
      maximum: 1000,
      description: 'It is resolved at this value or below. Lower than `threshold`.',
    }),
  }),
  ...SITE_MEMBERS,
};

const ConditionsMembers = closed(CONDITIONS, { title: 'AlertConditions' });

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

const MEMBERS = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  ...optional({
    conditions: ConditionsMembers,
    for_s: Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description:
        'Seconds that the value must be too high before it fires. Default: 0 for `budget`, `monitor` and `vendor`, otherwise 300.',
    }),
    clear_for_s: Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description:
        'Seconds that the value must be low enough before it is resolved. Default: 0 for `budget` and `monitor`, 600 for `vendor`, otherwise 300.',
    }),
  }),
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

const conditionsJson = ({ subject, threshold, clearThreshold, site }: AlertConditions) => ({
  subject,
  threshold,
  clear_threshold: clearThreshold,
  ...(site === null
    ? {}
    : {
        all_users: site.allUsers,
        window_s: site.windowS,
        min_scrapes: site.minScrapes,
        baseline_days: site.baselineDays,
      }),
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

/** The conditions of a rule, completed by the defaults of its kind. */
export function readConditions(
  kind: AlertKind,
  body: Static<typeof ConditionsMembers>,
  problems: Problems,
): AlertConditions {
  const usual = ALERT_THRESHOLDS[kind];
  const threshold = body.threshold ?? usual.threshold;
  // As far below as usual.
  const clearThreshold =
    body.clear_threshold ?? Number(((usual.clear / usual.threshold) * threshold).toPrecision(3));
  const subject = body.subject ?? null;
  const at = (member: string, problem: string) => addProblem(problems, `/conditions/${member}`, problem);
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
