import { Trans } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../../api/profiles.ts';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { TextLink } from '../../ui/text.tsx';

/** The monitors and schedules of the signed-in user whose requests name a profile. */
export function ProfileUses({ name }: { readonly name: string }) {
  const { data, error } = useQuery(profileQuery(name));
  const uses = data?.used_by ?? null;
  if (error !== null) return <ErrorNotice error={error} />;
  if (uses === null) return null;
  return (
    <Stack gap={4} mt="xs" align="flex-start">
      <Text size="sm">
        {uses.length === 0 ? <Trans>No monitor and no schedule uses it.</Trans> : <Trans>Used by</Trans>}
      </Text>
      {uses.map(({ type, id, name: label }) => (
        <TextLink
          key={id}
          to={type === 'monitor' ? '/monitors/$id' : '/schedules/$id'}
          params={{ id }}
          size="sm"
        >
          {label}
        </TextLink>
      ))}
    </Stack>
  );
}
