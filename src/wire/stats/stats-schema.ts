import { Type } from 'typebox';
import { ErrorCodeName } from '../answer/answer-schema.ts';
import { OUTCOMES } from '../record/outcomes.ts';
import { closed, orNull } from '../schema/build.ts';

const Count = Type.Integer({ minimum: 0 });
const Scrapes = Type.Integer({ minimum: 0, description: 'Without dry runs.' });
const Ms = orNull(Type.Number({ minimum: 0 }), { description: 'null if there was no scrape.' });

export const OutcomeCounts = closed(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, Count])), {
  title: 'OutcomeCounts',
  description: 'Number of scrapes by outcome. Every outcome is included.',
});

export const StatsStep = closed(
  {
    at: Type.String({ format: 'date-time', description: 'Start of the step.' }),
    scrapes: Scrapes,
    outcomes: OutcomeCounts,
    p50_ms: Ms,
    p95_ms: Ms,
  },
  { title: 'StatsStep' },
);

export const Stats = closed(
  {
    window: Type.Enum(['1h', '24h', '7d']),
    from: Type.String({ format: 'date-time', description: 'Start of the first step.' }),
    to: Type.String({
      format: 'date-time',
      description: 'The current time; the last step is still running.',
    }),
    step_seconds: Type.Integer({ minimum: 1 }),
    in_flight: closed({
      now: Type.Integer({ minimum: 0, description: 'Running requests that count towards the limit.' }),
      limit: orNull(Type.Integer(), {
        description: 'Limit of the user. null if the figures cover all users.',
      }),
    }),
    totals: closed({
      scrapes: Scrapes,
      bytes: Type.Integer({ minimum: 0, description: 'Total size of the contents returned.' }),
      outcomes: OutcomeCounts,
    }),
    latency_ms: closed(
      { p50: Ms, p95: Ms, p99: Ms },
      { description: 'Time from receiving the request to sending the response, accurate to 5 %.' },
    ),
    series: Type.Array(StatsStep, {
      description: 'All steps, oldest first, including those without scrapes.',
    }),
    hosts: Type.Array(
      closed({
        host: Type.String({ description: '`other` combines the hosts beyond the first 100 of each step.' }),
        scrapes: Type.Integer({ minimum: 0, description: 'Scrapes, not counting dry runs.' }),
        ok: Type.Integer({ minimum: 0, description: 'Scrapes with outcome `ok`.' }),
        failed: Type.Integer({ minimum: 0, description: 'Scrapes with outcome `failed`.' }),
        blocked: Type.Integer({ minimum: 0, description: 'Scrapes with outcome `blocked`.' }),
      }),
      { maxItems: 10, description: 'Most frequent first.' },
    ),
    errors: Type.Array(closed({ code: ErrorCodeName, count: Count }), {
      maxItems: 20,
      description: 'The first error of each failed scrape, most frequent first.',
    }),
  },
  { title: 'Stats' },
);
