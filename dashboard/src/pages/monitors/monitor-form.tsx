import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { VERBATIM } from '../../ui/input-props.ts';
import { Panel } from '../../ui/panel.tsx';
import { NotifyFields } from '../channels/notify-fields.tsx';
import { extractProblem, linesOf, requestMembers } from '../jobs/batch-input.ts';
import { RequestSettings } from '../jobs/request-settings.tsx';
import { CompareFields, ScheduleFields } from './monitor-fields.tsx';
import { hasMask, type MonitorValues, wholeUrl } from './monitor-values.ts';
import { PreviewPanel } from './preview-panel.tsx';
import type { ScheduleValues } from './schedule.ts';
import { WatchedFields } from './watched-fields.tsx';

/** The members of the API with the field of the form that shows their errors. */
export const MONITOR_FIELDS = {
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
  keep: 'keep',
  channels: 'channels',
  notify_on: 'notify_on',
  'webhook.url': 'webhook',
};

/** Of the fields that say which pages are fetched, and when. */
export const WATCHED_VALIDATION = {
  url: (url: string, { kind }: MonitorValues) =>
    kind === 'batch' || URL.canParse(wholeUrl(url)) ? null : t`Enter a URL.`,
  urls: (urls: string, { kind }: MonitorValues) => {
    const lines = linesOf(urls);
    if (kind !== 'batch') return null;
    if (lines.length === 0) return t`Enter a URL in each line.`;
    const wrong = lines.find((line) => !URL.canParse(wholeUrl(line)));
    return wrong === undefined ? null : t`“${wrong.slice(0, 80)}” is no URL.`;
  },
  cron: (cron: string, { rhythm }: ScheduleValues) =>
    rhythm === 'cron' && cron.trim() === '' ? t`Enter a cron expression.` : null,
  minutes: (minutes: number | '', { rhythm }: ScheduleValues) =>
    rhythm === 'interval' && minutes === '' ? t`Enter a number.` : null,
};

/** @param initialValues of the form @param needsSecrets whether masked secrets would be sent */
export function useMonitorForm(
  initialValues: MonitorValues,
  needsSecrets: (values: MonitorValues) => boolean = () => true,
) {
  return useForm<MonitorValues>({
    initialValues,
    validate: {
      name: (name) => (initialValues.name !== '' && name.trim() === '' ? t`Enter a name.` : null),
      ...WATCHED_VALIDATION,
      extract: extractProblem,
      webhook: (url) => (url.trim() === '' || URL.canParse(url.trim()) ? null : t`Enter a URL.`),
      more: (more, values) => {
        if (requestMembers(values) === null) return t`Enter a JSON object.`;
        return hasMask(more) && needsSecrets(values)
          ? t`Secrets are shown as ***. Enter them again, or remove these members.`
          : null;
      },
    },
  });
}

interface MonitorPanelsProps {
  readonly form: UseFormReturnType<MonitorValues>;
  /** Names of the headers of the stored webhook. */
  readonly webhookHeaders?: readonly string[];
}

/** The fields of a monitor. */
export function MonitorPanels({ form, webhookHeaders = [] }: MonitorPanelsProps) {
  return (
    <>
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
      <PreviewPanel values={form.values} />
      <Panel title={t`Notifications`} description={t`Who is told of what.`}>
        <Stack>
          <NotifyFields source="monitor" inputProps={(field) => form.getInputProps(field)} />
          <TextInput
            label={t`Webhook`}
            type="url"
            placeholder="https://example.com/hooks/sluice"
            description={t`For a program of yours. Gets signed messages of changes and failures.`}
            {...VERBATIM}
            {...form.getInputProps('webhook')}
          />
          {webhookHeaders.length > 0 && (
            <Text size="sm" c="dimmed">
              <Trans>
                It has the headers {webhookHeaders.join(', ')}. A new URL removes them; the API can set them
                again.
              </Trans>
            </Text>
          )}
        </Stack>
      </Panel>
      <Panel title={t`History`}>
        <NumberInput
          label={t`Runs kept`}
          description={t`The newest runs, as many that found a change, and as many that failed.`}
          min={2}
          max={1_000}
          allowDecimal={false}
          maw={320}
          {...form.getInputProps('keep')}
        />
      </Panel>
    </>
  );
}
