import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Schema, User } from '../../api/client.ts';
import { type Invitation, useResendInvitation, useUserLink } from '../../api/users.ts';
import { OneTimeSecret } from '../../ui/code-block.tsx';
import type { DialogState } from '../../ui/dialog.tsx';
import { formatLocal } from '../../ui/format.ts';
import { IconAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';

interface OneTimeLinkProps {
  readonly email: string;
  readonly link: Schema<'UserLink'> & Partial<Schema<'SentInvitation'>>;
  readonly onDone: () => void;
}

/** A link that sets a user's password. It can only be shown once. */
export function OneTimeLink({ email, link, onDone }: OneTimeLinkProps) {
  const until = formatLocal(link.expires_at);
  return (
    <Stack px="xs" pb="xs" role="status">
      {typeof link.mail_error === 'string' && (
        <Notice tone="amber" icon={IconAlert} title={t`The mail was not sent`}>
          <p>{link.mail_error}</p>
        </Notice>
      )}
      <OneTimeSecret label={t`set-up link`} secret={link.url}>
        {link.mailed === true ? (
          <Trans>
            The link was mailed to <b>{email}</b>. You can also send it yourself. Anyone who opens it can set
            the password. It works once, until {until}.
          </Trans>
        ) : (
          <Trans>
            Send the link to <b>{email}</b> privately. Anyone who opens it can set the password. It works
            once, until {until}.
          </Trans>
        )}
      </OneTimeSecret>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          <Trans>Done</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

interface NewLinkDialogProps {
  readonly dialog: Pick<DialogState<unknown>, 'opened' | 'close'>;
  readonly title: string;
  readonly email: string;
  readonly create: ReturnType<typeof useUserLink> | ReturnType<typeof useResendInvitation>;
  readonly createLabel: string;
  /** What the new link does. */
  readonly children: ReactNode;
}

/** Asks whether to create a link, then shows it. */
function NewLinkDialog({ dialog, title, email, create, createLabel, children }: NewLinkDialogProps) {
  return (
    <Modal opened={dialog.opened} onClose={dialog.close} closeOnClickOutside={false} size={500} title={title}>
      {create.data === undefined ? (
        <Stack px="xs" pb="xs">
          <Text c="var(--sl-text-soft)">{children}</Text>
          <ErrorNotice error={create.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={dialog.close}>
              <Trans>Cancel</Trans>
            </Button>
            <Button onClick={() => create.mutate()} loading={create.isPending}>
              {createLabel}
            </Button>
          </Group>
        </Stack>
      ) : (
        <OneTimeLink email={email} link={create.data} onDone={dialog.close} />
      )}
    </Modal>
  );
}

interface SetUpLinkDialogProps {
  readonly dialog: NewLinkDialogProps['dialog'];
  readonly user: User;
}

/** For users who have no password, or have forgotten it. */
export function SetUpLinkDialog({ dialog, user: { id, email, has_password } }: SetUpLinkDialogProps) {
  return (
    <NewLinkDialog
      dialog={dialog}
      title={has_password ? t`Reset the password` : t`New set-up link`}
      email={email}
      create={useUserLink(id)}
      createLabel={t`Create the link`}
    >
      {has_password ? (
        <Trans>
          <b>{email}</b> can set a new password with the link within 24 hours. Earlier links stop working. The
          current password works until the link is used; then all sessions end.
        </Trans>
      ) : (
        <Trans>
          <b>{email}</b> can set a password with the link within 24 hours. Earlier links stop working.
        </Trans>
      )}
    </NewLinkDialog>
  );
}

interface ResendInvitationProps {
  readonly dialog: DialogState<Invitation>;
  readonly invitation: Invitation;
  /** Whether the service mails the link. */
  readonly mails: boolean;
}

/** For somebody who has lost the invitation, or has let it expire. */
export function ResendInvitation({ dialog, invitation: { id, email }, mails }: ResendInvitationProps) {
  return (
    <NewLinkDialog
      dialog={dialog}
      title={mails ? t`Send the invitation again` : t`New link for the invitation`}
      email={email}
      create={useResendInvitation(id)}
      createLabel={mails ? t`Send again` : t`Create the link`}
    >
      {mails ? (
        <Trans>
          <b>{email}</b> gets a new link, which works for 7 days. The earlier link stops working.
        </Trans>
      ) : (
        <Trans>
          You get a new link for <b>{email}</b>, which works for 7 days. The earlier link stops working.
        </Trans>
      )}
    </NewLinkDialog>
  );
}
