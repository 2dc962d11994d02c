import { plural, t } from '@lingui/core/macro';
import { Checkbox, Group, NumberInput, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { type NewBatch, useCreateBatch } from '../../api/jobs.ts';
import { IconPlay } from '../../ui/icons.tsx';
import { CODE_AREA } from '../../ui/input-props.ts';
import { LoadFileButton } from '../../ui/load-file-button.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { JOB_NOTIFY, NotifyFields, type NotifyValues, newNotifyOf } from '../channels/notify-fields.tsx';
import { extractProblem, readBatchInput, requestMembers } from './batch-input.ts';
import { useCarriedRequest } from './carried-request.ts';
import { NewPage } from './new-page.tsx';
import { RequestSettings, type RequestSettingsValues } from './request-settings.tsx';

interface BatchValues extends RequestSettingsValues, NotifyValues {
  readonly name: string;
  readonly pages: string;
  readonly skip: boolean;
  readonly concurrency: number | '';
  readonly retries: number | '';
}

function batchOf(values: BatchValues): NewBatch {
  const { name, pages, skip, concurrency, retries } = values;
  return {
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    requests: readBatchInput(pages).requests,
    defaults: requestMembers(values)!,
    invalid: skip ? 'skip' : 'refuse',
    ...newNotifyOf(values),
    ...(concurrency === '' ? {} : { concurrency }),
    ...(retries === '' ? {} : { retries }),
  };
}

/** Starts a batch of pasted URLs, or of those in a file. */
export function NewBatchPage() {
  const create = useCreateBatch();
  const navigate = useNavigate();
  const carried = useCarriedRequest();
  const form = useForm<BatchValues>({
    initialValues: {
      name: '',
      pages: carried.urls,
      ...carried.settings,
      ...JOB_NOTIFY,
      skip: false,
      concurrency: '',
      retries: 2,
    },
    validate: {
      pages: (text) => readBatchInput(text).problem,
      extract: extractProblem,
      more: (_, values) => (requestMembers(values) === null ? t`Enter a JSON object.` : null),
    },
  });
  return (
    <NewPage
      title={t`New batch`}
      description={t`Scrapes many pages in the background. Each page gets its own record.`}
      list={{ to: '/jobs', label: t`Jobs` }}
      form={form}
      action={create}
      bodyOf={batchOf}
      members={[]}
      onSuccess={({ id, invalid_total: invalid = 0 }) => {
        notifySuccess(
          invalid === 0
            ? t`The batch is started.`
            : plural(invalid, {
                one: 'The batch is started without # invalid page.',
                other: 'The batch is started without # invalid pages.',
              }),
        );
        void navigate({ to: '/jobs/$id', params: { id } });
      }}
      problems={<Problems error={create.error} />}
      submitLabel={t`Start the batch`}
      submitIcon={<IconPlay size={16} />}
    >
      <Panel title={t`Pages`}>
        <PagesField
          text={form.values.pages}
          onLoad={(text) => form.setFieldValue('pages', text)}
          input={form.getInputProps('pages')}
        />
      </Panel>
      <Panel title={t`Each page`} description={t`How the pages are fetched, and what is read from them.`}>
        <RequestSettings form={form} />
      </Panel>
      <JobFields form={form} />
      <Panel title={t`Notifications`} description={t`Who is told of what.`}>
        <NotifyFields source="job" inputProps={(field) => form.getInputProps(field)} />
      </Panel>
    </NewPage>
  );
}

/** Members of the job, not of its requests. */
function JobFields({ form }: { readonly form: UseFormReturnType<BatchValues> }) {
  return (
    <Panel title={t`Job`}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput
            label={t`Name`}
            placeholder={t`Optional`}
            maxLength={200}
            autoComplete="off"
            {...form.getInputProps('name')}
          />
          <NumberInput
            label={t`Pages at once`}
            placeholder={t`No limit of its own`}
            min={1}
            max={1_000}
            allowDecimal={false}
            {...form.getInputProps('concurrency')}
          />
          <NumberInput
            label={t`Retries per page`}
            description={t`After temporary errors.`}
            min={0}
            max={5}
            allowDecimal={false}
            {...form.getInputProps('retries')}
          />
        </SimpleGrid>
        <Checkbox
          label={t`Skip invalid pages`}
          description={t`Otherwise the batch is refused if one of them is invalid.`}
          {...form.getInputProps('skip', { type: 'checkbox' })}
        />
      </Stack>
    </Panel>
  );
}

interface PagesFieldProps {
  readonly text: string;
  readonly onLoad: (text: string) => void;
  /** Input props of the form field. */
  readonly input: object;
}

function PagesField({ text, onLoad, input }: PagesFieldProps) {
  const { requests, problem } = readBatchInput(text);
  return (
    <Stack>
      <Textarea
        {...CODE_AREA}
        label={t`URLs`}
        description={t`One per line. A line may also be a scrape request as JSON.`}
        placeholder={'https://example.com/a\nhttps://example.com/b'}
        minRows={6}
        maxRows={18}
        {...input}
      />
      <Group gap="sm">
        <LoadFileButton onLoad={onLoad} />
        <Text size="sm" c="dimmed" role="status">
          {problem === null ? plural(requests.length, { one: '# page', other: '# pages' }) : ''}
        </Text>
      </Group>
    </Stack>
  );
}

/** The first invalid requests of a refusal. Renders nothing for a single one. */
function Problems({ error }: { readonly error: unknown }) {
  const problems = error instanceof ApiError ? (error.problem?.errors ?? []) : [];
  if (problems.length < 2) return null;
  return (
    <Panel title={t`What must be changed`}>
      <ul>
        {problems.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`}>{message}</li>
        ))}
      </ul>
    </Panel>
  );
}
