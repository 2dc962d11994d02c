import { Type } from 'typebox';
import { uuid7 } from '../../base/uuid7.ts';
import type { Principal } from '../../domain/account.ts';
import { type Failure, isFailure } from '../../domain/failure.ts';
import { closed } from '../../domain/json-schema.ts';
import { SCHEDULE_SORTS, sortedValue } from '../../domain/run-lists.ts';
import type { ScheduleRow } from '../../domain/schedules.ts';
import { openExportTarget } from '../../exports/export-target.ts';
import { dueTimes, nextRun } from '../../runs/schedule.ts';
import { notifyProblems, type ScheduledJob, scheduledJobOf, sealJob } from '../../schedules/scheduled-job.ts';
import { type ExportBody, exportObject } from '../../wire/exports.ts';
import { withPrefix } from '../../wire/jobs/item-request.ts';
import { readSchedule } from '../../wire/monitors.ts';
import { readNotify } from '../../wire/notifications/notify-members.ts';
import {
  isScheduledKind,
  ScheduleChangeRequest,
  ScheduleList,
  ScheduleObject,
  ScheduleRequest,
  ScheduleRunList,
  scheduleObject,
  scheduleRunObject,
} from '../../wire/schedules.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json, nothing, problem } from '../core/responses.ts';
import { acceptExport, exportLinks } from '../operations/export-targets.ts';
import { visibleUser } from '../operations/missing-record.ts';
import { changedNotify, checkChannels, runsNotify } from '../operations/notify.ts';
import { pageOf, pageParameters, readPage, runCursor, runPages } from '../operations/page.ts';
import { checkRunRequests, checkSchedule, refuse } from '../operations/run-requests.ts';
import { steered } from '../operations/steering.ts';
import { visibleSchedule } from '../operations/visible-schedule.ts';

const SCHEDULE_ID = {
  id: { description: 'Id of the schedule.', schema: Type.String({ format: 'uuid' }) },
};

const EXAMPLES = {
  nightly: {
    name: 'Docs, each night',
    job: {
      kind: 'crawl',
      url: 'https://example.com/docs/',
      scope: 'path',
      request: { scraper_options: { formats: ['markdown'], only_main_content: true } },
    },
    schedule: { cron: '0 3 * * *', timezone: 'Europe/Berlin' },
  },
  prices: {
    name: 'Prices',
    job: {
      kind: 'batch',
      requests: [{ url: 'https://example.com/a' }, { url: 'https://example.com/b' }],
      defaults: { scraper_options: { extract: { price: '.price' } } },
    },
    schedule: { every_s: 3600 },
    overlap: 'queue',
    notify_on: ['done', 'failed'],
    export: { format: 'csv', target: { kind: 'put', url: 'https://files.example.com/{name}/{date}.csv' } },
  },
};

interface AcceptedTarget {
  readonly kind: ScheduleRow['kind'];
  readonly request: string;
  readonly spec: Uint8Array;
}

/** The job of the body, checked as the request that starts it at once. @throws Refusal */
async function readJob(
  { kind, ...members }: Readonly<Record<string, unknown>>,
  userId: string,
  principal: Principal,
  deps: EndpointDeps,
): Promise<AcceptedTarget> {
  if (kind === 'search') refuse('/job/kind', '`search` is not available yet');
  if (!isScheduledKind(kind)) refuse('/job/kind', 'must be one of scrape, batch, crawl');
  const job: ScheduledJob = { kind, members };
  const misplaced = notifyProblems(job);
  if (misplaced.length > 0) throw new Refusal(misplaced);
  const accepted = await scheduledJobOf(job, userId, {
    ...deps,
    templates: deps.store.templates,
    priced: () => deps.prices !== null,
  });
  if (!('job' in accepted)) throw new Refusal(accepted);
  await checkRunRequests(accepted, principal, deps);
  const [source, pointer] =
    kind === 'scrape' ? (['scrape', '/router/webhook'] as const) : (['job', '/webhook'] as const);
  const { webhook } = accepted.job;
  const prepared = await deps.webhooks.prepare(userId, source, webhook === 'none' ? null : webhook, pointer);
  if (isFailure(prepared)) throw new Refusal([withPrefix(prepared, '/job')]);
  return { kind, request: accepted.request, spec: sealJob(job, userId, deps.sealer) };
}

