import { t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
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
      <Figure label={t`Scrapes`} value={formatCount(totals.scrapes)}>
        <ShareBar shares={shares} all={totals.scrapes} />
        <p className={classes.more}>
          <span>
            <Trans>
              <b>{formatShare(totals.outcomes.ok ?? 0, totals.scrapes)}</b> OK
            </Trans>
          </span>
          <Change of="scrapes" share={usage?.change.scrapes ?? null} window={stats.window} />
          {planned > 0 && (
            <span>
              <Trans>
                and <b>{formatCount(planned)}</b> dry <Plural value={planned} one="run" other="runs" />
              </Trans>
            </span>
          )}
        </p>
      </Figure>
      <Figure label={t`Latency`} value={formatDuration(latency.p50)} unit={t`median`}>
        <p className={classes.more}>
          <span>
            p95 <b>{formatDuration(latency.p95)}</b>
          </span>
          <span>
            p99 <b>{formatDuration(latency.p99)}</b>
          </span>
        </p>
      </Figure>
      {usage === undefined || usage.cost_unit === 'effort' ? (
        <Figure label={t`Content`} value={formatBytes(totals.bytes)}>
          <p className={classes.more}>
            <span>
              <Trans>
                <b>{totals.scrapes === 0 ? '–' : formatBytes(totals.bytes / totals.scrapes)}</b> a scrape
              </Trans>
            </span>
          </p>
        </Figure>
      ) : (
        <Figure label={t`Spend`} value={formatCost(usage.total.cost, usage.cost_unit)}>
          <p className={classes.more}>
            <Change of="spend" share={usage.change.cost} window={stats.window} />
            <span>
              <Trans>
                <b>{formatBytes(totals.bytes)}</b> content
              </Trans>
            </span>
            <TextLink to="/usage" search={{ window: stats.window as UsageWindow }} size="xs">
              {t`Show usage (${windowLabel(stats.window)})`}
            </TextLink>
          </p>
        </Figure>
      )}
    </div>
  );
}

const windowLabel = (window: string): string =>
  WINDOW_CHOICES.find(({ value }) => value === window)?.label ?? window;

interface ChangeProps {
  /** What has changed: the figure also shows others. */
  readonly of: 'scrapes' | 'spend';
  /** null: there is nothing to compare with. */
  readonly share: number | null;
  readonly window: string;
}

/** The change against the time before. */
function Change({ of, share, window }: ChangeProps) {
  const text = formatChange(share);
  if (text === null) return null;
  const length = windowLabel(window);
  return (
    <span>
      {of === 'scrapes' ? t`${text} scrapes vs. ${length} before` : t`${text} spend vs. ${length} before`}
    </span>
  );
}

interface InFlightFigureProps {
  readonly now: number;
  /** null: there are several users, each with their own limit. */
  readonly limit: number | null;
}

/** How much of the limit is in use now. */
function InFlightFigure({ now, limit }: InFlightFigureProps) {
  if (limit === null) {
    return (
      <Figure label={t`In flight`} value={formatCount(now)}>
        <p className={classes.more}>
          <Trans>all users together</Trans>
        </p>
      </Figure>
    );
  }
  return (
    <Figure label={t`In flight`} value={formatCount(now)} unit={t`of ${formatCount(limit)}`}>
      <LimitMeter label={t`In flight against the limit`} now={now} limit={limit} thick />
      <p className={classes.more}>
        {now >= limit ? t`At the limit: further requests are refused` : t`${formatCount(limit - now)} free`}
      </p>
    </Figure>
  );
}
