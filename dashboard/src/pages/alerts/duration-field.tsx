import { t } from '@lingui/core/macro';
import { Group, NativeSelect, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';

const UNITS = { second: 1, minute: 60, hour: 3600 };
type Unit = keyof typeof UNITS;
const UNIT_LABELS: Readonly<Record<Unit, string>> = {
  second: t`seconds`,
  minute: t`minutes`,
  hour: t`hours`,
};

/** A number with its unit, as the user writes it. */
export interface Duration {
  /** Empty: not entered yet. */
  readonly amount: number | string;
  readonly unit: Unit;
}

/** In the largest unit that gives a whole number. */
export function durationOf(seconds: number): Duration {
  const unit =
    seconds > 0 && seconds % UNITS.hour === 0 ? 'hour' : seconds % UNITS.minute === 0 ? 'minute' : 'second';
  return { amount: seconds / UNITS[unit], unit };
}

/** null: no amount is entered. */
export const secondsOf = ({ amount, unit }: Duration): number | null =>
  typeof amount === 'number' ? Math.round(amount * UNITS[unit]) : null;

interface DurationFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: Duration;
  readonly error?: ReactNode;
  readonly onChange: (value: Duration) => void;
}

export function DurationField({ label, description, value, error, onChange }: DurationFieldProps) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <NumberInput
        flex={1}
        label={label}
        description={description}
        inputWrapperOrder={['label', 'description', 'error', 'input']}
        min={0}
        clampBehavior="none"
        allowNegative={false}
        hideControls
        value={value.amount}
        error={error}
        onChange={(amount) => onChange({ ...value, amount })}
      />
      <NativeSelect
        aria-label={t`Unit of “${label}”`}
        w={120}
        data={Object.entries(UNIT_LABELS).map(([unit, text]) => ({ value: unit, label: text }))}
        value={value.unit}
        onChange={({ currentTarget }) => onChange({ ...value, unit: currentTarget.value as Unit })}
      />
    </Group>
  );
}
