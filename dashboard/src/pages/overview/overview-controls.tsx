import { NativeSelect, SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useUser } from '../../api/session.ts';
import type { StatsWindow } from '../../api/stats.ts';
import classes from './overview.module.css';
import type { Scope } from './use-scope.ts';
import { WINDOWS } from './windows.ts';

const overviewRoute = getRouteApi('/signed-in/');

interface OverviewControlsProps {
  readonly scope: Scope;
  readonly window: StatsWindow;
}

/** Which window, and for administrators whose figures; both are kept in the URL. */
export function OverviewControls({ scope, window }: OverviewControlsProps) {
  const navigate = overviewRoute.useNavigate();
  return (
    <div className={classes.controls}>
      {scope.users !== null && <UserSelect users={scope.users} />}
      <SegmentedControl
        aria-label="Window"
        value={window}
        data={WINDOWS.map(({ value, label }) => ({ value, label }))}
        onChange={(value) =>
          void navigate({ search: (old) => ({ ...old, window: value as StatsWindow }), replace: true })
        }
      />
    </div>
  );
}

function UserSelect({ users }: { readonly users: NonNullable<Scope['users']> }) {
  const me = useUser();
  const { user_id: chosen = '' } = overviewRoute.useSearch();
  const navigate = overviewRoute.useNavigate();
  const others = users.filter(({ id }) => id !== me.id);
  const known = chosen === '' || users.some(({ id }) => id === chosen);
  return (
    <NativeSelect
      aria-label="Whose scrapes"
      size="xs"
      className={classes.users}
      value={chosen}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ search: (old) => ({ ...old, user_id: value || undefined }), replace: true })
      }
    >
      <option value="">All users</option>
      <option value={me.id}>Only mine</option>
      {!known && <option value={chosen}>Unknown user</option>}
      {others.length > 0 && (
        <optgroup label="One user">
          {others.map(({ id, email }) => (
            <option key={id} value={id}>
              {email}
            </option>
          ))}
        </optgroup>
      )}
    </NativeSelect>
  );
}
