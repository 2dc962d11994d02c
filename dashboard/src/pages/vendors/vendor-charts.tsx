import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { VendorHistory } from '../../api/vendors.ts';
import { formatCost, formatShortCount } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import chartClasses from '../overview/charts/figures-chart.module.css';
import { FiguresChart, type Series } from '../overview/charts/figures-chart.tsx';
import { OutcomePatterns, patternFill } from '../overview/charts/outcome-marks.tsx';
import type { ActiveStep } from '../overview/charts/plot.tsx';
import { amountAxis, countAxis } from '../overview/charts/scales.ts';
import { windowText } from '../overview/stats-scope.ts';

const vendorsRoute = getRouteApi('/signed-in/vendors');

type Point = VendorHistory['vendors'][number]['points'][number];

const REQUESTS: readonly Series<Point>[] = [
  { label: t`OK`, fill: patternFill('ok'), value: ({ ok }) => ok },
  { label: t`Vendor failed`, fill: patternFill('failed'), value: ({ failed }) => failed },
  {
    label: t`Other`,
    fill: patternFill('target_error'),
    value: ({ requests, ok, failed }) => Math.max(0, requests - ok - failed),
  },
];
const COST: readonly Series<Point>[] = [{ label: t`Cost`, value: ({ cost }) => cost }];

const pausedText = ({ left_alone: isPaused }: Point): string | null =>
  isPaused === true ? t`Paused for a part of this time` : null;

/** Requests and cost of one vendor over time. */
export function VendorCharts({ history }: { readonly history: VendorHistory }) {
  const { vendor: chosen } = vendorsRoute.useSearch();
  const navigate = vendorsRoute.useNavigate();
  const [active, setActive] = useState<ActiveStep | null>(null);
  const { vendors, cost_unit: unit } = history;
  const busiest = vendors.toSorted((a, b) => b.totals.requests - a.totals.requests)[0];
  const vendor = vendors.find(({ name }) => name === chosen) ?? busiest;
  if (vendor === undefined) return null;
  const common = {
    points: vendor.points,
    stepSeconds: history.step_seconds,
    to: history.to,
    as: 'bars',
    note: pausedText,
    active,
    onActive: setActive,
  } as const;
  return (
    <Panel
      title={t`Over time`}
      description={t`All replicas together, in ${windowText(history.window)}.`}
      actions={
        vendors.length > 1 && (
          <Select
            aria-label={t`Vendor`}
            data={vendors.map(({ name }) => name)}
            value={vendor.name}
            allowDeselect={false}
            onChange={(name) =>
              void navigate({ search: (old) => ({ ...old, vendor: name ?? undefined }), replace: true })
            }
          />
        )
      }
    >
      <OutcomePatterns />
      <div className={chartClasses.figures}>
        <FiguresChart
          {...common}
          title={t`Requests to ${vendor.name}`}
          series={REQUESTS}
          axis={countAxis}
          format={formatShortCount}
        />
        <FiguresChart
          {...common}
          title={t`Cost of ${vendor.name}, in ${unit}`}
          series={COST}
          axis={amountAxis}
          format={(cost) => formatCost(cost, unit)}
          tickText={(cost) => formatCost(cost, '').trim()}
        />
      </div>
    </Panel>
  );
}
