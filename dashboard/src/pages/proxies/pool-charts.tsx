import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { PoolHistory, ProxyHistory } from '../../api/proxies.ts';
import { formatShortCount } from '../../ui/format.ts';
import chartClasses from '../overview/charts/figures-chart.module.css';
import { FiguresChart, type Series } from '../overview/charts/figures-chart.tsx';
import { patternFill } from '../overview/charts/outcome-marks.tsx';
import type { ActiveStep } from '../overview/charts/plot.tsx';
import { countAxis } from '../overview/charts/scales.ts';

type Point = PoolHistory['points'][number];

/** A page that was blocked is also one that was returned. */
const OUTCOMES: readonly Series<Point>[] = [
  { label: t`OK`, fill: patternFill('ok'), value: ({ ok, blocked }) => Math.max(0, ok - blocked) },
  { label: t`Blocked`, fill: patternFill('blocked'), value: ({ blocked }) => blocked },
  { label: t`Proxy failed`, fill: patternFill('failed'), value: ({ failed }) => failed },
  {
    label: t`Site failed`,
    fill: patternFill('target_error'),
    value: ({ attempts, ok, failed }) => Math.max(0, attempts - ok - failed),
  },
];

const PROXIES: readonly Series<Point>[] = [
  { label: t`Healthy (minimum)`, value: ({ healthy }) => healthy },
  { label: t`All`, value: ({ proxies }) => proxies },
];

interface PoolChartsProps {
  readonly history: ProxyHistory;
  readonly pool: PoolHistory;
}

/** The attempts of a pool by outcome, and how many of its proxies were healthy. */
export function PoolCharts({ history, pool: { name, points } }: PoolChartsProps) {
  const [active, setActive] = useState<ActiveStep | null>(null);
  const common = {
    of: name,
    points,
    stepSeconds: history.step_seconds,
    to: history.to,
    axis: countAxis,
    format: formatShortCount,
    active,
    onActive: setActive,
  };
  return (
    <div className={chartClasses.figures}>
      <FiguresChart {...common} title={t`Attempts by outcome`} as="bars" series={OUTCOMES} />
      <FiguresChart {...common} title={t`Healthy proxies`} as="lines" series={PROXIES} />
    </div>
  );
}
