import { Link } from '@tanstack/react-router';
import type { Stats } from '../../api/stats.ts';
import { formatCount, formatShare } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { IconGlobe } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { solidColor } from '../../ui/pill.tsx';
import classes from './bar-list.module.css';
import { fillOf, Swatch } from './charts/outcome-patterns.tsx';
import { ShareBar } from './charts/share-bar.tsx';
import type { HistoryFilter } from './history-filter.ts';
import { Nothing } from './nothing.tsx';

/** What the service calls the hosts that it does not count one by one. */
const REST = 'other';

/** What is known of a host's scrapes; the others only as a sum. */
const PARTS = [
  { name: 'OK', fill: fillOf('ok') },
  { name: 'Other', fill: solidColor('slate') },
  { name: 'Blocked', fill: fillOf('blocked') },
  { name: 'Failed', fill: fillOf('failed') },
] as const;

interface TopHostsProps {
  readonly hosts: Stats['hosts'];
  readonly filter: HistoryFilter;
}

/** Where most scrapes went, and how well; each leads to its scrapes. */
export function TopHosts({ hosts, filter }: TopHostsProps) {
  const most = Math.max(0, ...hosts.map(({ scrapes }) => scrapes));
  return (
    <Panel title="Top hosts" actions={hosts.length > 0 && <Key />}>
      {hosts.length === 0 ? (
        <Nothing icon={IconGlobe}>The most scraped hosts appear here.</Nothing>
      ) : (
        <ol className={classes.list}>
          {hosts.map((host) => (
            <li key={host.host}>
              {host.host === REST ? (
                <span className={classes.row}>
                  <Host host={host} most={most} />
                </span>
              ) : (
                <Link
                  to="/history"
                  search={{ ...filter, host: host.host }}
                  className={classes.row}
                  title={host.host}
                >
                  <Host host={host} most={most} />
                </Link>
              )}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function Key() {
  return (
    <ul className={classes.key} aria-label="Marks">
      {PARTS.map(({ name, fill }) => (
        <li key={name}>
          <Swatch fill={fill} size={10} /> {name}
        </li>
      ))}
    </ul>
  );
}

interface HostProps {
  readonly host: Stats['hosts'][number];
  /** Of the most frequent one. */
  readonly most: number;
}

function Host({ host: { host, scrapes, ok, failed, blocked }, most }: HostProps) {
  const counts = [ok, scrapes - ok - failed - blocked, blocked, failed];
  const shares = PARTS.map((part, n) => ({ ...part, count: counts[n] ?? 0 }));
  return (
    <>
      <span className={classes.words}>
        <span className={classes.name}>{host === REST ? 'All other hosts' : hostText(host)}</span>{' '}
        <span className={classes.count}>
          <small>{formatShare(ok, scrapes)} OK</small> <b>{formatCount(scrapes)}</b>
        </span>
      </span>
      <ShareBar shares={shares} all={most} />
    </>
  );
}
