import { Type } from 'typebox';
import { ErrorCodeName } from '../answer/answer-schema.ts';
import { OUTCOMES } from '../record/outcomes.ts';
import { closed, orNull } from '../schema/build.ts';

const Count = Type.Integer({ minimum: 0 });
const Ms = orNull(Type.Number({ minimum: 0 }), { description: 'null: there was no scrape.' });

export const OutcomeCounts = closed(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, Count])), {
  title: 'OutcomeCounts',
  description: 'Scrapes by outcome; every outcome is there.',
});

export const StatsStep = closed(
  {
    at: Type.String({ format: 'date-time', description: 'Where the step begins.' }),
    scrapes: Count,
    outcomes: OutcomeCounts,
    p50_ms: Ms,
    p95_ms: Ms,
  },
  { title: 'StatsStep' },
);

export const Stats = closed(
  {
    window: Type.Enum(['1h', '24h', '7d']),
    from: Type.String({ format: 'date-time', description: 'Where the first step begins.' }),
    to: Type.String({ format: 'date-time', description: 'Now: the last step is not over.' }),
    step_seconds: Type.Integer({ minimum: 1 }),
    in_flight: closed({
      now: Type.Integer({ minimum: 0, description: 'Requests that count against the limit.' }),
      limit: orNull(Type.Integer(), { description: 'Of the user; null: of all users there is none.' }),
    }),
    totals: closed({
      scrapes: Count,
      bytes: Type.Integer({ minimum: 0, description: 'Of the contents that were answered.' }),
      outcomes: OutcomeCounts,
    }),
    latency_ms: closed(
      { p50: Ms, p95: Ms, p99: Ms },
      { description: 'From the request body to the answer, within 5 %.' },
    ),
    series: Type.Array(StatsStep, {
      description: 'Every step, the oldest first, also those without a scrape.',
    }),
    hosts: Type.Array(
      closed({
        host: Type.String({ description: '`other`: of each step those beyond its first 100 hosts.' }),
        scrapes: Type.Integer({ minimum: 0, description: 'Without dry runs.' }),
        ok: Type.Integer({ minimum: 0, description: 'Outcome `ok`.' }),
        failed: Type.Integer({ minimum: 0, description: 'Outcome `failed`.' }),
        blocked: Type.Integer({ minimum: 0, description: 'Outcome `blocked`.' }),
      }),
      { maxItems: 10, description: 'The most frequent first.' },
    ),
    errors: Type.Array(closed({ code: ErrorCodeName, count: Count }), {
      maxItems: 20,
      description: 'First errors of scrapes, the most frequent first.',
    }),
  },
  { title: 'Stats' },
);
