import { t } from '@lingui/core/macro';
import { useNavigate } from '@tanstack/react-router';
import { useCreateMonitor } from '../../api/monitors.ts';
import { isObject } from '../../result/scrape.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { MONITOR_NOTIFY } from '../channels/notify-fields.tsx';
import { useCarriedRequest } from '../jobs/carried-request.ts';
import { NewPage } from '../jobs/new-page.tsx';
import { MONITOR_FIELDS, MonitorPanels, useMonitorForm } from './monitor-form.tsx';
import { monitorOf, NEW_MONITOR } from './monitor-values.ts';
import { ownTimeZone } from './schedule.ts';

/** Creates a monitor of a page, a site or a list of pages. */
export function NewMonitorPage() {
  const navigate = useNavigate();
  const { url, settings, options } = useCarriedRequest(false);
  const form = useMonitorForm({
    ...NEW_MONITOR,
    ...settings,
    url,
    // Data that is asked for is what is watched.
    ...(Object.keys(settings.extract).length > 0
      ? { format: 'extract' as const }
      : isObject(options.json)
        ? { format: 'json' as const }
        : {}),
    ...MONITOR_NOTIFY,
    timezone: ownTimeZone(),
  });
  return (
    <NewPage
      title={t`New monitor`}
      description={t`Fetches pages on a schedule, and reports what changed. The first run is at once.`}
      list={{ to: '/monitors', label: t`Monitors` }}
      form={form}
      action={useCreateMonitor()}
      bodyOf={monitorOf}
      members={Object.keys(MONITOR_FIELDS)}
      fieldNames={MONITOR_FIELDS}
      onSuccess={({ id, name }) => {
        notifySuccess(t`“${name}” is created.`);
        void navigate({ to: '/monitors/$id', params: { id } });
      }}
      submitLabel={t`Create the monitor`}
    >
      <MonitorPanels form={form} />
    </NewPage>
  );
}
