import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon } from '@mantine/core';
import { line } from 'd3-shape';
import { useState } from 'react';
import { DataTable } from '../../../ui/data-table.tsx';
import { IconOverview, IconTable } from '../../../ui/icons.tsx';
import overviewClasses from '../overview.module.css';
import chartClasses from './charts.module.css';
import classes from './figures-chart.module.css';
import { type ActiveStep, Plot, type PlotLayout } from './plot.tsx';
import { stepTime, type ValueAxis } from './scales.ts';

const HEIGHT = 136;

interface Point {
  readonly at: string;
}

/** A figure of each step. */
export interface Series<P extends Point> {
  readonly label: string;
  /** null: not measured. */
  readonly value: (point: P) => number | null;
  /** `fill` of its bars, for charts with bars. */
  readonly fill?: string;
}

interface FiguresChartProps<P extends Point> {
  /** The heading. Must differ from those of other charts of the page: it also names the chart for screen readers. */
  readonly title: string;
  /** The charts of one subject share their active step, and are named after it: `own: attempts`. */
  readonly of?: string;
  readonly points: readonly P[];
  readonly stepSeconds: number;
  /** End of the last step, which is still running. */
  readonly to: string;
  /** `bars`: stacked, for counts. `lines`: for what is measured at a moment; at most three. */
  readonly as: 'bars' | 'lines';
  readonly series: readonly Series<P>[];
  readonly axis: (max: number) => ValueAxis;
  readonly format: (value: number) => string;
  /** Labels of the axis. Default: `format`. */
  readonly tickText?: (value: number) => string;
  /** A further sentence about a step, such as that something was paused. */
  readonly note?: (point: P) => string | null;
  readonly active: ActiveStep | null;
  readonly onActive: (active: ActiveStep | null) => void;
}

/** Figures over time, as bars or lines, or as a table. */
export function FiguresChart<P extends Point>(props: FiguresChartProps<P>) {
  const { title, of, points, stepSeconds, to, as, series, axis, format, note } = props;
  const [asTable, setAsTable] = useState(false);
  const label = of === undefined ? title : `${of}: ${title}`;
  const timeOf = (point: P) => stepTime(point, stepSeconds, to);
  const text = (value: number | null) => (value === null ? '–' : format(value));
  const ToggleIcon = asTable ? IconOverview : IconTable;
  const isEmpty = points.every((point) =>
    series.every(({ value }) => (as === 'bars' ? (value(point) ?? 0) === 0 : value(point) === null)),
  );
  return (
    <div className={classes.figure}>
      <div className={classes.figureHead}>
        <h3>{title}</h3>
        <ActionIcon
          size={26}
          onClick={() => setAsTable(!asTable)}
          aria-label={asTable ? t`${label}: show as a chart` : t`${label}: show as a table`}
          title={asTable ? t`Show as a chart` : t`Show as a table`}
        >
          <ToggleIcon size={16} />
        </ActionIcon>
      </div>
      {isEmpty ? (
        <p className="dimmed">
          <Trans>Nothing was measured in this time.</Trans>
        </p>
      ) : asTable ? (
        <FiguresTable {...props} label={label} timeOf={timeOf} text={text} />
      ) : (
        <>
          {series.length > 1 && <Legend series={series} as={as} />}
          <Plot
            label={label}
            steps={points}
            stepSeconds={stepSeconds}
            height={HEIGHT}
            axis={axis(highest(points, series, as))}
            tickText={props.tickText ?? format}
            active={props.active}
            onActive={props.onActive}
            sentence={(point) =>
              [
                `${timeOf(point)}: ${series.map(({ label: name, value }) => `${name} ${text(value(point))}`).join(', ')}`,
                note?.(point) ?? null,
              ]
                .filter((part) => part !== null)
                .join('. ')
            }
            tooltip={(point) => (
              <>
                <div className={chartClasses.tooltipTime}>{timeOf(point)}</div>
                {series.map((one, index) => (
                  <div key={one.label} className={chartClasses.tooltipRow}>
                    <SeriesMark as={as} index={index} fill={one.fill} />
                    {one.label} <b>{text(one.value(point))}</b>
                  </div>
                ))}
                {note?.(point) != null && <div className={chartClasses.tooltipRow}>{note(point)}</div>}
              </>
            )}
          >
            {(layout) =>
              as === 'bars' ? (
                <Bars points={points} series={series} layout={layout} />
              ) : (
                <Lines points={points} series={series} layout={layout} />
              )
            }
          </Plot>
        </>
      )}
    </div>
  );
}