/** @param row whose secrets `***` stands for; null: there are none @throws Refusal */
async function readExport(
  body: ExportBody | null,
  userId: string,
  row: ScheduleRow | null,
  deps: EndpointDeps,
): Promise<Pick<ScheduleRow, 'export' | 'exportSpec'>> {
  if (body === null) return { export: null, exportSpec: null };
  const stored = row?.exportSpec ?? null;
  const kept = stored === null ? null : openExportTarget({ userId, spec: stored }, deps.sealer);
  const { format, target, spec } = await acceptExport(deps, userId, body, '/export', kept);
  return { export: `{"format":${JSON.stringify(format)},"target":${target}}`, exportSpec: spec };
}

/** @param userId whose schedule it is @throws Refusal if the dataset is not of the same user */
async function readDataset(
  id: string | null,
  userId: string,
  { store }: EndpointDeps,
): Promise<string | null> {
  if (id === null) return null;
  const dataset = await store.datasets.get(id.toLowerCase(), userId);
  return dataset?.id ?? refuse('/dataset', 'is no dataset of yours');
}

async function create(deps: EndpointDeps, principal: Principal, body: ScheduleRequest): Promise<ScheduleRow> {
  const problems: Failure[] = [];
  const schedule = readSchedule(body.schedule, problems);
  const asked = readNotify(body, 'schedule', '', problems);
  if (problems.length > 0) throw new Refusal(problems);
  await checkChannels(deps, asked.channels, principal.userId, principal, '');
  const now = deps.clock.now();
  checkSchedule(schedule, now);
  const { userId, keyId } = principal;
  const id = uuid7(now);
  const jitterS = body.jitter_s ?? 0;
  const made = {
    id,
    userId,
    keyId,
    name: body.name,
    ...(await readJob(body.job, userId, principal, deps)),
    schedule,
    jitterS,
    overlap: body.overlap ?? 'skip',
    ...(await readExport(body.export ?? null, userId, null, deps)),
    datasetId: await readDataset(body.dataset ?? null, userId, deps),
    nextAt: nextRun(id, schedule, jitterS, { after: now, createdAt: now }),
    createdAt: now,
    notify: runsNotify('schedule', body.name, asked),
  };
  const limit = deps.accounts.limits(userId).schedules;
  if (!(await deps.store.schedules.create(made, limit)))
    throw Refusal.of('limit.schedules', `A user may have at most ${limit} schedules. Delete one first.`);
  return (await deps.store.schedules.get(id, null))!;
}

async function change(
  deps: EndpointDeps,
  row: ScheduleRow,
  body: ScheduleChangeRequest,
  principal: Principal,
): Promise<ScheduleRow> {
  const problems: Failure[] = [];
  const schedule = body.schedule === undefined ? row.schedule : readSchedule(body.schedule, problems);
  const notify = await changedNotify(deps, 'schedule', row, body, problems);
  if (problems.length > 0) throw new Refusal(problems);
  // A key of the owner, or a session: only channels of the owner of the schedule.
  await checkChannels(deps, body.channels ?? [], row.userId, principal, '');
  const now = deps.clock.now();
  if (body.schedule !== undefined) checkSchedule(schedule, now);
  const jitterS = body.jitter_s ?? row.jitterS;
  const isRescheduled = body.schedule !== undefined || body.jitter_s !== undefined;
  const { id, createdAt, userId } = row;
  await deps.store.schedules.update(id, {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(body.overlap === undefined ? {} : { overlap: body.overlap }),
    ...(notify === null ? {} : { notify }),
    ...(body.job === undefined ? {} : await readJob(body.job, userId, principal, deps)),
    ...(body.export === undefined ? {} : await readExport(body.export, userId, row, deps)),
    ...(body.dataset === undefined ? {} : { datasetId: await readDataset(body.dataset, userId, deps) }),
    ...(isRescheduled
      ? { schedule, jitterS, nextAt: nextRun(id, schedule, jitterS, { after: now, createdAt }) }
      : {}),
  });
  return (await deps.store.schedules.get(id, null))!;
}

