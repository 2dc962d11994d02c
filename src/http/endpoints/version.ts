import { Type } from 'typebox';
import { closed, dateTime } from '../../domain/json-schema.ts';
import { endpoint } from '../core/endpoint.ts';
import { json } from '../core/responses.ts';

const Version = closed({
  version: Type.String({ description: 'The version of Sluice.' }),
  api: Type.Literal('v1', { description: 'The version of the API.' }),
  node: Type.String({ description: 'The version of Node.js, without `v`.' }),
  started_at: dateTime('When the service started.'),
});

export const VERSION = [
  endpoint({
    method: 'get',
    path: '/api/v1/version/',
    operationId: 'getVersion',
    summary: 'Get the version',
    access: 'public',
    responses: { 200: json('The version.', Version) },
    prepare: ({ version, clock }) => {
      const startedAt = new Date(clock.now()).toISOString();
      return () => ({ version, api: 'v1' as const, node: process.versions.node, started_at: startedAt });
    },
  }),
];
