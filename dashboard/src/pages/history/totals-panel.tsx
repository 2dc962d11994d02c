import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Outcome, Schema } from '../../api/client.ts';
import { totalsQuery } from '../../api/scrapes.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { formatBytes, formatCost, formatCount, formatLocal, formatShare } from '../../ui/format.ts';
import { OUTCOMES } from '../../ui/outcome.tsx';
import { OutcomePatterns, patternFill, SCRAPE_OUTCOMES } from '../overview/charts/outcome-marks.tsx';
import { apiFilterOf, type HistorySearch } from './history-search.ts';
import classes from './totals-panel.module.css';

type Totals = Schema<'ScrapeTotals'>;
type Step = Totals['steps'][number];

interface TotalsPanelProps {
  readonly search: HistorySearch;
  /** Called with the time of a bar. */
  readonly onPick: (from: string, to: string) => void;
}

/** How often the totals are read again. */
const REFRESH_MS = 15_000;

/** Totals of the scrapes that the filters match, and their number over time. Renders nothing if there are none. */
export function TotalsPanel({ search, onPick }: TotalsPanelProps) {
  const { live, ...filters } = search;
  const key = JSON.stringify(filters);
  // The start of a time preset stays the same while older records are counted.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has all filters
  const filter = useMemo(() => apiFilterOf(filters, Date.now()), [key]);
  const [more, setMore] = useState(false);
  const isLive = live === undefined && !more;
  const query = useInfiniteQuery({
    ...totalsQuery(filter),
    refetchInterval: isLive ? REFRESH_MS : false,
    staleTime: isLive ? 0 : Number.POSITIVE_INFINITY,
  });
  const pages = query.data?.pages;
  const totals = useMemo(() => (pages === undefined ? null : combined(pages)), [pages]);
  if (totals === null || totals.scrapes === 0) return null;
  const { scrapes, outcomes, content_bytes, cost, unpriced, cost_unit, searched_to } = totals;
  return (
    <section className={classes.panel} aria-label={t`Totals`}>
      <OutcomePatterns />
      <dl className={classes.figures}>
        <Figure name={t`Scrapes`} value={formatCount(scrapes)} />
        <Figure name={t`OK`} value={formatShare(outcomes.ok ?? 0, scrapes - (outcomes.planned ?? 0))} />
        <Figure
          name={unpriced > 0 && cost !== null ? t`Cost, ${formatCount(unpriced)} without a price` : t`Cost`}
          value={formatCost(cost, cost_unit)}
        />
        <Figure name={t`Content`} value={formatBytes(content_bytes)} />
      </dl>
      <Histogram totals={totals} onPick={onPick} />
      {searched_to !== null && (
        <p className={classes.note}>
          <span>
            <Trans>
              Only scrapes since <DateTime at={searched_to} /> are counted.
            </Trans>
          </span>
          <Button
            variant="default"
            size="compact-xs"
            loading={query.isFetchingNextPage}
            onClick={() => {
              setMore(true);
              void query.fetchNextPage();
            }}
          >
            <Trans>Count older ones</Trans>
          </Button>
        </p>
      )}
    </section>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">{value}</dd>
    </div>
  );
}

type Counts = Readonly<Record<string, number>>;

/** Adds up the pages. Their steps are combined to the longest one. */
function combined(pages: readonly Totals[]): Totals {
  const last = pages.at(-1)!;
  const seconds = Math.max(...pages.map(({ step_seconds }) => step_seconds));
  const steps = new Map<number, Counts>();
  for (const { at, outcomes } of pages.flatMap((page) => page.steps)) {
    const start = Date.parse(at) - (Date.parse(at) % (seconds * 1_000));
    steps.set(start, added(steps.get(start) ?? {}, outcomes));
  }
  const costs = pages.flatMap(({ cost }) => cost ?? []);
  return {
    ...last,
    scrapes: pages.reduce((sum, page) => sum + page.scrapes, 0),
    outcomes: pages.map(({ outcomes }) => outcomes).reduce<Counts>(added, {}) as Totals['outcomes'],
    content_bytes: pages.reduce((sum, page) => sum + page.content_bytes, 0),
    cost: costs.length === 0 ? null : Number(costs.reduce((a, b) => a + b, 0).toPrecision(12)),
    unpriced: pages.reduce((sum, page) => sum + page.unpriced, 0),
    step_seconds: seconds,
    steps: [...steps]
      .sort(([a], [b]) => a - b)
      .map(([at, outcomes]) => ({ at: new Date(at).toISOString(), outcomes: outcomes as Step['outcomes'] })),
  };
}

