import { t } from '@lingui/core/macro';
import { ROLE_LABELS } from '../../api/session.ts';
import type { Role } from '../../api/users.ts';

/** The roles with descriptions. */
export const ROLES: readonly {
  readonly role: Role;
  readonly meaning: string;
}[] = [
  {
    role: 'user',
    meaning: t`Runs scrapes, jobs and monitors, and sees only their own data, keys and alerts.`,
  },
  {
    role: 'admin',
    meaning: t`Also sees the scrapes, jobs and monitors of all users, and manages users, proxies, vendors and sites. Sees the system and the audit log.`,
  },
  {
    role: 'viewer',
    meaning: t`Sees the scrapes, jobs and monitors of all users, the proxies, the vendors, the system and the audit log. Changes nothing, runs no scrapes, and has no keys or alerts.`,
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
