import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { User } from '../../api/client.ts';
import { seesAllUsers, useUser } from '../../api/session.ts';
import type { StatsWindow } from '../../api/stats.ts';
import { usersQuery } from '../../api/users.ts';

const overviewRoute = getRouteApi('/signed-in/');

export interface StatsScope {
  /** The user for the statistics; undefined: all that the viewer may see. */
  readonly userId: string | undefined;
  /** E-mail of another user whose figures are shown; null: the viewer's own, or all users. */
  readonly other: string | null;
  /** The users that an administrator can choose from; null: there is no choice. */
  readonly users: readonly User[] | null;
  /** Concurrency limit of the administrator, if there are no other users; otherwise null. */
  readonly ownLimit: number | null;
}

/** The users whose figures are shown: the viewer; for administrators also all users, or another one. */
export function useStatsScope(): StatsScope {
  const me = useUser();
  const { user_id } = overviewRoute.useSearch();
  const isAdmin = seesAllUsers(me);
  const users = useQuery({ ...usersQuery, enabled: isAdmin }).data?.items;
  if (!isAdmin) return { userId: undefined, other: null, users: null, ownLimit: null };
  const other = user_id === undefined || user_id === me.id ? null : user_id;
  return {
    userId: user_id,
    other: other === null ? null : (users?.find(({ id }) => id === other)?.email ?? t`this user`),
    // With a single user there is no choice.
    users: users === undefined || (users.length < 2 && user_id === undefined) ? null : users,
    ownLimit: users?.length === 1 ? me.concurrency : null,
  };
}

/** The names of each time window: on its switch, and in a sentence. */
export const WINDOW_CHOICES: readonly {
  readonly value: StatsWindow;
  readonly label: string;
  readonly phrase: string;
}[] = [
  { value: '1h', label: t`1 h`, phrase: t`the last hour` },
  { value: '24h', label: t`24 h`, phrase: t`the last 24 hours` },
  { value: '7d', label: t`7 d`, phrase: t`the last 7 days` },
  { value: '30d', label: t`30 d`, phrase: t`the last 30 days` },
  { value: '90d', label: t`90 d`, phrase: t`the last 90 days` },
];

export const windowText = (window: StatsWindow): string =>
  WINDOW_CHOICES.find(({ value }) => value === window)!.phrase;
