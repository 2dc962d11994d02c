import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { User } from '../../api/client.ts';
import { useUser } from '../../api/session.ts';
import type { StatsWindow } from '../../api/stats.ts';
import { usersQuery } from '../../api/users.ts';

const overviewRoute = getRouteApi('/signed-in/');

export interface StatsScope {
  /** For the figures: undefined asks for all that one may see. */
  readonly userId: string | undefined;
  /** Somebody else's, by e-mail; null: one's own or everybody's. */
  readonly other: string | null;
  /** Among whom an administrator may choose; null: there is no choice. */
  readonly users: readonly User[] | null;
  /** The limit of all that is shown, where it is no sum over users: of an administrator who is the only user. */
  readonly ownLimit: number | null;
}

/** Whose figures are shown: one's own; for administrators also everybody's or one user's. */
export function useStatsScope(): StatsScope {
  const me = useUser();
  const { user_id } = overviewRoute.useSearch();
  const isAdmin = me.role === 'admin';
  const users = useQuery({ ...usersQuery, enabled: isAdmin }).data?.items;
  if (!isAdmin) return { userId: undefined, other: null, users: null, ownLimit: null };
  const other = user_id === undefined || user_id === me.id ? null : user_id;
  return {
    userId: user_id,
    other: other === null ? null : (users?.find(({ id }) => id === other)?.email ?? 'this user'),
    // With nobody else there is nothing to choose.
    users: users === undefined || (users.length < 2 && user_id === undefined) ? null : users,
    ownLimit: users?.length === 1 ? me.concurrency : null,
  };
}

/** What each window is called: on its switch, and in a sentence. */
export const WINDOW_CHOICES: readonly {
  readonly value: StatsWindow;
  readonly label: string;
  readonly words: string;
}[] = [
  { value: '1h', label: '1 h', words: 'the last hour' },
  { value: '24h', label: '24 h', words: 'the last 24 hours' },
  { value: '7d', label: '7 d', words: 'the last 7 days' },
];

export const windowText = (window: StatsWindow): string =>
  WINDOW_CHOICES.find(({ value }) => value === window)!.words;
