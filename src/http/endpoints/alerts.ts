import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { prepareChannel, shownChannel, testRule } from '../../alerts/channels.ts';
import { knownSubjects } from '../../alerts/readings.ts';
import { uuid7, uuidBytes } from '../../base/uuid7.ts';
import { type Principal, readsAll } from '../../domain/account.ts';
import {
  ALERT_CHANNELS,
  ALERT_DURATIONS,
  type AlertConditions,
  type AlertKind,
  type AlertRule,
} from '../../domain/alerts.ts';
import type { AuditAction } from '../../domain/audit.ts';
import { isFailure } from '../../domain/failure.ts';
import type { NewAlertChannel, SharedAlertChannel } from '../../ports/alerts.ts';
import { AlertEventList, alertEventJson } from '../../wire/alerts/alert-event.ts';
import {
  AlertChangeRequest,
  AlertList,
  AlertObject,
  AlertRequest,
  AlertSilence,
  AlertTestResult,
  alertObject,
  type ChannelBody,
  readChannel,
  readConditions,
} from '../../wire/alerts/alert-rule.ts';
import { AlertTrial, AlertTrialRequest } from '../../wire/alerts/alert-trial.ts';
import { formatDateTimeOrNull, parseDateTime } from '../../wire/date-time.ts';
import { MASK } from '../../wire/request/masked-request.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import type { QueryReader, Viewer } from '../../wire/schema/query-reader.ts';
import { actorOf } from '../core/access.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json, nothing, problem } from '../core/responses.ts';
import { checkMetric, checkRights, trialOf, triedRule } from '../operations/alert-metrics.ts';
import { pageOf, pageParameters, readPage } from '../operations/page.ts';

/** Rules of a user (contract §23). */
const MAX_RULES = 100;
/** A silence ends by itself. */
const MAX_SILENCE_MS = 365 * 86_400_000;

const ALERT_ID = { id: { description: 'Id of the rule.', schema: Type.String({ format: 'uuid' }) } };

const EXAMPLES = {
  site: {
    name: 'A site stops working',
    kind: 'site_success',
    channels: [{ type: 'slack', url: 'https://hooks.slack.com/services/T000/B000/XXXX' }],
  },
  budget: {
    name: 'Budget 80 % spent',
    kind: 'budget',
    conditions: { threshold: 0.8 },
    channels: [{ type: 'email', to: ['ops@example.com'] }],
  },
  spend: {
    name: 'A key spends too much',
    kind: 'metric',
    conditions: { metric: 'cost', scope: 'key', threshold: 5, window_s: 86_400 },
    channels: [{ type: 'email', to: ['ops@example.com'] }],
  },
  disk: {
    name: 'Disk nearly full',
    kind: 'disk',
    conditions: { threshold: 0.9, clear_threshold: 0.85 },
    for_s: 600,
    channels: [{ type: 'webhook', url: 'https://example.com/hooks/sluice' }],
  },
};

const TRIAL_EXAMPLE = {
  kind: 'metric',
  conditions: { metric: 'blocked_rate', scope: 'host', threshold: 0.3, window_s: 3600 },
};

/** Whether the caller sees the rules of all users. Nobody changes those of others. */
const seesAllRules = ({ role, scopes = [] }: Pick<Viewer, 'role' | 'scopes'>): boolean =>
  readsAll(role) && scopes.includes('admin');

/** A rule of the caller, or of anybody for those who see all. @throws Refusal */
async function visibleRule(
  deps: Pick<EndpointDeps, 'store'>,
  id: string,
  principal: Principal,
): Promise<AlertRule> {
  return await findRule(deps, id, seesAllRules(principal) ? null : principal.userId);
}

/** A rule that the caller may change. @throws Refusal */
const ownRule = async (
  deps: Pick<EndpointDeps, 'store'>,
  id: string,
  { userId }: Principal,
): Promise<AlertRule> => await findRule(deps, id, userId);

/** @param userId null: of any user @throws Refusal */
async function findRule(
  { store }: Pick<EndpointDeps, 'store'>,
  id: string,
  userId: string | null,
): Promise<AlertRule> {
  const rule = uuidBytes(id) === null ? null : await store.alerts.get(id.toLowerCase(), userId);
  if (rule === null) throw Refusal.of('request.not_found', 'There is no such rule, or it is not yours.');
  return rule;
}

