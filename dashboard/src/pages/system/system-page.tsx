import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type System, systemHistoryQuery, systemQuery } from '../../api/system.ts';
import { DescriptionList } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import classes from '../../ui/figure.module.css';
import { Figure, LimitMeter } from '../../ui/figure.tsx';
import { formatBytes, formatCount, formatDuration, formatShare } from '../../ui/format.ts';
import { IconAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { WindowControl } from '../overview/charts/window-control.tsx';
import { BrowsersPanel } from './browsers-panel.tsx';
import { HistoryPanel, type Point, SHORT_SHARE } from './history-panel.tsx';
import own from './system.module.css';

const systemRoute = getRouteApi('/signed-in/system');

/** The state of the service, now and over time. For administrators and viewers. */
export function SystemPage() {
  const { window = '24h' } = systemRoute.useSearch();
  const navigate = systemRoute.useNavigate();
  const { data: system, error, refetch } = useQuery(systemQuery);
  return (
    <>
      <PageHeader
        title={t`System`}
        description={t`The current state of this service, and of all replicas over time.`}
        actions={
          <WindowControl
            value={window}
            onChange={(next) => void navigate({ search: { window: next }, replace: true })}
          />
        }
      />
      {system !== undefined ? (
        <Stack gap="md">
          <ErrorNotice error={error} title={t`These figures are out of date`} />
          <SystemNotices system={system} />
          <MachineFigures machine={system.machine} />
          <SystemFigures system={system} />
          <HistoryPanel />
          <BrowsersPanel browsers={system.browsers} />
          <ProcessPanel system={system} />
        </Stack>
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <PageSkeleton />
      )}
    </>
  );
}

/** Problems that an operator must solve. Renders nothing if there are none. */
function SystemNotices({ system: { storage, browsers } }: { readonly system: System }) {
  const troubles = browsers.kinds.filter(({ trouble }) => trouble !== null);
  return (
    <>
      {!storage.ok && (
        <Notice tone="red" icon={IconAlert} title={t`Records cannot be stored; scrapes are refused`}>
          <p>{storage.trouble ?? t`The log of the service says why.`}</p>
        </Notice>
      )}
      {troubles.map(({ browser_type, lane, headless, trouble }) => (
        <Notice
          key={`${browser_type} ${lane} ${headless}`}
          tone="amber"
          icon={IconAlert}
          title={t`${browser_type} does not run (${lane} lane)`}
        >
          <p>{trouble}</p>
        </Notice>
      ))}
      {browsers.sandbox === 'off' && (
        <Notice tone="amber" icon={IconAlert} title={t`Browsers run without their sandbox`}>
          <p>
            <Trans>
              SLUICE_BROWSER_SANDBOX is off: a page that breaks a browser has the rights of its user on this
              machine.
            </Trans>
          </p>
        </Notice>
      )}
    </>
  );
}

/** Whether this machine is short of memory or disk space, and since when. */
function MachineFigures({ machine: { memory, disk } }: { readonly machine: System['machine'] }) {
  const day = useQuery(systemHistoryQuery('24h')).data?.points ?? [];
  return (
    <div className={own.machine}>
      <SpaceFigure
        label={t`Memory of this machine`}
        meter={t`Memory in use`}
        space={memory}
        shares={sharesOf(day, ({ machine_memory_share }) => machine_memory_share)}
      />
      <SpaceFigure
        label={t`Disk space`}
        meter={t`Disk space in use`}
        space={disk}
        shares={sharesOf(day, ({ disk_share }) => disk_share)}
      />
    </div>
  );
}

/** The highest share in use of each step; null: not measured. */
type Shares = readonly { readonly at: string; readonly share: number | null }[];

const sharesOf = (points: readonly Point[], shareOf: (point: Point) => number | null): Shares =>
  points.map((point) => ({ at: point.at, share: shareOf(point) }));

interface SpaceFigureProps {
  readonly label: string;
  readonly meter: string;
  readonly space: System['machine']['memory'];
  /** Of the last 24 hours. */
  readonly shares: Shares;
}

function SpaceFigure({ label, meter, space, shares }: SpaceFigureProps) {
  const { total_bytes: total, free_bytes: free, short, short_since: since } = space;
  return (
    <Figure
      label={label}
      value={formatShare(total - free, total)}
      unit={t({ message: 'in use', context: 'share' })}
    >
      <LimitMeter label={meter} now={total - free} limit={total} thick />
      <p className={classes.more}>
        <Trans>
          {formatBytes(free)} of {formatBytes(total)} free
        </Trans>
      </p>
      <p className={classes.more}>
        {!short ? (
          <>
            <Pill tone="green">{t`good`}</Pill>
            <PastShortness shares={shares} />
          </>
        ) : (
          <>
            <Pill tone="red">{t`short`}</Pill>
            {since === null ? (
              <Trans>Since this minute</Trans>
            ) : (
              <span>
                <Trans>
                  Since <DateTime at={since} />
                </Trans>
              </span>
            )}
          </>
        )}
      </p>
    </Figure>
  );
}

/** When it was last short, of what is not short now. */
function PastShortness({ shares }: { readonly shares: Shares }) {
  const first = shares.findIndex(({ share }) => share !== null);
  const lastShort = shares.findLast(({ share }) => share !== null && share >= SHORT_SHARE);
  return (
    <span>
      {first === -1 ? (
        <Trans>Short from 90 % in use</Trans>
      ) : lastShort !== undefined ? (
        <Trans>
          Last short (90 % in use): <DateTime at={lastShort.at} as="minute" />
        </Trans>
      ) : // The first step begins before the window.
      first <= 1 ? (
        <Trans>Not short (90 % in use) in the last 24 h</Trans>
      ) : (
        <Trans>
          Not short (90 % in use) since <DateTime at={shares[first]!.at} as="minute" />, the first measurement
        </Trans>
      )}
    </span>
  );
}

/** The limited resources: requests, memory for contents, storage, browsers. */
function SystemFigures({ system }: { readonly system: System }) {
  const { permits, memory, storage, browsers } = system;
  const { slots } = browsers;
  return (
    <div className={classes.grid}>
      <Figure
        label={t`Requests in flight`}
        value={formatCount(permits.in_flight)}
        notes={[
          <Trans key="users">
            All users, <b>{formatCount(permits.default_limit)}</b> each by default
          </Trans>,
        ]}
      />
      <Figure
        label={t`Browser slots`}
        value={formatCount(slots.used)}
        unit={t`of ${formatCount(slots.total)}`}
        notes={[queueText(slots.waiting)]}
      >
        <LimitMeter label={t`Browser slots in use`} now={slots.used} limit={slots.total} thick />
      </Figure>
      <Figure
        label={t`Memory for contents`}
        value={formatBytes(memory.in_use_bytes)}
        unit={t`of ${formatBytes(memory.limit_bytes)}`}
        notes={[queueText(memory.waiting)]}
      >
        <LimitMeter
          label={t`Memory for contents in use`}
          now={memory.in_use_bytes}
          limit={memory.limit_bytes}
          thick
        />
      </Figure>
      <Figure
        label={t`Storage`}
        value={formatBytes(storage.used_bytes)}
        unit={storage.limit_bytes === null ? t`in the database` : t`of ${formatBytes(storage.limit_bytes)}`}
        notes={[storageText(storage)]}
      >
        {storage.limit_bytes !== null && (
          <LimitMeter label={t`Storage in use`} now={storage.used_bytes} limit={storage.limit_bytes} thick />
        )}
      </Figure>
    </div>
  );
}

const queueText = (count: number): string =>
  count === 0 ? t`No queue` : plural(count, { one: '# scrape waiting', other: '# scrapes waiting' });

/** Version, memory and event loop delay of the process. */
function ProcessPanel({ system }: { readonly system: System }) {
  const { process, version, node, at, uptime_s } = system;
  const delay = process.event_loop_delay_ms;
  return (
    <Panel title={t`Process`}>
      <DescriptionList
        items={[
          [t`Version`, `Sluice ${version}, Node ${node.replace(/^v/, '')}`],
          [
            t`Process`,
            <span key="pid" className="tabular">
              {process.pid}
            </span>,
          ],
          [t`Uptime`, formatDuration(Math.round(uptime_s) * 1000)],
          [t`Memory`, formatBytes(process.rss_bytes)],
          [
            t`Heap`,
            t`${formatBytes(process.heap_used_bytes)} of ${formatBytes(process.heap_total_bytes)}, and ${formatBytes(process.external_bytes)} outside of it`,
          ],
          [
            t`Event loop`,
            delay === null
              ? t`Measuring, check again shortly`
              : t`late by ${formatDuration(delay.p50)} (median), ${formatDuration(delay.p99)} (p99), ${formatDuration(delay.max)} at most`,
          ],
          [t`As of`, <DateTime key="at" at={at} />],
        ]}
      />
    </Panel>
  );
}

function storageText({ ok, limit_bytes }: System['storage']): string {
  if (!ok) return limit_bytes === null ? t`The storage fails` : t`Storage is full`;
  return limit_bytes === null
    ? t`Records are deleted after the retention`
    : t`Oldest records are deleted first`;
}
