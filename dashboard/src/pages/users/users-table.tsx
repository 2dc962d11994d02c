import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { scrapersQuery } from '../../api/playground.ts';
import { useUser } from '../../api/session.ts';
import type { ListedUser } from '../../api/users.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCost, formatCount } from '../../ui/format.ts';
import {
  IconBlocked,
  IconCircleCheck,
  IconClock,
  IconKey,
  IconLink,
  IconLock,
  IconSliders,
} from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { TextLink } from '../../ui/text.tsx';
import type { UserAction } from './user-dialogs.tsx';
import { roleLabel } from './user-values.ts';
import classes from './users.module.css';

interface UsersTableProps {
  /** null: loading. */
  readonly users: readonly ListedUser[] | null;
  /** null: the signed-in user may not change anything. */
  readonly onAction: OnAction | null;
}

type OnAction = (action: UserAction, user: ListedUser) => void;

export function UsersTable({ users, onAction }: UsersTableProps) {
  const { id } = useUser();
  const unit = useQuery(scrapersQuery).data?.cost_unit ?? '';
  const isPriced = users?.some(({ cost_30d }) => cost_30d !== null) === true;
  return (
    <DataTable
      caption={t`Users`}
      oneLine
      columns={[
        {
          label: t`E-mail`,
          lead: true,
          minWidth: '11rem',
          cell: (user) => <UserName user={user} isSelf={user.id === id} />,
        },
        { label: t`Role`, wide: true, cell: ({ role }) => roleLabel(role) },
        { label: t`Status`, nowrap: true, cell: (user) => <UserStatus user={user} /> },
        { label: t`Password`, wide: true, nowrap: true, cell: passwordText },
        {
          label: t`At once`,
          title: t`Concurrent requests`,
          wide: true,
          numeric: true,
          cell: (user) => <UserLimit user={user} />,
        },
        {
          label: t`Last active`,
          wide: true,
          nowrap: true,
          title: t`The last request with a key, or the last use of the dashboard`,
          cell: (user) => <DateTime at={lastActive(user)} as="relative" fallback={t`Never`} />,
        },
        {
          label: t`Scrapes, 30 d`,
          wide: true,
          numeric: true,
          cell: ({ scrapes_30d }) => formatCount(scrapes_30d),
        },
        isPriced && {
          label: t`Cost, 30 d`,
          wide: true,
          numeric: true,
          cell: ({ cost_30d }) => (cost_30d === null ? '–' : formatCost(cost_30d, unit)),
        },
        {
          label: t`Actions`,
          hidden: true,
          width: '1%',
          cell: (user) => onAction !== null && <UserMenu user={user} onAction={onAction} />,
        },
      ]}
      rows={users}
      rowKey={(user) => user.id}
      skeletonRows={4}
    />
  );
}

function UserName({ user, isSelf }: { readonly user: ListedUser; readonly isSelf: boolean }) {
  return (
    <>
      <TextLink to="/users/$id" params={{ id: user.id }} className={classes.email} title={user.email}>
        {user.email}
      </TextLink>
      {isSelf && (
        <span className={classes.viewer}>
          <Trans>You</Trans>
        </span>
      )}
      <Text size="xs" c="dimmed" mt={2} component="div" hiddenFrom="sm">
        <Trans>
          {roleLabel(user.role)} · <UserLimit user={user} /> at once · seen{' '}
          <DateTime at={lastActive(user)} as="relative" fallback={t`never`} />
        </Trans>
      </Text>
    </>
  );
}

/** The later of the last request with a key, and the last use of the dashboard; null: neither. */
export const lastActive = ({ last_seen_at: seen, last_used_at: used }: ListedUser): string | null =>
  seen !== null && used !== null ? (seen > used ? seen : used) : (seen ?? used);

function passwordText({ has_password, has_second_factor, has_identity }: ListedUser): string {
  if (has_password) return has_second_factor ? t`Set, with second factor` : t`Set`;
  return has_identity ? t`None, single sign-on` : t`Not set`;
}

function UserMenu({ user, onAction }: { readonly user: ListedUser; readonly onAction: OnAction }) {
  const disabled = user.disabled_at !== null;
  return (
    <RowMenu
      label={t`Actions for ${user.email}`}
      actions={[
        {
          label: t`API keys`,
          leftSection: <IconKey size={16} />,
          renderRoot: (props) => <Link to="/users/$id" params={{ id: user.id }} {...props} />,
        },
        {
          label: t`Role and limit`,
          leftSection: <IconSliders size={16} />,
          onClick: () => onAction('edit', user),
        },
        !disabled && {
          label: user.has_password ? t`Reset the password` : t`New set-up link`,
          leftSection: <IconLink size={16} />,
          onClick: () => onAction('link', user),
        },
        user.has_second_factor && {
          label: t`Reset the second factor`,
          leftSection: <IconLock size={16} />,
          onClick: () => onAction('resetFactor', user),
        },
        user.has_identity && {
          label: t`Unlink from single sign-on`,
          leftSection: <IconLink size={16} />,
          onClick: () => onAction('unlink', user),
        },
        'divider',
        {
          label: disabled ? t`Enable` : t`Disable`,
          c: disabled ? undefined : 'var(--sl-red)',
          leftSection: disabled ? <IconCircleCheck size={16} /> : <IconBlocked size={16} />,
          onClick: () => onAction('toggleDisabled', user),
        },
      ]}
    />
  );
}

export function UserStatus({
  user: { disabled_at, has_password, has_identity },
}: {
  readonly user: ListedUser;
}) {
  if (disabled_at !== null) {
    return <Pill tone="slate" icon={IconBlocked}>{t`Disabled`}</Pill>;
  }
  return has_password || has_identity ? (
    <Pill tone="green" icon={IconCircleCheck}>{t`Active`}</Pill>
  ) : (
    <Pill tone="amber" icon={IconClock} title={t`The user has API keys, and cannot sign in`}>
      <Trans>No password</Trans>
    </Pill>
  );
}

function UserLimit({ user: { concurrency, concurrency_is_default } }: { readonly user: ListedUser }) {
  return (
    <>
      {concurrency_is_default && t`default `}
      {formatCount(concurrency)}
    </>
  );
}
