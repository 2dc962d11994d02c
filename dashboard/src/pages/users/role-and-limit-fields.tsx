import { NumberInput, Radio, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { DEFAULT_LIMIT, ROLES } from './role.ts';
import type { UserValues } from './user-values.ts';

/** What an administrator decides about a user. */
export function RoleAndLimitFields({ form }: { readonly form: UseFormReturnType<UserValues> }) {
  return (
    <>
      <Radio.Group label="Role" {...form.getInputProps('role')}>
        <Stack gap={10} mt={4}>
          {ROLES.map(({ role, label, meaning }) => (
            <Radio key={role} value={role} label={label} description={meaning} />
          ))}
        </Stack>
      </Radio.Group>
      <NumberInput
        label="Concurrent requests"
        placeholder={`Default ${DEFAULT_LIMIT}`}
        description={`Limit for all keys of this user together. Default: ${DEFAULT_LIMIT}.`}
        min={1}
        max={100_000}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('concurrency')}
      />
    </>
  );
}