/** @throws Refusal if there is no such key, monitor, pool or vendor */
async function checkSubject(
  deps: EndpointDeps,
  kind: AlertKind,
  { subject, metric }: AlertConditions,
  userId: string,
): Promise<void> {
  if (metric !== undefined) checkMetric(deps, metric, subject, userId);
  if (subject === null || metric !== undefined) return;
  const { accounts, proxyPools: pools, pipeline, store } = deps;
  const known = knownSubjects({ accounts, pools, vendors: pipeline.vendors }, kind, userId);
  const exists =
    kind === 'monitor'
      ? uuidBytes(subject) !== null && (await store.monitors.get(subject, userId)) !== null
      : known === null || known.includes(subject);
  if (exists) return;
  const problems: Problems = [];
  const what = { budget: 'key of yours', monitor: 'monitor of yours', pool: 'proxy pool', vendor: 'vendor' };
  addProblem(problems, '/conditions/subject', `is no ${what[kind as keyof typeof what]}`);
  throw new Refusal(problems);
}

/** @param own ids of the channels that belong to the rule @throws Refusal */
async function preparedChannels(
  deps: EndpointDeps,
  bodies: readonly ChannelBody[],
  userId: string,
  own: readonly string[],
  problems: Problems,
): Promise<readonly (string | NewAlertChannel | SharedAlertChannel)[]> {
  const ids = bodies.flatMap(({ id }) => id?.toLowerCase() ?? []);
  const shared = await deps.store.channels.known(userId, ids);
  const known = [...own, ...shared];
  const read = bodies.map((body, index) => readChannel(body, `/channels/${index}`, known, problems));
  ids.forEach((id, index) => {
    if (ids.indexOf(id) !== index) addProblem(problems, '/channels', `has the channel ${id} twice`);
  });
  if (problems.length > 0) throw new Refusal(problems);
  const prepared: (string | NewAlertChannel | SharedAlertChannel)[] = [];
  for (const [index, channel] of read.entries()) {
    if ('id' in channel) {
      prepared.push(shared.includes(channel.id) ? { shared: channel.id } : channel.id);
      continue;
    }
    const result = await prepareChannel(channel, userId, `/channels/${index}`, deps);
    if (isFailure(result)) throw new Refusal([result]);
    prepared.push(result);
  }
  return prepared;
}

async function create(
  deps: EndpointDeps,
  body: Static<typeof AlertRequest>,
  principal: Principal,
): Promise<AlertRule> {
  const { userId } = principal;
  const problems: Problems = [];
  const { kind, name } = body;
  const conditions = readConditions(kind, body.conditions ?? {}, problems);
  checkRights(kind, conditions, principal);
  const channels = await preparedChannels(deps, body.channels, userId, [], problems);
  await checkSubject(deps, kind, conditions, userId);
  const now = deps.clock.now();
  const id = uuid7(now);
  const { forS, clearForS } = ALERT_DURATIONS[kind];
  const rule = {
    id,
    userId,
    name,
    kind,
    conditions,
    forS: body.for_s ?? forS,
    clearForS: body.clear_for_s ?? clearForS,
    enabled: body.enabled ?? true,
    createdAt: now,
    channels: channels.filter((channel) => typeof channel !== 'string'),
  };
  if (!(await deps.store.alerts.create(rule, MAX_RULES)))
    throw Refusal.of('limit.alerts', `A user may have at most ${MAX_RULES} rules. Delete one first.`);
  return (await deps.store.alerts.get(id, null))!;
}

async function change(
  deps: EndpointDeps,
  rule: AlertRule,
  body: Static<typeof AlertChangeRequest>,
  principal: Principal,
): Promise<AlertRule> {
  const problems: Problems = [];
  const { kind, userId } = rule;
  const conditions =
    body.conditions === undefined ? rule.conditions : readConditions(kind, body.conditions, problems);
  checkRights(kind, conditions, principal);
  const own = rule.channels.filter(({ sharedName }) => sharedName === null).map(({ id }) => id);
  const channels =
    body.channels === undefined
      ? undefined
      : await preparedChannels(deps, body.channels, userId, own, problems);
  if (problems.length > 0) throw new Refusal(problems);
  if (body.conditions !== undefined) await checkSubject(deps, kind, conditions, userId);
  await deps.store.alerts.update(rule.id, {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.conditions === undefined ? {} : { conditions }),
    ...(body.for_s === undefined ? {} : { forS: body.for_s }),
    ...(body.clear_for_s === undefined ? {} : { clearForS: body.clear_for_s }),
    ...(body.enabled === undefined ? {} : { enabled: body.enabled }),
    ...(channels === undefined ? {} : { channels }),
  });
  return await ownRule(deps, rule.id, principal);
}

/** ms since the epoch; null: the silence ends now. @throws Refusal */
function silenceEnd({ until }: Static<typeof AlertSilence>, now: number): number | null {
  if (until === null) return null;
  const at = parseDateTime(until);
  if (at !== null && at > now && at <= now + MAX_SILENCE_MS) return at;
  const problems: Problems = [];
  addProblem(problems, '/until', 'must be a time in the future, at most a year ahead');
  throw new Refusal(problems);
}

