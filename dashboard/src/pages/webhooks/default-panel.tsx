import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { fieldErrors, formError } from '../../api/client.ts';
import {
  defaultWebhookQuery,
  useSetDefaultWebhook,
  useTestWebhook,
  type Webhook,
} from '../../api/webhooks.ts';
import { useFieldErrors } from '../../ui/field-errors.ts';
import { VERBATIM } from '../../ui/input-props.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorNotice, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';

/** The default webhook, which gets the events of all jobs that have no webhook of their own. */
export function DefaultPanel() {
  const { data, error, refetch } = useQuery(defaultWebhookQuery);
  return (
    <Panel
      title={t`Default webhook`}
      description={t`Gets the events of your profiles, and of your new jobs and monitors that have no webhook of their own.`}
    >
      {data !== undefined ? (
        <DefaultForm key={JSON.stringify(data.webhook)} webhook={data.webhook} />
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={120} role="status" aria-label={t`Loading`} />
      )}
    </Panel>
  );
}

type Event = NonNullable<Webhook['events']>[number];

const EVENTS: readonly (readonly [event: Event, label: string])[] = [
  ['started', t`Job started`],
  ['page', t`Each page`],
  ['item_failed', t`Each failed item`],
  ['done', t`Job done`],
  ['changed', t`Monitor: changed`],
  ['failed', t`Job failed`],
  ['cancelled', t`Job cancelled`],
  ['logged_out', t`Profile logged out`],
];
const DEFAULT_EVENTS: readonly Event[] = ['done', 'failed', 'changed', 'logged_out'];
const FIELDS = ['url', 'events'];

function DefaultForm({ webhook }: { readonly webhook: Webhook | null }) {
  const save = useSetDefaultWebhook();
  const test = useTestWebhook();
  const form = useForm({
    initialValues: { url: webhook?.url ?? '', events: [...(webhook?.events ?? DEFAULT_EVENTS)] },
    validate: { url: (url) => (URL.canParse(url.trim()) ? null : t`Enter a URL.`) },
  });
  const hasHeaders = Object.keys(webhook?.headers ?? {}).length > 0;
  const errors = useFieldErrors(form);
  const onError = (error: unknown) => errors.show(fieldErrors(error, FIELDS));
  const submit = form.onSubmit(({ url, events }) => {
    // The values of headers are masked, so they cannot be sent back.
    const { headers: _, ...members } = webhook ?? {};
    save.mutate(
      { ...members, url: url.trim(), events },
      { onSuccess: () => notifySuccess(t`The default webhook is saved.`), onError },
    );
  }, errors.focusFirst);
  const sendTest = () => {
    if (form.validate().hasErrors) {
      errors.focusFirst();
      return;
    }
    const url = form.values.url.trim();
    // Without a change, the stored webhook is tested, with its headers.
    test.mutate(url === webhook?.url ? {} : { url }, {
      onSuccess: () => notifySuccess(t`The test is sent. The list of deliveries shows how it ended.`),
      onError,
    });
  };
  return (
    <form ref={errors.ref} onSubmit={submit} noValidate>
      <Stack>
        <ErrorNotice error={formError(save.error ?? test.error, FIELDS)} />
        <TextInput
          label={t`URL`}
          type="url"
          placeholder="https://example.com/hooks/sluice"
          description={t`http or https. Redirects are not followed.`}
          {...VERBATIM}
          {...form.getInputProps('url')}
        />
        <Checkbox.Group label={t`Events`} {...form.getInputProps('events')}>
          <Group gap="lg" mt={6}>
            {EVENTS.map(([event, label]) => (
              <Checkbox key={event} value={event} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
        {hasHeaders && (
          <Text size="sm" c="dimmed">
            <Trans>It has headers. Saving here removes them; the API can set them again.</Trans>
          </Text>
        )}
        <Group gap="xs">
          <Button type="submit" loading={save.isPending}>
            <Trans>Save</Trans>
          </Button>
          <Button variant="default" loading={test.isPending} onClick={sendTest}>
            <Trans>Send a test</Trans>
          </Button>
          {webhook !== null && (
            <Button
              variant="default"
              disabled={save.isPending}
              onClick={() =>
                save.mutate(null, { onSuccess: () => notifySuccess(t`The default webhook is removed.`) })
              }
            >
              <Trans>Remove</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
