import type { Clock } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import { ROLES, type Role, readsAll, type UserRow } from '../domain/account.ts';
import type { AuditEvent } from '../domain/audit.ts';
import type { Failure } from '../domain/failure.ts';
import { changedLimits, isUserLimit, type LimitsChange, MAX_USER_LIMIT } from '../domain/user-limits.ts';
import { type AccountStore, ConflictError } from '../ports/store.ts';
import {
  type AccountResult,
  type Actor,
  ADMINS_ONLY,
  auditEvent,
  fieldNames,
  invalid,
  notFound,
  type Reader,
  refusedWith,
  succeeded,
} from './account-actions.ts';
import type { AccountDirectory } from './account-directory.ts';
import { CONCURRENCY_TEXT, isConcurrencyLimit } from './key-settings.ts';
import type { PasswordHasher } from './passwords.ts';
import { passwordProblems } from './passwords.ts';

export interface UserDeps {
  readonly store: AccountStore;
  readonly directory: AccountDirectory;
  readonly clock: Clock;
  readonly passwords: PasswordHasher;
  readonly onAudit: (event: AuditEvent) => void;
}

/** The settings of a user that an administrator can change. */
export interface UserSettings {
  readonly email: string;
  readonly role: Role;
  /** null: the default of the service. */
  readonly concurrency: number | null;
  /** Those that change. */
  readonly limits: LimitsChange;
  readonly password: string | null;
  readonly disabled: boolean;
}

export type NewUser = Partial<UserSettings> & Pick<UserSettings, 'email'>;

