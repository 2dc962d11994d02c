import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Usage, UsageQuery, UsageStep } from '../../api/usage.ts';
import { formatCost, formatCount, formatShare, formatShortCount } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import chartClasses from '../overview/charts/charts.module.css';
import { type ActiveStep, Plot, type PlotLayout } from '../overview/charts/plot.tsx';
import { amountAxis, countAxis, stepTime } from '../overview/charts/scales.ts';
import { historyFilter } from './history-filter.ts';
import classes from './usage.module.css';
import { hasPrices } from './usage-texts.ts';

const usageRoute = getRouteApi('/signed-in/usage');

interface UsageChartProps {
  readonly usage: Usage;
  readonly query: UsageQuery;
}

/** In px. Lower than the charts of the overview, so that the table below is in view. */
const HEIGHT = 150;

/** Spend or volume over time. */
export function UsageChart({ usage, query }: UsageChartProps) {
  const [active, setActive] = useState<ActiveStep | null>(null);
  const navigate = usageRoute.useNavigate();
  const { show: chosen } = usageRoute.useSearch();
  const priced = hasPrices(usage);
  const show = priced ? (chosen ?? 'cost') : 'scrapes';
  const { series, step_seconds: stepSeconds, cost_unit: unit } = usage;
  const amountOf = (step: UsageStep): number => (show === 'cost' ? (step.cost ?? 0) : step.scrapes);
  const max = Math.max(0, ...series.map(amountOf));
  const timeOf = (step: UsageStep) => stepTime(step, stepSeconds, usage.to);
  const title = show === 'cost' ? t`Spend over time, in ${unit}` : t`Scrapes over time`;
  return (
    <Panel
      title={title}
      actions={
        priced && (
          <SegmentedControl
            size="xs"
            aria-label={t`Chart`}
            value={show}
            data={[
              { value: 'cost', label: t`Spend` },
              { value: 'scrapes', label: t`Scrapes` },
            ]}
            onChange={(value) =>
              void navigate({ search: (old) => ({ ...old, show: value as typeof show }), replace: true })
            }
          />
        )
      }
    >
      <Plot
        label={title}
        steps={series}
        stepSeconds={stepSeconds}
        height={HEIGHT}
        axis={show === 'cost' ? amountAxis(max) : countAxis(max)}
        tickText={show === 'cost' ? (value) => formatCost(value, '').trim() : formatShortCount}
        active={active}
        onActive={setActive}
        sentence={(step) =>
          step.scrapes === 0
            ? t`${timeOf(step)}: no scrapes`
            : t`${timeOf(step)}: ${formatCount(step.scrapes)} scrapes, ${formatShare(step.ok, step.scrapes)} OK, spend ${formatCost(step.cost, unit)}`
        }
        tooltip={(step) => <StepFigures step={step} time={timeOf(step)} unit={priced ? unit : null} />}
        onOpen={(step) => {
          const to = new Date(new Date(step.at).getTime() + stepSeconds * 1000).toISOString();
          if (step.scrapes > 0)
            void navigate({ to: '/history', search: { ...historyFilter(query), from: step.at, to } });
        }}
      >
        {(layout) => <Bars steps={series} layout={layout} amountOf={amountOf} />}
      </Plot>
      {usage.total.scrapes === 0 && (
        <p className={classes.nothing}>
          <Trans>No scrapes in this time.</Trans>
        </p>
      )}
    </Panel>
  );
}

interface BarsProps {
  readonly steps: readonly UsageStep[];
  readonly layout: PlotLayout;
  readonly amountOf: (step: UsageStep) => number;
}

/** Minimum height in px of a value that is not 0. */
const MIN_HEIGHT = 2;

function Bars({ steps, layout: { bottom, x, y }, amountOf }: BarsProps) {
  const stepWidth = x.bandwidth();
  const width = Math.min(Math.max(0.8, stepWidth - (stepWidth > 8 ? 2 : 0.6)), 28);
  return steps.map((step) => {
    const value = amountOf(step);
    if (value === 0) return null;
    const height = Math.max(MIN_HEIGHT, bottom - y(value));
    const left = x(step.at)! + (stepWidth - width) / 2;
    return (
      <rect
        key={step.at}
        className={classes.bar}
        x={left}
        y={bottom - height}
        width={width}
        height={height}
      />
    );
  });
}

interface StepFiguresProps {
  readonly step: UsageStep;
  readonly time: string;
  /** null: there are no prices. */
  readonly unit: string | null;
}

function StepFigures({ step, time, unit }: StepFiguresProps) {
  return (
    <>
      <div className={chartClasses.tooltipTime}>{time}</div>
      <div className={chartClasses.tooltipRow}>
        <Trans>
          Scrapes <b>{formatCount(step.scrapes)}</b>
        </Trans>
      </div>
      <div className={chartClasses.tooltipRow}>
        <Trans>
          OK <b>{formatShare(step.ok, step.scrapes)}</b>
        </Trans>
      </div>
      {unit !== null && (
        <div className={chartClasses.tooltipRow}>
          <Trans>
            Spend <b>{formatCost(step.cost, unit)}</b>
          </Trans>
        </div>
      )}
    </>
  );
}
