import { useQuery } from '@tanstack/react-query';
import { useIsAdmin } from './session.ts';
import { usersQuery } from './users.ts';

/** Id → e-mail for administrators; null for those who are alone or see only their own. */
export function usePeople(): ReadonlyMap<string, string> | null {
  const { data } = useQuery({ ...usersQuery, enabled: useIsAdmin() });
  if (data === undefined || data.items.length < 2) return null;
  return new Map(data.items.map(({ id, email }) => [id, email]));
}
