import { t } from '@lingui/core/macro';
import { NativeSelect, NumberInput, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { VERBATIM } from '../../ui/input-props.ts';
import { EXCLUDE, INCLUDE, PATTERNS, SCOPES } from '../jobs/crawl-fields.ts';
import { type MonitorValues, WATCHED_KINDS } from './monitor-values.ts';

interface WatchedFieldsProps {
  readonly form: UseFormReturnType<MonitorValues>;
}

/** Which pages are watched. */
export function WatchedFields({ form }: WatchedFieldsProps) {
  const { kind } = form.values;
  return (
    <Stack>
      <NativeSelect label={t`Pages to fetch`} data={[...WATCHED_KINDS]} {...form.getInputProps('kind')} />
      {kind === 'batch' ? (
        <Textarea
          label={t`URLs`}
          placeholder={'https://example.com/prices\nhttps://example.com/terms'}
          description={t`One per line, at most 1,000.`}
          {...PATTERNS}
          minRows={4}
          autoComplete="off"
          {...form.getInputProps('urls')}
        />
      ) : (
        <TextInput
          label={kind === 'crawl' ? t`Start URL` : t`URL`}
          placeholder={kind === 'crawl' ? 'https://example.com/docs/' : 'https://example.com/prices'}
          type="url"
          {...VERBATIM}
          {...form.getInputProps('url')}
        />
      )}
      {kind === 'crawl' && <CrawlFields form={form} />}
      <TextInput
        label={t`Name`}
        placeholder={kind === 'batch' ? t`The first URL` : t`The URL`}
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
    </Stack>
  );
}

function CrawlFields({ form }: WatchedFieldsProps) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NativeSelect label={t`Which pages`} data={SCOPES} {...form.getInputProps('scope')} />
      <NumberInput
        label={t`Pages at most`}
        min={1}
        max={100_000}
        allowDecimal={false}
        {...form.getInputProps('limit')}
      />
      <Textarea {...INCLUDE} {...form.getInputProps('include')} />
      <Textarea {...EXCLUDE} {...form.getInputProps('exclude')} />
    </SimpleGrid>
  );
}
