import type { Role } from '../../api/users.ts';

/** What stands in the forms of a user. */
export interface UserValues {
  email: string;
  role: Role;
  /** `''`: the default. */
  concurrency: number | string;
}

export const USER_FIELDS = ['email', 'role', 'concurrency'] as const;

export const userRules = {
  // As the service has it: admin@localhost is one.
  email: (email: string) =>
    /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : 'Enter an e-mail address, such as maria@example.com.',
};

/** For the API: null is the default. */
export const limitOf = ({ concurrency }: UserValues): number | null =>
  concurrency === '' ? null : Number(concurrency);
