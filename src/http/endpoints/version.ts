import { Type } from 'typebox';
import { closed } from '../../domain/json-schema.ts';
import { endpoint } from '../endpoint.ts';
import { json } from '../responses.ts';

const Version = closed({
  version: Type.String({ description: 'The version of Sluice.' }),
  api: Type.Literal('v1', { description: 'The version of the API.' }),
  node: Type.String({ description: 'The version of Node.js, without `v`.' }),
  started_at: Type.String({ format: 'date-time', description: 'When the service started.' }),
});

export const VERSION = [
  endpoint({
    method: 'get',
    path: '/api/v1/version/',
    operationId: 'getVersion',
    tag: 'Service',
    summary: 'Get the version',
    access: 'public',
    responses: { 200: json('The version.', Version) },
    handler: ({ version, clock }) => {
      const startedAt = new Date(clock.now()).toISOString();
      return () => ({ version, api: 'v1' as const, node: process.versions.node, started_at: startedAt });
    },
  }),
];
