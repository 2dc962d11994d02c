import { VisuallyHidden } from '@mantine/core';
import type { User } from '../../api/client.ts';
import { useUser } from '../../api/session.ts';
import { DataTable, SkeletonRows } from '../../ui/data-table.tsx';
import { type UserActions, UserRow } from './user-row.tsx';

interface UsersTableProps {
  /** null: not there yet. */
  readonly users: readonly User[] | null;
  readonly actions: UserActions;
}

export function UsersTable({ users, actions }: UsersTableProps) {
  const { id } = useUser();
  return (
    <DataTable
      caption="Users"
      busy={users === null}
      head={
        <>
          <th scope="col">E-mail</th>
          <th scope="col" data-wide>
            Role
          </th>
          <th scope="col">Status</th>
          <th scope="col" data-wide>
            Password
          </th>
          <th scope="col" data-wide data-numeric>
            Concurrent requests
          </th>
          <th scope="col" data-wide>
            Last seen
          </th>
          <th scope="col">
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </>
      }
    >
      {users === null ? (
        <SkeletonRows rows={4} columns={7} />
      ) : (
        users.map((user) => <UserRow key={user.id} user={user} own={user.id === id} actions={actions} />)
      )}
    </DataTable>
  );
}
