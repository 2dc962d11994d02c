import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import type { PoolHistory, PoolSettings, ProxyHistory } from '../../api/proxies.ts';
import type { Pool, PoolProxy } from '../../api/system.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatBytes, formatCost, formatCount, formatNumber } from '../../ui/format.ts';
import { IconAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { windowText } from '../overview/stats-scope.ts';
import { PoolCharts } from './pool-charts.tsx';
import classes from './proxies.module.css';
import { attentionRank, FailureDetails, PoolHealth, ProxyPill } from './proxy-state.tsx';

/** A button shows the proxies beyond this number. */
const SHOWN_AT_FIRST = 50;

interface PoolPanelProps {
  /** As it was configured. */
  readonly settings: PoolSettings;
  /** Its state now. undefined: it is not used, see `settings.problems`, or is not loaded yet. */
  readonly pool: Pool | undefined;
  readonly history: ProxyHistory | undefined;
  /** Unit of costs and prices. */
  readonly unit: string;
  /** Whether the charts are shown before somebody asks for them. */
  readonly showsCharts: boolean;
  readonly actions: ReactNode;
}

export function PoolPanel({ settings, pool, history, unit, showsCharts, actions }: PoolPanelProps) {
  const [charts, setCharts] = useState(showsCharts);
  const { name, problems } = settings;
  const measured = history?.pools.find((one) => one.name === name);
  return (
    <Panel
      title={name}
      description={pool === undefined ? settings.type : describePool(pool, unit)}
      actions={
        <>
          {pool !== undefined && <PoolHealth pool={pool} />}
          {actions}
        </>
      }
      flush
    >
      {problems.length > 0 && (
        <div className={classes.part}>
          <Notice tone="amber" icon={IconAlert} title={t`This pool is not used`}>
            <ul className={classes.problems}>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          </Notice>
        </div>
      )}
      {pool !== undefined && <ProxyTable pool={pool} />}
      {history === undefined ? (
        <div
          className={classes.past}
          data-charts={charts || undefined}
          role="status"
          aria-label={t`Loading`}
        />
      ) : (
        <div className={classes.past} data-charts={(charts && measured !== undefined) || undefined}>
          <p className={classes.totals}>{totalsText(measured, history)}</p>
          {measured !== undefined &&
            (charts ? (
              <PoolCharts history={history} pool={measured} />
            ) : (
              <Button variant="default" size="xs" onClick={() => setCharts(true)}>
                <Trans>Show charts</Trans>
              </Button>
            ))}
        </div>
      )}
    </Panel>
  );
}

/** What the pool did in the window of the charts. */
function totalsText(measured: PoolHistory | undefined, { window, cost_unit: unit }: ProxyHistory): string {
  if (measured === undefined || measured.totals.attempts === 0)
    return t`No attempts in ${windowText(window)}`;
  const { attempts, failed, blocked, bytes, cost } = measured.totals;
  return [
    t`Attempts in ${windowText(window)}: ${formatCount(attempts)}`,
    t`proxy failed: ${formatCount(failed)}`,
    t`blocked: ${formatCount(blocked)}`,
    formatBytes(bytes),
    ...(cost === null ? [] : [formatCost(cost, unit)]),
  ].join(' · ');
}

/** The proxies as they are now. */
function ProxyTable({ pool }: { readonly pool: Pool }) {
  const [all, setAll] = useState(false);
  // Proxies that need attention come first; otherwise in the order of the pool.
  const sorted = pool.proxies.toSorted((a, b) => attentionRank(a) - attentionRank(b));
  const shown = all ? sorted : sorted.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <p className={classes.period}>
        <Trans>Attempts since this process of the service started:</Trans>
      </p>
      <DataTable
        caption={t`Proxies of ${pool.name}`}
        columns={[
          { label: t`Proxy`, className: classes.proxy, cell: (proxy) => <ProxyName proxy={proxy} /> },
          { label: t`State`, cell: (proxy) => <ProxyPill proxy={proxy} /> },
          {
            label: t`In flight`,
            wide: true,
            numeric: true,
            cell: ({ in_flight }) => formatCount(in_flight),
          },
          { label: t`Attempts`, wide: true, numeric: true, cell: ({ attempts }) => formatCount(attempts) },
          { label: t`Failed`, numeric: true, cell: ({ failed }) => formatCount(failed) },
          { label: t`Blocked`, wide: true, numeric: true, cell: ({ blocked }) => formatCount(blocked) },
          {
            label: t`Traffic`,
            wide: true,
            numeric: true,
            cell: ({ bytes_in, bytes_out }) => formatBytes(bytes_in + bytes_out),
          },
        ]}
        rows={shown}
        // A server may be listed with several credentials.
        rowKey={({ server }, index) => `${server} ${index}`}
      />
      {shown.length < sorted.length && (
        <Button variant="subtle" m="xs" onClick={() => setAll(true)}>
          <Trans>Show all {formatCount(sorted.length)}</Trans>
        </Button>
      )}
    </>
  );
}

function describePool(pool: Pool, unit: string): string {
  const prices = [
    pool.price_per_gb === null || pool.price_per_gb === 0
      ? null
      : t`${formatNumber(pool.price_per_gb)} ${unit} per GB`,
    pool.price_per_request === null || pool.price_per_request === 0
      ? null
      : t`${formatNumber(pool.price_per_request)} ${unit} per request`,
  ];
  return [
    pool.type,
    pool.kind === 'template' ? t`rotating endpoint of a provider` : null,
    pool.countries.length === 0 ? null : pool.countries.join(', '),
    ...prices,
    pool.concurrency_per_proxy === null ? null : t`${pool.concurrency_per_proxy} parallel requests per proxy`,
  ]
    .filter((text) => text !== null)
    .join(' · ');
}

function ProxyName({ proxy }: { readonly proxy: PoolProxy }) {
  return (
    <>
      <ServerName server={proxy.server} />
      {proxy.country !== null && <span className={classes.country}>{proxy.country}</span>}
      <FailureDetails proxy={proxy} />
    </>
  );
}

/** A long name breaks after the scheme, before the port, or after a dot, but not within an address or number. */
function ServerName({ server }: { readonly server: string }) {
  const parts = server.split(/[a-z]\.[a-z]/i.test(server) ? /(?<=\/\/|\.)|(?=:\d+$)/ : /(?<=\/\/)|(?=:\d+$)/);
  return (
    <span className="mono">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one name, in order
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
