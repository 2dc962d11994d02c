import type { Clock } from '../base/time.ts';
import { uuid7 } from '../base/uuid7.ts';
import type { Role, UserRow } from '../domain/account.ts';
import type { Failure } from '../domain/failure.ts';
import { type AccountStore, ConflictError } from '../ports/store.ts';
import type { Actor, AuditEvent } from './account-actions.ts';
import {
  type AccountResult,
  ADMINS_ONLY,
  invalid,
  notFound,
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

/** What an administrator can set of a user. */
export interface UserSettings {
  readonly email: string;
  readonly role: Role;
  /** null: the default of the service. */
  readonly concurrency: number | null;
  readonly password: string | null;
  readonly disabled: boolean;
}

export type NewUser = Partial<UserSettings> & Pick<UserSettings, 'email'>;

/** By creation. Empty for who is not an administrator. */
export function listUsers({ directory }: UserDeps, actor: Actor): readonly UserRow[] {
  if (actor.role !== 'admin') return [];
  return [...directory.snapshot.users.values()].sort(
    (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
  );
}

/** By id or e-mail (without regard to case). Administrators see all, others themselves. */
export function findUser({ directory }: UserDeps, actor: Actor, idOrEmail: string): UserRow | null {
  const { users } = directory.snapshot;
  const found = users.get(idOrEmail) ?? userByEmail(users, idOrEmail);
  return found !== null && (actor.role === 'admin' || actor.userId === found.id) ? found : null;
}

/** What makes an e-mail the same as another. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();

export function userByEmail(users: ReadonlyMap<string, UserRow>, email: string): UserRow | null {
  const key = emailKey(email);
  for (const user of users.values()) if (emailKey(user.email) === key) return user;
  return null;
}

export async function createUser(
  deps: UserDeps,
  actor: Actor,
  ask: NewUser,
): Promise<AccountResult<UserRow>> {
  if (actor.role !== 'admin') return refusedWith(ADMINS_ONLY);
  const failures = validateUserSettings(ask);
  if (failures.length > 0) return refusedWith(...failures);
  const now = deps.clock.now();
  const row: UserRow = {
    id: uuid7(now),
    email: ask.email,
    role: ask.role ?? 'user',
    passwordHash: typeof ask.password === 'string' ? await deps.passwords.hash(ask.password) : null,
    concurrency: ask.concurrency ?? null,
    disabledAt: ask.disabled === true ? now : null,
    createdAt: now,
    lastSeenAt: null,
  };
  try {
    await deps.store.insertUser(row);
  } catch (error) {
    if (error instanceof ConflictError) return refusedWith(emailTaken(ask.email));
    throw error;
  }
  await deps.directory.refresh();
  audit(deps, actor, 'user.created', row.id, Object.keys(ask));
  return succeeded(row);
}

export async function updateUser(
  deps: UserDeps,
  actor: Actor,
  id: string,
  ask: Partial<UserSettings>,
): Promise<AccountResult<UserRow>> {
  if (actor.role !== 'admin') return refusedWith(ADMINS_ONLY);
  const row = deps.directory.snapshot.users.get(id);
  if (row === undefined) return refusedWith(notFound('user'));
  const failures = [...validateUserSettings(ask), ...lastAdminFailures(deps, row, ask)];
  if (failures.length > 0) return refusedWith(...failures);
  const change: { -readonly [K in keyof UserRow]?: UserRow[K] } = {};
  if (ask.email !== undefined) change.email = ask.email;
  if (ask.role !== undefined) change.role = ask.role;
  if (ask.concurrency !== undefined) change.concurrency = ask.concurrency;
  if (ask.disabled !== undefined)
    change.disabledAt = ask.disabled ? (row.disabledAt ?? deps.clock.now()) : null;
  if (ask.password !== undefined) {
    change.passwordHash = ask.password === null ? null : await deps.passwords.hash(ask.password);
  }
  if (Object.keys(change).length === 0) return succeeded(row);
  // While a user is disabled sessions are refused; none of them comes to life again.
  const ends = change.passwordHash !== undefined || (change.disabledAt === null && row.disabledAt !== null);
  try {
    // Once more in the moment of the change: two administrators may be taking the role from each other.
    const only = removesAdmin(row, ask) ? { otherAdmin: true as const } : {};
    const found = await deps.store.updateUser(id, change, ends ? { exceptSessionId: null } : undefined, only);
    if (!found) return refusedWith(removesAdmin(row, ask) ? lastAdminFailure(ask) : notFound('user'));
  } catch (error) {
    if (error instanceof ConflictError) return refusedWith(emailTaken(ask.email ?? ''));
    throw error;
  }
  await deps.directory.refresh();
  audit(deps, actor, 'user.updated', id, Object.keys(ask));
  return succeeded(deps.directory.snapshot.users.get(id) ?? row);
}

function validateUserSettings({ email, role, concurrency, password }: Partial<UserSettings>): Failure[] {
  const failures: Failure[] = [];
  if (email !== undefined && (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email))) {
    failures.push(invalid('/email', 'This must be an e-mail address.'));
  }
  if (role !== undefined && role !== 'admin' && role !== 'user') {
    failures.push(invalid('/role', 'The role must be admin or user.'));
  }
  if (typeof concurrency === 'number' && !isConcurrencyLimit(concurrency))
    failures.push(invalid('/concurrency', CONCURRENCY_TEXT));
  if (typeof password === 'string') failures.push(...passwordProblems('/password', password));
  return failures;
}

/** Nobody could undo it from outside the machine. */
function lastAdminFailures({ directory }: UserDeps, row: UserRow, ask: Partial<UserSettings>): Failure[] {
  if (!removesAdmin(row, ask)) return [];
  const others = [...directory.snapshot.users.values()].some(
    (user) => user.id !== row.id && user.role === 'admin' && user.disabledAt === null,
  );
  return others ? [] : [lastAdminFailure(ask)];
}

/** Whether the change takes an administrator away. */
function removesAdmin(row: UserRow, ask: Partial<UserSettings>): boolean {
  const leaves = ask.disabled === true || (ask.role !== undefined && ask.role !== 'admin');
  return leaves && row.role === 'admin' && row.disabledAt === null;
}

const lastAdminFailure = (ask: Partial<UserSettings>): Failure =>
  invalid(
    ask.disabled === true ? '/disabled' : '/role',
    'This is the last administrator. Create another one first.',
  );

const emailTaken = (email: string): Failure =>
  invalid('/email', `A user with the e-mail ${email} already exists.`);

function audit(
  { onAudit }: UserDeps,
  actor: Actor,
  action: AuditEvent['action'],
  userId: string,
  changed: readonly string[],
): void {
  onAudit({ action, actorUserId: actor.userId, actorKeyId: actor.keyId, userId, keyId: null, changed });
}
