import { useElementSize } from '@mantine/hooks';
import { type ScaleBand, scaleBand, scaleLinear } from 'd3-scale';
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react';
import classes from './charts.module.css';
import { axisTime, timeTicks, type ValueAxis } from './scales.ts';

/** Heights of the charts in px. Their placeholders have the same heights. */
export const OUTCOMES_HEIGHT = 232;
export const LATENCY_HEIGHT = 180;

/** Positions inside a drawing, in px. */
export interface PlotLayout {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Left edge and width of a step, by its beginning. */
  readonly x: ScaleBand<string>;
  readonly y: ValueAxis['scale'];
}

/** What a plot must know of a step. */
export interface PlotStep {
  readonly at: string;
  /** Steps without scrapes open nothing. */
  readonly scrapes?: number;
}

/** The active step, by its beginning. All charts mark it; the chart with the pointer or focus shows its figures. */
export interface ActiveStep {
  readonly at: string;
  /** Label of the chart with the pointer or focus. */
  readonly by: string;
}

interface PlotProps<Step extends PlotStep> {
  /** Description for screen readers. */
  readonly label: string;
  readonly steps: readonly Step[];
  readonly stepSeconds: number;
  readonly height: number;
  readonly axis: ValueAxis;
  readonly tickText: (value: number) => string;
  readonly active: ActiveStep | null;
  readonly onActive: (active: ActiveStep | null) => void;
  /** Describes a step in one sentence. */
  readonly sentence: (step: Step) => string;
  readonly tooltip: (step: Step) => ReactNode;
  /** Opens the scrapes of a step. Missing: the steps have none. */
  readonly onOpen?: (step: Step) => void;
  readonly children: (layout: PlotLayout) => ReactNode;
}

/** Margins around the drawing in px: for the labels of the values on the left, and those of the times below. */
const LEFT = 52;
const TOP = 8;
const BOTTOM = 24;
/** Steps that PageUp and PageDown move. */
const PAGE_STEPS = 12;

/**
 * Time steps side by side, as a slider: pointing at a step or moving to it with the arrow keys shows its figures; Enter or a
 * click opens its scrapes, if it has any.
 */
export function Plot<Step extends PlotStep>(props: PlotProps<Step>) {
  const { label, steps, stepSeconds, height, axis, tickText, active, onActive, sentence, onOpen } = props;
  const { ref, width } = useElementSize();
  const bottom = height - BOTTOM;
  const x = scaleBand(
    steps.map(({ at }) => at),
    [LEFT, Math.max(LEFT, width)],
  );
  const stepWidth = x.bandwidth();
  const layout: PlotLayout = {
    left: LEFT,
    right: width,
    top: TOP,
    bottom,
    x,
    y: axis.scale.copy().range([bottom, TOP]),
  };
  const last = steps.length - 1;
  const activeIndex = active === null ? -1 : steps.findIndex(({ at }) => at === active.at);
  const shown = activeIndex === -1 ? null : steps[activeIndex]!;
  const activate = (index: number) => {
    const step = steps[Math.max(0, Math.min(last, index))];
    if (step !== undefined) onActive({ at: step.at, by: label });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const from = activeIndex === -1 ? last : activeIndex;
    if (event.key === 'Escape') return onActive(null);
    if (event.key === 'Enter') return shown === null ? undefined : onOpen?.(shown);
    const to = keyTarget(event.key, from, last);
    if (to === null) return;
    event.preventDefault();
    activate(to);
  };
  const indexAt = (event: PointerEvent): number =>
    Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT) / stepWidth);
  const onPointer = (event: PointerEvent) => {
    const index = indexAt(event);
    if (index >= 0 && index <= last) activate(index);
    else onActive(null);
  };
  return (
    <div
      ref={ref}
      className={classes.plot}
      style={{ height }}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={Math.max(1, steps.length)}
      aria-valuenow={(activeIndex === -1 ? last : activeIndex) + 1}
      aria-valuetext={sentence(shown ?? steps[last]!)}
      data-opens={(onOpen !== undefined && (shown?.scrapes ?? 0) > 0) || undefined}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (active === null && event.currentTarget.matches(':focus-visible')) activate(last);
      }}
      onBlur={() => onActive(null)}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={(event) => {
        if (event.pointerType === 'mouse') onActive(null);
      }}
      onClick={(event) => {
        // A finger cannot hover: the first touch shows the figures.
        const byMouse = (event.nativeEvent as globalThis.PointerEvent).pointerType === 'mouse';
        if (byMouse && shown !== null) onOpen?.(shown);
      }}
    >
      {width > 0 && (
        <svg width={width} height={height} aria-hidden="true" focusable="false">
          <PlotAxes
            layout={layout}
            ticks={axis.ticks}
            tickText={tickText}
            steps={steps}
            stepSeconds={stepSeconds}
          />
          {shown !== null && (
            <rect
              className={classes.activeStep}
              x={x(shown.at)}
              y={TOP}
              width={Math.max(stepWidth, 1)}
              height={bottom - TOP}
            />
          )}
          {props.children(layout)}
        </svg>
      )}
      {shown !== null && active?.by === label && (
        <div
          className={classes.tooltip}
          data-side={x(shown.at)! > width / 2 ? 'left' : 'right'}
          style={{ left: x(shown.at)! + stepWidth / 2 }}
          aria-hidden="true"
        >
          {props.tooltip(shown)}
        </div>
      )}
    </div>
  );
}

/** The index to which a key moves, perhaps outside of the steps; null: the key does not move. */
function keyTarget(key: string, from: number, last: number): number | null {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return from - 1;
    case 'ArrowRight':
    case 'ArrowUp':
      return from + 1;
    case 'PageDown':
      return from - PAGE_STEPS;
    case 'PageUp':
      return from + PAGE_STEPS;
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

interface PlotAxesProps {
  readonly layout: PlotLayout;
  readonly ticks: readonly number[];
  readonly tickText: (value: number) => string;
  readonly steps: readonly PlotStep[];
  readonly stepSeconds: number;
}

/** Width that a time label on the axis needs, in px. */
const LABEL_WIDTH = 66;
/** Half the width of a letter in them, in px. */
const HALF_LETTER = 3.2;

function PlotAxes({ layout, ticks, tickText, steps, stepSeconds }: PlotAxesProps) {
  const { left, right, bottom, y } = layout;
  const from = new Date(steps[0]?.at ?? 0).getTime();
  const span = steps.length * stepSeconds * 1000;
  const timeScale = scaleLinear([from, from + span], [left, right]);
  const times = timeTicks(from, from + span, Math.max(2, Math.floor((right - left) / LABEL_WIDTH)));
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
        const x = timeScale(time.getTime());
        // Labels that would be cut off are left out.
        if (x < left + 12 || x > right - 16) return null;
        const label = axisTime(time, span);
        const labelX = Math.min(x, right - label.length * HALF_LETTER);
        return (
          <g key={time.getTime()}>
            <line x1={x} x2={x} y1={bottom} y2={bottom + 4} data-base />
            <text x={labelX} y={bottom + 18} textAnchor="middle">
              {label}
            </text>
          </g>
        );
      })}
    </g>
  );
}
