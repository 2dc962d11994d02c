import { Type } from 'typebox';
import {
  amountOrNull,
  closed,
  count,
  dateTime,
  dateTimeOrNull,
  textOrNull,
} from '../../domain/json-schema.ts';
import type { RecordTotals } from '../../domain/record.ts';
import { OUTCOMES, type Outcome } from '../../domain/scrape.ts';
import type { Written } from '../answer/json-members.ts';
import { formatDateTime } from '../date-time.ts';

const Count = Type.Integer({ minimum: 0 });

const RecordOutcomes = closed(Object.fromEntries(OUTCOMES.map((outcome) => [outcome, Count])), {
  title: 'RecordOutcomes',
  description: 'Number of records by outcome. Every outcome is included.',
});

export const ScrapeTotals = closed(
  {
    scrapes: count('Records that match, dry runs included.'),
    outcomes: RecordOutcomes,
    content_bytes: count('Total size of their contents.'),
    cost: amountOrNull(
      'Total of `request_cost`, in the unit that the prices had when each scrape ran. null if none has a cost.',
    ),
    unpriced: count('Records without a `request_cost`.'),
    cost_unit: Type.String({
      description: 'Currency set by the operator, or `effort` if no prices are configured.',
    }),
    step_seconds: Type.Integer({ minimum: 60, description: 'Length of a step.' }),
    steps: Type.Array(
      closed({
        at: dateTime('Start of the step.'),
        outcomes: RecordOutcomes,
      }),
      { description: 'Steps in which matching scrapes began, oldest first; at most 120.' },
    ),
    searched_to: dateTimeOrNull('Older records were not examined. null: all were.'),
    next_cursor: textOrNull('Continues with the older records. null if all were examined.'),
  },
  { title: 'ScrapeTotals' },
);

type Outcomes = Record<Outcome, number>;

/** In seconds. Each is a multiple of the one before, so that totals of several responses can be combined. */
const STEPS = [60, 300, 900, 3_600, 21_600, 86_400, 604_800];
const MAX_STEPS = 120;

/** @param page where the search ended; null: all records were examined */
export function totalsMembers(
  totals: readonly RecordTotals[],
  costUnit: string,
  page: { readonly searchedTo: number; readonly cursor: string } | null,
): Written<typeof ScrapeTotals> {
  const minutes = totals.map(({ minute }) => minute);
  const first = minutes.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const last = minutes.reduce((a, b) => Math.max(a, b), 0);
  const seconds =
    STEPS.find((step) => (last - first) / 1_000 / step < MAX_STEPS - 1) ?? STEPS[STEPS.length - 1]!;
  const steps = new Map<number, Outcomes>();
  const outcomes = noOutcomes();
  for (const { minute, outcome, count } of totals) {
    const at = minute - (minute % (seconds * 1_000));
    const step = steps.get(at) ?? noOutcomes();
    steps.set(at, step);
    step[outcome] += count;
    outcomes[outcome] += count;
  }
  const sum = (part: (one: RecordTotals) => number) => totals.reduce((all, one) => all + part(one), 0);
  const scrapes = sum(({ count }) => count);
  const priced = sum((one) => one.priced);
  return {
    scrapes,
    outcomes,
    content_bytes: sum(({ bytes }) => bytes),
    // Rounded, because sums of decimals have errors in the last digits.
    cost: priced === 0 ? null : Number(sum(({ cost }) => cost).toPrecision(12)),
    unpriced: scrapes - priced,
    cost_unit: costUnit,
    step_seconds: seconds,
    steps: [...steps]
      .sort(([a], [b]) => a - b)
      .map(([at, counts]) => ({ at: formatDateTime(at), outcomes: counts })),
    searched_to: page === null ? null : formatDateTime(page.searchedTo),
    next_cursor: page?.cursor ?? null,
  };
}

const noOutcomes = (): Outcomes =>
  Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as unknown as Outcomes;
