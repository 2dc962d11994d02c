import type { Accounts } from '../account/accounts.ts';
import type { UserRow } from '../domain/account.ts';
import type { Permits } from '../ports/permits.ts';
import { userObject } from '../wire/accounts.ts';

export interface ShowUserDeps {
  readonly accounts: Accounts;
  readonly permits: Permits;
  /** Of users without a number of their own. */
  readonly defaultConcurrency: number;
}

/** The user object of the API. */
export type ShowUser = (user: UserRow) => Promise<ReturnType<typeof userObject>>;

export function createShowUser({ accounts, permits, defaultConcurrency }: ShowUserDeps): ShowUser {
  return async (user) =>
    userObject(user, {
      defaultConcurrency,
      lastSeenAt: accounts.lastSeenAt(user),
      inFlight: await permits.inUse(user.id),
    });
}
