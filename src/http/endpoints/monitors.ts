import { type Static, Type } from 'typebox';
import { uuid7 } from '../../base/uuid7.ts';
import type { Principal } from '../../domain/account.ts';
import { type Failure, isFailure } from '../../domain/failure.ts';
import { closed } from '../../domain/json-schema.ts';
import type { MonitorRow } from '../../domain/monitors.ts';
import { MONITOR_SORTS, sortedValue } from '../../domain/run-lists.ts';
import type { Sealer } from '../../domain/sealing.ts';
import type { NewWebhook, WebhookMembers } from '../../domain/webhooks.ts';
import { ignoredText } from '../../monitors/compare-pages.ts';
import { openTarget, sealTarget } from '../../monitors/start-run.ts';
import { nextRun } from '../../runs/schedule.ts';
import { openWebhook } from '../../webhooks/webhook-spec.ts';
import type { Written } from '../../wire/answer/json-members.ts';
import { readCompare } from '../../wire/compare-options.ts';

import {
  MonitorChangeRequest,
  MonitorList,
  MonitorObject,
  MonitorRequest,
  MonitorRunList,
  monitorObject,
  NoiseList,
  readSchedule,
  runObject,
} from '../../wire/monitors.ts';
import { readNotify } from '../../wire/notifications/notify-members.ts';
import { MASK } from '../../wire/request/masked-request.ts';
import type { Problems } from '../../wire/schema/problems.ts';
import { readWebhook, type WebhookBody } from '../../wire/webhooks/webhook-schema.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json, nothing, problem } from '../core/responses.ts';
import { visibleUser } from '../operations/missing-record.ts';
import {
  acceptedTarget,
  checkCompared,
  checkRequests,
  ONE_TARGET,
  type ReadTarget,
  readTarget,
} from '../operations/monitor-target.ts';
import { changedNotify, checkChannels, runsNotify } from '../operations/notify.ts';
import { pageOf, pageParameters, readPage, runCursor, runPages } from '../operations/page.ts';
import { checkSchedule, refuse } from '../operations/run-requests.ts';
import { steered } from '../operations/steering.ts';
import { visibleMonitor } from '../operations/visible-monitor.ts';

/** Monitors of a user (contract §13). */
const DEFAULT_KEEP = 30;
/** Runs that proposals of noise are made from. */
const NOISE_RUNS = 10;

const MONITOR_ID = {
  id: { description: 'Id of the monitor.', schema: Type.String({ format: 'uuid' }) },
};

const EXAMPLES = {
  daily: {
    name: 'Prices',
    request: { url: 'https://example.com/prices' },
    schedule: { cron: '0 8 * * *', timezone: 'Europe/Berlin' },
    compare: { ignore: ['dates', '.banner'] },
  },
  data: {
    name: 'Offer',
    request: {
      url: 'https://example.com/offer',
      scraper_options: { extract: { price: '.price' } },
    },
    schedule: { every_s: 3600 },
    compare: { format: 'extract' },
  },
  site: {
    name: 'Blog',
    crawl: { url: 'https://example.com/blog/', scope: 'path', limit: 500 },
    schedule: { cron: '0 6 * * 1' },
  },
};

const storedTarget = ({ target, request }: ReadTarget, userId: string, deps: EndpointDeps) => ({
  kind: target.kind,
  request,
  spec: sealTarget(target, userId, deps.sealer),
});

/** The webhook to be stored. @throws Refusal if it is not valid */
async function preparedWebhook(
  { webhooks }: EndpointDeps,
  userId: string,
  webhook: WebhookBody | null,
  problems: Problems,
): Promise<NewWebhook | null> {
  const members = webhook === null ? null : readWebhook(webhook, '/webhook', problems);
  if (problems.length > 0) throw new Refusal(problems);
  const prepared = await webhooks.prepare(userId, 'monitor', members, '/webhook');
  if (isFailure(prepared)) throw new Refusal([prepared]);
  return prepared;
}