const view = ({ sealer, clock }: Pick<EndpointDeps, 'sealer' | 'clock'>, rule: AlertRule) =>
  alertObject(
    rule,
    rule.channels.map((channel) => shownChannel(channel, rule, sealer)),
    clock.now(),
  );

/** The path of a webhook may be a secret of its owner. */
function viewFor(deps: Pick<EndpointDeps, 'sealer' | 'clock'>, rule: AlertRule, { userId }: Principal) {
  const shown = view(deps, rule);
  if (rule.userId === userId) return shown;
  const hidden = (url: string | null) => (url === null ? null : `${new URL(url).origin}/${MASK}`);
  return { ...shown, channels: shown.channels.map((channel) => ({ ...channel, url: hidden(channel.url) })) };
}

const USER_ID = {
  user_id: {
    description: 'Of this user, or `all`. Only for administrators and viewers; default: your own.',
    schema: Type.String(),
  },
};

/** Whose rules are asked for; null: those of all users. */
function readOwner(query: QueryReader, viewer: Viewer): string | null {
  const asked = query.text('user_id');
  if (asked === null) return viewer.userId;
  if (!seesAllRules(viewer)) query.addProblem('user_id', 'is only for administrators and viewers');
  return asked === 'all' ? null : asked;
}

/** Adds to the audit log who changed a rule, with its name: that of a deleted rule is stored nowhere else. */
async function audit(
  { accounts }: Pick<EndpointDeps, 'accounts'>,
  request: FastifyRequest,
  action: AuditAction,
  { id, name }: AlertRule,
): Promise<void> {
  const changed = Object.keys((request.body as object | null | undefined) ?? {});
  await accounts.audit(actorOf(request.principal!, request), {
    action,
    target: { type: 'alert', id },
    details: { changed, name },
  });
}

