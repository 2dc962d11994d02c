import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { PoolHistory, PoolSettings, ProxyHistory } from '../../api/proxies.ts';
import type { Pool, PoolProxy } from '../../api/system.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatBytes, formatCost, formatCount, formatDuration } from '../../ui/format.ts';
import { type Icon, IconAlert, IconCircleCheck, IconClock, IconRotate } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill, type Tone } from '../../ui/pill.tsx';
import { windowText } from '../overview/stats-scope.ts';
import { PoolCharts } from './pool-charts.tsx';
import classes from './proxies.module.css';

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
      {history !== undefined && (
        <div className={classes.part}>
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
      {pool !== undefined && <ProxyTable pool={pool} />}
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
  const sorted = pool.proxies.toSorted((a, b) => attentionRank(b) - attentionRank(a));
  const shown = all ? sorted : sorted.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <DataTable
        caption={t`Proxies of ${pool.name}`}
        head={
          <>
            <th scope="col">
              <Trans>Proxy</Trans>
            </th>
            <th scope="col">
              <Trans>State</Trans>
            </th>
            <th scope="col" data-numeric data-wide>
              <Trans>In flight</Trans>
            </th>
            <th scope="col" data-numeric>
              <Trans>Attempts</Trans>
            </th>
            <th scope="col" data-numeric data-wide>
              <Trans>Failed</Trans>
            </th>
            <th scope="col" data-numeric data-wide>
              <Trans>Blocked</Trans>
            </th>
            <th scope="col" data-numeric data-wide>
              <Trans>Traffic</Trans>
            </th>
          </>
        }
      >
        {shown.map((proxy, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a server may be listed with several credentials
          <ProxyRow key={`${proxy.server} ${index}`} proxy={proxy} />
        ))}
      </DataTable>
      {shown.length < sorted.length && (
        <Button variant="subtle" m="xs" onClick={() => setAll(true)}>
          <Trans>Show all {formatCount(sorted.length)}</Trans>
        </Button>
      )}
    </>
  );
}

const attentionRank = ({ health }: PoolProxy): number =>
  health === 'cooling' ? 2 : health === 'probing' ? 1 : 0;

function describePool(pool: Pool, unit: string): string {
  const prices = [
    pool.price_per_gb === null || pool.price_per_gb === 0 ? null : t`${pool.price_per_gb} ${unit} per GB`,
    pool.price_per_request === null || pool.price_per_request === 0
      ? null
      : t`${pool.price_per_request} ${unit} per request`,
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

function PoolHealth({ pool: { health } }: { readonly pool: Pool }) {
  return (['healthy', 'probing', 'cooling'] as const).map(
    (state) =>
      health[state] > 0 && (
        <HealthPill key={state} state={state} text={`${formatCount(health[state])} ${state}`} />
      ),
  );
}

const FAILURE_TEXTS: Readonly<Record<string, string>> = {
  auth: t`credentials refused`,
  refused: t`connection refused`,
  dns: t`host name not resolved`,
  timeout: t`no response in time`,
  protocol: t`not a valid proxy response`,
};

function ProxyRow({ proxy }: { readonly proxy: PoolProxy }) {
  const { server, country, health, last_failure: last, retry_in_ms: retry } = proxy;
  return (
    <tr>
      <td className={classes.proxy}>
        <span className="mono">{server}</span>
        {country !== null && <span className={classes.country}>{country}</span>}
        {health !== 'healthy' && last !== null && (
          <Text size="xs" c="dimmed" mt={2}>
            {FAILURE_TEXTS[last] ?? last}
            {retry !== null && t`; next try in ${formatDuration(retry)}`}
          </Text>
        )}
      </td>
      <td>
        <HealthPill state={health} text={health} />
      </td>
      <td data-numeric data-wide>
        {formatCount(proxy.in_flight)}
      </td>
      <td data-numeric>{formatCount(proxy.attempts)}</td>
      <td data-numeric data-wide>
        {formatCount(proxy.failed)}
      </td>
      <td data-numeric data-wide>
        {formatCount(proxy.blocked)}
      </td>
      <td data-numeric data-wide>
        {formatBytes(proxy.bytes_in + proxy.bytes_out)}
      </td>
    </tr>
  );
}

const HEALTH_STATES: Readonly<
  Record<PoolProxy['health'], { readonly tone: Tone; readonly icon: Icon; readonly title: string }>
> = {
  healthy: { tone: 'green', icon: IconCircleCheck, title: t`In use` },
  probing: {
    tone: 'blue',
    icon: IconRotate,
    title: t`Tested with one attempt at a time`,
  },
  cooling: { tone: 'amber', icon: IconClock, title: t`Failed recently; not used for a while` },
};

interface HealthPillProps {
  readonly state: PoolProxy['health'];
  readonly text: string;
}

function HealthPill({ state, text }: HealthPillProps) {
  const { tone, icon, title } = HEALTH_STATES[state];
  return (
    <Pill tone={tone} icon={icon} title={title}>
      {text}
    </Pill>
  );
}
