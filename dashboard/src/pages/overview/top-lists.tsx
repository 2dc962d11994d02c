import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { errorsTableQuery } from '../../api/scrapes.ts';
import { OTHER_HOSTS, type Stats } from '../../api/stats.ts';
import { formatCount, formatShare } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { type Icon, IconCircleCheck, IconGlobe } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { solidColor } from '../../ui/pill.tsx';
import { patternFill, ShareBar, Swatch } from './charts/outcome-marks.tsx';
import type { HistoryFilter } from './charts/step-details.tsx';
import classes from './top-lists.module.css';

/** The outcomes that are counted by host. All others are only known as a sum. */
const HOST_OUTCOMES = [
  { name: t`OK`, fill: patternFill('ok') },
  { name: t`Other`, fill: solidColor('slate') },
  { name: t`Blocked`, fill: patternFill('blocked') },
  { name: t`Failed`, fill: patternFill('failed') },
] as const;

interface TopHostsProps {
  readonly hosts: Stats['hosts'];
  readonly filter: HistoryFilter;
}

/** The hosts with the most scrapes, and their outcomes. Each links to its site page, and its number to its scrapes. */
export function TopHosts({ hosts, filter }: TopHostsProps) {
  const maxCount = Math.max(0, ...hosts.map(({ scrapes }) => scrapes));
  return (
    <Panel title={t`Top hosts`} actions={hosts.length > 0 && <HostLegend />}>
      {hosts.length === 0 ? (
        <EmptyList icon={IconGlobe}>
          <Trans>The most scraped hosts appear here.</Trans>
        </EmptyList>
      ) : (
        <ol className={classes.list}>
          {hosts.map((host) => (
            <li key={host.host} className={classes.row}>
              <HostBar host={host} maxCount={maxCount} filter={filter} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}

function HostLegend() {
  return (
    <ul className={classes.legend} aria-label={t`Marks`}>
      {HOST_OUTCOMES.map(({ name, fill }) => (
        <li key={name}>
          <Swatch fill={fill} size={10} /> {name}
        </li>
      ))}
    </ul>
  );
}

interface HostBarProps extends Pick<TopHostsProps, 'filter'> {
  readonly host: Stats['hosts'][number];
  /** Scrapes of the host that has the most: the whole length of the bar. */
  readonly maxCount: number;
}

function HostBar({ host: { host, scrapes, ok, failed, blocked }, maxCount, filter }: HostBarProps) {
  // In the order of HOST_OUTCOMES.
  const counts = [ok, scrapes - ok - failed - blocked, blocked, failed];
  const shares = HOST_OUTCOMES.map((outcome, index) => ({ ...outcome, count: counts[index] ?? 0 }));
  const count = (
    <>
      <small>
        <Trans>{formatShare(ok, scrapes)} OK</Trans>
      </small>{' '}
      <b>{formatCount(scrapes)}</b>
    </>
  );
  return (
    <>
      <span className={classes.line}>
        {host === OTHER_HOSTS ? (
          <>
            <span className={classes.name}>{t`All other hosts`}</span>
            <span className={classes.count}>{count}</span>
          </>
        ) : (
          <>
            <Link to="/sites" search={{ host }} className={classes.name} title={host}>
              {hostText(host)}
            </Link>
            <Link
              to="/history"
              search={{ ...filter, host }}
              className={classes.count}
              title={t`Scrapes of ${hostText(host)}`}
            >
              {count}
            </Link>
          </>
        )}
      </span>
      <ShareBar shares={shares} all={maxCount} />
    </>
  );
}

interface FrequentErrorsProps {
  readonly errors: Stats['errors'];
  /** Number of scrapes in the same time. */
  readonly scrapes: number;
  readonly filter: HistoryFilter;
}

/** The most frequent errors with explanations. Each links to its scrapes. */
export function FrequentErrors({ errors, scrapes, filter }: FrequentErrorsProps) {
  const errorsTable = useQuery({ ...errorsTableQuery, enabled: errors.length > 0 }).data;
  return (
    <Panel title={t`Errors`}>
      {errors.length === 0 ? (
        <EmptyList icon={IconCircleCheck}>
          {scrapes === 0 ? t`Errors and what they mean appear here.` : t`No errors in this time.`}
        </EmptyList>
      ) : (
        <ol className={classes.list}>
          {errors.map(({ code, count }) => {
            const description = errorsTable?.errors.find((entry) => entry.code === code);
            return (
              <li key={code}>
                <Link
                  to="/history"
                  search={{ ...filter, error_code: code }}
                  className={classes.row}
                  title={description?.help}
                >
                  <span className={classes.line}>
                    <code className={classes.code}>{code}</code>{' '}
                    <span className={classes.count}>
                      <small>{formatShare(count, scrapes)}</small> <b>{formatCount(count)}</b>
                    </span>
                  </span>
                  <span className={classes.meaning}>
                    {description?.title.replaceAll('`', '') ?? '\u00a0'}
                  </span>
                </Link>
              </li>
            );
          })}
        </ol>
      )}
    </Panel>
  );
}

/** Shown instead of an empty list. */
function EmptyList({ icon: ListIcon, children }: { readonly icon: Icon; readonly children: ReactNode }) {
  return (
    <p className={classes.nothing}>
      <ListIcon size={20} />
      <span>{children}</span>
    </p>
  );
}
