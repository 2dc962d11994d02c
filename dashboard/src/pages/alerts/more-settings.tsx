import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NumberInput, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { ALERT_KINDS, USUAL_SITE } from './alert-kinds.ts';
import { hasMore, isInMore, usualClear, type Values } from './alert-values.ts';
import classes from './alerts.module.css';
import { DurationField } from './duration-field.tsx';
import { METRICS } from './metrics.ts';

interface FieldsProps {
  readonly form: UseFormReturnType<Values>;
}

/** What most rules leave as it is. Open if something differs from the usual, or is wrong. */
export function MoreSettings({ form }: FieldsProps) {
  const [chosen, setChosen] = useState(() => hasMore(form.values));
  const open = chosen || Object.keys(form.errors).some((field) => isInMore(field, form.values.kind));
  return (
    <details
      className={classes.moreSettings}
      open={open}
      onToggle={({ currentTarget }) => setChosen(currentTarget.open)}
    >
      <summary>
        <Trans>More settings</Trans>
      </summary>
      {open && (
        <Stack gap="sm" mt="sm">
          {form.values.kind === 'site_success' && <SiteFields form={form} />}
          {form.values.kind === 'metric' && METRICS[form.values.conditions.metric].isSampled && (
            <NumberInput
              label={t`Scrapes needed`}
              description={t`With fewer scrapes in this time, the alert does not fire. Default: ${USUAL_SITE.min_scrapes}.`}
              min={1}
              clampBehavior="none"
              allowDecimal={false}
              {...form.getInputProps('conditions.min_scrapes')}
            />
          )}
          <TimeFields form={form} />
        </Stack>
      )}
    </details>
  );
}

function SiteFields({ form }: FieldsProps) {
  const { window_s: window } = form.values.conditions;
  return (
    <>
      <DurationField
        label={t`Watch the last`}
        description={`${t`The scrapes of this time are compared with those of the days before.`} ${usualDuration(USUAL_SITE.window_s)}`}
        value={window}
        error={form.errors['conditions.window_s']}
        onChange={(value) => form.setFieldValue('conditions.window_s', value)}
      />
      <NumberInput
        label={t`Days to compare with`}
        description={t`At most 7. Default: ${USUAL_SITE.baseline_days}.`}
        min={1}
        max={7}
        clampBehavior="none"
        allowDecimal={false}
        {...form.getInputProps('conditions.baseline_days')}
      />
      <NumberInput
        label={t`Scrapes needed`}
        description={t`With fewer scrapes, in this time or in the days before, the alert does not fire. Default: ${USUAL_SITE.min_scrapes}.`}
        min={1}
        clampBehavior="none"
        allowDecimal={false}
        {...form.getInputProps('conditions.min_scrapes')}
      />
    </>
  );
}

function TimeFields({ form }: FieldsProps) {
  const { kind, conditions, for_s, clear_for_s } = form.values;
  const { usual } = ALERT_KINDS[kind];
  const { metric, op } = conditions;
  const threshold =
    kind === 'metric'
      ? { label: METRICS[metric].label, unit: 'metric' as const }
      : ALERT_KINDS[kind].threshold;
  const isBelow = kind === 'metric' && op === '<=';
  const usually = usualClear(kind, conditions.threshold) ?? '…';
  const fires = conditions.threshold === '' ? '…' : conditions.threshold;
  const resolves = conditions.clear_threshold === '' ? usually : conditions.clear_threshold;
  return (
    <>
      <DurationField
        label={t`Fire after`}
        description={`${
          threshold === null
            ? t`How long the vendor must be unused.`
            : isBelow
              ? t`How long “${threshold.label}” must be at most ${fires}.`
              : t`How long “${threshold.label}” must be at least ${fires}.`
        } ${usualDuration(usual.forS)}`}
        value={for_s}
        error={form.errors.for_s}
        onChange={(value) => form.setFieldValue('for_s', value)}
      />
      {threshold !== null && (
        <NumberInput
          label={isBelow ? t`Resolve at or above` : RESOLVE_LABELS[threshold.unit]}
          description={
            kind === 'metric'
              ? t`Between this value and ${fires}, nothing changes. Empty: as soon as it would not fire any more.`
              : t`Between this value and ${fires}, nothing changes. Empty: ${usually}.`
          }
          placeholder={String(usually)}
          min={0}
          clampBehavior="none"
          allowDecimal={threshold.unit !== 'runs'}
          {...form.getInputProps('conditions.clear_threshold')}
        />
      )}
      <DurationField
        label={t`Resolve after`}
        description={`${
          threshold === null
            ? t`How long the vendor must be used again.`
            : isBelow
              ? t`How long “${threshold.label}” must be at least ${resolves}.`
              : t`How long “${threshold.label}” must be at most ${resolves}.`
        } ${usualDuration(usual.clearForS)}`}
        value={clear_for_s}
        error={form.errors.clear_for_s}
        onChange={(value) => form.setFieldValue('clear_for_s', value)}
      />
    </>
  );
}

const RESOLVE_LABELS = {
  percent: t`Resolve at or below, in %`,
  points: t`Resolve at or below, in percentage points`,
  runs: t`Resolve at or below, in runs`,
  metric: t`Resolve at or below`,
} as const;

const usualDuration = (seconds: number): string => {
  if (seconds === 0) return t`Default: at once.`;
  return seconds % 3600 === 0
    ? plural(seconds / 3600, { one: 'Default: # hour.', other: 'Default: # hours.' })
    : plural(seconds / 60, { one: 'Default: # minute.', other: 'Default: # minutes.' });
};
