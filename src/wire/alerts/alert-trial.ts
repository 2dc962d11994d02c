import { Type } from 'typebox';
import { closed, count, dateTime, orNull } from '../../domain/json-schema.ts';
import type { Written } from '../answer/json-members.ts';
import { formatDateTime, formatDateTimeOrNull } from '../date-time.ts';
import { ALERT_TIMES, AlertConditionsMembers } from './alert-rule.ts';

export const AlertTrialRequest = closed(
  { kind: Type.Literal('metric'), conditions: AlertConditionsMembers, ...ALERT_TIMES },
  { title: 'AlertTrialRequest', description: 'A rule without name and channels.' },
);

export const AlertTrial = closed(
  {
    from: dateTime('Time of the first value.'),
    to: dateTime('Now, the time of the last value.'),
    step_seconds: Type.Integer({
      description:
        'Time between two values: 300 (the last 12 hours) for windows shorter than an hour; 3,600 (the last 14 days) up to two days, and for `budget_left` of keys; else 86,400 (the last 189 days). As far as it was counted.',
    }),
    cost_unit: Type.String(),
    fired: count('How often it would have fired.'),
    items: Type.Array(
      closed({
        subject: Type.String(),
        label: Type.String({ description: 'What messages call it.' }),
        points: Type.Array(
          closed({
            at: Type.String({ format: 'date-time' }),
            value: orNull(Type.Number(), { description: 'null: too few scrapes.' }),
          }),
        ),
        firings: Type.Array(
          closed({
            since: dateTime('Since when the value was too high, or too low.'),
            at: dateTime('When it would have fired.'),
            resolved_at: orNull(dateTime('When it would have been resolved.'), {
              description: 'null: it would fire still.',
            }),
            value: Type.Number(),
          }),
        ),
      }),
      { description: 'At most 20, those for which it would have fired the most, first.' },
    ),
    left_out: count('Further subjects, with fewer scrapes, that were not tried.'),
  },
  { title: 'AlertTrial' },
);

/** `Trial` of src/alerts/try-rule.ts. */
interface Trial {
  readonly from: number;
  readonly to: number;
  readonly stepS: number;
  readonly subjects: readonly {
    readonly subject: string;
    readonly label: string;
    readonly points: readonly { readonly at: number; readonly value: number | null }[];
    readonly firings: readonly {
      readonly since: number;
      readonly at: number;
      readonly resolvedAt: number | null;
      readonly value: number;
    }[];
  }[];
  readonly leftOut: number;
}

export const alertTrialJson = (
  { from, to, stepS, subjects, leftOut }: Trial,
  costUnit: string,
): Written<typeof AlertTrial> => ({
  from: formatDateTime(from),
  to: formatDateTime(to),
  step_seconds: stepS,
  cost_unit: costUnit,
  fired: subjects.reduce((sum, { firings }) => sum + firings.length, 0),
  items: subjects.map(({ subject, label, points, firings }) => ({
    subject,
    label,
    points: points.map(({ at, value }) => ({ at: formatDateTime(at), value })),
    firings: firings.map(({ since, at, resolvedAt, value }) => ({
      since: formatDateTime(since),
      at: formatDateTime(at),
      resolved_at: formatDateTimeOrNull(resolvedAt),
      value,
    })),
  })),
  left_out: leftOut,
});