async function create(
  deps: EndpointDeps,
  principal: Principal,
  body: Static<typeof MonitorRequest>,
): Promise<MonitorRow> {
  const problems: Failure[] = [];
  const schedule = readSchedule(body.schedule, problems);
  const compare = readCompare(body.compare ?? {}, '/compare', problems);
  problems.push(...deps.pipeline.compareProblems(compare, '/compare'));
  const asked = readNotify(body, 'monitor', '', problems);
  if (problems.length > 0) throw new Refusal(problems);
  await checkChannels(deps, asked.channels, principal.userId, principal, '');
  const now = deps.clock.now();
  checkSchedule(schedule, now);
  const target = await readTarget(body, principal.userId, deps);
  if (target === null) refuse('', ONE_TARGET);
  checkCompared(target, compare);
  await checkRequests(target, principal, deps);
  const id = uuid7(now);
  const jitterS = body.jitter_s ?? 0;
  const monitor = {
    id,
    userId: principal.userId,
    keyId: principal.keyId,
    name: body.name,
    ...storedTarget(target, principal.userId, deps),
    schedule,
    jitterS,
    compare,
    keep: body.keep ?? DEFAULT_KEEP,
    nextAt:
      body.first_run === 'scheduled' ? nextRun(id, schedule, jitterS, { after: now, createdAt: now }) : now,
    createdAt: now,
    webhook: await preparedWebhook(deps, principal.userId, body.webhook ?? null, problems),
    notify: runsNotify('monitor', body.name, asked),
  };
  const limit = deps.accounts.limits(monitor.userId).monitors;
  if (!(await deps.store.monitors.create(monitor, limit)))
    throw Refusal.of('limit.monitors', `A user may have at most ${limit} monitors. Delete one first.`);
  return (await deps.store.monitors.get(id, null))!;
}

/** Ends the run under way, which would compare by what is about to change. */
async function abandonRun(
  { monitorEngine, store, jobEngine, clock }: EndpointDeps,
  monitor: MonitorRow,
): Promise<void> {
  const jobId = await monitorEngine.abandonRun(monitor);
  if (jobId === null) return;
  await store.jobs.cancel(jobId, clock.now());
  jobEngine.abort(jobId);
}

async function change(
  deps: EndpointDeps,
  monitor: MonitorRow,
  body: Static<typeof MonitorChangeRequest>,
  principal: Principal,
): Promise<MonitorRow> {
  const problems: Failure[] = [];
  const schedule = body.schedule === undefined ? monitor.schedule : readSchedule(body.schedule, problems);
  const compare = body.compare === undefined ? undefined : readCompare(body.compare, '/compare', problems);
  if (compare !== undefined) problems.push(...deps.pipeline.compareProblems(compare, '/compare'));
  const notify = await changedNotify(deps, 'monitor', monitor, body, problems);
  if (problems.length > 0) throw new Refusal(problems);
  // A key of the owner, or a session: only channels of the owner of the monitor.
  await checkChannels(deps, body.channels ?? [], monitor.userId, principal, '');
  const now = deps.clock.now();
  checkSchedule(schedule, now);
  const target = await readTarget(body, monitor.userId, deps);
  if (target !== null) {
    checkCompared(target, compare ?? monitor.compare);
    await checkRequests(target, principal, deps);
  } else if (compare !== undefined) {
    const stored = openTarget(monitor, deps.sealer);
    const accepted = await acceptedTarget(stored, monitor.userId, deps);
    // One that is no longer valid, such as without its template, is an error of the next run.
    if ('job' in accepted) checkCompared({ target: stored, requests: accepted.requests }, compare);
  }
  const jitterS = body.jitter_s ?? monitor.jitterS;
  const isRescheduled = body.schedule !== undefined || body.jitter_s !== undefined;
  const { createdAt } = monitor;
  if (target !== null || compare !== undefined) await abandonRun(deps, monitor);
  await deps.store.monitors.update(monitor.id, {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.keep === undefined ? {} : { keep: body.keep }),
    ...(compare === undefined ? {} : { compare }),
    ...(notify === null ? {} : { notify }),
    ...(body.webhook === undefined
      ? {}
      : {
          webhook:
            body.webhook === null
              ? null
              : await preparedWebhook(deps, monitor.userId, body.webhook, problems),
        }),
    ...(target === null ? {} : { request: storedTarget(target, monitor.userId, deps) }),
    ...(isRescheduled
      ? { schedule, jitterS, nextAt: nextRun(monitor.id, schedule, jitterS, { after: now, createdAt }) }
      : {}),
  });
  return (await deps.store.monitors.get(monitor.id, null))!;
}

type Shown = Pick<EndpointDeps, 'store' | 'sealer' | 'currentPrices'>;

