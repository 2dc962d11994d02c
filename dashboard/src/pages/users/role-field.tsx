import '../../theme/mantine-radio.css';
import { t } from '@lingui/core/macro';
import { Radio, type RadioGroupProps, Stack } from '@mantine/core';
import { ROLES, roleLabel } from './user-values.ts';

/** The choice of a role. */
export function RoleField(props: Omit<RadioGroupProps, 'children' | 'label'>) {
  return (
    <Radio.Group label={t`Role`} {...props}>
      <Stack gap={10} mt={4}>
        {ROLES.map(({ role, meaning }) => (
          <Radio key={role} value={role} label={roleLabel(role)} description={meaning} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