const added = (a: Counts, b: Counts): Counts =>
  Object.fromEntries(Object.keys(b).map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));

/** Height of the histogram; widths are shares of the panel. */
const HEIGHT = 56;
/** Places for bars, so that a single one is not as wide as the panel. */
const MIN_BARS = 12;
/** From the bottom up. */
const STACK: readonly Outcome[] = [...SCRAPE_OUTCOMES, 'planned'];

interface HistogramProps {
  readonly totals: Totals;
  readonly onPick: TotalsPanelProps['onPick'];
}

/** Stacked bars by start time. A click on a bar shows its scrapes; the filters From and Before do the same by keyboard. */
function Histogram({ totals: { steps, step_seconds: seconds, scrapes }, onPick }: HistogramProps) {
  const length = seconds * 1_000;
  const first = Date.parse(steps[0]!.at);
  const count = Math.round((Date.parse(steps.at(-1)!.at) - first) / length) + 1;
  const sumOf = ({ outcomes }: Step) => STACK.reduce((sum, name) => sum + (outcomes[name] ?? 0), 0);
  const highest = Math.max(...steps.map(sumOf));
  const end = new Date(first + count * length).toISOString();
  const width = 100 / Math.max(count, MIN_BARS);
  // Few bars are at the right end.
  const start = first - Math.max(0, MIN_BARS - count) * length;
  return (
    <figure className={classes.histogram}>
      <svg
        width="100%"
        height={HEIGHT}
        role="img"
        aria-label={t`${formatCount(scrapes)} scrapes from ${formatLocal(steps[0]!.at)} to ${formatLocal(end)}, at most ${formatCount(highest)} in ${stepText(seconds)}`}
      >
        {steps.map((step) => {
          const x = Math.round((Date.parse(step.at) - start) / length) * width;
          const to = new Date(Date.parse(step.at) + length).toISOString();
          let top = HEIGHT;
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the filters do the same by keyboard
            <g key={step.at} className={classes.bar} onClick={() => onPick(step.at, to)}>
              <title>{barText(step)}</title>
              <rect x={`${x}%`} y={0} width={`${width}%`} height={HEIGHT} className={classes.target} />
              {STACK.map((name) => {
                const part = step.outcomes[name] ?? 0;
                if (part === 0) return null;
                const height = Math.max(2, (part / highest) * (HEIGHT - 2));
                top -= height;
                return (
                  <rect
                    key={name}
                    x={`${x + width * 0.1}%`}
                    y={Math.max(0, top)}
                    width={`${width * 0.8}%`}
                    height={height}
                    fill={name === 'planned' ? 'var(--sl-slate-solid)' : patternFill(name)}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <figcaption className={classes.axis}>
        <span>{formatLocal(new Date(start).toISOString())}</span>
        <span>
          <Trans>a bar is {stepText(seconds)}</Trans>
        </span>
        <span>{formatLocal(end)}</span>
      </figcaption>
    </figure>
  );
}

function barText(step: Step): string {
  const parts = STACK.filter((name) => (step.outcomes[name] ?? 0) > 0).map(
    (name) => `${OUTCOMES[name].label} ${formatCount(step.outcomes[name] ?? 0)}`,
  );
  return `${formatLocal(step.at)}: ${parts.join(', ')}`;
}

const STEP_TEXTS: Readonly<Record<number, string>> = {
  60: t`a minute`,
  300: t`5 minutes`,
  900: t`15 minutes`,
  3600: t`an hour`,
  21600: t`6 hours`,
  86400: t`a day`,
  604800: t`a week`,
};
const stepText = (seconds: number): string => STEP_TEXTS[seconds] ?? `${seconds} s`;