/** Monitors as they are shown. */
async function views(
  { store, sealer, currentPrices }: Shown,
  rows: readonly MonitorRow[],
): Promise<readonly Written<typeof MonitorObject>[]> {
  const ids = rows.map(({ id }) => id);
  const [told, webhooks, last] = await Promise.all([
    store.notifications.notifyOfAll(ids),
    store.webhooks.activeOf(ids),
    store.monitors.lastRuns(ids),
  ]);
  const costs = currentPrices.current() !== null;
  return rows.map((row) => {
    const webhook = webhooks.get(row.id) ?? null;
    return monitorObject(row, {
      webhook: webhook && shownWebhook(webhook, row.userId, sealer),
      notify: told.get(row.id) ?? null,
      lastRun: last.get(row.id) ?? null,
      costs,
    });
  });
}

const view = async (deps: Shown, row: MonitorRow) => (await views(deps, [row]))[0]!;

/** A webhook without its secrets. */
function shownWebhook({ spec, events }: NewWebhook, userId: string, sealer: Sealer): WebhookMembers {
  const { url, headers, include, metadata } = openWebhook({ spec, userId }, sealer);
  const masked = Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]));
  return { url, events, headers: masked, include, ...(metadata === null ? {} : { metadata }) };
}

const UNFIT = problem(
  'No scraper and proxy can do a request of the monitor; `candidates` says why. Or there is no such template: `template.unknown`.',
);
const STATE = problem('The state of the monitor does not allow it: `job.state`.');
const stateRefusal = (message: string): Refusal => Refusal.of('job.state', message);

