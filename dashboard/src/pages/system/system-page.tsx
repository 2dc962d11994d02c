import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type System, systemQuery } from '../../api/system.ts';
import { DescriptionList } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import classes from '../../ui/figure.module.css';
import { Figure, LimitMeter } from '../../ui/figure.tsx';
import { formatBytes, formatCount, formatDuration } from '../../ui/format.ts';
import { IconAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { BrowsersPanel } from './browsers-panel.tsx';

/** The state of the service. For administrators. */
export function SystemPage() {
  const { data: system, error, refetch } = useQuery(systemQuery);
  return (
    <>
      <PageHeader title="System" description="The current state of this service." />
      {system !== undefined ? (
        <Stack gap="md">
          <ErrorNotice error={error} title="These figures are out of date" />
          <SystemNotices system={system} />
          <SystemFigures system={system} />
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
        <Notice tone="red" icon={IconAlert} title="Records cannot be stored; scrapes are refused">
          <p>{storage.trouble ?? 'The log of the service says why.'}</p>
        </Notice>
      )}
      {troubles.map(({ browser_type, lane, headless, trouble }) => (
        <Notice
          key={`${browser_type} ${lane} ${headless}`}
          tone="amber"
          icon={IconAlert}
          title={`${browser_type} does not run (${lane} lane)`}
        >
          <p>{trouble}</p>
        </Notice>
      ))}
      {browsers.sandbox === 'off' && (
        <Notice tone="amber" icon={IconAlert} title="Browsers run without their sandbox">
          <p>
            SLUICE_BROWSER_SANDBOX is off: a page that breaks a browser has the rights of its user on this
            machine.
          </p>
        </Notice>
      )}
    </>
  );
}

/** The limited resources: requests, memory for contents, storage, browsers. */
function SystemFigures({ system }: { readonly system: System }) {
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
        <p className={classes.more}>{queueText(slots.waiting)}</p>
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
        <p className={classes.more}>{queueText(memory.waiting)}</p>
      </Figure>
      <Figure
        label="Storage"
        value={formatBytes(storage.used_bytes)}
        unit={storage.limit_bytes === null ? 'in the database' : `of ${formatBytes(storage.limit_bytes)}`}
      >
        {storage.limit_bytes !== null && (
          <LimitMeter label="Storage in use" now={storage.used_bytes} limit={storage.limit_bytes} thick />
        )}
        <p className={classes.more}>{storageText(storage)}</p>
      </Figure>
    </div>
  );
}

const queueText = (count: number): string =>
  count === 0 ? 'No queue' : `${formatCount(count)} ${count === 1 ? 'scrape' : 'scrapes'} waiting`;

/** Version, memory and event loop delay of the process. */
function ProcessPanel({ system }: { readonly system: System }) {
  const { process, version, node, at, uptime_s } = system;
  const delay = process.event_loop_delay_ms;
  return (
    <Panel title="Process">
      <DescriptionList
        items={[
          ['Version', `Sluice ${version}, Node ${node.replace(/^v/, '')}`],
          [
            'Process',
            <span key="pid" className="tabular">
              {process.pid}
            </span>,
          ],
          ['Uptime', formatDuration(Math.round(uptime_s) * 1000)],
          ['Memory', `${formatBytes(process.rss_bytes)} of the machine`],
          [
            'Heap',
            `${formatBytes(process.heap_used_bytes)} of ${formatBytes(process.heap_total_bytes)}, and ${formatBytes(process.external_bytes)} outside of it`,
          ],
          [
            'Event loop',
            delay === null
              ? 'Measuring, check again shortly'
              : `late by ${formatDuration(delay.p50)} (median), ${formatDuration(delay.p99)} (p99), ${formatDuration(delay.max)} at most`,
          ],
          ['As of', <DateTime key="at" at={at} />],
        ]}
      />
    </Panel>
  );
}

function storageText({ ok, limit_bytes }: System['storage']): string {
  if (!ok) return limit_bytes === null ? 'The storage fails' : 'Storage is full';
  return limit_bytes === null
    ? 'Records are deleted after the retention'
    : 'Oldest records are deleted first';
}
