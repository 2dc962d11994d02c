import { t } from '@lingui/core/macro';
import { Autocomplete, Checkbox, Group, NumberInput, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { metricSubjectsQuery } from '../../api/alerts.ts';
import { sitesQuery } from '../../api/sites.ts';
import { OTHER_HOSTS } from '../../api/stats.ts';
import { hostname, type Values } from './alert-values.ts';
import { DurationField } from './duration-field.tsx';
import {
  METRIC_NAMES,
  METRICS,
  type Metric,
  type MetricScope,
  type Op,
  SCOPES,
  scopesOf,
} from './metrics.ts';

interface MetricFieldsProps {
  readonly form: UseFormReturnType<Values>;
  readonly isAdmin: boolean;
}

const OPS: readonly { readonly value: Op; readonly label: string }[] = [
  { value: '>=', label: t`is at least` },
  { value: '<=', label: t`is at most` },
];

/** What a rule about a metric measures, and the value that fires. */
export function MetricFields({ form, isAdmin }: MetricFieldsProps) {
  const { metric, scope, op } = form.values.conditions;
  const text = METRICS[metric];
  const scopes = scopesOf(metric, isAdmin);
  const setMetric = (next: Metric) => {
    const { usual } = METRICS[next];
    const allowed = scopesOf(next, isAdmin);
    form.setValues((values) => ({
      conditions: {
        ...values.conditions!,
        metric: next,
        op: usual.op,
        threshold: usual.threshold,
        clear_threshold: '',
        ...(allowed.includes(scope) ? {} : { scope: usual.scope, subject: '' }),
      },
    }));
    form.clearErrors();
  };
  return (
    <>
      <Select
        label={t`Measure`}
        data={METRIC_NAMES.map((value) => ({ value, label: METRICS[value].label }))}
        value={metric}
        allowDeselect={false}
        error={form.errors['conditions.metric']}
        onChange={(next) => next !== null && setMetric(next as Metric)}
      />
      <Select
        label={t({ message: 'Of', context: 'a metric of a site, a key …' })}
        data={scopes.map((value) => ({ value, label: SCOPES[value] }))}
        value={scope}
        allowDeselect={false}
        error={form.errors['conditions.scope']}
        onChange={(next) => {
          form.setFieldValue('conditions.scope', (next ?? 'all') as MetricScope);
          form.setFieldValue('conditions.subject', '');
        }}
      />
      {scope !== 'all' && <MetricSubject key={scope} form={form} />}
      <Group grow align="flex-start" gap="xs">
        <Select
          label={t`Fires if it`}
          data={[...OPS]}
          value={op}
          allowDeselect={false}
          onChange={(next) => form.setFieldValue('conditions.op', (next ?? '>=') as Op)}
        />
        <NumberInput
          label={text.threshold}
          min={0}
          max={text.factor === 100 ? 100 : undefined}
          clampBehavior="none"
          hideControls
          {...form.getInputProps('conditions.threshold')}
        />
      </Group>
      {text.hasWindow && (
        <DurationField
          label={t`In the last`}
          description={t`At least 5 minutes, at most 30 days.`}
          value={form.values.conditions.window_s}
          error={form.errors['conditions.window_s']}
          onChange={(value) => form.setFieldValue('conditions.window_s', value)}
        />
      )}
      {isAdmin && scope !== 'user' && !(metric === 'budget_left' && scope === 'host') && (
        <Checkbox
          label={t`Count the scrapes of all users`}
          description={t`Otherwise only yours are counted.`}
          {...form.getInputProps('conditions.all_users', { type: 'checkbox' })}
          onChange={({ currentTarget }) => {
            form.setFieldValue('conditions.all_users', currentTarget.checked);
            if (scope === 'key') form.setFieldValue('conditions.subject', '');
          }}
        />
      )}
    </>
  );
}

const TYPING_MS = 300;

/** The site, key or the like that is measured; empty: each by itself. */
function MetricSubject({ form }: Pick<MetricFieldsProps, 'form'>) {
  const { metric, scope, subject, all_users: allUsers } = form.values.conditions;
  const [text] = useDebouncedValue(subject.trim(), TYPING_MS);
  const sites = useInfiniteQuery({ ...sitesQuery(text), enabled: scope === 'host' });
  const { data = [], isPending } = useQuery({
    ...metricSubjectsQuery(scope, { allUsers, hasBudget: metric === 'budget_left' }),
    enabled: scope !== 'host',
  });
  const common = {
    label: SCOPES[scope],
    description: t`Empty: all of them, each by itself.`,
    error: form.errors['conditions.subject'],
  };
  const onChange = (next: string | null) => form.setFieldValue('conditions.subject', next ?? '');
  if (scope === 'host') {
    const hosts = sites.data?.pages.flatMap(({ items }) => items.map(({ host }) => host)) ?? [];
    return (
      <Autocomplete
        {...common}
        placeholder="example.com"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data={[...new Set(hosts.filter((host) => host !== OTHER_HOSTS).map(hostname))]}
        limit={50}
        value={subject}
        onChange={onChange}
      />
    );
  }
  const isKnown = subject === '' || data.some(({ value }) => value === subject);
  return (
    <Select
      {...common}
      placeholder={!isPending && data.length === 0 ? t`There are none to choose.` : t`All`}
      searchable
      clearable
      data={isKnown ? data : [...data, { value: subject, label: subject }]}
      value={subject === '' ? null : subject}
      onChange={onChange}
    />
  );
}
