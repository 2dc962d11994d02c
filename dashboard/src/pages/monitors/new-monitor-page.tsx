import { t } from '@lingui/core/macro';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { type NewMonitor, useCreateMonitor } from '../../api/monitors.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { linesOf, requestMembers } from '../jobs/batch-input.ts';
import { NewPage } from '../jobs/new-page.tsx';
import { NO_SETTINGS, RequestSettings } from '../jobs/request-settings.tsx';
import { CompareFields, ScheduleFields } from './monitor-fields.tsx';
import { compareOf, type MonitorValues, NEW_MONITOR, watchedOf, wholeUrl } from './monitor-values.ts';
import { ownTimeZone, scheduleOf } from './schedule.ts';
import { WatchedFields } from './watched-fields.tsx';

/** The members of the API with the field of the form that shows their errors. */
const FIELDS = {
  name: 'name',
  'request.url': 'url',
  'crawl.url': 'url',
  'crawl.limit': 'limit',
  'crawl.include': 'include',
  'crawl.exclude': 'exclude',
  'batch.requests': 'urls',
  'schedule.cron': 'cron',
  'schedule.timezone': 'timezone',
  'schedule.every_s': 'minutes',
  'compare.selector': 'selector',
  'compare.ignore': 'rules',
  'compare.format': 'format',
};

/** Creates a monitor of a page, a site or a list of pages. */
export function NewMonitorPage() {
  const navigate = useNavigate();
  const form = useForm<MonitorValues>({
    initialValues: { ...NEW_MONITOR, ...NO_SETTINGS, timezone: ownTimeZone() },
    validate: {
      url: (url, { kind }) => (kind === 'batch' || URL.canParse(wholeUrl(url)) ? null : t`Enter a URL.`),
      urls: (urls, { kind }) => {
        const lines = linesOf(urls);
        if (kind !== 'batch') return null;
        if (lines.length === 0) return t`Enter a URL in each line.`;
        const wrong = lines.find((line) => !URL.canParse(wholeUrl(line)));
        return wrong === undefined ? null : t`“${wrong.slice(0, 80)}” is no URL.`;
      },
      cron: (cron, { rhythm }) =>
        rhythm === 'cron' && cron.trim() === '' ? t`Enter a cron expression.` : null,
      minutes: (minutes, { rhythm }) => (rhythm === 'interval' && minutes === '' ? t`Enter a number.` : null),
      more: (_, values) => (requestMembers(values) === null ? t`Enter a JSON object.` : null),
    },
  });
  return (
    <NewPage
      title={t`New monitor`}
      description={t`Fetches pages on a schedule, and reports what changed.`}
      list={{ to: '/monitors', label: t`Monitors` }}
      form={form}
      action={useCreateMonitor()}
      bodyOf={monitorOf}
      members={Object.keys(FIELDS)}
      fieldNames={FIELDS}
      onSuccess={({ id, name }) => {
        notifySuccess(t`“${name}” is created.`);
        void navigate({ to: '/monitors/$id', params: { id } });
      }}
      submitLabel={t`Create the monitor`}
    >
      <Panel title={t`Pages`}>
        <WatchedFields form={form} />
      </Panel>
      <Panel title={t`Schedule`}>
        <ScheduleFields form={form} />
      </Panel>
      <Panel title={t`Compare`} description={t`What counts as a change.`}>
        <CompareFields form={form} />
      </Panel>
      <Panel title={t`Request`} description={t`How each page is fetched.`}>
        <RequestSettings form={form} withFormats={false} />
      </Panel>
    </NewPage>
  );
}

function monitorOf(values: MonitorValues): NewMonitor {
  const first = values.kind === 'batch' ? linesOf(values.urls)[0]! : values.url;
  return {
    name: values.name.trim() || wholeUrl(first).slice(0, 200),
    ...watchedOf(values),
    schedule: scheduleOf(values),
    compare: compareOf(values),
  };
}
