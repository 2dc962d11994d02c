import { plural, t } from '@lingui/core/macro';
import { NativeSelect, NumberInput } from '@mantine/core';
import type { ReactNode } from 'react';

const UNITS = { second: 1, minute: 60, hour: 3600 };
type Unit = keyof typeof UNITS;
const unitLabels = (amount: number): Readonly<Record<Unit, string>> => ({
  second: plural(amount, { one: 'second', other: 'seconds' }),
  minute: plural(amount, { one: 'minute', other: 'minutes' }),
  hour: plural(amount, { one: 'hour', other: 'hours' }),
});

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

/** Of the select of the unit, in the field. */
const UNIT_WIDTH = 120;

interface DurationFieldProps {
  readonly label: string;
  readonly description: string;
  readonly value: Duration;
  readonly error?: ReactNode;
  readonly onChange: (value: Duration) => void;
}

export function DurationField({ label, description, value, error, onChange }: DurationFieldProps) {
  return (
    <NumberInput
      label={label}
      description={description}
      min={0}
      clampBehavior="none"
      allowNegative={false}
      value={value.amount}
      error={error}
      onChange={(amount) => onChange({ ...value, amount })}
      rightSectionWidth={UNIT_WIDTH}
      rightSection={
        <NativeSelect
          aria-label={t`Unit of “${label}”`}
          variant="unstyled"
          styles={{ input: { border: 'none' } }}
          w={UNIT_WIDTH}
          rightSectionWidth={30}
          data={Object.entries(unitLabels(Number(value.amount))).map(([unit, text]) => ({
            value: unit,
            label: text,
          }))}
          value={value.unit}
          onChange={({ currentTarget }) => onChange({ ...value, unit: currentTarget.value as Unit })}
        />
      }
    />
  );
}
