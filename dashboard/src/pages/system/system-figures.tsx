import type { System } from '../../api/system.ts';
import classes from '../../ui/figure.module.css';
import { Figure, LimitMeter } from '../../ui/figure.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';

/** What there is only so much of: requests, memory for contents, place for records, browsers. */
export function SystemFigures({ system }: { readonly system: System }) {
  const { permits, memory, storage, browsers } = system;
  const { slots } = browsers;
  return (
    <div className={classes.grid}>
      <Figure label="Requests in flight" value={formatCount(permits.in_flight)}>
        <p className={classes.more}>
          <span>
            All users, <b>{formatCount(permits.default_limit)}</b> each by default
          </span>
        </p>
      </Figure>
      <Figure label="Browser slots" value={formatCount(slots.used)} unit={`of ${formatCount(slots.total)}`}>
        <LimitMeter label="Browser slots in use" now={slots.used} limit={slots.total} thick />
        <p className={classes.more}>{waiting(slots.waiting)}</p>
      </Figure>
      <Figure
        label="Memory for contents"
        value={formatBytes(memory.in_use_bytes)}
        unit={`of ${formatBytes(memory.limit_bytes)}`}
      >
        <LimitMeter
          label="Memory for contents in use"
          now={memory.in_use_bytes}
          limit={memory.limit_bytes}
          thick
        />
        <p className={classes.more}>{waiting(memory.waiting)}</p>
      </Figure>
      <Figure
        label="Storage"
        value={formatBytes(storage.used_bytes)}
        unit={`of ${formatBytes(storage.limit_bytes)}`}
      >
        <LimitMeter label="Storage in use" now={storage.used_bytes} limit={storage.limit_bytes} thick />
        <p className={classes.more}>{storage.ok ? 'Oldest records are deleted first' : 'Storage is full'}</p>
      </Figure>
    </div>
  );
}

const waiting = (count: number): string =>
  count === 0 ? 'No queue' : `${formatCount(count)} ${count === 1 ? 'scrape' : 'scrapes'} waiting`;
