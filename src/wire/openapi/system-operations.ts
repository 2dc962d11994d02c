import { System } from '../system/system-schema.ts';
import type { Operation } from './operation.ts';
import { json, refusals } from './responses.ts';

export const SYSTEM_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/system/',
    operationId: 'getSystem',
    tag: 'Service',
    summary: 'How the service is doing: process, memory, storage, permits, browsers',
    description: 'For administrators. Of this process alone, at this moment.',
    scope: 'admin',
    responses: { '200': json('The figures.', System), ...refusals({ scope: 'admin' }) },
  },
];