/** Due times that passed while the schedule was paused are listed as missed. */
async function resume(deps: EndpointDeps, row: ScheduleRow, keyId: string | null): Promise<boolean> {
  const { id, schedule, jitterS, createdAt, nextAt: due } = row;
  const now = deps.clock.now();
  const times =
    due === null ? null : dueTimes(id, schedule, jitterS, { after: due - 1, until: now, createdAt });
  const nextAt = nextRun(id, schedule, jitterS, { after: now, createdAt });
  const missed = times && { times, reason: 'paused', message: null };
  return await deps.store.schedules.resume(id, keyId, nextAt, missed);
}

const UNFIT = problem(
  'No scraper and proxy can do a request of the job; `candidates` says why. Or there is no such template: `template.unknown`.',
);
const STATE = problem('The state of the schedule does not allow it: `job.state`.');
const stateRefusal = (message: string): Refusal => Refusal.of('job.state', message);

/** Schedules as they are shown. */
async function views({ store, currentPrices }: EndpointDeps, rows: readonly ScheduleRow[]) {
  const ids = rows.map(({ id }) => id);
  const [told, last] = await Promise.all([
    store.notifications.notifyOfAll(ids),
    store.schedules.lastRuns(ids),
  ]);
  const costs = currentPrices.current() !== null;
  return rows.map((row) =>
    scheduleObject(row, { notify: told.get(row.id) ?? null, lastRun: last.get(row.id) ?? null, costs }),
  );
}

const view = async (deps: EndpointDeps, row: ScheduleRow) => (await views(deps, [row]))[0]!;

const shown = async (deps: EndpointDeps, id: string) =>
  await view(deps, (await deps.store.schedules.get(id, null))!);

