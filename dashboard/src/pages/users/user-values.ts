import { t } from '@lingui/core/macro';
import { ROLE_LABELS } from '../../api/session.ts';
import type { Role } from '../../api/users.ts';

/** The roles with descriptions. */
export const ROLES: readonly {
  readonly role: Role;
  readonly meaning: string;
}[] = [
  { role: 'user', meaning: t`Scrapes and sees only their own keys and history.` },
  {
    role: 'admin',
    meaning: t`Also manages users and limits, and sees the history of all users.`,
  },
  {
    role: 'viewer',
    meaning: t`Sees what an administrator sees, but changes nothing and runs no scrapes.`,
  },
];

export const roleLabel = (role: Role): string => ROLE_LABELS[role];

/** The service's default limit of requests in flight. */
export const DEFAULT_LIMIT = 50;

/** The values of the form of a user. */
export interface UserValues {
  role: Role;
  /** `''`: the default. */
  concurrency: number | string;
}

export const USER_FIELDS = ['role', 'concurrency'] as const;

/** The value for the API; null: the default limit. */
export const concurrencyOf = ({ concurrency }: UserValues): number | null =>
  concurrency === '' ? null : Number(concurrency);
