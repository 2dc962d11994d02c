import { t } from '@lingui/core/macro';
import { Checkbox, Group, Input, NativeSelect, Stack, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { scrapersQuery } from '../../api/playground.ts';
import type { ExtractRules } from '../../result/picker/extract-rules.ts';
import { AddRuleButton, RuleRows } from '../../result/picker/rule-rows.tsx';
import { CODE_AREA } from '../../ui/input-props.ts';
import { FORMATS } from './batch-input.ts';

export interface RequestSettingsValues {
  readonly scraper: string;
  readonly formats: string[];
  readonly screenshot: boolean;
  /** Formats of the main content only. */
  readonly main: boolean;
  /** The rules of `extract`. */
  readonly extract: ExtractRules;
  readonly more: string;
}

export const NO_SETTINGS: RequestSettingsValues = {
  scraper: '',
  formats: [],
  screenshot: false,
  main: false,
  extract: {},
  more: '',
};

interface RequestSettingsProps {
  /** Default: true. */
  readonly withFormats?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: forms with these fields and others
  readonly form: UseFormReturnType<any>;
}

/** Fields for how pages are fetched, and what is read from them. */
export function RequestSettings({ form, withFormats = true }: RequestSettingsProps) {
  const { data } = useQuery(scrapersQuery);
  const scrapers = data?.items.filter(({ available }) => available).map(({ name }) => name) ?? [];
  return (
    <Stack>
      <NativeSelect
        label={t`Scraper`}
        description={t`auto picks the cheapest one likely to work, and falls back to others.`}
        data={[{ value: '', label: t`auto (default)` }, ...scrapers.filter((name) => name !== 'auto')]}
        {...form.getInputProps('scraper')}
      />
      {withFormats && <FormatFields form={form} />}
      <ExtractField form={form} />
      <Textarea
        {...CODE_AREA}
        label={t`More options as JSON`}
        description={t`Any fields of a scrape request. They override the fields above.`}
        placeholder='{"timeout_ms": 30000, "proxy": {"country": "DE"}}'
        minRows={3}
        maxRows={16}
        {...form.getInputProps('more')}
      />
    </Stack>
  );
}

/** Values by selectors, such as the columns of a dataset. */
function ExtractField({ form }: Pick<RequestSettingsProps, 'form'>) {
  const { extract } = form.values;
  const setRules = (rules: ExtractRules) => form.setFieldValue('extract', rules);
  return (
    <Input.Wrapper
      labelElement="div"
      label={t`Data by selectors`}
      description={t`Each field is a column of tables and datasets.`}
      error={form.errors.extract}
    >
      <Stack gap="sm" mt={6} align="flex-start">
        <RuleRows rules={extract} setRules={setRules} />
        <AddRuleButton rules={extract} setRules={setRules} />
      </Stack>
    </Input.Wrapper>
  );
}

function FormatFields({ form }: Pick<RequestSettingsProps, 'form'>) {
  return (
    <>
      <Checkbox.Group label={t`Formats`} {...form.getInputProps('formats')}>
        <Group gap="lg" mt={6} style={{ rowGap: 'var(--mantine-spacing-md)' }}>
          {FORMATS.map(([format, label]) => (
            <Checkbox key={format} value={format} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <Checkbox
        label={t`Main content only`}
        description={t`Without menus, sidebars, footers and banners.`}
        {...form.getInputProps('main', { type: 'checkbox' })}
      />
      <Checkbox
        label={t`Screenshot`}
        description={t`Needs a browser.`}
        {...form.getInputProps('screenshot', { type: 'checkbox' })}
      />
    </>
  );
}
