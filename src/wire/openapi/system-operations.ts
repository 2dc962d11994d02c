import { System } from '../system.ts';
import type { Operation } from './operation.ts';
import { json, refusals } from './responses.ts';

export const SYSTEM_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/system/',
    operationId: 'getSystem',
    tag: 'Service',
    summary: 'Get the state of the service',
    description: 'Current process, memory, storage, limits and browsers of this process. For administrators.',
    scope: 'admin',
    responses: { '200': json('The figures.', System), ...refusals({ scope: 'admin' }) },
  },
];