export const ALERTS = [
  endpoint({
    method: 'post',
    path: '/api/v1/alerts/try/',
    operationId: 'tryAlert',
    summary: 'Try a rule against the past',
    description:
      'What a rule of the kind `metric` would have fired for, and when, by the counters that are still kept. Nothing is created.',
    access: 'scope:jobs',
    body: jsonBody(AlertTrialRequest, { examples: { blocked: TRIAL_EXAMPLE } }),
    responses: { 200: json('The values, and when it would have fired.', AlertTrial) },
    handler: async ({ body, principal }, deps) => await trialOf(deps, triedRule(deps, body, principal)),
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/alerts/{id}/try/',
    operationId: 'tryStoredAlert',
    summary: 'Try a stored rule against the past',
    access: 'scope:jobs',
    params: ALERT_ID,
    responses: {
      200: json('The values, and when it would have fired.', AlertTrial),
      400: problem('The rule is not of the kind `metric`: `request.validation`.'),
    },
    handler: async ({ params, principal }, deps) => {
      const rule = await visibleRule(deps, params.id, principal);
      const { metric } = rule.conditions;
      if (metric === undefined)
        throw Refusal.of('request.validation', 'Only rules of the kind metric can be tried.');
      return await trialOf(deps, { ...rule, conditions: { ...rule.conditions, metric } });
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/alerts/',
    operationId: 'createAlert',
    summary: 'Create a rule',
    description:
      'It watches a value, sends a message to its channels when the value is too high for some time, and another one when it is low enough again.',
    access: 'scope:jobs',
    body: jsonBody(AlertRequest, { examples: EXAMPLES }),
    responses: {
      201: json('The rule.', AlertObject),
      429: problem('Too many rules: `limit.alerts`; or requests: `limit.concurrency`.'),
    },
    handler: async ({ body, principal, request }, deps) => {
      const rule = await create(deps, body, principal);
      await audit(deps, request, 'alert.created', rule);
      return view(deps, rule);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/alerts/',
    operationId: 'listAlerts',
    summary: 'List rules',
    description:
      'The newest first, with what fires now, and the types of channels that rules can have. Rules are private, but administrators and viewers see those of all users, without the paths of their channels.',
    access: 'scope:read',
    query: {
      parameters: { ...USER_ID, ...pageParameters() },
      read: (query: QueryReader, viewer: Viewer) => ({ owner: readOwner(query, viewer), ...readPage(query) }),
    },
    responses: { 200: json('A page of rules.', AlertList) },
    handler: async ({ query: { owner, limit, cursor }, principal }, deps) => {
      const rows = await deps.store.alerts.list(owner, limit + 1, cursor);
      const { page, next_cursor } = pageOf(rows, limit, ({ id }) => id);
      return {
        items: page.map((rule) => viewFor(deps, rule, principal)),
        next_cursor,
        channel_types: ALERT_CHANNELS.filter((type) => type !== 'email' || deps.mailer !== null),
      };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/alerts/events/',
    operationId: 'listAlertEvents',
    summary: 'List what fired and was resolved',
    description: 'The newest first. Events are kept for 90 days.',
    access: 'scope:read',
    query: {
      parameters: {
        alert: { description: 'Only of this rule.', schema: Type.String({ format: 'uuid' }) },
        ...USER_ID,
        ...pageParameters(),
      },
      read: (query: QueryReader, viewer: Viewer) => ({
        alert: query.text('alert'),
        owner: readOwner(query, viewer),
        ...readPage(query),
      }),
    },
    responses: { 200: json('A page of events.', AlertEventList) },
    handler: async ({ query: { alert, owner, limit, cursor } }, { store: { alerts } }) => {
      const rows = await alerts.events({ userId: owner, ruleId: alert }, limit + 1, cursor);
      const { page, next_cursor } = pageOf(rows, limit, ({ id }) => id);
      const deliveries = await alerts.deliveries(page.map(({ id }) => id));
      return {
        items: page.map((event) => ({
          ...alertEventJson(event),
          silenced: event.isSilenced,
          deliveries: deliveries
            .filter(({ eventId }) => eventId === event.id)
            .map(({ type, state, tries, status, error, lastAt }) => ({
              type,
              state,
              tries,
              status,
              error,
              last_at: formatDateTimeOrNull(lastAt),
            })),
        })),
        next_cursor,
      };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/alerts/{id}/',
    operationId: 'getAlert',
    summary: 'Get a rule',
    access: 'scope:read',
    params: ALERT_ID,
    responses: { 200: json('The rule.', AlertObject) },
    handler: async ({ params, principal }, deps) =>
      viewFor(deps, await visibleRule(deps, params.id, principal), principal),
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/alerts/{id}/',
    operationId: 'changeAlert',
    summary: 'Change a rule',
    description: 'What fires goes on, and is resolved by the new conditions.',
    access: 'scope:jobs',
    params: ALERT_ID,
    body: jsonBody(AlertChangeRequest, { examples: { pause: { enabled: false } } }),
    responses: { 200: json('The changed rule.', AlertObject) },
    handler: async ({ params, body, principal, request }, deps) => {
      const rule = await change(deps, await ownRule(deps, params.id, principal), body, principal);
      await audit(deps, request, 'alert.updated', rule);
      return view(deps, rule);
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/alerts/{id}/',
    operationId: 'deleteAlert',
    summary: 'Delete a rule',
    description: 'Its events are deleted, too.',
    access: 'scope:jobs',
    params: ALERT_ID,
    responses: { 204: nothing('Deleted.') },
    handler: async ({ params, principal, request }, deps) => {
      const rule = await ownRule(deps, params.id, principal);
      await deps.store.alerts.delete(rule.id);
      await audit(deps, request, 'alert.deleted', rule);
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/alerts/{id}/silence/',
    operationId: 'silenceAlert',
    summary: 'Silence a rule for some time',
    description:
      'Events are stored, but not sent. What still fires when the silence is over, and was not yet reported, is sent then.',
    access: 'scope:jobs',
    params: ALERT_ID,
    body: jsonBody(AlertSilence, { examples: { evening: { until: '2027-01-01T18:00:00Z' } }, nulls: 'kept' }),
    responses: { 200: json('The rule.', AlertObject) },
    handler: async ({ params, body, principal, request }, deps) => {
      const rule = await ownRule(deps, params.id, principal);
      await deps.store.alerts.update(rule.id, { silencedUntil: silenceEnd(body, deps.clock.now()) });
      await audit(deps, request, 'alert.silenced', rule);
      return view(deps, await ownRule(deps, rule.id, principal));
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/alerts/{id}/test/',
    operationId: 'testAlert',
    summary: 'Send a test message to each channel',
    description:
      'Waits for the results, at most 15 seconds. It is sent once. A webhook gets a message of the type `alert.test`.',
    access: 'scope:jobs',
    params: ALERT_ID,
    responses: { 200: json('How it ended, by channel.', AlertTestResult) },
    handler: async ({ params, principal }, { store, messenger, sealer, clock, baseUrl }) => {
      const rule = await ownRule({ store }, params.id, principal);
      const deps = { messenger, sealer, clock, baseUrl: baseUrl() };
      const results = await testRule(rule, deps, new AbortController().signal);
      return {
        channels: results.map(({ channel: { id, type }, status, error, durationMs }) => ({
          id,
          type,
          ok: error === null,
          status,
          error,
          duration_ms: durationMs,
        })),
      };
    },
  }),
];
