import { Type } from 'typebox';
import { ROLES, type UserRow } from '../../domain/account.ts';
import { closed, orNull } from '../../domain/json-schema.ts';
import { USER_LIMITS } from '../../domain/user-limits.ts';
import { formatDateTime, formatDateTimeOrNull } from '../../wire/date-time.ts';
import type { EndpointDeps } from '../core/deps.ts';

export const Email = Type.String({ minLength: 3, maxLength: 254, description: 'An e-mail address.' });
export const RoleName = Type.Enum([...ROLES], {
  description: '`viewer`: reads what an administrator reads, and changes nothing.',
});
export const Password = Type.String({ minLength: 8, maxLength: 1024 });
/** Without the rules for new passwords: an old password may break them. */
export const CurrentPassword = Type.String({ minLength: 1, maxLength: 1024 });
export const Code = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Code of the authenticator app, or a recovery code.',
});

const Timestamp = Type.String({ format: 'date-time' });
/** A user, as the API shows it. */
export const User = closed(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    role: RoleName,
    concurrency: Type.Integer({ description: 'Maximum concurrent requests, over all keys of the user.' }),
    concurrency_is_default: Type.Boolean({
      description: 'Whether `concurrency` is the default of the service.',
    }),
    job_concurrency: Type.Integer({
      description: 'Items of jobs that may run at once, over all jobs of the user.',
    }),
    limits: closed({
      open_jobs: Type.Integer({ description: 'Jobs that have not ended.' }),
      queued_items: Type.Integer({ description: 'Items of these jobs that wait.' }),
      monitors: Type.Integer(),
      schedules: Type.Integer(),
      datasets: Type.Integer(),
      templates: Type.Integer(),
      profiles: Type.Integer(),
      streams: Type.Integer({ description: 'Streams of events and results that are open at once.' }),
    }),
    disabled_at: orNull(Timestamp),
    created_at: Timestamp,
    has_password: Type.Boolean({ description: 'Whether the user has set a password.' }),
    has_second_factor: Type.Boolean({ description: 'Whether sign-in asks for a code.' }),
    has_identity: Type.Boolean({ description: 'Whether the user has signed in by the OpenID provider.' }),
    last_seen_at: orNull(Timestamp, {
      description: 'Last use of the dashboard, accurate to about a minute.',
    }),
    in_flight: Type.Integer({ description: 'Requests running now.' }),
  },
  { title: 'User' },
);

/** What a user object needs besides the user's row. */
interface UserStatus {
  /** The limit of users without a limit of their own. */
  readonly defaultConcurrency: number;
  /** ms since the epoch; null: never. It may be newer than `lastSeenAt` of the row, which is written later. */
  readonly lastSeenAt: number | null;
  readonly inFlight: number;
  readonly hasSecondFactor: boolean;
  readonly hasIdentity: boolean;
}

function limitMembers({ limits: own }: UserRow) {
  const { job_concurrency, ...limits } = { ...USER_LIMITS, ...own };
  return { job_concurrency, limits };
}

/** A user object of the API. It shows only whether the user has a password. */
export function userObject(user: UserRow, status: UserStatus) {
  return {
    id: user.id,
    email: user.email,
    role: user.role,
    concurrency: user.concurrency ?? status.defaultConcurrency,
    concurrency_is_default: user.concurrency === null,
    ...limitMembers(user),
    disabled_at: formatDateTimeOrNull(user.disabledAt),
    created_at: formatDateTime(user.createdAt),
    has_password: user.passwordHash !== null,
    has_second_factor: status.hasSecondFactor,
    has_identity: status.hasIdentity,
    last_seen_at: formatDateTimeOrNull(status.lastSeenAt),
    in_flight: status.inFlight,
  };
}

export type UserViewDeps = Pick<EndpointDeps, 'accounts' | 'permits' | 'defaultConcurrency'>;

/** A user object with the current state of the user. */
export async function userView(user: UserRow, { accounts, permits, defaultConcurrency }: UserViewDeps) {
  return userObject(user, {
    defaultConcurrency,
    lastSeenAt: accounts.lastSeenAt(user),
    inFlight: await permits.inUse(user.id),
    hasSecondFactor: accounts.sessions.hasSecondFactor(user.id),
    hasIdentity: accounts.hasIdentity(user.id),
  });
}
