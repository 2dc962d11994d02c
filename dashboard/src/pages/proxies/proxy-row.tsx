import { Text } from '@mantine/core';
import type { PoolProxy } from '../../api/system.ts';
import { formatBytes, formatCount, formatDuration } from '../../ui/format.ts';
import { HealthPill } from './health-pill.tsx';
import classes from './proxies.module.css';

const REASONS: Readonly<Record<string, string>> = {
  auth: 'credentials refused',
  refused: 'connection refused',
  dns: 'host name not resolved',
  timeout: 'no response in time',
  protocol: 'not a valid proxy response',
};

export function ProxyRow({ proxy }: { readonly proxy: PoolProxy }) {
  const { server, country, health, last_failure: last, retry_in_ms: retry } = proxy;
  return (
    <tr>
      <td className={classes.proxy}>
        <span className="mono">{server}</span>
        {country !== null && <span className={classes.country}>{country}</span>}
        {health !== 'healthy' && last !== null && (
          <Text size="xs" c="dimmed" mt={2}>
            {REASONS[last] ?? last}
            {retry !== null && `; next try in ${formatDuration(retry)}`}
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
