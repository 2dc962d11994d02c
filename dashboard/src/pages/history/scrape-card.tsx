import { Link } from '@tanstack/react-router';
import { DateTime } from '../../ui/date-time.tsx';
import { formatBytes, formatDuration } from '../../ui/format.ts';
import { OutcomeBadge } from '../../ui/outcome.tsx';
import classes from './history.module.css';
import type { ScrapeItemProps } from './scrape-row.tsx';
import { TargetUrl } from './target-url.tsx';

/** The same as a line of the table, for phones. */
export function ScrapeCard({ item, fresh, among, person, keyName }: ScrapeItemProps) {
  const facts = [
    item.status_code === null ? null : `${item.status_code}`,
    item.scraper,
    formatDuration(item.duration_ms),
    item.content_bytes === null ? null : formatBytes(item.content_bytes),
    person,
    keyName,
  ].filter((fact) => fact !== null);
  return (
    <li>
      <Link
        to="/history/$id"
        params={{ id: item.id }}
        state={{ among }}
        preload={false}
        className={classes.card}
        data-fresh={fresh || undefined}
      >
        <span className={classes.cardHead}>
          <OutcomeBadge outcome={item.outcome} />
          <DateTime at={item.created_at} as="relative" />
        </span>
        <span className={classes.line}>
          <span className={classes.method}>{item.method ?? '–'}</span>
          <TargetUrl url={item.url} host={item.host} />
        </span>
        <span className={classes.cardFacts}>{facts.join(' · ')}</span>
      </Link>
    </li>
  );
}
