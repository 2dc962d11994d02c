import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Box, Button, Group, PasswordInput, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRotateSecret, webhookSecretQuery } from '../../api/webhooks.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { ConfirmDialog, useDialog } from '../../ui/dialog.tsx';
import { ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';

/** The secret that signs the user's messages. */
export function SecretPanel() {
  const { data, error, refetch } = useQuery(webhookSecretQuery);
  const rotate = useRotateSecret();
  const dialog = useDialog<'rotate'>();
  return (
    <Panel
      title={t`Secret`}
      description={t`Your programs check with it that a message is from Sluice (Standard Webhooks).`}
    >
      {data !== undefined ? (
        <Stack gap="sm">
          <Group gap="xs" align="flex-end" wrap="nowrap">
            <PasswordInput
              label={t`Signing secret`}
              value={data.secret}
              readOnly
              autoComplete="off"
              visibilityToggleButtonProps={{ 'aria-label': t`Show the secret` }}
              classNames={{ innerInput: 'mono' }}
              flex="0 1 30rem"
            />
            <Box mb={5}>
              <CopyButton value={data.secret} label={t`Copy the secret`} />
            </Box>
          </Group>
          {data.previous !== null && (
            <Text size="sm" c="dimmed">
              <Trans>
                The previous secret also signs until <DateTime at={data.previous_until} />.
              </Trans>
            </Text>
          )}
          <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => dialog.open('rotate')}>
            <Trans>Rotate the secret</Trans>
          </Button>
        </Stack>
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={60} role="status" aria-label={t`Loading`} />
      )}
      <ConfirmDialog
        dialog={dialog}
        title={t`Rotate the secret?`}
        confirmLabel={t`Rotate it`}
        action={rotate}
        input={undefined}
        done={t`There is a new secret.`}
      >
        <Trans>
          Messages are signed with the new and the old secret for 24 hours. Give your programs the new one
          until then.
        </Trans>
      </ConfirmDialog>
    </Panel>
  );
}
