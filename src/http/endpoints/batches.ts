import { Type } from 'typebox';
import { type Failure, isFailure } from '../../domain/failure.ts';
import { closed } from '../../domain/json-schema.ts';
import type { ExtractTemplates } from '../../domain/template.ts';
import { startJob } from '../../jobs/job-service.ts';
import { itemOfRequest } from '../../jobs/request-job.ts';
import { loadTemplates } from '../../pipeline/extract-template.ts';
import { BatchRequest } from '../../wire/jobs/batch-request.ts';
import { type ItemRequest, readItemRequest } from '../../wire/jobs/item-request.ts';
import { readJobMembers } from '../../wire/jobs/job-members.ts';
import { maskedRequestJson } from '../../wire/request/masked-request.ts';
import { MAX_PROBLEMS } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../deps.ts';
import { endpoint, jsonBody } from '../endpoint.ts';
import { Refusal } from '../refusal.ts';
import { json, problem } from '../responses.ts';

const Accepted = closed(
  {
    id: Type.String({ format: 'uuid' }),
    state: Type.Enum(['queued']),
    invalid: Type.Optional(
      Type.Array(closed({ pointer: Type.String(), message: Type.String() }), {
        description: 'With `invalid: skip`: the first requests that are not valid, and why.',
      }),
    ),
    invalid_total: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { title: 'JobAccepted' },
);

/** Limits per host for batches, whose requests the caller has chosen one by one. */
const PER_HOST = 8;

interface CheckedRequests {
  readonly requests: readonly ItemRequest[];
  /** The first problems. */
  readonly problems: readonly Failure[];
  readonly invalidTotal: number;
}

/** Checks all requests before any of them runs. */
function checkRequests(
  { pipeline }: EndpointDeps,
  values: readonly unknown[],
  defaults: Readonly<Record<string, unknown>>,
  templates: ExtractTemplates,
): CheckedRequests {
  const requests: ItemRequest[] = [];
  const problems: Failure[] = [];
  let invalidTotal = 0;
  for (const [index, value] of values.entries()) {
    const found: Failure[] = [];
    const request = readItemRequest(value, defaults, templates, `/requests/${index}`, found);
    if (request !== null) found.push(...pipeline.problems(request.task));
    if (request !== null && found.length === 0) requests.push(request);
    else invalidTotal++;
    problems.push(...found.slice(0, Math.max(0, MAX_PROBLEMS - problems.length)));
  }
  return { requests, problems, invalidTotal };
}

export const BATCHES = [
  endpoint({
    method: 'post',
    path: '/api/v1/batches/',
    operationId: 'createBatch',
    tag: 'Jobs',
    summary: 'Scrape many pages',
    description:
      'Starts a job with one item for each request. All requests are checked before anything runs. The items take none of the places for concurrent requests.',
    access: 'scope:jobs',
    idempotent: true,
    body: jsonBody(BatchRequest, {
      examples: {
        urls: {
          requests: [
            { url: 'https://example.com/a', ref: 'a' },
            { url: 'https://example.com/b', ref: 'b' },
          ],
          defaults: { markdown: true },
        },
      },
    }),
    responses: {
      202: json('The job is stored.', Accepted),
      402: problem('The daily budget of the key is used up: `budget.exhausted`.'),
      422: problem('There is no such template: `template.unknown`.'),
    },
    handler:
      (deps) =>
      async ({ body, principal, reply }) => {
        const { requests: values, defaults = {}, invalid = 'refuse', ...members } = body;
        const problems: Failure[] = [];
        const settings = readJobMembers(
          members,
          { priced: deps.prices !== null, retentionMs: deps.retentionMs },
          problems,
        );
        const templates = await loadTemplates(deps.store.templates, principal.userId, [defaults, ...values]);
        const checked = checkRequests(deps, values, defaults, templates);
        if (invalid === 'refuse') problems.push(...checked.problems);
        if (problems.length > 0) throw new Refusal(problems.slice(0, MAX_PROBLEMS));
        const spent = deps.accounts.budgetLeft(principal);
        if (spent !== null) throw new Refusal([spent]);
        const job = await startJob({ ...deps, jobs: deps.store.jobs, engine: deps.jobEngine }, principal, {
          ...settings,
          kind: 'batch',
          perHost: PER_HOST,
          delayMs: 0,
          maxVisits: null,
          request: maskedRequestJson({ ...members, defaults }),
          members: defaults,
          templates,
          items: checked.requests.map((request) => itemOfRequest(request, principal.userId, deps.sealer)),
        });
        if (isFailure(job)) throw new Refusal([job]);
        const invalidPart =
          checked.invalidTotal === 0
            ? {}
            : {
                invalid: checked.problems.map(({ pointer = '', message }) => ({ pointer, message })),
                invalid_total: checked.invalidTotal,
              };
        return reply
          .code(202)
          .header('location', `${deps.baseUrl()}/api/v1/jobs/${job.id}/`)
          .send({ id: job.id, state: 'queued', ...invalidPart });
      },
  }),
];
