import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  Checkbox,
  NativeSelect,
  PasswordInput,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { datasetQuery, datasetsQuery } from '../../api/datasets.ts';
import { useDialog } from '../../ui/dialog.tsx';
import { VERBATIM } from '../../ui/input-props.ts';
import { NewDatasetDrawer } from '../datasets/new-dataset.tsx';
import {
  EXPORT_OPTIONS,
  type NewScheduleValues,
  OVERLAP_OPTIONS,
  TARGET_OPTIONS,
} from './schedule-values.ts';

interface FieldsProps {
  readonly form: UseFormReturnType<NewScheduleValues>;
}

/** @param inputProps of the form of Mantine */
export const OverlapField = (inputProps: object) => (
  <NativeSelect label={t`If the run before has not ended`} data={OVERLAP_OPTIONS} {...inputProps} />
);

interface InputProps {
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}

/** @param inputProps of the form of Mantine */
export function DatasetField(inputProps: InputProps) {
  const { value = '', onChange } = inputProps;
  const creating = useDialog<true>();
  const { data } = useInfiniteQuery(datasetsQuery);
  const listed = data?.pages.flatMap(({ items }) => items) ?? [];
  // The chosen one may stand further down in a long list.
  const { data: chosen } = useQuery({
    ...datasetQuery(value),
    enabled: data !== undefined && value !== '' && !listed.some(({ id }) => id === value),
  });
  const datasets =
    chosen === undefined || listed.some(({ id }) => id === value) ? listed : [chosen, ...listed];
  return (
    <>
      <NativeSelect
        label={t`Add the data to a dataset`}
        description={t`A table over all runs. Its columns are the data by selectors or by a schema.`}
        data={[
          { value: '', label: t`None` },
          ...datasets.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...inputProps}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      />
      <Button variant="default" size="xs" mr="auto" onClick={() => creating.open(true)}>
        <Trans>New dataset</Trans>
      </Button>
      <NewDatasetDrawer
        dialog={creating}
        onCreated={({ id }) => {
          onChange?.(id);
          creating.close();
        }}
      />
    </>
  );
}

/** What becomes of the results. */
export function OutputFields({ form }: FieldsProps) {
  const { target } = form.values;
  return (
    <Stack>
      <DatasetField {...form.getInputProps('dataset')} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect label={t`Send a file to`} data={TARGET_OPTIONS} {...form.getInputProps('target')} />
        {target !== '' && (
          <NativeSelect
            label={t`Format of the file`}
            data={EXPORT_OPTIONS}
            {...form.getInputProps('exportFormat')}
            onChange={({ currentTarget: { value } }) => {
              const { key, exportFormat } = form.values;
              const next = value as typeof exportFormat;
              form.setFieldValue('exportFormat', next);
              form.setFieldValue('key', key.replace(new RegExp(`\\.${exportFormat}$`), `.${next}`));
            }}
          />
        )}
      </SimpleGrid>
      {(target === 'put' || target === 'webhook') && <UrlFields form={form} />}
      {target === 's3' && <BucketFields form={form} />}
    </Stack>
  );
}

const HEADER = 'Authorization: Bearer …';
const PLACEHOLDERS = '{date}, {time}, {name}, {run}';

function UrlFields({ form }: FieldsProps) {
  return (
    <>
      <TextInput
        label={t`URL of the target`}
        type="url"
        placeholder={`https://files.example.com/{name}/{date}.${form.values.exportFormat}`}
        description={
          form.values.target === 'put' ? t`Filled in: ${PLACEHOLDERS}` : t`Signed as webhooks are.`
        }
        {...VERBATIM}
        {...form.getInputProps('targetUrl')}
      />
      <Textarea
        label={t`Headers`}
        placeholder={HEADER}
        description={t`One per line. Their values are stored encrypted.`}
        minRows={1}
        autosize
        {...VERBATIM}
        {...form.getInputProps('targetHeaders')}
      />
    </>
  );
}

function BucketFields({ form }: FieldsProps) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t`Endpoint`}
          type="url"
          placeholder="https://s3.eu-central-1.amazonaws.com"
          {...VERBATIM}
          {...form.getInputProps('endpoint')}
        />
        <TextInput
          label={t`Region`}
          placeholder="us-east-1"
          {...VERBATIM}
          {...form.getInputProps('region')}
        />
        <TextInput label={t`Bucket`} {...VERBATIM} {...form.getInputProps('bucket')} />
        <TextInput
          label={t`Name of the object`}
          description={t`Filled in: ${PLACEHOLDERS}`}
          {...VERBATIM}
          {...form.getInputProps('key')}
        />
        <TextInput label={t`Access key ID`} {...VERBATIM} {...form.getInputProps('accessKeyId')} />
        <PasswordInput
          label={t`Secret access key`}
          autoComplete="off"
          {...form.getInputProps('secretAccessKey')}
        />
      </SimpleGrid>
      <Checkbox
        label={t`The bucket is in the path (MinIO and others)`}
        {...form.getInputProps('pathStyle', { type: 'checkbox' })}
      />
    </>
  );
}