function highest<P extends Point>(
  points: readonly P[],
  series: readonly Series<P>[],
  as: 'bars' | 'lines',
): number {
  const ofPoint = (point: P): number => {
    const values = series.map(({ value }) => value(point) ?? 0);
    return as === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  };
  return Math.max(0, ...points.map(ofPoint));
}

interface MarkProps {
  readonly as: 'bars' | 'lines';
  readonly index: number;
  readonly fill: string | undefined;
}

/** How a series looks in the chart. */
function SeriesMark({ as, index, fill }: MarkProps) {
  return as === 'bars' ? (
    <svg className={chartClasses.swatch} width="12" height="12" aria-hidden="true" focusable="false">
      <rect width="12" height="12" rx="3" fill={fill} className={fill === undefined ? classes.amount : ''} />
    </svg>
  ) : (
    <svg className={classes.lines} width="18" height="12" aria-hidden="true" focusable="false">
      <path data-series={index} d="M1 6H17" />
    </svg>
  );
}

function Legend<P extends Point>({
  series,
  as,
}: {
  readonly series: readonly Series<P>[];
  readonly as: 'bars' | 'lines';
}) {
  return (
    <ul className={chartClasses.legend}>
      {series.map(({ label, fill }, index) => (
        <li key={label}>
          <span className={chartClasses.legendItem}>
            <SeriesMark as={as} index={index} fill={fill} />
            {label}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface DrawingProps<P extends Point> {
  readonly points: readonly P[];
  readonly series: readonly Series<P>[];
  readonly layout: PlotLayout;
}

/** Minimum height in px of a value that is not 0. */
const MIN_HEIGHT = 2;

function Bars<P extends Point>({ points, series, layout: { bottom, x, y } }: DrawingProps<P>) {
  const stepWidth = x.bandwidth();
  const width = Math.min(Math.max(0.8, stepWidth - (stepWidth > 8 ? 2 : 0.6)), 28);
  return points.map((point) => {
    let top = bottom;
    return series.map(({ label, value, fill }) => {
      const amount = value(point) ?? 0;
      if (amount === 0) return null;
      const height = Math.max(MIN_HEIGHT, bottom - y(amount));
      top -= height;
      return (
        <rect
          key={`${point.at} ${label}`}
          className={fill === undefined ? classes.amount : undefined}
          fill={fill}
          x={x(point.at)! + (stepWidth - width) / 2}
          y={top}
          width={width}
          height={height}
        />
      );
    });
  });
}

/** Interrupted where nothing was measured. */
function Lines<P extends Point>({ points, series, layout: { x, y } }: DrawingProps<P>) {
  const middle = (point: P) => x(point.at)! + x.bandwidth() / 2;
  return (
    <g className={classes.lines}>
      {series.map(({ label, value }, index) => {
        const isMeasured = (point: P | undefined) => point !== undefined && value(point) !== null;
        const height = (point: P) => y(value(point) ?? 0);
        const curve = line<P>(middle, height).defined(isMeasured);
        return (
          <g key={label}>
            <path data-series={index} d={curve([...points]) ?? undefined} />
            {points
              // A step between two that were not measured does not make a line, so it needs a dot.
              .filter(
                (point, at) =>
                  isMeasured(point) && !isMeasured(points[at - 1]) && !isMeasured(points[at + 1]),
              )
              .map((point) => (
                <circle key={point.at} data-series={index} cx={middle(point)} cy={height(point)} r="2.500" />
              ))}
          </g>
        );
      })}
    </g>
  );
}

interface FiguresTableProps<P extends Point> extends FiguresChartProps<P> {
  readonly label: string;
  readonly timeOf: (point: P) => string;
  readonly text: (value: number | null) => string;
}

/** The steps with figures, the newest first. */
function FiguresTable<P extends Point>({ label, points, series, as, timeOf, text }: FiguresTableProps<P>) {
  const rows = points
    .filter((point) =>
      series.some(({ value }) => (as === 'bars' ? (value(point) ?? 0) > 0 : value(point) !== null)),
    )
    .toReversed();
  return (
    <div className={overviewClasses.table}>
      <DataTable
        caption={t`${label}, step by step`}
        columns={[
          { label: t`Time`, nowrap: true, cell: timeOf },
          ...series.map(({ label: name, value }) => ({
            label: name,
            numeric: true,
            cell: (point: P) => text(value(point)),
          })),
        ]}
        rows={rows}
        rowKey={({ at }) => at}
      />
    </div>
  );
}
