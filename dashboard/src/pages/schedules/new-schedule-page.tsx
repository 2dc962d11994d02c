import { t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useCreateSchedule } from '../../api/schedules.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { headersOf } from '../channels/channel-values.ts';
import { NotifyFields, SCHEDULE_NOTIFY } from '../channels/notify-fields.tsx';
import { extractProblem, linesOf, requestMembers } from '../jobs/batch-input.ts';
import { useCarriedRequest } from '../jobs/carried-request.ts';
import { NewPage } from '../jobs/new-page.tsx';
import { RequestSettings } from '../jobs/request-settings.tsx';
import { ScheduleFields } from '../monitors/monitor-fields.tsx';
import { WATCHED_VALIDATION } from '../monitors/monitor-form.tsx';
import { type MonitorValues, NEW_MONITOR, wholeUrl } from '../monitors/monitor-values.ts';
import { ownTimeZone } from '../monitors/schedule.ts';
import { WatchedFields } from '../monitors/watched-fields.tsx';
import { OutputFields, OverlapField } from './output-fields.tsx';
import { type NewScheduleValues, NO_OUTPUT, scheduleBodyOf } from './schedule-values.ts';

const newScheduleRoute = getRouteApi('/signed-in/schedules/new');

/** The members of the API with the field of the form that shows their errors. */
const FIELDS = {
  name: 'name',
  'job.url': 'url',
  'job.limit': 'limit',
  'job.include': 'include',
  'job.exclude': 'exclude',
  'job.requests': 'urls',
  'schedule.cron': 'cron',
  'schedule.timezone': 'timezone',
  'schedule.every_s': 'minutes',
  dataset: 'dataset',
  channels: 'channels',
  notify_on: 'notify_on',
  'export.target.url': 'targetUrl',
  'export.target.headers': 'targetHeaders',
  'export.target.endpoint': 'endpoint',
  'export.target.bucket': 'bucket',
  'export.target.key': 'key',
  'export.target.access_key_id': 'accessKeyId',
  'export.target.secret_access_key': 'secretAccessKey',
};

/** Makes a schedule of a page, a site or a list of pages. */
export function NewSchedulePage() {
  const navigate = useNavigate();
  const { dataset = '' } = newScheduleRoute.useSearch();
  const { url, settings } = useCarriedRequest();
  const form = useForm<NewScheduleValues>({
    initialValues: {
      ...NEW_MONITOR,
      ...settings,
      url,
      ...SCHEDULE_NOTIFY,
      ...NO_OUTPUT,
      dataset,
      // A link costs nothing until somebody opens it.
      target: 'link',
      time: '03:00',
      timezone: ownTimeZone(),
    },
    validate: {
      ...WATCHED_VALIDATION,
      targetHeaders: (headers) => (headersOf(headers) === null ? t`Write each as “Name: value”.` : null),
      extract: extractProblem,
      more: (_, values) => (requestMembers(values) === null ? t`Enter a JSON object.` : null),
    },
  });
  // The fields of pages and schedules are those of monitors, which have fewer values.
  const shared = form as unknown as UseFormReturnType<MonitorValues>;
  return (
    <NewPage
      title={t`New schedule`}
      description={t`Starts a job again and again, and keeps the results of each run.`}
      list={{ to: '/schedules', label: t`Schedules` }}
      form={form}
      action={useCreateSchedule()}
      bodyOf={(values) => {
        const first = values.kind === 'batch' ? (linesOf(values.urls)[0] ?? '') : values.url;
        return scheduleBodyOf(values, wholeUrl(first));
      }}
      members={Object.keys(FIELDS)}
      fieldNames={FIELDS}
      onSuccess={({ id, name }) => {
        notifySuccess(t`“${name}” is created.`);
        void navigate({ to: '/schedules/$id', params: { id } });
      }}
      submitLabel={t`Create the schedule`}
    >
      <Panel title={t`Pages`}>
        <WatchedFields form={shared} />
      </Panel>
      <Panel title={t`Schedule`}>
        <Stack>
          <ScheduleFields form={shared} />
          <OverlapField {...form.getInputProps('overlap')} />
        </Stack>
      </Panel>
      <Panel title={t`Results`} description={t`They are kept with the job of each run, too.`}>
        <OutputFields form={form} />
      </Panel>
      <Panel title={t`Request`} description={t`How each page is fetched.`}>
        <RequestSettings form={form} />
      </Panel>
      <Panel title={t`Notifications`} description={t`Who is told of what.`}>
        <NotifyFields source="schedule" inputProps={(field) => form.getInputProps(field)} />
      </Panel>
    </NewPage>
  );
}
