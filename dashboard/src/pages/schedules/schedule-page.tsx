import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import {
  type ScheduledJob,
  type ScheduledJobRun,
  scheduleQuery,
  scheduleRunsQuery,
  useChangeSchedule,
  useDeleteSchedule,
  useSteerSchedule,
} from '../../api/schedules.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DataTable, DescriptionList } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { ConfirmDialog, FormDrawer, useDialog } from '../../ui/dialog.tsx';
import { IconClock, IconEdit, IconTrash } from '../../ui/icons.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice, ErrorState, NotFoundState, PageSkeleton } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SteerButton } from '../../ui/steer-button.tsx';
import { TextLink } from '../../ui/text.tsx';
import { NotifyFields, type NotifyValues, notifyOf, useChannelNames } from '../channels/notify-fields.tsx';
import { ExportState } from '../jobs/job-exports.tsx';
import { JobStatePill } from '../jobs/job-state.tsx';
import { ScheduleFields } from '../monitors/monitor-fields.tsx';
import { WATCHED_VALIDATION } from '../monitors/monitor-form.tsx';
import type { MonitorValues } from '../monitors/monitor-values.ts';
import { PausedNotice, RunSteering } from '../monitors/run-steering.tsx';
import { type ScheduleValues, scheduleChange, scheduleText, scheduleValues } from '../monitors/schedule.ts';
import { DatasetField, OverlapField } from './output-fields.tsx';
import { OVERLAP_OPTIONS } from './schedule-values.ts';
import { kindText, SchedulePill } from './schedules-page.tsx';

const scheduleRoute = getRouteApi('/signed-in/schedules/$id');

/** A schedule with its runs, and those that were missed. */
export function SchedulePage() {
  const { id } = scheduleRoute.useParams();
  const { data: schedule, error, refetch } = useQuery(scheduleQuery(id));
  if (error instanceof ApiError && error.status === 404)
    return <NotFoundState title={t`No such schedule`} list={{ to: '/schedules', label: t`All schedules` }} />;
  if (schedule === undefined)
    return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <PageHeader
        title={schedule.name}
        back={
          <TextLink to="/schedules">
            <Trans>Schedules</Trans>
          </TextLink>
        }
        description={
          <>
            <SchedulePill schedule={schedule} />{' '}
            {schedule.next_run_at === null ? (
              scheduleText(schedule.schedule)
            ) : (
              <Trans>
                {scheduleText(schedule.schedule)}, next run{' '}
                <DateTime at={schedule.next_run_at} as="relative" />
              </Trans>
            )}
          </>
        }
        actions={
          <ChangersOnly>
            <ScheduleSteering schedule={schedule} />
          </ChangersOnly>
        }
      />
      <Stack gap="md">
        <ErrorNotice error={error} title={t`This page is out of date`} />
        {schedule.state === 'paused' && <PausedNotice reason={schedule.pause_reason} />}
        <RunsPanel id={id} />
        <Details schedule={schedule} />
      </Stack>
    </>
  );
}

function ScheduleSteering({ schedule }: { readonly schedule: ScheduledJob }) {
  const { id, name, state } = schedule;
  const steer = useSteerSchedule(id);
  const removal = useDialog<string>();
  const editing = useDialog<ScheduledJob>();
  const navigate = useNavigate();
  return (
    <>
      <RunSteering
        steer={steer}
        isActive={state === 'active'}
        paused={t`The schedule is paused.`}
        resumed={t`The schedule runs again.`}
      />
      <SteerButton icon={IconEdit} label={t`Edit`} onClick={() => editing.open(schedule)} />
      <SteerButton icon={IconTrash} label={t`Delete`} onClick={() => removal.open(name)} />
      <FormDrawer dialog={editing} title={t`Edit the schedule`}>
        {(edited) => <EditForm schedule={edited} onClose={editing.close} />}
      </FormDrawer>
      <ConfirmDialog
        dialog={removal}
        title={t`Delete “${name}”?`}
        confirmLabel={t`Delete the schedule`}
        danger
        action={useDeleteSchedule(id)}
        input={undefined}
        done={t`The schedule is deleted.`}
        onDone={() => void navigate({ to: '/schedules' })}
      >
        <Trans>It starts nothing more. The jobs of its runs and their results stay.</Trans>
      </ConfirmDialog>
    </>
  );
}

interface EditValues extends ScheduleValues, NotifyValues {
  readonly name: string;
  readonly overlap: ScheduledJob['overlap'];
  readonly dataset: string;
}

function EditForm({ schedule, onClose }: { readonly schedule: ScheduledJob; readonly onClose: () => void }) {
  const { id, name, overlap, dataset, channels, notify_on } = schedule;
  const before = scheduleValues(schedule.schedule);
  const form = useForm<EditValues>({
    initialValues: {
      name,
      overlap,
      dataset: dataset ?? '',
      channels: [...channels],
      notify_on: [...notify_on],
      ...before,
    },
    validate: {
      name: (text) => (text.trim() === '' ? t`Enter a name.` : null),
      cron: WATCHED_VALIDATION.cron,
      minutes: WATCHED_VALIDATION.minutes,
    },
  });
  return (
    <ApiForm
      form={form}
      action={useChangeSchedule(id)}
      bodyOf={(values) => ({
        name: values.name.trim(),
        ...scheduleChange(before, values),
        overlap: values.overlap,
        dataset: values.dataset === '' ? null : values.dataset,
        ...notifyOf(values),
      })}
      onSuccess={() => {
        notifySuccess(t`The schedule is changed.`);
        onClose();
      }}
      members={[
        'name',
        'schedule.cron',
        'schedule.timezone',
        'schedule.every_s',
        'dataset',
        'channels',
        'notify_on',
      ]}
      fieldNames={{ 'schedule.cron': 'cron', 'schedule.timezone': 'timezone', 'schedule.every_s': 'minutes' }}
      submitLabel={t`Save`}
      onCancel={onClose}
      inDrawer
    >
      <TextInput label={t`Name`} maxLength={200} autoComplete="off" {...form.getInputProps('name')} />
      <ScheduleFields form={form as unknown as UseFormReturnType<MonitorValues>} />
      <OverlapField {...form.getInputProps('overlap')} />
      <DatasetField {...form.getInputProps('dataset')} />
      <NotifyFields source="schedule" inputProps={(field) => form.getInputProps(field)} />
    </ApiForm>
  );
}

