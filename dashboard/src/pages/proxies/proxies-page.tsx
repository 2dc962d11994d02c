import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Proxies, proxiesQuery } from '../../api/system.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { IconAlert, IconProxies } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { PoolPanel } from './pool-panel.tsx';
import classes from './proxies.module.css';

/** The proxy pools with their health and traffic. For administrators. */
export function ProxiesPage() {
  const { data, error, refetch } = useQuery(proxiesQuery);
  return (
    <>
      <PageHeader
        title={t`Proxies`}
        description={t`Proxy pools for scrapes. Counters start with the service.`}
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
              <EmptyState icon={IconProxies} title={t`No proxy pools yet`}>
                <Trans>
                  {data.allow_direct
                    ? t`Scrapes use this server's own IP address. `
                    : t`Scrapes must not use this server's own IP address, so only requests that bring their own proxy work. `}
                  Set <code className="mono">SLUICE_PROXIES</code> to a file of proxy pools to use proxies.
                </Trans>
              </EmptyState>
            </Panel>
          )}
        </Stack>
      )}
    </>
  );
}

/** Shown if the pools file was changed and is invalid, so that the old pools stay in use. */
function FileNotice({ file }: { readonly file: Proxies['file'] }) {
  if (file === null || file.problems.length === 0) return null;
  return (
    <Notice tone="amber" icon={IconAlert} title={t`The changed proxy file has errors`}>
      <p>
        <Trans>
          The version read on <DateTime at={file.loaded_at} /> stays in use. Fix these in{' '}
          <code className="mono">{file.path}</code>:
        </Trans>
      </p>
      <ul className={classes.problems}>
        {file.problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Notice>
  );
}
