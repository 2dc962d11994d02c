import type { KeyRow, UserRow } from '../domain/account.ts';
import { SCOPES } from '../domain/account.ts';
import { OPERATOR } from './account-actions.ts';
import { type AccountSnapshot, hashText } from './account-directory.ts';
import { type KeyDeps, newKey } from './keys.ts';
import { hashKeyText } from './tokens.ts';
import { createUser, type UserDeps, updateUser } from './users.ts';

/** What the operator's password was when it was last applied, as a text that does not tell it. */
export interface AppliedPasswordStore {
  /** null: there was none, or nobody knows. */
  read(): string | null;
  /** null: to be forgotten. */
  write(text: string | null): void;
}

export interface FirstUserOptions {
  readonly email: string;
  readonly password: string | null;
  /** Without one a password is applied whenever the user has another. */
  readonly appliedPasswordStore?: AppliedPasswordStore;
  /** Of the operator's own making; null: on an empty store one is made. */
  readonly apiKey: string | null;
}

export interface FirstUser {
  /** The administrator that the operator's variables are about. */
  readonly user: UserRow;
  readonly createdUser: boolean;
  /** The text of a key that was made now, to be shown once; null when none was. */
  readonly createdKey: string | null;
  /** What became of the given key: it was added now, was there, or was there and is revoked (and stays so). */
  readonly givenKey: 'none' | 'added' | 'present' | 'revoked';
  readonly passwordChanged: boolean;
}

/**
 * Makes an empty store usable, and applies the operator's variables at every start; a second run with the same ones
 * changes nothing. The keys made here have all scopes: they are the operator's own. Rejects with StorageError.
 */
export async function ensureFirstUser(deps: KeyDeps & UserDeps, ask: FirstUserOptions): Promise<FirstUser> {
  await deps.directory.refresh();
  const before = findOperatorUser(deps.directory.snapshot, ask.email);
  const user = before ?? (await createAdmin(deps, ask));
  const createdUser = before === null;
  const passwordChanged = before !== null && (await applyPassword(deps, before, ask));
  if (createdUser) storeAppliedPassword(ask, user);
  if (ask.apiKey !== null) {
    const found = findKeyByText(deps.directory.snapshot, ask.apiKey);
    if (found === null) await addKey(deps, user.id, createdUser ? 'first' : 'SLUICE_API_KEY', ask.apiKey);
    const givenKey = found === null ? 'added' : found.revokedAt === null ? 'present' : 'revoked';
    return { user, createdUser, createdKey: null, givenKey, passwordChanged };
  }
  const createdKey = createdUser ? await addKey(deps, user.id, 'first', null) : null;
  return { user, createdUser, createdKey, givenKey: 'none', passwordChanged };
}

/** The user of that e-mail, else the oldest administrator, else (on an empty store) null. */
function findOperatorUser(snapshot: AccountSnapshot, email: string): UserRow | null {
  const users = [...snapshot.users.values()].sort(
    (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
  );
  const admins = users.filter((user) => user.role === 'admin');
  const named = admins.find((user) => user.email.toLowerCase() === email.toLowerCase());
  return named ?? admins.find((user) => user.disabledAt === null) ?? admins[0] ?? null;
}

async function createAdmin(deps: UserDeps, { email, password }: FirstUserOptions): Promise<UserRow> {
  const created = await createUser(deps, OPERATOR, { email, password, role: 'admin' });
  if (created.failures !== null) {
    throw new Error(`The administrator cannot be created: ${created.failures[0]?.message}`);
  }
  return created.value;
}

/** Only one that is another than before: the user may have changed it since. */
async function applyPassword(deps: UserDeps, user: UserRow, ask: FirstUserOptions): Promise<boolean> {
  const { password, appliedPasswordStore } = ask;
  if (password === null) {
    // Set again later it is a change.
    appliedPasswordStore?.write(null);
    return false;
  }
  const [ofUser, applied] = appliedPasswordStore?.read()?.split(' ') ?? [];
  if (ofUser === user.id && (await deps.passwords.verify(password, applied ?? '')).fits) return false;
  const { passwordHash } = user;
  const check = passwordHash === null ? null : await deps.passwords.verify(password, passwordHash);
  const fits = check?.fits === true;
  if (!fits || check.outdated) await updateUser(deps, OPERATOR, user.id, { password });
  storeAppliedPassword(ask, deps.directory.snapshot.users.get(user.id) ?? user);
  return !fits;
}

/** Where the password has just been applied, the hash of it is that of the user. */
function storeAppliedPassword(
  { password, appliedPasswordStore }: FirstUserOptions,
  { id, passwordHash }: UserRow,
): void {
  appliedPasswordStore?.write(password === null ? null : `${id} ${passwordHash}`);
}

function findKeyByText(snapshot: AccountSnapshot, text: string): KeyRow | null {
  const hash = hashText(hashKeyText(text));
  for (const row of snapshot.keys.values()) if (hashText(row.hash) === hash) return row;
  return null;
}

async function addKey(deps: KeyDeps, userId: string, name: string, text: string | null): Promise<string> {
  const now = deps.clock.now();
  const members = {
    name,
    expiresAt: null,
    scopes: SCOPES,
    domains: [],
    ips: [],
    dailyBudget: null,
    concurrency: null,
  };
  const { key, row } = newKey(userId, members, now, text);
  await deps.store.insertKey(row);
  await deps.directory.refresh();
  deps.onAudit({
    action: 'key.created',
    actorUserId: null,
    actorKeyId: null,
    userId,
    keyId: row.id,
    changed: [],
  });
  return key;
}