function RunsPanel({ id }: { readonly id: string }) {
  const query = useInfiniteQuery(scheduleRunsQuery(id));
  return (
    <Panel title={t`Runs`} flush>
      <PagedList
        query={query}
        empty={
          <EmptyState icon={IconClock} title={t`No runs yet`}>
            <Trans>Wait for the first due time, or run it now.</Trans>
          </EmptyState>
        }
        more={t`Show older runs`}
      >
        {(runs) => <RunsTable runs={runs} />}
      </PagedList>
    </Panel>
  );
}

function RunsTable({ runs }: { readonly runs: readonly ScheduledJobRun[] | null }) {
  return (
    <DataTable
      caption={t`Runs, newest first`}
      columns={[
        { label: t`Due`, lead: true, minWidth: '9rem', cell: (run) => <RunTime run={run} /> },
        { label: t`State`, lead: true, cell: (run) => <RunState run={run} /> },
        {
          label: t({ message: 'Export', context: 'noun' }),
          wide: true,
          lead: true,
          cell: ({ export: sent }) => <ExportState sent={sent} />,
        },
        {
          label: t`Job`,
          lead: true,
          nowrap: true,
          cell: ({ job_id, job_state, export: sent }) => (
            <>
              {job_id !== null && job_state !== null ? (
                <TextLink to="/jobs/$id" params={{ id: job_id }} size="sm">
                  <Trans>Results</Trans>
                </TextLink>
              ) : (
                '–'
              )}
              {sent !== null && (
                // Apart from the link above, so that both can be touched.
                <div data-narrow style={{ marginTop: 10 }}>
                  <ExportState sent={sent} />
                </div>
              )}
            </>
          ),
        },
      ]}
      rows={runs}
      rowKey={({ n }) => n}
      skeletonRows={3}
    />
  );
}

function RunTime({ run: { due_at, last_due_at, missed } }: { readonly run: ScheduledJobRun }) {
  if (missed < 2) return <DateTime at={due_at} />;
  return (
    <>
      <Trans>
        <DateTime at={due_at} /> to <DateTime at={last_due_at} />
      </Trans>
      <small>{plural(missed, { one: '# due time', other: '# due times' })}</small>
    </>
  );
}

const MISSED_TEXTS: Readonly<Record<string, string>> = {
  down: t`The service was down.`,
  overlap: t`The run before had not ended.`,
  paused: t`The schedule was paused.`,
};

function RunState({
  run: { state, reason, message, job_state, ok, failed },
}: {
  readonly run: ScheduledJobRun;
}) {
  if (state === 'missed')
    return (
      <>
        <Pill tone="amber">{t`Missed`}</Pill>
        <small>{MISSED_TEXTS[reason ?? ''] ?? message ?? reason}</small>
      </>
    );
  if (state === 'waiting') return <Pill tone="slate">{t`Waits for the run before`}</Pill>;
  if (job_state !== null) return <JobStatePill job={{ state: job_state, counts: { ok, failed } }} />;
  return (
    <>
      <Pill tone="slate">{state === 'running' ? t`Starting` : t`Ended`}</Pill>
      {message !== null && <small>{message}</small>}
    </>
  );
}

const EVENT_TEXTS: Readonly<Record<ScheduledJob['notify_on'][number], string>> = {
  changed: t`A change`,
  failed: t`Failures`,
  done: t`Runs that have worked`,
  person_needed: t`A person is needed`,
};

function Details({ schedule }: { readonly schedule: ScheduledJob }) {
  const { overlap, dataset, created_at, job, notify_on: events, export: output } = schedule;
  const channels = useChannelNames(schedule.channels);
  return (
    <Panel title={t`Details`}>
      <Stack>
        <DescriptionList
          items={[
            [t`Kind`, kindText(schedule)],
            [
              t`If the run before has not ended`,
              OVERLAP_OPTIONS.find(({ value }) => value === overlap)!.label,
            ],
            [
              t`Dataset`,
              dataset === null ? (
                t`None`
              ) : (
                <TextLink key="dataset" to="/datasets/$id" params={{ id: dataset }} size="sm">
                  <Trans>Open the dataset</Trans>
                </TextLink>
              ),
            ],
            [
              t`Tells of`,
              events.length === 0 ? t`Nothing` : events.map((event) => EVENT_TEXTS[event]).join(', '),
            ],
            [t`Channels`, channels.length === 0 ? t`None: only here` : channels.join(', ')],
            [t`Created`, <DateTime key="created" at={created_at} />],
          ]}
        />
        <div>
          <h3>{t`Job`}</h3>
          <CodeBlock label={t`Job`} code={JSON.stringify(job, null, 2)} wrap />
        </div>
        {output !== null && (
          <div>
            <h3>{t({ message: 'Export', context: 'noun' })}</h3>
            <CodeBlock
              label={t({ message: 'Export', context: 'noun' })}
              code={JSON.stringify(output, null, 2)}
              wrap
            />
          </div>
        )}
      </Stack>
    </Panel>
  );
}
