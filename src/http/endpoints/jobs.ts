import { Type } from 'typebox';
import { isFailure } from '../../domain/failure.ts';
import { closed, orNull } from '../../domain/json-schema.ts';
import { cloneJob } from '../../jobs/job-service.ts';
import { JobList, JobObject } from '../../wire/jobs/job-json.ts';
import { JOB_MEMBERS } from '../../wire/jobs/job-members.ts';
import { JOBS_QUERY, jobCursor } from '../../wire/jobs/jobs-query.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { json, nothing, problem } from '../core/responses.ts';
import { jobText, jobTexts } from '../operations/job-holds.ts';
import { steered } from '../operations/steering.ts';
import { JOB_ID, noJobRefusal, visibleJob } from '../operations/visible-job.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

const stateRefusal = (message: string): Refusal => Refusal.of('job.state', message);

const JobChange = closed(
  {
    concurrency: Type.Optional(orNull(JOB_MEMBERS.concurrency)),
    priority: JOB_MEMBERS.priority,
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'Visits of a crawl. It holds for URLs that are found from now on.',
      }),
    ),
  },
  { title: 'JobChange' },
);

const TryNow = closed(
  {
    items: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
        minItems: 1,
        maxItems: 1_000,
        description: 'Numbers of items (`item`). Default: all that wait for a retry.',
      }),
    ),
  },
  { title: 'TryNow' },
);

const sendJob = async (deps: EndpointDeps, id: string) => {
  const job = await deps.store.jobs.get(id, null);
  if (job === null) throw noJobRefusal();
  return await jobText(deps, job);
};

const JOB_STATE = problem('The state of the job does not allow it: `job.state`.');

