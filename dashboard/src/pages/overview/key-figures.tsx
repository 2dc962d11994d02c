import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Fragment } from 'react';
import type { Stats } from '../../api/stats.ts';
import type { Usage, UsageWindow } from '../../api/usage.ts';
import classes from '../../ui/figure.module.css';
import { Figure, LimitMeter } from '../../ui/figure.tsx';
import {
  formatBytes,
  formatChange,
  formatCost,
  formatCount,
  formatDuration,
  formatShare,
  unbroken,
} from '../../ui/format.ts';
import { TextLink } from '../../ui/text.tsx';
import { patternFill, SCRAPE_OUTCOMES, ShareBar } from './charts/outcome-marks.tsx';
import { WINDOW_CHOICES } from './stats-scope.ts';

interface KeyFiguresProps {
  readonly stats: Stats;
  /** Of the same time; undefined: loading. */
  readonly usage: Usage | undefined;
  /** For statistics of all users, which contain no limit: that of the signed-in user if there is no other user; else null. */
  readonly ownLimit: number | null;
}

/** The four most important figures. */
export function KeyFigures({ stats, usage, ownLimit }: KeyFiguresProps) {
  const { in_flight, totals, latency_ms: latency } = stats;
  const shares = SCRAPE_OUTCOMES.map((name) => ({
    name,
    count: totals.outcomes[name] ?? 0,
    fill: patternFill(name),
  }));
  const planned = totals.outcomes.planned ?? 0;
  return (
    <div className={classes.grid}>
      <InFlightFigure now={in_flight.now} limit={in_flight.limit ?? ownLimit} />
      <Figure
        label={t`Scrapes`}
        value={formatCount(totals.scrapes)}
        notes={[
          <Trans key="ok">
            <b>{formatShare(totals.outcomes.ok ?? 0, totals.scrapes)}</b> OK
          </Trans>,
          changeText('scrapes', usage?.change.scrapes ?? null, stats.window),
          planned > 0 && (
            <Trans key="planned">
              and <b>{formatCount(planned)}</b> dry <Plural value={planned} one="run" other="runs" />
            </Trans>
          ),
        ]}
      >
        <ShareBar shares={shares} all={totals.scrapes} />
      </Figure>
      <Figure
        label={t`Latency`}
        value={formatDuration(latency.p50)}
        unit={t`median`}
        notes={(['p95', 'p99'] as const).map((name) => (
          <Fragment key={name}>
            {name} <b>{formatDuration(latency[name])}</b>
          </Fragment>
        ))}
      />
      {usage === undefined || usage.cost_unit === 'effort' ? (
        <Figure
          label={t`Content`}
          value={formatBytes(totals.bytes)}
          notes={[
            <Trans key="each">
              <b>{totals.scrapes === 0 ? '–' : formatBytes(totals.bytes / totals.scrapes)}</b> a scrape
            </Trans>,
          ]}
        />
      ) : (
        <Figure
          label={t`Spend`}
          value={formatCost(usage.total.cost, usage.cost_unit)}
          notes={[
            changeText('spend', usage.change.cost, stats.window),
            <Trans key="content">
              <b>{formatBytes(totals.bytes)}</b> content
            </Trans>,
            <TextLink key="usage" to="/usage" search={{ window: stats.window as UsageWindow }} size="xs">
              {t`Show usage (${windowLabel(stats.window)})`}
            </TextLink>,
          ]}
        />
      )}
    </div>
  );
}

const windowLabel = (window: string): string =>
  WINDOW_CHOICES.find(({ value }) => value === window)?.label ?? window;

/** The change against the time before; null: there is nothing to compare with. The figure also shows others. */
function changeText(of: 'scrapes' | 'spend', share: number | null, window: string): string | null {
  const text = formatChange(share);
  if (text === null) return null;
  const length = unbroken(windowLabel(window));
  return of === 'scrapes' ? t`${text} scrapes vs. ${length} before` : t`${text} spend vs. ${length} before`;
}

interface InFlightFigureProps {
  readonly now: number;
  /** null: there are several users, each with their own limit. */
  readonly limit: number | null;
}

/** How much of the limit is in use now. */
function InFlightFigure({ now, limit }: InFlightFigureProps) {
  if (limit === null)
    return <Figure label={t`In flight`} value={formatCount(now)} notes={[t`all users together`]} />;
  return (
    <Figure
      label={t`In flight`}
      value={formatCount(now)}
      unit={t`of ${formatCount(limit)}`}
      notes={[
        now >= limit ? t`At the limit: further requests are refused` : t`${formatCount(limit - now)} free`,
      ]}
    >
      <LimitMeter label={t`In flight against the limit`} now={now} limit={limit} thick />
    </Figure>
  );
}
