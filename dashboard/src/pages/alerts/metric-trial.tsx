import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Loader, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type AlertTrial, alertTrialQuery } from '../../api/alerts.ts';
import { formatLocal, formatNumber } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { FiguresChart, type Series } from '../overview/charts/figures-chart.tsx';
import type { ActiveStep } from '../overview/charts/plot.tsx';
import { amountAxis } from '../overview/charts/scales.ts';
import { bodyOf, isComplete, type Values } from './alert-values.ts';
import classes from './alerts.module.css';
import { inForm, METRICS, type Metric, valueText } from './metrics.ts';

type Item = AlertTrial['items'][number];

const TYPING_MS = 600;
/** Firings that are listed. */
const MAX_LISTED = 5;

/** When a rule about a metric would have fired in the past, with its values. */
export function MetricTrial({ values }: { readonly values: Values }) {
  const isValid = isComplete(values);
  const { conditions, for_s, clear_for_s } = bodyOf(values);
  const [body] = useDebouncedValue(JSON.stringify({ conditions, for_s, clear_for_s }), TYPING_MS);
  const { data, error, isFetching } = useQuery({
    ...alertTrialQuery(body),
    enabled: isValid,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <section className={classes.trial} aria-label={t`Tried against the past`} aria-busy={isFetching}>
      <h3>
        <Trans>In the past</Trans> {isFetching && <Loader size={12} />}
      </h3>
      {error !== null && isValid ? (
        <Text size="sm" c="dimmed">
          {error.message}
        </Text>
      ) : data === undefined ? (
        <Text size="sm" c="dimmed">
          <Trans>Fill in what is measured, to see when it would have fired.</Trans>
        </Text>
      ) : (
        <TrialView trial={data} values={values} />
      )}
    </section>
  );
}

function TrialView({ trial, values }: { readonly trial: AlertTrial; readonly values: Values }) {
  const { metric, threshold } = values.conditions;
  const [chosen, setChosen] = useState<string | null>(null);
  const [active, setActive] = useState<ActiveStep | null>(null);
  const { items, fired, left_out: leftOut, step_seconds: stepSeconds, cost_unit: unit } = trial;
  const since = formatLocal(trial.from);
  const item = items.find(({ subject }) => subject === chosen) ?? items[0];
  return (
    <>
      <Text size="sm" role="status">
        {fired === 0
          ? t`Since ${since}, it would not have fired.`
          : plural(fired, {
              one: `Since ${since}, it would have fired once.`,
              other: `Since ${since}, it would have fired # times.`,
            })}
      </Text>
      {leftOut > 0 && (
        <Text size="sm" c="dimmed">
          {plural(leftOut, {
            one: '# more, with fewer scrapes, was not tried.',
            other: '# more, with fewer scrapes, were not tried.',
          })}
        </Text>
      )}
      {items.length > 1 && (
        <Select
          aria-label={t`Shown in the chart`}
          size="xs"
          data={items.map((one) => ({ value: one.subject, label: itemText(one) }))}
          value={item?.subject ?? null}
          allowDeselect={false}
          onChange={setChosen}
        />
      )}
      {item !== undefined && (
        <>
          <FiguresChart
            title={METRICS[metric].label}
            points={pointsOf(item, metric, stepSeconds)}
            stepSeconds={stepSeconds}
            to={trial.to}
            as="lines"
            series={seriesOf(threshold)}
            axis={amountAxis}
            format={(value) =>
              metric === 'cost' || metric === 'cost_month'
                ? `${formatNumber(value)} ${unit}`
                : formatNumber(value)
            }
            tickText={formatNumber}
            active={active}
            onActive={setActive}
          />
          <Firings item={item} metric={metric} unit={unit} />
        </>
      )}
    </>
  );
}

const itemText = ({ label, firings }: Item): string =>
  firings.length === 0 ? hostText(label) : `${hostText(label)} (${firings.length})`;

interface Point {
  readonly at: string;
  readonly value: number | null;
}

/** With the starts of the steps, in the unit of the form. */
const pointsOf = ({ points }: Item, metric: Metric, stepSeconds: number): readonly Point[] => {
  const stepMs = stepSeconds * 1000;
  return points.map(({ at, value }) => ({
    at: new Date(Math.floor((Date.parse(at) - 1) / stepMs) * stepMs).toISOString(),
    value: value === null ? null : inForm(metric, value),
  }));
};

const seriesOf = (threshold: number | string): readonly Series<Point>[] => [
  { label: t({ message: 'Value', context: 'chart' }), value: ({ value }) => value },
  ...(typeof threshold === 'number' ? [{ label: t`Fires from here`, value: () => threshold }] : []),
];

function Firings({
  item: { firings },
  metric,
  unit,
}: {
  readonly item: Item;
  readonly metric: Metric;
  readonly unit: string;
}) {
  const latest = firings.toReversed().slice(0, MAX_LISTED);
  if (latest.length === 0) return null;
  return (
    <ul className={classes.firings}>
      {latest.map(({ at, resolved_at: end, value }) => (
        <li key={at}>
          {end === null
            ? t`${formatLocal(at)}, until now: ${valueText(metric, value, unit)}`
            : t`${formatLocal(at)} to ${formatLocal(end)}: ${valueText(metric, value, unit)}`}
        </li>
      ))}
      {firings.length > latest.length && <li>{t`… and ${firings.length - latest.length} before`}</li>}
    </ul>
  );
}
