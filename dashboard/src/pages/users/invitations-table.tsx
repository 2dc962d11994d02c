import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
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
      columns={[
        {
          label: t`E-mail`,
          minWidth: '11rem',
          cell: (invitation) => <InvitedUser invitation={invitation} />,
        },
        { label: t`Role`, wide: true, cell: ({ role }) => roleLabel(role) },
        { label: t`Status`, nowrap: true, cell: ({ state }) => <InvitationState state={state} /> },
        {
          label: t`Invited`,
          wide: true,
          nowrap: true,
          cell: ({ created_at }) => <DateTime at={created_at} as="relative" />,
        },
        {
          label: t`End of the link`,
          wide: true,
          nowrap: true,
          cell: ({ expires_at }) => <DateTime at={expires_at} as="minute" />,
        },
        {
          label: t`Actions`,
          hidden: true,
          width: '1%',
          cell: (invitation) =>
            actions !== null && (
              <RowMenu
                label={actionsLabel(invitation)}
                actions={[
                  {
                    label: t`Role and limit`,
                    leftSection: <IconSliders size={16} />,
                    onClick: () => actions.onEdit(invitation),
                  },
                  {
                    label: mails ? t`Send again` : t`New link`,
                    leftSection: <IconRotate size={16} />,
                    onClick: () => actions.onResend(invitation),
                  },
                  'divider',
                  {
                    label: t`Revoke`,
                    c: 'var(--sl-red)',
                    leftSection: <IconTrash size={16} />,
                    onClick: () => actions.onRevoke(invitation),
                  },
                ]}
              />
            ),
        },
      ]}
      rows={invitations}
      rowKey={({ id }) => id}
    />
  );
}

const actionsLabel = ({ email }: Invitation): string => t`Actions for ${email}`;

function InvitedUser({ invitation }: { readonly invitation: Invitation }) {
  const { email, role, state, expires_at } = invitation;
  return (
    <>
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
    </>
  );
}

const InvitationState = ({ state }: Pick<Invitation, 'state'>) =>
  state === 'pending' ? (
    <Pill tone="amber" icon={IconClock} title={t`The link has not been used yet`}>{t`Pending`}</Pill>
  ) : (
    <Pill tone="slate" icon={IconClock} title={t`The invited user needs a new link`}>{t`Expired`}</Pill>
  );
