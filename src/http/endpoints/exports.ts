import { Type } from 'typebox';
import { uuid7, uuidBytes } from '../../base/uuid7.ts';
import { EXPORT_TYPES, type ExportRow } from '../../domain/exports.ts';
import { ExportBody, ExportList, ExportObject, exportObject, linkEnd } from '../../wire/exports.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { bytes, json, problem } from '../core/responses.ts';
import { acceptExport, exportLinks } from '../operations/export-targets.ts';
import { closeSignal, exportFile, hasEnded, sendPieces } from '../operations/job-streams.ts';
import { visibleUser } from '../operations/missing-record.ts';
import { checkSignedLink, SIGNED_LINK_QUERY } from '../operations/signed-link.ts';
import { steered } from '../operations/steering.ts';
import { JOB_ID, noJobRefusal, visibleJob } from '../operations/visible-job.ts';

const EXPORT_ID = { id: { description: 'Id of the export.', schema: Type.String({ format: 'uuid' }) } };
const LISTED = 100;

const noExportRefusal = (): Refusal =>
  Refusal.of('request.not_found', 'There is no such export, it is not yours, or the link is wrong.');

async function existingExport(
  { store }: Pick<EndpointDeps, 'store'>,
  id: string,
  userId: string | null,
): Promise<ExportRow> {
  const row = uuidBytes(id) === null ? null : await store.exports.get(id.toLowerCase(), userId);
  if (row === null) throw noExportRefusal();
  return row;
}

export const EXPORTS = [
  endpoint({
    method: 'post',
    path: '/api/v1/jobs/{id}/export/',
    operationId: 'sendJobExport',
    summary: 'Send the results of a job to a target',
    description:
      'Makes a file of the results of a job that has ended, and sends it. A try that fails is repeated after 5 s, 30 s, 5 min, 30 min and 2 h; then the export is given up. `GET /api/v1/exports/{id}/` tells how far it is.',
    access: 'scope:jobs',
    params: JOB_ID,
    body: jsonBody(ExportBody, {
      examples: {
        link: { format: 'xlsx', target: { kind: 'link' } },
        bucket: {
          format: 'csv',
          target: {
            kind: 's3',
            endpoint: 'https://s3.eu-central-1.amazonaws.com',
            region: 'eu-central-1',
            bucket: 'results',
            key: 'prices/{date}-{run}.csv',
            access_key_id: 'AKIA…',
            secret_access_key: '…',
          },
        },
      },
    }),
    responses: {
      202: json('The export.', ExportObject),
      409: problem('The job has not ended: `job.state`.'),
    },
    handler: async ({ params, body, principal, reply }, deps) => {
      const job = await steered('job', deps, params.id, principal);
      if (!hasEnded(job)) throw Refusal.of('job.state', 'The job has not ended.');
      const accepted = await acceptExport(deps, job.userId, body, '', null);
      const now = deps.clock.now();
      const { id: jobId, userId, name } = job;
      const made = { jobId, userId, name: name ?? job.kind, scheduleId: null, runN: null, createdAt: now };
      const id = uuid7(now);
      await deps.store.exports.add({ id, ...made, ...accepted });
      const row = await existingExport(deps, id, null);
      return reply.code(202).send(exportObject(row, exportLinks(deps)));
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/jobs/{id}/exports/',
    operationId: 'listJobExports',
    summary: 'List the exports of a job',
    description: 'The newest 100, the newest first.',
    access: 'scope:read',
    params: JOB_ID,
    responses: { 200: json('The exports.', ExportList) },
    handler: async ({ params, principal }, deps) => {
      const { id } = await visibleJob(deps, params.id, principal);
      const rows = await deps.store.exports.ofJob(id, LISTED);
      return { items: rows.map((row) => exportObject(row, exportLinks(deps))) };
    },
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/exports/{id}/',
    operationId: 'getExport',
    summary: 'Get an export',
    access: 'scope:read',
    params: EXPORT_ID,
    responses: { 200: json('The export.', ExportObject) },
    handler: async ({ params, principal }, deps) =>
      exportObject(await existingExport(deps, params.id, visibleUser(principal)), exportLinks(deps)),
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/exports/{id}/file/',
    operationId: 'getExportFile',
    summary: 'Download an exported file',
    description:
      'Of an export to a `link`: the results of the job as they are now. The signed link of the export needs no API key until it expires.',
    access: 'link or scope:read',
    signedLink: checkSignedLink({
      kind: 'export',
      numberIn: () => 0,
      missing: noExportRefusal,
      expired: 'file.expired',
    }),
    params: EXPORT_ID,
    query: SIGNED_LINK_QUERY,
    responses: {
      200: bytes('The file.', ...Object.values(EXPORT_TYPES).map((type) => type.split(';')[0]!)),
      410: problem('The link has expired: `file.expired`.'),
    },
    handler: async ({ params, principal, reply }, deps) => {
      const userId = principal === null ? null : visibleUser(principal);
      const { jobId, format, ...row } = await existingExport(deps, params.id, userId);
      if (linkEnd({ jobId, format, ...row }) === null) throw noExportRefusal();
      if ((await deps.store.jobs.get(jobId, null)) === null) throw noJobRefusal();
      const signal = closeSignal(reply);
      reply.header('content-disposition', `attachment; filename="job-${jobId}.${format}"`);
      return await sendPieces(deps, reply, EXPORT_TYPES[format], exportFile(deps, jobId, format, signal));
    },
  }),
];
