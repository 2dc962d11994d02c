import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { User } from '../../api/client.ts';
import { useCanChange } from '../../api/session.ts';
import { type Invitation, invitationsQuery, type ListedUser, usersQuery } from '../../api/users.ts';
import { useDialog } from '../../ui/dialog.tsx';
import { timeOf } from '../../ui/format.ts';
import { IconPlus, IconSearch, IconUsers } from '../../ui/icons.tsx';
import { notifyError } from '../../ui/notice.tsx';
import { OrderSelect } from '../../ui/order-select.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useLinkedForm } from '../../ui/use-linked-form.ts';
import { InvitationsTable } from './invitations-table.tsx';
import { InviteUser } from './invite-user.tsx';
import { ResendInvitation } from './one-time-link.tsx';
import { RevokeInvitation, type UserAction, UserDialog } from './user-dialogs.tsx';
import { lastActive, UsersTable } from './users-table.tsx';

const usersRoute = getRouteApi('/signed-in/users');

/** The orders of the list. */
const ORDERS = {
  email: t`By e-mail`,
  active: t`Last active first`,
  scrapes: t`Most scrapes first`,
  cost: t`Most expensive first`,
};

const COMPARE: Readonly<Record<keyof typeof ORDERS, (a: ListedUser, b: ListedUser) => number>> = {
  email: (a, b) => a.email.localeCompare(b.email),
  active: (a, b) => timeOf(lastActive(b)) - timeOf(lastActive(a)),
  scrapes: (a, b) => b.scrapes_30d - a.scrapes_30d,
  cost: (a, b) => (b.cost_30d ?? 0) - (a.cost_30d ?? 0),
};

/** All users. For administrators. */
export function UsersPage() {
  const search = usersRoute.useSearch();
  const { q = '', sort } = search;
  const navigate = usersRoute.useNavigate();
  const users = useQuery(usersQuery);
  const invitations = useQuery(invitationsQuery);
  const invite = useDialog<'new'>();
  const resend = useDialog<Invitation>();
  const revoke = useDialog<Invitation>();
  const action = useDialog<{ readonly action: UserAction; readonly user: User }>();
  const canChange = useCanChange();
  useLinkedForm('invite', () => canChange && invite.open('new'));
  const matches = ({ email }: { readonly email: string }) => email.toLowerCase().includes(q.toLowerCase());
  const invited = invitations.data?.items.filter(matches) ?? [];
  const all = invitations.isPending ? null : (users.data?.items ?? null);
  const isInvited = (user: User) => invited.some(({ id }) => id === user.id);
  const shown =
    all
      ?.filter((user) => matches(user) && !isInvited(user))
      .toSorted(sort === undefined ? () => 0 : COMPARE[sort]) ?? null;
  const queries = useQueryClient();
  // The users may be loaded after the invitations.
  const editInvited = ({ id }: Invitation) =>
    void queries.ensureQueryData(usersQuery).then(({ items }) => {
      const user = items.find((one) => one.id === id);
      if (user !== undefined) action.open({ action: 'edit', user });
    }, notifyError);
  return (
    <>
      <PageHeader
        title={t`Users`}
        description={t`Each user has their own keys, history and limit.`}
        actions={
          canChange && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => invite.open('new')}>
              <Trans>Invite a user</Trans>
            </Button>
          )
        }
      />
      <Stack gap="md">
        <Group gap="xs">
          <TextInput
            aria-label={t`Find by e-mail`}
            placeholder={t`Find by e-mail`}
            type="search"
            leftSection={<IconSearch size={16} />}
            value={q}
            flex={{ xs: '0 1 20rem', base: 1 }}
            onChange={({ currentTarget: { value } }) =>
              void navigate({ search: { ...search, q: value === '' ? undefined : value }, replace: true })
            }
          />
          <OrderSelect
            first={t`Oldest first`}
            orders={ORDERS}
            value={sort}
            onChange={(next) =>
              void navigate({
                search: { ...search, sort: next },
                replace: true,
              })
            }
          />
        </Group>
        {invited.length > 0 && (
          <Panel title={t`Invitations`} flush>
            <InvitationsTable
              invitations={invited}
              mails={invitations.data?.has_mail_server === true}
              actions={
                canChange ? { onEdit: editInvited, onResend: resend.open, onRevoke: revoke.open } : null
              }
            />
          </Panel>
        )}
        <ErrorNotice
          error={invitations.error}
          title={t`The invitations could not be loaded`}
          onRetry={() => void invitations.refetch()}
        />
        {(shown?.length !== 0 || invited.length === 0) && (
          <Panel title={invited.length > 0 ? t`Other users` : undefined} flush>
            {users.error !== null && all === null ? (
              <ErrorState error={users.error} onRetry={() => void users.refetch()} />
            ) : shown?.length === 0 ? (
              <EmptyState icon={IconUsers} title={t`No such user`}>
                <Trans>No e-mail contains “{q}”.</Trans>
              </EmptyState>
            ) : (
              <UsersTable
                users={shown}
                onAction={canChange ? (name, user) => action.open({ action: name, user }) : null}
              />
            )}
          </Panel>
        )}
      </Stack>
      <InviteUser key={`invite ${invite.openCount}`} dialog={invite} />
      {resend.subject && (
        <ResendInvitation
          key={`resend ${resend.openCount}`}
          dialog={resend}
          invitation={resend.subject}
          mails={invitations.data?.has_mail_server === true}
        />
      )}
      {revoke.subject && (
        <RevokeInvitation key={`revoke ${revoke.openCount}`} dialog={revoke} invitation={revoke.subject} />
      )}
      {action.subject && <UserDialog key={`user ${action.openCount}`} dialog={action} {...action.subject} />}
    </>
  );
}
