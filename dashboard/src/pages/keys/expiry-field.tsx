import { Select, Stack, TextInput } from '@mantine/core';
import { formatLocal } from '../../ui/format.ts';
import { type Expiry, expiryTime, firstDate, PRESETS } from './expiry.ts';

interface ExpiryFieldProps {
  readonly value: Expiry;
  readonly onChange: (value: Expiry) => void;
  readonly error?: React.ReactNode;
  /** The expiry that the key has, when it has one. */
  readonly current: string | null;
}

/** Until when a key works. */
export function ExpiryField({ value, onChange, error, current }: ExpiryFieldProps) {
  const now = Date.now();
  const isDate = value.choice === 'date';
  const time = isDate || value.choice === 'keep' ? null : expiryTime(value, now);
  const kept = current === null ? [] : [{ value: 'keep', label: keptLabel(current, now) }];
  const data = [
    ...kept,
    { value: 'never', label: 'Never' },
    ...PRESETS.map(([days, label]) => ({ value: String(days), label: `In ${label}` })),
    { value: 'date', label: 'At a custom time' },
  ];
  return (
    <Stack gap="xs">
      <Select
        label="Expires"
        data={data}
        value={value.choice}
        onChange={(choice) =>
          onChange({ choice: choice ?? 'never', date: choice === 'date' ? firstDate(now) : '' })
        }
        description={time ? `Works until ${formatLocal(time)}.` : 'Expiring keys clean themselves up.'}
        error={isDate ? null : error}
      />
      {isDate && (
        <TextInput
          type="datetime-local"
          label="Works until"
          description="In your time zone."
          value={value.date}
          onChange={({ currentTarget }) => onChange({ choice: 'date', date: currentTarget.value })}
          error={error}
        />
      )}
    </Stack>
  );
}

const keptLabel = (at: string, now: number): string =>
  `${Date.parse(at) > now ? 'As it is' : 'Expired'}: ${formatLocal(at)}`;
