import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { User } from '../../api/client.ts';
import { useCanChange } from '../../api/session.ts';
import { usersQuery } from '../../api/users.ts';
import { useDialog } from '../../ui/dialog.tsx';
import { IconPlus, IconSearch, IconUsers } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SetUpLinkDialog } from './set-up-link.tsx';
import { CreateUser, DisableUser, EditUser, ResetSecondFactor } from './user-dialogs.tsx';
import { UsersTable } from './users-table.tsx';

const usersRoute = getRouteApi('/signed-in/users');

/** All users. For administrators. */
export function UsersPage() {
  const { q = '' } = usersRoute.useSearch();
  const navigate = usersRoute.useNavigate();
  const users = useQuery(usersQuery);
  const create = useDialog<'new'>();
  const edit = useDialog<User>();
  const link = useDialog<User>();
  const disable = useDialog<User>();
  const resetFactor = useDialog<User>();
  const canChange = useCanChange();
  const all = users.data?.items ?? null;
  const shown = all?.filter(({ email }) => email.toLowerCase().includes(q.toLowerCase())) ?? null;
  return (
    <>
      <PageHeader
        title={t`Users`}
        description={t`Each user has their own keys, history and limit.`}
        actions={
          canChange && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => create.open('new')}>
              <Trans>Add a user</Trans>
            </Button>
          )
        }
      />
      <Stack gap="md">
        <TextInput
          aria-label={t`Find by e-mail`}
          placeholder={t`Find by e-mail`}
          type="search"
          leftSection={<IconSearch size={16} />}
          value={q}
          maw={{ xs: 320 }}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ search: { q: value === '' ? undefined : value }, replace: true })
          }
        />
        <Panel flush>
          {users.error !== null && all === null ? (
            <ErrorState error={users.error} onRetry={() => void users.refetch()} />
          ) : shown?.length === 0 ? (
            <EmptyState icon={IconUsers} title={t`No such user`}>
              <Trans>No e-mail contains “{q}”.</Trans>
            </EmptyState>
          ) : (
            <UsersTable
              users={shown}
              actions={
                canChange
                  ? {
                      onEdit: edit.open,
                      onLink: link.open,
                      onResetFactor: resetFactor.open,
                      onToggleDisabled: disable.open,
                    }
                  : null
              }
            />
          )}
        </Panel>
      </Stack>
      <CreateUser key={`create ${create.openCount}`} dialog={create} />
      {edit.subject && <EditUser key={`edit ${edit.openCount}`} dialog={edit} user={edit.subject} />}
      {link.subject && <SetUpLinkDialog key={`link ${link.openCount}`} dialog={link} user={link.subject} />}
      {resetFactor.subject && (
        <ResetSecondFactor
          key={`factor ${resetFactor.openCount}`}
          dialog={resetFactor}
          user={resetFactor.subject}
        />
      )}
      {disable.subject && (
        <DisableUser key={`disable ${disable.openCount}`} dialog={disable} user={disable.subject} />
      )}
    </>
  );
}