export const MONITORS = [
  endpoint({
    method: 'post',
    path: '/api/v1/monitors/',
    operationId: 'createMonitor',
    summary: 'Watch pages for changes',
    description:
      'Runs a request, a crawl or a batch on a schedule, and compares each page with that of the run before. The first run, at once by default, is the baseline.',
    access: 'scope:jobs',
    idempotent: true,
    body: jsonBody(MonitorRequest, { examples: EXAMPLES }),
    responses: {
      201: json('The monitor.', MonitorObject),
      422: UNFIT,
      429: problem('Too many monitors: `limit.monitors`; or requests: `limit.concurrency`.'),
    },
    handler: async ({ body, principal }, deps) => view(deps, await create(deps, principal, body)),
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/monitors/',
    operationId: 'listMonitors',
    summary: 'List monitors',
    description: 'The newest first, unless `sort` and `order` say otherwise.',
    access: 'scope:read',
    query: runPages(MONITOR_SORTS, 'By creation, name, next run, or latest change.'),
    responses: { 200: json('A page of monitors.', MonitorList) },
    handler: async ({ query, principal }, deps) => {
      const rows = await deps.store.monitors.list(visibleUser(principal), {
        ...query,
        limit: query.limit + 1,
      });
      const { page, next_cursor } = pageOf(rows, query.limit, (row) =>
        runCursor(sortedValue(row, query.sort), row.id, query),
      );
      return { items: await views(deps, page), next_cursor };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/monitors/{id}/',
    operationId: 'getMonitor',
    summary: 'Get a monitor',
    access: 'scope:read',
    params: MONITOR_ID,
    responses: { 200: json('The monitor.', MonitorObject) },
    handler: async ({ params, principal }, deps) =>
      view(deps, await visibleMonitor(deps, params.id, principal)),
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/monitors/{id}/',
    operationId: 'changeMonitor',
    summary: 'Change a monitor',
    access: 'scope:jobs',
    params: MONITOR_ID,
    body: jsonBody(MonitorChangeRequest, {
      examples: { noise: { compare: { ignore: ['dates'] } } },
      nulls: 'kept',
    }),
    responses: { 200: json('The changed monitor.', MonitorObject), 422: UNFIT },
    handler: async ({ params, body, principal }, deps) => {
      const monitor = await steered('monitor', deps, params.id, principal);
      return await view(deps, await change(deps, monitor, body, principal));
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/monitors/{id}/',
    operationId: 'deleteMonitor',
    summary: 'Delete a monitor',
    description: 'Its runs and their records are deleted, too.',
    access: 'scope:jobs',
    params: MONITOR_ID,
    responses: { 204: nothing('Deleted.') },
    handler: async ({ params, principal }, deps) => {
      const { id } = await steered('monitor', deps, params.id, principal);
      for (const jobId of await deps.store.monitors.delete(id)) {
        await deps.store.jobs.cancel(jobId, deps.clock.now());
        deps.jobEngine.abort(jobId);
        await deps.purgeJob(jobId);
      }
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/monitors/{id}/pause/',
    operationId: 'pauseMonitor',
    summary: 'Pause a monitor',
    access: 'scope:jobs',
    params: MONITOR_ID,
    responses: { 200: json('The paused monitor.', MonitorObject), 409: STATE },
    handler: async ({ params, principal }, deps) => {
      const { id } = await steered('monitor', deps, params.id, principal);
      if (!(await deps.store.monitors.pause(id, 'asked')))
        throw stateRefusal('The monitor is paused already.');
      return await view(deps, (await deps.store.monitors.get(id, null))!);
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/monitors/{id}/resume/',
    operationId: 'resumeMonitor',
    summary: 'Resume a paused monitor',
    description: 'Its runs have the rights of the key or session of this request from now on.',
    access: 'scope:jobs',
    params: MONITOR_ID,
    responses: { 200: json('The monitor.', MonitorObject), 409: STATE },
    handler: async ({ params, principal }, deps) => {
      const monitor = await steered('monitor', deps, params.id, principal);
      const { id, schedule, jitterS, createdAt, userId } = monitor;
      const nextAt = nextRun(id, schedule, jitterS, { after: deps.clock.now(), createdAt });
      const keyId = principal.userId === userId ? principal.keyId : monitor.keyId;
      if (!(await deps.store.monitors.resume(id, keyId, nextAt)))
        throw stateRefusal('The monitor is not paused.');
      return await view(deps, (await deps.store.monitors.get(id, null))!);
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/monitors/{id}/run/',
    operationId: 'runMonitor',
    summary: 'Run a monitor now',
    description: 'The schedule stays as it is.',
    access: 'scope:jobs',
    params: MONITOR_ID,
    responses: { 202: json('The number of the run.', closed({ n: Type.Integer() })), 409: STATE },
    handler: async ({ params, principal, reply }, deps) => {
      const n = await deps.monitorEngine.runNow(await steered('monitor', deps, params.id, principal));
      if (n === null) throw stateRefusal('A run of this monitor is under way.');
      return reply.code(202).send({ n });
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/monitors/{id}/runs/',
    operationId: 'listMonitorRuns',
    summary: 'List the runs of a monitor',
    description: 'The newest first, each with what changed.',
    access: 'scope:read',
    params: MONITOR_ID,
    query: { parameters: pageParameters(), read: readPage },
    responses: { 200: json('A page of runs.', MonitorRunList) },
    handler: async ({ params, query: { limit, cursor }, principal }, deps) => {
      const { id } = await visibleMonitor(deps, params.id, principal);
      if (cursor !== null && !/^\d{1,9}$/.test(cursor)) refuse('/cursor', 'is not a cursor of this list');
      const rows = await deps.store.monitors.runs(id, limit + 1, cursor === null ? null : Number(cursor));
      const { page, next_cursor } = pageOf(rows, limit, ({ n }) => String(n));
      return { items: page.map(runObject), next_cursor };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/monitors/{id}/noise/',
    operationId: 'getMonitorNoise',
    summary: 'Get proposals of what to ignore',
    description:
      'Lines that changed in most of the latest runs, such as clocks and counters, with rules that hide them: add those you want to `compare.ignore`. At least three runs are needed.',
    access: 'scope:read',
    params: MONITOR_ID,
    responses: { 200: json('The proposals.', NoiseList) },
    handler: async ({ params, principal }, deps) => {
      const { id, compare } = await visibleMonitor(deps, params.id, principal);
      if (!['markdown', 'text', 'main_html'].includes(compare.format)) return { items: [] };
      const [{ comparedLines }, { findNoise }] = await Promise.all([
        import('../../monitors/compare-text.ts'),
        import('../../monitors/noise.ts'),
      ]);
      const ignored = ignoredText(compare.ignore);
      const snapshots = await deps.store.monitors.snapshots(id, NOISE_RUNS);
      const runs = snapshots.map((bytes) => comparedLines(Buffer.from(bytes).toString('utf8'), ignored));
      return { items: findNoise(runs).map((found) => ({ ...found, examples: [...found.examples] })) };
    },
  }),
];
