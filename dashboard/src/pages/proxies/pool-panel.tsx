import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Pool, PoolProxy } from '../../api/system.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { HealthPill } from './health-pill.tsx';
import classes from './proxies.module.css';
import { ProxyRow } from './proxy-row.tsx';

/** Of large pools the rest is shown when it is asked for. */
const SHOWN = 50;

interface PoolPanelProps {
  readonly pool: Pool;
  readonly unit: string;
}

export function PoolPanel({ pool, unit }: PoolPanelProps) {
  const [all, setAll] = useState(false);
  // What needs a look comes first; else the order of the file.
  const sorted = pool.proxies.toSorted((a, b) => need(b) - need(a));
  const shown = all ? sorted : sorted.slice(0, SHOWN);
  return (
    <Panel title={pool.name} description={describe(pool, unit)} actions={<PoolHealth of={pool} />} flush>
      <p className={classes.sums}>
        {formatCount(pool.attempts)} attempts · {formatBytes(pool.bytes_in)} in ·{' '}
        {formatBytes(pool.bytes_out)} out{pool.cost !== null && ` · ${pool.cost} ${unit}`}
      </p>
      <DataTable
        caption={`Proxies of ${pool.name}`}
        head={
          <>
            <th scope="col">Proxy</th>
            <th scope="col">State</th>
            <th scope="col" data-numeric data-wide>
              In flight
            </th>
            <th scope="col" data-numeric>
              Attempts
            </th>
            <th scope="col" data-numeric data-wide>
              Failed
            </th>
            <th scope="col" data-numeric data-wide>
              Blocked
            </th>
            <th scope="col" data-numeric data-wide>
              Traffic
            </th>
          </>
        }
      >
        {shown.map((proxy, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one server may stand there with several credentials
          <ProxyRow key={`${proxy.server} ${at}`} proxy={proxy} />
        ))}
      </DataTable>
      {shown.length < sorted.length && (
        <Button variant="subtle" m="xs" onClick={() => setAll(true)}>
          Show all {formatCount(sorted.length)}
        </Button>
      )}
    </Panel>
  );
}

const need = ({ health }: PoolProxy): number => (health === 'cooling' ? 2 : health === 'probing' ? 1 : 0);

function describe(pool: Pool, unit: string): string {
  const prices = [
    pool.price_per_gb === null || pool.price_per_gb === 0 ? null : `${pool.price_per_gb} ${unit} per GB`,
    pool.price_per_request === null || pool.price_per_request === 0
      ? null
      : `${pool.price_per_request} ${unit} per request`,
  ];
  return [
    pool.type,
    pool.kind === 'template' ? 'provider gateway' : null,
    pool.countries.length === 0 ? null : pool.countries.join(', '),
    ...prices,
    pool.concurrency_per_proxy === null ? null : `${pool.concurrency_per_proxy} parallel requests per proxy`,
  ]
    .filter((one) => one !== null)
    .join(' · ');
}

function PoolHealth({ of: { health } }: { readonly of: Pool }) {
  return (['healthy', 'probing', 'cooling'] as const).map(
    (state) =>
      health[state] > 0 && (
        <HealthPill key={state} state={state} text={`${formatCount(health[state])} ${state}`} />
      ),
  );
}
