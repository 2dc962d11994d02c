import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Monitor, monitorQuery, useChangeMonitor } from '../../api/monitors.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { NewPage } from '../jobs/new-page.tsx';
import { MONITOR_FIELDS, MonitorPanels, useMonitorForm } from './monitor-form.tsx';
import { changeOf, isSameTarget, valuesOf } from './monitor-values.ts';

const editRoute = getRouteApi('/signed-in/monitors/$id/edit');

/** Changes a monitor. */
export function EditMonitorPage() {
  const { id } = editRoute.useParams();
  const { data: monitor, error, refetch } = useQuery({ ...monitorQuery(id), refetchInterval: false });
  if (monitor !== undefined) return <EditForm key={monitor.id} monitor={monitor} />;
  return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
}

function EditForm({ monitor }: { readonly monitor: Monitor }) {
  const navigate = useNavigate();
  // As it was when the form was opened: the query may be read again.
  const [before] = useState(() => valuesOf(monitor));
  const form = useMonitorForm(before, (values) => !isSameTarget(before, values));
  const change = changeOf(before, form.values, monitor);
  const isNew = change.compare !== undefined || !isSameTarget(before, form.values);
  return (
    <NewPage
      title={t`Edit “${monitor.name}”`}
      description={t`What you do not change stays as it is.`}
      list={{ to: '/monitors', label: t`Monitors` }}
      form={form}
      action={useChangeMonitor(monitor.id)}
      bodyOf={(values) => changeOf(before, values, monitor)}
      members={Object.keys(MONITOR_FIELDS)}
      fieldNames={MONITOR_FIELDS}
      onSuccess={({ id, name }) => {
        notifySuccess(t`“${name}” is saved.`);
        void navigate({ to: '/monitors/$id', params: { id } });
      }}
      problems={
        isNew && (
          <Text size="sm" role="status">
            <Trans>The pages or what is compared have changed: the next run is the first again.</Trans>
          </Text>
        )
      }
      submitLabel={t`Save`}
    >
      <MonitorPanels form={form} webhookHeaders={Object.keys(monitor.webhook?.headers ?? {})} />
    </NewPage>
  );
}
