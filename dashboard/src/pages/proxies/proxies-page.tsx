import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { proxiesQuery } from '../../api/proxies.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { IconProxies } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageSkeleton } from '../../ui/page-skeleton.tsx';
import { Panel } from '../../ui/panel.tsx';
import { FileNotice } from './file-notice.tsx';
import { PoolPanel } from './pool-panel.tsx';

/** The proxy pools: what they are, how they do, what went through them. For administrators. */
export function ProxiesPage() {
  const { data, error, refetch } = useQuery(proxiesQuery);
  return (
    <>
      <PageHeader
        title="Proxies"
        description="Pools that scrapes go out through. Counts are since the service started."
      />
      {data === undefined ? (
        error === null ? (
          <PageSkeleton />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <Stack gap="md">
          <FileNotice file={data.file} />
          {data.pools.map((pool) => (
            <PoolPanel key={pool.name} pool={pool} unit={data.cost_unit} />
          ))}
          {data.pools.length === 0 && (
            <Panel>
              <EmptyState icon={IconProxies} title="No proxy pools yet">
                {data.allow_direct
                  ? 'Scrapes leave from the own address of this machine. '
                  : 'Scrapes may not leave from the own address of this machine, so only those with a proxy of their own work. '}
                Name a file with pools in <code className="mono">SLUICE_PROXIES</code> to send them through
                proxies.
              </EmptyState>
            </Panel>
          )}
        </Stack>
      )}
    </>
  );
}
