import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { fieldErrors, formError } from '../../api/client.ts';
import { useCreateMonitor } from '../../api/monitors.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import { requestMembers } from '../jobs/batch-input.ts';
import { NO_SETTINGS, RequestSettings } from '../jobs/request-settings.tsx';
import { CompareFields, ScheduleFields } from './monitor-fields.tsx';
import { compareOf, type MonitorValues, NEW_MONITOR } from './monitor-values.ts';
import { ownTimeZone, scheduleOf } from './schedule.ts';

/** The members of the API with the field of the form that shows their errors. */
const FIELDS = {
  name: 'name',
  'request.url': 'url',
  'schedule.cron': 'cron',
  'schedule.timezone': 'timezone',
  'schedule.every_s': 'minutes',
  'compare.selector': 'selector',
  'compare.ignore': 'rules',
  'compare.format': 'format',
} as const;
const MEMBERS = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** A URL without a scheme gets `https://`. */
const wholeUrl = (text: string): string =>
  /^https?:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`;

/** The form, and what creates the monitor. */
function useNewMonitor() {
  const create = useCreateMonitor();
  const navigate = useNavigate();
  const form = useForm<MonitorValues>({
    initialValues: { ...NEW_MONITOR, ...NO_SETTINGS, timezone: ownTimeZone() },
    validate: {
      url: (url) => (URL.canParse(wholeUrl(url)) ? null : 'Enter a URL.'),
      cron: (cron, { rhythm }) =>
        rhythm === 'cron' && cron.trim() === '' ? 'Enter a cron expression.' : null,
      minutes: (minutes, { rhythm }) => (rhythm === 'interval' && minutes === '' ? 'Enter a number.' : null),
      more: (_, values) => (requestMembers(values) === null ? 'Enter a JSON object.' : null),
    },
  });
  const submit = form.onSubmit((values) => {
    const url = wholeUrl(values.url);
    const monitor = {
      name: values.name.trim() || url.slice(0, 200),
      request: { url, ...requestMembers(values) },
      schedule: scheduleOf(values),
      compare: compareOf(values),
    };
    create.mutate(monitor, {
      onSuccess: ({ id, name }) => {
        notifySuccess(`“${name}” is created.`);
        void navigate({ to: '/monitors/$id', params: { id } });
      },
      onError: (error) => {
        const messages = Object.entries(fieldErrors(error, MEMBERS));
        form.setErrors(
          Object.fromEntries(messages.map(([name, text]) => [FIELDS[name as keyof typeof FIELDS], text])),
        );
      },
    });
  });
  return { form, submit, create };
}

/** Creates a monitor of one page. */
export function NewMonitorPage() {
  const { form, submit, create } = useNewMonitor();
  return (
    <>
      <PageHeader
        title="New monitor"
        back={<TextLink to="/monitors">Monitors</TextLink>}
        description="Fetches a page on a schedule, and tells what changed."
      />
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Panel title="Page">
            <Stack>
              <TextInput
                label="URL"
                placeholder="https://example.com/prices"
                type="url"
                autoComplete="off"
                spellCheck={false}
                {...form.getInputProps('url')}
              />
              <TextInput
                label="Name"
                placeholder="The URL"
                maxLength={200}
                autoComplete="off"
                {...form.getInputProps('name')}
              />
            </Stack>
          </Panel>
          <Panel title="Schedule">
            <ScheduleFields form={form} />
          </Panel>
          <Panel title="Compare" description="What counts as a change.">
            <CompareFields form={form} />
          </Panel>
          <Panel title="Request" description="How the page is fetched.">
            <RequestSettings form={form} withFormats={false} />
          </Panel>
          <ErrorNotice error={formError(create.error, MEMBERS)} />
          <Group gap="xs" justify="flex-end">
            <ButtonLink to="/monitors" variant="default">
              Back
            </ButtonLink>
            <Button type="submit" loading={create.isPending}>
              Create the monitor
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}
