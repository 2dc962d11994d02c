import { Type } from 'typebox';
import { Stats } from '../stats.ts';
import type { Operation } from './operation.ts';
import { json, refusals } from './responses.ts';

export const STATS_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/stats/',
    operationId: 'getStats',
    tag: 'Stats',
    summary: 'Get statistics',
    description:
      'Scrapes are counted when they end, with a delay of at most three seconds. Deleting records does not change the counts. With an API key, the figures cover its user.',
    scope: 'read',
    parameters: [
      {
        name: 'window',
        in: 'query',
        description: 'The last hour (in steps of one minute), day (15 minutes) or week (one hour).',
        schema: Type.Enum(['1h', '24h', '7d'], { default: '24h' }),
      },
      {
        name: 'user_id',
        in: 'query',
        description: 'Id of a user, or `all` (default). Only for sessions of administrators.',
        schema: Type.String(),
      },
    ],
    responses: { '200': json('The figures.', Stats), ...refusals({ scope: 'read', query: true }) },
  },
];
