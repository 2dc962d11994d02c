import type { StatsStep } from '../../../api/stats.ts';
import classes from './charts.module.css';
import type { Geometry } from './plot.tsx';
import { timeTicks } from './scale.ts';
import { axisTime } from './time-text.ts';

interface PlotAxesProps {
  readonly geometry: Geometry;
  readonly ticks: readonly number[];
  readonly tickText: (value: number) => string;
  readonly steps: readonly StatsStep[];
  readonly stepSeconds: number;
}

/** A time of the axis needs so much room, px. */
const LABEL_WIDTH = 66;

export function PlotAxes({ geometry, ticks, tickText, steps, stepSeconds }: PlotAxesProps) {
  const { left, right, bottom, y } = geometry;
  const from = new Date(steps[0]?.at ?? 0).getTime();
  const span = steps.length * stepSeconds * 1000;
  const width = right - left;
  const times = timeTicks(from, from + span, Math.max(2, Math.floor(width / LABEL_WIDTH)));
  return (
    <g className={classes.axes}>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} data-base={y(tick) === bottom || undefined} />
          <text x={left - 10} y={y(tick)} dy="0.35em" textAnchor="end">
            {tickText(tick)}
          </text>
        </g>
      ))}
      {times.map((time) => {
        const x = left + ((time - from) / span) * width;
        // What would be cut off is left out.
        if (x < left + 12 || x > right - 16) return null;
        return (
          <g key={time}>
            <line x1={x} x2={x} y1={bottom} y2={bottom + 4} data-base />
            <text x={x} y={bottom + 18} textAnchor="middle">
              {axisTime(time, span)}
            </text>
          </g>
        );
      })}
    </g>
  );
}
