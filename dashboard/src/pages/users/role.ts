import type { Role } from '../../api/users.ts';

/** What the roles are called, and what they may do. */
export const ROLES: readonly {
  readonly role: Role;
  readonly label: string;
  readonly meaning: string;
}[] = [
  { role: 'user', label: 'User', meaning: 'Scrapes and sees only their own keys and history.' },
  {
    role: 'admin',
    label: 'Administrator',
    meaning: 'Also manages users and limits, and sees the history of all users.',
  },
];

export const roleLabel = (role: Role): string => ROLES.find((one) => one.role === role)!.label;

/** How many requests at once a user has of whom nothing else is said. */
export const DEFAULT_LIMIT = 50;