export const JOBS = [
  endpoint({
    method: 'get',
    path: '/api/v1/jobs/',
    operationId: 'listJobs',
    summary: 'List jobs',
    description:
      'The newest first, unless `sort` and `order` say otherwise; without runs of monitors and schedules unless `with_runs=true`. Sessions of administrators see the jobs of all users.',
    access: 'scope:read',
    query: JOBS_QUERY,
    responses: { 200: json('A page of jobs.', JobList) },
    handler: async ({ query: { filter, ...order }, reply }, deps) => {
      const now = order.after?.now ?? deps.clock.now();
      const { jobs, next } = await deps.store.jobs.list(filter, { ...order, now });
      const items = await jobTexts(deps, jobs);
      const cursor = next === null ? null : jobCursor(next, order);
      const body = `{"items":[${items.join(',')}],"next_cursor":${JSON.stringify(cursor)}}`;
      return reply.header('content-type', JSON_TYPE).send(body);
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/jobs/{id}/',
    operationId: 'getJob',
    summary: 'Get a job',
    access: 'scope:read',
    params: JOB_ID,
    responses: { 200: json('The job.', JobObject) },
    handler: async ({ params, principal, reply }, deps) => {
      const job = await visibleJob(deps, params.id, principal);
      return reply.header('content-type', JSON_TYPE).send(await jobText(deps, job));
    },
  }),
];

export const JOB_CHANGES = [
  endpoint({
    method: 'patch',
    path: '/api/v1/jobs/{id}/',
    operationId: 'changeJob',
    summary: 'Change a job',
    access: 'scope:jobs',
    params: JOB_ID,
    body: jsonBody(JobChange, { examples: { slower: { concurrency: 2 } }, nulls: 'kept' }),
    responses: { 200: json('The changed job.', JobObject), 409: JOB_STATE },
    handler: async ({ params, body, principal, reply }, deps) => {
      const job = await steered('job', deps, params.id, principal);
      const { limit, ...change } = body;
      if (limit !== undefined && job.kind !== 'crawl')
        throw Refusal.of('request.validation', '`/limit` is only for crawls.', { pointer: '/limit' });
      const changed = await deps.store.jobs.update(job.id, {
        ...change,
        ...(limit === undefined ? {} : { maxVisits: limit }),
      });
      if (!changed) throw stateRefusal('The job has ended.');
      deps.jobEngine.wake();
      return reply.header('content-type', JSON_TYPE).send(await sendJob(deps, job.id));
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/jobs/{id}/pause/',
    operationId: 'pauseJob',
    summary: 'Pause a job',
    description: 'Starts no more items until the job is resumed. Items that run go on.',
    access: 'scope:jobs',
    params: JOB_ID,
    responses: { 200: json('The paused job.', JobObject), 409: JOB_STATE },
    handler: async ({ params, principal, reply }, deps) => {
      const job = await steered('job', deps, params.id, principal);
      if (!(await deps.store.jobs.pause(job.id, 'asked', null, deps.clock.now())))
        throw stateRefusal(`The job is ${job.state}; only a job that is queued or running can be paused.`);
      return reply.header('content-type', JSON_TYPE).send(await sendJob(deps, job.id));
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/jobs/{id}/resume/',
    operationId: 'resumeJob',
    summary: 'Resume a paused job',
    description:
      'The job goes on with the rights of the key or session of this request: its domains and its budget hold from now on.',
    access: 'scope:jobs',
    params: JOB_ID,
    responses: { 200: json('The resumed job.', JobObject), 409: JOB_STATE },
    handler: async ({ params, principal, reply }, deps) => {
      const job = await steered('job', deps, params.id, principal);
      // An administrator resumes the job of another user with the rights it had.
      const keyId = principal.userId === job.userId ? principal.keyId : undefined;
      if (!(await deps.store.jobs.resume(job.id, keyId, deps.clock.now())))
        throw stateRefusal(`The job is ${job.state}; only a paused job can be resumed.`);
      deps.jobEngine.wake();
      return reply.header('content-type', JSON_TYPE).send(await sendJob(deps, job.id));
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/jobs/{id}/retry-failed/',
    operationId: 'retryFailedItems',
    summary: 'Try the failed items of a job again',
    description:
      'Also items whose model gave no answer (`ok` with the error `extract.model`): their pages are read again as they were stored, without fetching. A page that is not stored any more is fetched again, with the warning `content.refetched`.',
    access: 'scope:jobs',
    params: JOB_ID,
    responses: { 200: json('The job, which goes on.', JobObject), 409: JOB_STATE },
    handler: async ({ params, principal, reply }, deps) => {
      const job = await steered('job', deps, params.id, principal);
      if ((await deps.store.jobs.retryFailed(job.id, deps.clock.now())) === null)
        throw stateRefusal('The job is still running; pause it, or wait for its end.');
      deps.jobEngine.wake();
      return reply.header('content-type', JSON_TYPE).send(await sendJob(deps, job.id));
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/jobs/{id}/try-now/',
    operationId: 'tryJobNow',
    summary: 'Start what waits for a retry at once',
    description:
      'Items that wait for a retry are started as soon as there is a place, in whatever order the job starts its items. Pauses between requests to a host and limits still hold. Without a body: all of them.',
    access: 'scope:jobs',
    params: JOB_ID,
    body: jsonBody(TryNow, { examples: { one: { items: [1] } }, required: false }),
    responses: {
      200: json('The job.', JobObject),
      409: problem('The job is not queued or running, or no such item waits for a retry: `job.state`.'),
    },
    handler: async ({ params, body, principal, reply }, deps) => {
      const job = await steered('job', deps, params.id, principal);
      const items = body?.items ?? null;
      const count = await deps.store.jobs.tryNow(job.id, items, deps.clock.now());
      if (count === null)
        throw stateRefusal(
          `The job is ${job.state}; only items of a job that is queued or running are tried again.`,
        );
      if (count === 0)
        throw stateRefusal(`${items === null ? 'No item' : 'None of these items'} waits for a retry.`);
      deps.jobEngine.wake();
      return reply.header('content-type', JSON_TYPE).send(await sendJob(deps, job.id));
    },
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/jobs/{id}/clone/',
    operationId: 'cloneJob',
    summary: 'Start a job again',
    description:
      'Starts a new job with the settings, the webhook and the first items of this one, whatever its state, with the rights of the key or session of this request.',
    access: 'scope:jobs',
    params: JOB_ID,
    responses: {
      201: json('The new job.', JobObject),
      409: problem('The job is an asynchronous scrape: `job.state`.'),
    },
    handler: async ({ params, principal, reply }, deps) => {
      const job = await steered('job', deps, params.id, principal);
      if (job.kind === 'scrape') throw stateRefusal('An asynchronous scrape has no copy; send it again.');
      const { store, jobEngine: engine } = deps;
      const keyId = principal.userId === job.userId ? principal.keyId : job.keyId;
      const cloned = await cloneJob(
        {
          ...deps,
          jobs: store.jobs,
          engine,
          deliveries: store.webhooks,
          notifications: store.notifications,
        },
        job,
        keyId,
      );
      if (isFailure(cloned)) throw new Refusal([cloned]);
      return reply
        .code(201)
        .headers({ 'content-type': JSON_TYPE, location: `${deps.baseUrl()}/api/v1/jobs/${cloned.id}/` })
        .send(await sendJob(deps, cloned.id));
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/jobs/{id}/',
    operationId: 'cancelJob',
    summary: 'Cancel a job',
    description:
      'No item starts after this; items that run are aborted. The results so far stay. With `purge=1`, the job, its results and their records are deleted.',
    access: 'scope:jobs',
    params: JOB_ID,
    query: {
      parameters: { purge: { description: '`1`: delete everything.', schema: Type.Enum(['0', '1']) } },
      read: (query) => ({ purge: query.oneOf('purge', ['0', '1'] as const) === '1' }),
    },
    responses: { 204: nothing('Cancelled, or deleted.'), 409: JOB_STATE },
    handler: async ({ params, query, principal }, deps) => {
      const job = await steered('job', deps, params.id, principal);
      if (await deps.store.jobs.cancel(job.id, deps.clock.now())) deps.jobEngine.abort(job.id);
      else if (!query.purge)
        throw stateRefusal('The job has ended, so there is nothing to cancel. `?purge=1` deletes it.');
      if (query.purge) await deps.purgeJob(job.id);
    },
  }),
];
