import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NumberInput, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { ALERT_KINDS, USUAL_SITE } from './alert-kinds.ts';
import { hasMore, isInMore, usualClear, type Values } from './alert-values.ts';
import classes from './alerts.module.css';
import { DurationField } from './duration-field.tsx';

interface FieldsProps {
  readonly form: UseFormReturnType<Values>;
}

/** What most rules leave as it is. Open if something differs from the usual, or is wrong. */
export function MoreSettings({ form }: FieldsProps) {
  const [chosen, setChosen] = useState(() => hasMore(form.values));
  const open = chosen || Object.keys(form.errors).some(isInMore);
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
  const { threshold, usual } = ALERT_KINDS[kind];
  const clear = usualClear(kind, conditions.threshold);
  return (
    <>
      <DurationField
        label={t`Fire after`}
        description={`${t`How long the value must be too high.`} ${usualDuration(usual.forS)}`}
        value={for_s}
        error={form.errors.for_s}
        onChange={(value) => form.setFieldValue('for_s', value)}
      />
      {threshold !== null && (
        <NumberInput
          label={
            threshold.unit === 'percent' ? t`Resolve at or below, in %` : t`Resolve at or below, in runs`
          }
          description={
            clear === null
              ? undefined
              : t`Between this value and the one that fires, nothing changes. Empty: ${clear}.`
          }
          placeholder={clear === null ? undefined : String(clear)}
          min={0}
          clampBehavior="none"
          allowDecimal={threshold.unit === 'percent'}
          {...form.getInputProps('conditions.clear_threshold')}
        />
      )}
      <DurationField
        label={t`Resolve after`}
        description={`${t`How long the value must be low enough.`} ${usualDuration(usual.clearForS)}`}
        value={clear_for_s}
        error={form.errors.clear_for_s}
        onChange={(value) => form.setFieldValue('clear_for_s', value)}
      />
    </>
  );
}

const usualDuration = (seconds: number): string =>
  seconds === 0
    ? t`Default: at once.`
    : plural(seconds / 60, { one: 'Default: # minute.', other: 'Default: # minutes.' });
