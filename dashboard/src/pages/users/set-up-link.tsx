import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { User } from '../../api/client.ts';
import { useUserLink } from '../../api/users.ts';
import { OneTimeSecret } from '../../ui/code-block.tsx';
import type { DialogState } from '../../ui/dialog.tsx';
import { formatLocal } from '../../ui/format.ts';
import { ErrorNotice } from '../../ui/page-state.tsx';

interface SetUpLinkProps {
  readonly user: User;
  /** Create the link at once, because the user is new. */
  readonly atOnce?: boolean;
  readonly onDone: () => void;
}

/** A link that sets a user's password. It can only be shown once. */
export function SetUpLink({ user, atOnce = false, onDone }: SetUpLinkProps) {
  const link = useUserLink(user.id);
  const { mutate } = link;
  const requested = useRef(false);
  useEffect(() => {
    // Only once, because another link would make the first one invalid.
    if (!atOnce || requested.current) return;
    requested.current = true;
    mutate();
  }, [atOnce, mutate]);
  if (link.data !== undefined) {
    return (
      <Stack px="xs" pb="xs" role="status">
        <OneTimeSecret label={t`set-up link`} secret={link.data.url}>
          <Trans>
            Send it to <b>{user.email}</b> privately. Anyone who opens it can set the password. It works once,
            until {formatLocal(link.data.expires_at)}.
          </Trans>
        </OneTimeSecret>
        <Group justify="flex-end">
          <Button onClick={onDone} data-autofocus>
            <Trans>Done</Trans>
          </Button>
        </Group>
      </Stack>
    );
  }
  if (atOnce && link.error === null) return <Skeleton height={170} mx="xs" mb="xs" w="auto" />;
  return (
    <Stack px="xs" pb="xs">
      <Text c="var(--sl-text-soft)">
        {atOnce ? (
          <Trans>
            <b>{user.email}</b> was added, but the link could not be created.
          </Trans>
        ) : (
          <Trans>
            <b>{user.email}</b> can set a new password with the link within 24 hours. Earlier links stop
            working.
            {user.has_password &&
              ' The current password works until the link is used; then all sessions end.'}
          </Trans>
        )}
      </Text>
      <ErrorNotice error={link.error} />
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onDone}>
          {atOnce ? t`Close` : t`Cancel`}
        </Button>
        <Button onClick={() => mutate()} loading={link.isPending}>
          <Trans>Create the link</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

interface SetUpLinkDialogProps {
  readonly dialog: DialogState<User>;
  readonly user: User;
}

/** For users who have no password yet, or have forgotten it. */
export function SetUpLinkDialog({ dialog, user }: SetUpLinkDialogProps) {
  return (
    <Modal
      opened={dialog.opened}
      onClose={dialog.close}
      closeOnClickOutside={false}
      size={500}
      title={user.has_password ? t`Reset the password` : t`New set-up link`}
    >
      <SetUpLink user={user} onDone={dialog.close} />
    </Modal>
  );
}
