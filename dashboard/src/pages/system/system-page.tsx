import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { systemQuery } from '../../api/system.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { BrowsersPanel } from './browsers-panel.tsx';
import { ProcessPanel } from './process-panel.tsx';
import { SystemFigures } from './system-figures.tsx';
import { SystemNotices } from './system-notices.tsx';

/** How the service is doing at this moment. For administrators. */
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