export const SCHEDULES = [
  endpoint({
    method: 'post',
    path: '/api/v1/schedules/',
    operationId: 'createSchedule',
    summary: 'Run a job on a schedule',
    description:
      'Starts a scrape, a batch or a crawl again and again. Each run is a job with `schedule_id`, with the rights of the key or session of this request.',
    access: 'scope:jobs',
    idempotent: true,
    body: jsonBody(ScheduleRequest, { examples: EXAMPLES }),
    responses: {
      201: json('The schedule.', ScheduleObject),
      422: UNFIT,
      429: problem('Too many schedules: `limit.schedules`; or requests: `limit.concurrency`.'),
    },
    handler: async ({ body, principal }, deps) => view(deps, await create(deps, principal, body)),
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/schedules/',
    operationId: 'listSchedules',
    summary: 'List schedules',
    description: 'The newest first, unless `sort` and `order` say otherwise.',
    access: 'scope:read',
    query: runPages(SCHEDULE_SORTS, 'By creation, name, or next run.'),
    responses: { 200: json('A page of schedules.', ScheduleList) },
    handler: async ({ query, principal }, deps) => {
      const rows = await deps.store.schedules.list(visibleUser(principal), {
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
    path: '/api/v1/schedules/{id}/',
    operationId: 'getSchedule',
    summary: 'Get a schedule',
    access: 'scope:read',
    params: SCHEDULE_ID,
    responses: { 200: json('The schedule.', ScheduleObject) },
    handler: async ({ params, principal }, deps) =>
      view(deps, await visibleSchedule(deps, params.id, principal)),
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/schedules/{id}/',
    operationId: 'changeSchedule',
    summary: 'Change a schedule',
    access: 'scope:jobs',
    params: SCHEDULE_ID,
    body: jsonBody(ScheduleChangeRequest, {
      examples: { later: { schedule: { cron: '0 4 * * *', timezone: 'Europe/Berlin' } } },
      nulls: 'kept',
    }),
    responses: { 200: json('The changed schedule.', ScheduleObject), 422: UNFIT },
    handler: async ({ params, body, principal }, deps) => {
      const row = await steered('schedule', deps, params.id, principal);
      return await view(deps, await change(deps, row, body, principal));
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/schedules/{id}/',
    operationId: 'deleteSchedule',
    summary: 'Delete a schedule',
    description: 'The jobs of its runs stay, with their results; one that runs goes on.',
    access: 'scope:jobs',
    params: SCHEDULE_ID,
    responses: { 204: nothing('Deleted.') },
    handler: async ({ params, principal }, deps) => {
      const { id } = await steered('schedule', deps, params.id, principal);
      await deps.store.schedules.delete(id);
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/schedules/{id}/pause/',
    operationId: 'pauseSchedule',
    summary: 'Pause a schedule',
    description: 'A run under way goes on.',
    access: 'scope:jobs',
    params: SCHEDULE_ID,
    responses: { 200: json('The paused schedule.', ScheduleObject), 409: STATE },
    handler: async ({ params, principal }, deps) => {
      const { id } = await steered('schedule', deps, params.id, principal);
      if (!(await deps.store.schedules.pause(id, 'asked')))
        throw stateRefusal('The schedule is paused already.');
      return await shown(deps, id);
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/schedules/{id}/resume/',
    operationId: 'resumeSchedule',
    summary: 'Resume a paused schedule',
    description:
      'Its runs have the rights of the key or session of this request from now on. Due times of the pause are listed as missed.',
    access: 'scope:jobs',
    params: SCHEDULE_ID,
    responses: { 200: json('The schedule.', ScheduleObject), 409: STATE },
    handler: async ({ params, principal }, deps) => {
      const row = await steered('schedule', deps, params.id, principal);
      const keyId = principal.userId === row.userId ? principal.keyId : row.keyId;
      if (!(await resume(deps, row, keyId))) throw stateRefusal('The schedule is not paused.');
      return await shown(deps, row.id);
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/schedules/{id}/run/',
    operationId: 'runSchedule',
    summary: 'Run a schedule now',
    description: 'Its due times stay as they are, also while it is paused.',
    access: 'scope:jobs',
    params: SCHEDULE_ID,
    responses: { 202: json('The number of the run.', closed({ n: Type.Integer() })), 409: STATE },
    handler: async ({ params, principal, reply }, deps) => {
      const row = await steered('schedule', deps, params.id, principal);
      const n = await deps.scheduleEngine.runNow(row);
      if (n === null)
        throw stateRefusal(
          row.overlap === 'queue'
            ? 'A run of this schedule is under way, and another one waits.'
            : 'A run of this schedule is under way.',
        );
      return reply.code(202).send({ n });
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/schedules/{id}/runs/',
    operationId: 'listScheduleRuns',
    summary: 'List the runs of a schedule',
    description: 'The newest first, with those that were missed, and why. The newest 1,000 are kept.',
    access: 'scope:read',
    params: SCHEDULE_ID,
    query: { parameters: pageParameters(), read: readPage },
    responses: { 200: json('A page of runs.', ScheduleRunList) },
    handler: async ({ params, query: { limit, cursor }, principal }, deps) => {
      const { id } = await visibleSchedule(deps, params.id, principal);
      if (cursor !== null && !/^\d{1,9}$/.test(cursor)) refuse('/cursor', 'is not a cursor of this list');
      const before = cursor === null ? null : Number(cursor);
      const rows = await deps.store.schedules.runs(id, limit + 1, before);
      const { page, next_cursor } = pageOf(rows, limit, ({ n }) => String(n));
      const numbers = page.map(({ n }) => n);
      const exported = new Map((await deps.store.exports.ofRuns(id, numbers)).map((row) => [row.runN, row]));
      const items = page.map((run) => {
        const row = exported.get(run.n);
        return scheduleRunObject(run, row === undefined ? null : exportObject(row, exportLinks(deps)));
      });
      return { items, next_cursor };
    },
  }),
];
