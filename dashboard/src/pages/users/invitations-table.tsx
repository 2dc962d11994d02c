import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Menu, Text, VisuallyHidden } from '@mantine/core';
import type { Invitation } from '../../api/users.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { IconClock, IconRotate, IconSliders, IconTrash } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { roleLabel } from './user-values.ts';
import classes from './users.module.css';

interface InvitationActions {
  readonly onEdit: (invitation: Invitation) => void;
  readonly onResend: (invitation: Invitation) => void;
  readonly onRevoke: (invitation: Invitation) => void;
}

interface InvitationsTableProps {
  readonly invitations: readonly Invitation[];
  /** Whether the service mails invitations. */
  readonly mails: boolean;
  /** null: the signed-in user may not change anything. */
  readonly actions: InvitationActions | null;
}

export function InvitationsTable({ invitations, mails, actions }: InvitationsTableProps) {
  return (
    <DataTable
      caption={t`Invited users`}
      head={
        <>
          <th scope="col">
            <Trans>E-mail</Trans>
          </th>
          <th scope="col" data-wide>
            <Trans>Role</Trans>
          </th>
          <th scope="col">
            <Trans>Status</Trans>
          </th>
          <th scope="col" data-wide>
            <Trans>Invited</Trans>
          </th>
          <th scope="col" data-wide>
            <Trans>End of the link</Trans>
          </th>
          <th scope="col">
            <VisuallyHidden>
              <Trans>Actions</Trans>
            </VisuallyHidden>
          </th>
        </>
      }
    >
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.id} invitation={invitation} mails={mails} actions={actions} />
      ))}
    </DataTable>
  );
}

interface InvitationRowProps {
  readonly invitation: Invitation;
  readonly mails: boolean;
  readonly actions: InvitationActions | null;
}

function InvitationRow({ invitation, mails, actions }: InvitationRowProps) {
  const { email, role, state, created_at, expires_at } = invitation;
  return (
    <tr>
      <td className={classes.user}>
        <span className={classes.email}>{email}</span>
        <Text size="xs" c="dimmed" mt={2} component="div" hiddenFrom="sm">
          {roleLabel(role)}
          {expires_at !== null && (
            <>
              {' · '}
              {state === 'pending' ? (
                <Trans>
                  expires <DateTime at={expires_at} as="minute" />
                </Trans>
              ) : (
                <Trans>
                  expired <DateTime at={expires_at} as="minute" />
                </Trans>
              )}
            </>
          )}
        </Text>
      </td>
      <td data-wide>{roleLabel(role)}</td>
      <td className={classes.noWrap}>
        {state === 'pending' ? (
          <Pill tone="amber" icon={IconClock} title={t`The link has not been used yet`}>
            <Trans>Pending</Trans>
          </Pill>
        ) : (
          <Pill tone="slate" icon={IconClock} title={t`The invited user needs a new link`}>
            <Trans>Expired</Trans>
          </Pill>
        )}
      </td>
      <td data-wide className={classes.noWrap}>
        <DateTime at={created_at} as="relative" />
      </td>
      <td data-wide className={classes.noWrap}>
        <DateTime at={expires_at} as="minute" />
      </td>
      <td className={classes.menu}>
        {actions !== null && (
          <RowMenu label={t`Actions for ${email}`}>
            <Menu.Item leftSection={<IconSliders size={16} />} onClick={() => actions.onEdit(invitation)}>
              <Trans>Role and limit</Trans>
            </Menu.Item>
            <Menu.Item leftSection={<IconRotate size={16} />} onClick={() => actions.onResend(invitation)}>
              {mails ? t`Send again` : t`New link`}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              c="var(--sl-red)"
              leftSection={<IconTrash size={16} />}
              onClick={() => actions.onRevoke(invitation)}
            >
              <Trans>Revoke</Trans>
            </Menu.Item>
          </RowMenu>
        )}
      </td>
    </tr>
  );
}
