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

/** What stands in the forms of a user. */
export interface UserValues {
  email: string;
  role: Role;
  /** `''`: the default. */
  concurrency: number | string;
}

export const USER_FIELDS = ['email', 'role', 'concurrency'] as const;

export const userValidation = {
  // As the service has it: admin@localhost is one.
  email: (email: string) =>
    /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : 'Enter an e-mail address, such as maria@example.com.',
};

/** For the API: null is the default. */
export const concurrencyOf = ({ concurrency }: UserValues): number | null =>
  concurrency === '' ? null : Number(concurrency);
