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
      <Figure label="Scrapes" value={formatCount(totals.scrapes)}>
        <ShareBar shares={shares} all={totals.scrapes} />
        <p className={classes.more}>
          <span>
            <b>{formatShare(totals.outcomes.ok ?? 0, totals.scrapes)}</b> OK
          </span>
          <Change share={usage?.change.scrapes ?? null} window={stats.window} />
          {planned > 0 && (
            <span>
              and <b>{formatCount(planned)}</b> dry {planned === 1 ? 'run' : 'runs'}
            </span>
          )}
        </p>
      </Figure>
      <Figure label="Latency" value={formatDuration(latency.p50)} unit="median">
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
        <Figure label="Content" value={formatBytes(totals.bytes)}>
          <p className={classes.more}>
            <span>
              <b>{totals.scrapes === 0 ? '–' : formatBytes(totals.bytes / totals.scrapes)}</b> a scrape
            </span>
          </p>
        </Figure>
      ) : (
        <Figure label="Spend" value={formatCost(usage.total.cost, usage.cost_unit)}>
          <p className={classes.more}>
            <Change share={usage.change.cost} window={stats.window} />
            <span>
              <b>{formatBytes(totals.bytes)}</b> content
            </span>
            <TextLink to="/usage" search={{ window: stats.window as UsageWindow }} size="xs">
              Show usage
            </TextLink>
          </p>
        </Figure>
      )}
    </div>
  );
}

interface ChangeProps {
  /** null: there is nothing to compare with. */
  readonly share: number | null;
  readonly window: string;
}

/** The change against the time before. */
function Change({ share, window }: ChangeProps) {
  const text = formatChange(share);
  if (text === null) return null;
  const length = window.replace(/(\D)$/, ' $1');
  return <span title={`Compared with the ${length} before`}>{`${text} vs. ${length} before`}</span>;
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
      <Figure label="In flight" value={formatCount(now)}>
        <p className={classes.more}>all users together</p>
      </Figure>
    );
  }
  return (
    <Figure label="In flight" value={formatCount(now)} unit={`of ${formatCount(limit)}`}>
      <LimitMeter label="In flight against the limit" now={now} limit={limit} thick />
      <p className={classes.more}>
        {now >= limit ? 'At the limit: further requests are refused' : `${formatCount(limit - now)} free`}
      </p>
    </Figure>
  );
}