/** All users, the oldest first; empty if the reader sees only themselves. */
export function listUsers({ directory }: UserDeps, reader: Reader): readonly UserRow[] {
  if (!readsAll(reader.role)) return [];
  return [...directory.snapshot.users.values()].sort(
    (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
  );
}

/** Finds a user by id or e-mail address (case-insensitive). Users find only themselves. */
export function findUser({ directory }: UserDeps, reader: Reader, idOrEmail: string): UserRow | null {
  const { users } = directory.snapshot;
  const found = users.get(idOrEmail) ?? userByEmail(users, idOrEmail);
  return found !== null && (readsAll(reader.role) || reader.userId === found.id) ? found : null;
}

/** The form in which e-mail addresses are compared. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

export function userByEmail(users: ReadonlyMap<string, UserRow>, email: string): UserRow | null {
  const key = emailKey(email);
  for (const user of users.values()) if (emailKey(user.email) === key) return user;
  return null;
}

export async function createUser(
  deps: UserDeps,
  actor: Actor,
  settings: NewUser,
): Promise<AccountResult<UserRow>> {
  if (actor.role !== 'admin') return refusedWith(ADMINS_ONLY);
  const failures = validateUserSettings(settings);
  if (failures.length > 0) return refusedWith(...failures);
  const now = deps.clock.now();
  const row: UserRow = {
    id: uuid7(now),
    email: settings.email,
    role: settings.role ?? 'user',
    passwordHash: typeof settings.password === 'string' ? await deps.passwords.hash(settings.password) : null,
    concurrency: settings.concurrency ?? null,
    limits: changedLimits({}, settings.limits ?? {}),
    disabledAt: settings.disabled === true ? now : null,
    createdAt: now,
    lastSeenAt: null,
  };
  const details = { changed: fieldNames(settings), role: row.role, email: row.email };
  const event = auditEvent(deps.clock, 'user.created', actor, { userId: row.id, details });
  try {
    await deps.store.insertUser(row, event);
  } catch (error) {
    if (error instanceof ConflictError) return refusedWith(emailTaken(settings.email));
    throw error;
  }
  await deps.directory.refresh();
  deps.onAudit(event);
  return succeeded(row);
}

export async function updateUser(
  deps: UserDeps,
  actor: Actor,
  id: string,
  settings: Partial<UserSettings>,
): Promise<AccountResult<UserRow>> {
  if (actor.role !== 'admin') return refusedWith(ADMINS_ONLY);
  const row = deps.directory.snapshot.users.get(id);
  if (row === undefined) return refusedWith(notFound('user'));
  const failures = [...validateUserSettings(settings), ...lastAdminFailures(deps, row, settings)];
  if (failures.length > 0) return refusedWith(...failures);
  const change: { -readonly [K in keyof UserRow]?: UserRow[K] } = {};
  if (settings.email !== undefined) change.email = settings.email;
  if (settings.role !== undefined) change.role = settings.role;
  if (settings.concurrency !== undefined) change.concurrency = settings.concurrency;
  if (settings.limits !== undefined && Object.keys(settings.limits).length > 0)
    change.limits = changedLimits(row.limits, settings.limits);
  if (settings.disabled !== undefined)
    change.disabledAt = settings.disabled ? (row.disabledAt ?? deps.clock.now()) : null;
  if (settings.password !== undefined) {
    change.passwordHash = settings.password === null ? null : await deps.passwords.hash(settings.password);
  }
  if (Object.keys(change).length === 0) return succeeded(row);
  // Sessions of a disabled user are refused, but stored. When the user is enabled, they must not become valid again.
  const endsSessions =
    change.passwordHash !== undefined || (change.disabledAt === null && row.disabledAt !== null);
  const allSessions = { exceptSessionId: null };
  const revocations = endsSessions ? allSessions : undefined;
  const role = change.role === undefined ? {} : { role: change.role };
  const email = settings.email ?? row.email;
  const details = { changed: fieldNames(settings), ...role, email };
  const event = auditEvent(deps.clock, 'user.updated', actor, { userId: id, details });
  try {
    // Checked again at the moment of the change: two administrators may remove each other at the same time.
    const precondition = removesAdmin(row, settings) ? { otherAdmin: true as const } : {};
    const updated = await deps.store.updateUser(id, change, revocations, precondition, event);
    if (!updated)
      return refusedWith(removesAdmin(row, settings) ? lastAdminFailure(settings) : notFound('user'));
  } catch (error) {
    if (error instanceof ConflictError) return refusedWith(emailTaken(settings.email ?? ''));
    throw error;
  }
  await deps.directory.refresh();
  deps.onAudit(event);
  return succeeded(deps.directory.snapshot.users.get(id) ?? row);
}

function validateUserSettings({
  email,
  role,
  concurrency,
  limits = {},
  password,
}: Partial<UserSettings>): Failure[] {
  const failures: Failure[] = [];
  if (email !== undefined && (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email))) {
    failures.push(invalid('/email', 'This must be an e-mail address.'));
  }
  if (role !== undefined && !ROLES.includes(role)) {
    failures.push(invalid('/role', `The role must be one of ${ROLES.join(', ')}.`));
  }
  if (typeof concurrency === 'number' && !isConcurrencyLimit(concurrency))
    failures.push(invalid('/concurrency', CONCURRENCY_TEXT));
  for (const [name, limit] of Object.entries(limits))
    if (limit !== null && !isUserLimit(limit))
      failures.push(invalid(`/${name}`, `This must be a whole number from 0 to ${MAX_USER_LIMIT}.`));
  if (typeof password === 'string') failures.push(...passwordProblems('/password', password));
  return failures;
}

/** Refuses to remove the last administrator, which could only be undone at the machine itself. */
function lastAdminFailures(
  { directory }: UserDeps,
  row: UserRow,
  settings: Partial<UserSettings>,
): Failure[] {
  if (!removesAdmin(row, settings)) return [];
  const others = [...directory.snapshot.users.values()].some(
    (user) => user.id !== row.id && user.role === 'admin' && user.disabledAt === null,
  );
  return others ? [] : [lastAdminFailure(settings)];
}

/** Whether the user is an active administrator and would not be one after the change. */
function removesAdmin(row: UserRow, settings: Partial<UserSettings>): boolean {
  const isActiveAdmin = row.role === 'admin' && row.disabledAt === null;
  return (
    isActiveAdmin &&
    (settings.disabled === true || (settings.role !== undefined && settings.role !== 'admin'))
  );
}

const lastAdminFailure = (settings: Partial<UserSettings>): Failure =>
  invalid(
    settings.disabled === true ? '/disabled' : '/role',
    'This is the last administrator. Create another one first.',
  );

const emailTaken = (email: string): Failure =>
  invalid('/email', `A user with the e-mail ${email} already exists.`);
