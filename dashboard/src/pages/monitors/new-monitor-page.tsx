import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { fieldErrors, formError } from '../../api/client.ts';
import { useCreateMonitor } from '../../api/monitors.ts';
import { useFieldErrors } from '../../ui/field-errors.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import { linesOf, requestMembers } from '../jobs/batch-input.ts';
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
} as const;
const MEMBERS = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** The form, and what creates the monitor. */
function useNewMonitor() {
  const create = useCreateMonitor();
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
  const errors = useFieldErrors(form);
  const submit = form.onSubmit((values) => {
    const first = values.kind === 'batch' ? linesOf(values.urls)[0]! : values.url;
    const monitor = {
      name: values.name.trim() || wholeUrl(first).slice(0, 200),
      ...watchedOf(values),
      schedule: scheduleOf(values),
      compare: compareOf(values),
    };
    create.mutate(monitor, {
      onSuccess: ({ id, name }) => {
        notifySuccess(t`“${name}” is created.`);
        void navigate({ to: '/monitors/$id', params: { id } });
      },
      onError: (error) => {
        const messages = Object.entries(fieldErrors(error, MEMBERS));
        errors.show(
          Object.fromEntries(messages.map(([name, text]) => [FIELDS[name as keyof typeof FIELDS], text])),
        );
      },
    });
  }, errors.focusFirst);
  return { form, errors, submit, create };
}

/** Creates a monitor of a page, a site or a list of pages. */
export function NewMonitorPage() {
  const { form, errors, submit, create } = useNewMonitor();
  return (
    <>
      <PageHeader
        title={t`New monitor`}
        back={
          <TextLink to="/monitors">
            <Trans>Monitors</Trans>
          </TextLink>
        }
        description={t`Fetches pages on a schedule, and reports what changed.`}
      />
      <form ref={errors.ref} onSubmit={submit} noValidate>
        <Stack gap="md">
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
          <ErrorNotice error={formError(create.error, MEMBERS)} />
          <Group gap="xs" justify="flex-end">
            <ButtonLink to="/monitors" variant="default">
              <Trans>Back</Trans>
            </ButtonLink>
            <Button type="submit" loading={create.isPending}>
              <Trans>Create the monitor</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
