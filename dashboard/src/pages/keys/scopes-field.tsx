import { Checkbox, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Scope } from '../../api/keys.ts';
import { useIsAdmin } from '../../api/session.ts';

interface ScopesFieldProps {
  readonly value: Scope[];
  readonly onChange: (value: Scope[]) => void;
  readonly error?: ReactNode;
}

/** What a key may do, each with what it means. */
export function ScopesField({ value, onChange, error }: ScopesFieldProps) {
  const isAdmin = useIsAdmin();
  const scopes: readonly (readonly [scope: Scope, label: string, meaning: string])[] = [
    ['scrape', 'Scrape', 'Send scrapes and delete their records.'],
    ['read', 'Read', 'Read your scrapes, their content and the statistics.'],
    [
      'admin',
      'Manage',
      isAdmin
        ? 'Create and revoke API keys and users. Only for programs that do this.'
        : 'Create and revoke your API keys. Only for programs that do this.',
    ],
  ];
  return (
    <Checkbox.Group
      label="Permissions"
      value={value}
      onChange={(chosen) => onChange(chosen as Scope[])}
      error={error}
    >
      <Stack gap={10} mt={4}>
        {scopes.map(([scope, label, meaning]) => (
          <Checkbox key={scope} value={scope} label={label} description={meaning} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
