import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Menu, Text, VisuallyHidden } from '@mantine/core';
import type { User } from '../../api/client.ts';
import { useUser } from '../../api/session.ts';
import { DataTable, SkeletonRows } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/format.ts';
import { IconBlocked, IconCircleCheck, IconClock, IconLink, IconLock, IconSliders } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { roleLabel } from './user-values.ts';
import classes from './users.module.css';

interface UsersTableProps {
  /** null: loading. */
  readonly users: readonly User[] | null;
  /** null: the signed-in user may not change anything. */
  readonly actions: UserActions | null;
}

export function UsersTable({ users, actions }: UsersTableProps) {
  const { id } = useUser();
  return (
    <DataTable
      caption={t`Users`}
      busy={users === null}
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
            <Trans>Password</Trans>
          </th>
          <th scope="col" data-wide data-numeric>
            <Trans>Concurrent requests</Trans>
          </th>
          <th scope="col" data-wide>
            <Trans>Last seen</Trans>
          </th>
          <th scope="col">
            <VisuallyHidden>
              <Trans>Actions</Trans>
            </VisuallyHidden>
          </th>
        </>
      }
    >
      {users === null ? (
        <SkeletonRows rows={4} columns={7} />
      ) : (
        users.map((user) => <UserRow key={user.id} user={user} isSelf={user.id === id} actions={actions} />)
      )}
    </DataTable>
  );
}

interface UserActions {
  readonly onEdit: (user: User) => void;
  readonly onLink: (user: User) => void;
  readonly onResetFactor: (user: User) => void;
  readonly onUnlink: (user: User) => void;
  readonly onToggleDisabled: (user: User) => void;
}

interface UserRowProps {
  readonly user: User;
  /** The row is about the signed-in user. */
  readonly isSelf: boolean;
  readonly actions: UserActions | null;
}

function UserRow({ user, isSelf, actions }: UserRowProps) {
  return (
    <tr>
      <td className={classes.user}>
        <span className={classes.email}>{user.email}</span>
        {isSelf && (
          <span className={classes.viewer}>
            <Trans>You</Trans>
          </span>
        )}
        <Text size="xs" c="dimmed" mt={2} component="div" hiddenFrom="sm">
          <Trans>
            {roleLabel(user.role)} · <UserLimit user={user} /> at once · seen{' '}
            <DateTime at={user.last_seen_at} as="relative" fallback={t`never`} />
          </Trans>
        </Text>
      </td>
      <td data-wide>{roleLabel(user.role)}</td>
      <td className={classes.noWrap}>
        <UserStatus user={user} />
      </td>
      <td data-wide className={classes.noWrap}>
        {passwordText(user)}
      </td>
      <td data-wide data-numeric>
        <UserLimit user={user} />
      </td>
      <td data-wide className={classes.noWrap}>
        <DateTime at={user.last_seen_at} as="relative" fallback={t`Never`} />
      </td>
      <td className={classes.menu}>{actions !== null && <UserMenu user={user} actions={actions} />}</td>
    </tr>
  );
}

function passwordText({ has_password, has_second_factor, has_identity }: User): string {
  if (has_password) return has_second_factor ? t`Set, with second factor` : t`Set`;
  return has_identity ? t`None, single sign-on` : t`Not set`;
}

function UserMenu({ user, actions }: { readonly user: User; readonly actions: UserActions }) {
  const disabled = user.disabled_at !== null;
  return (
    <RowMenu label={t`Actions for ${user.email}`}>
      <Menu.Item leftSection={<IconSliders size={16} />} onClick={() => actions.onEdit(user)}>
        <Trans>Role and limit</Trans>
      </Menu.Item>
      {!disabled && (
        <Menu.Item leftSection={<IconLink size={16} />} onClick={() => actions.onLink(user)}>
          {user.has_password ? t`Reset the password` : t`New set-up link`}
        </Menu.Item>
      )}
      {user.has_second_factor && (
        <Menu.Item leftSection={<IconLock size={16} />} onClick={() => actions.onResetFactor(user)}>
          <Trans>Reset the second factor</Trans>
        </Menu.Item>
      )}
      {user.has_identity && (
        <Menu.Item leftSection={<IconLink size={16} />} onClick={() => actions.onUnlink(user)}>
          <Trans>Unlink from single sign-on</Trans>
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        c={disabled ? undefined : 'var(--sl-red)'}
        leftSection={disabled ? <IconCircleCheck size={16} /> : <IconBlocked size={16} />}
        onClick={() => actions.onToggleDisabled(user)}
      >
        {disabled ? t`Enable` : t`Disable`}
      </Menu.Item>
    </RowMenu>
  );
}

function UserStatus({ user: { disabled_at, has_password, has_identity } }: { readonly user: User }) {
  if (disabled_at !== null) {
    return (
      <Pill tone="slate" icon={IconBlocked}>
        <Trans>Disabled</Trans>
      </Pill>
    );
  }
  return has_password || has_identity ? (
    <Pill tone="green" icon={IconCircleCheck}>
      <Trans>Active</Trans>
    </Pill>
  ) : (
    <Pill tone="amber" icon={IconClock} title={t`The user has API keys, and cannot sign in`}>
      <Trans>No password</Trans>
    </Pill>
  );
}

function UserLimit({ user: { concurrency, concurrency_is_default } }: { readonly user: User }) {
  return (
    <>
      {concurrency_is_default && t`default `}
      {formatCount(concurrency)}
    </>
  );
}
