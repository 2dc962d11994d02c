import { Type } from 'typebox';
import { Stats } from '../stats/stats-schema.ts';
import type { Operation } from './operation.ts';
import { json, refusals } from './responses.ts';

export const STATS_OPERATIONS: readonly Operation[] = [
  {
    method: 'get',
    path: '/api/v1/stats/',
    operationId: 'getStats',
    tag: 'Stats',
    summary: 'What was scraped lately, in figures',
    description:
      'From counters that every scrape adds to when it ends, told here within three seconds; deleting records does not change them. By key: of its own user.',
    scope: 'read',
    parameters: [
      {
        name: 'window',
        in: 'query',
        description: 'The last hour (steps of a minute), day (of 15 minutes) or week (of an hour).',
        schema: Type.Enum(['1h', '24h', '7d'], { default: '24h' }),
      },
      {
        name: 'user_id',
        in: 'query',
        description: "Whose, or `all` (the default there); only for administrators' sessions.",
        schema: Type.String(),
      },
    ],
    responses: { '200': json('The figures.', Stats), ...refusals({ scope: 'read', query: true }) },
  },
];
