import { sleep } from '../base/wait.ts';
import type { KeyRow, UserRow } from '../domain/account.ts';
import { SCOPES } from '../domain/account.ts';
import { OPERATOR } from './account-actions.ts';
import { type AccountSnapshot, hashAsMapKey } from './account-directory.ts';
import { type KeyDeps, keyEvent, newKey } from './keys.ts';
import { hashToken } from './tokens.ts';
import { createUser, type UserDeps, updateUser } from './users.ts';

/** Remembers which SLUICE_ADMIN_PASSWORD was applied last, as `<user id> <password hash>`. */
export interface AppliedPasswordStore {
  /** null: none was applied, or which one is not known. */
  read(): string | null;
  /** @param text null: forget the password */
  write(text: string | null): void;
}

export interface FirstUserOptions {
  readonly email: string;
  readonly password: string | null;
  /** Absent: the password is applied whenever it differs from the user's. */
  readonly appliedPasswordStore?: AppliedPasswordStore;
  /** A key chosen by the operator; null: one is created if the store is empty. */
  readonly apiKey: string | null;
}

export interface FirstUser {
  /** The administrator to whom the operator's settings apply. */
  readonly user: UserRow;
  readonly createdUser: boolean;
  /** The text of a key that was created now, to be shown once; null if none was created. */
  readonly createdKey: string | null;
  /** State of the operator's own key: none is set, it was added now, it existed, or it exists but is revoked. */
  readonly operatorKey: 'none' | 'added' | 'present' | 'revoked';
  readonly passwordChanged: boolean;
}

/**
 * Creates the first user in an empty store, and applies the operator's settings at every start. A second run with the same
 * settings changes nothing. Keys created here have all scopes, because they are the operator's. Rejects with StorageError.
 */
export async function ensureFirstUser(
  deps: KeyDeps & UserDeps,
  options: FirstUserOptions,
): Promise<FirstUser> {
  await deps.directory.refresh();
  const before = findOperatorUser(deps.directory.snapshot, options.email);
  const created = before === null ? await createAdmin(deps, options) : null;
  const existing = created === null ? (before ?? (await waitForOther(deps, options))) : null;
  const user = created ?? existing!;
  const createdUser = existing === null;
  const passwordChanged = existing !== null && (await applyPassword(deps, existing, options));
  if (createdUser) storeAppliedPassword(options, user);
  if (options.apiKey !== null) {
    const found = findKeyByText(deps.directory.snapshot, options.apiKey);
    if (found === null) await addKey(deps, user.id, createdUser ? 'first' : 'SLUICE_API_KEY', options.apiKey);
    const operatorKey = found === null ? 'added' : found.revokedAt === null ? 'present' : 'revoked';
    return { user, createdUser, createdKey: null, operatorKey, passwordChanged };
  }
  const createdKey = createdUser ? await addKey(deps, user.id, 'first') : null;
  return { user, createdUser, createdKey, operatorKey: 'none', passwordChanged };
}

/** The administrator with this e-mail address, else the oldest one, preferably not disabled; null if there is none. */
function findOperatorUser(snapshot: AccountSnapshot, email: string): UserRow | null {
  const users = [...snapshot.users.values()].sort(
    (a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
  );
  const admins = users.filter((user) => user.role === 'admin');
  const byEmail = admins.find((user) => user.email.toLowerCase() === email.toLowerCase());
  return byEmail ?? admins.find((user) => user.disabledAt === null) ?? admins[0] ?? null;
}

/** @returns null: another service that starts on the same database was first */
async function createAdmin(deps: UserDeps, { email, password }: FirstUserOptions): Promise<UserRow | null> {
  const created = await createUser(deps, OPERATOR, { email, password, role: 'admin' });
  if (created.failures !== null) {
    await deps.directory.refresh();
    if (findOperatorUser(deps.directory.snapshot, email) !== null) return null;
    throw new Error(`The administrator cannot be created: ${created.failures[0]?.message}`);
  }
  return created.value;
}

const OTHER_TRIES = 50;
const OTHER_PAUSE_MS = 100;

/** Waits until the service that was first has also added the operator's key, so that it is not added twice. */
async function waitForOther(deps: UserDeps, { email, apiKey }: FirstUserOptions): Promise<UserRow | null> {
  for (let tries = 0; apiKey !== null && tries < OTHER_TRIES; tries++) {
    await deps.directory.refresh();
    if (findKeyByText(deps.directory.snapshot, apiKey) !== null) break;
    await sleep(OTHER_PAUSE_MS);
  }
  return findOperatorUser(deps.directory.snapshot, email);
}

/**
 * Applies the password if the setting has changed. An unchanged setting must not overwrite a password that the user has set.
 * @returns whether the user has another password now
 */
async function applyPassword(deps: UserDeps, user: UserRow, options: FirstUserOptions): Promise<boolean> {
  const { password, appliedPasswordStore } = options;
  if (password === null) {
    // If the setting returns at a later start, it counts as changed.
    appliedPasswordStore?.write(null);
    return false;
  }
  const [appliedUserId, appliedHash] = appliedPasswordStore?.read()?.split(' ') ?? [];
  if (appliedUserId === user.id && (await deps.passwords.verify(password, appliedHash ?? '')).matches)
    return false;
  const { passwordHash } = user;
  const check = passwordHash === null ? null : await deps.passwords.verify(password, passwordHash);
  const unchanged = check?.matches === true;
  // Hashes with the parameters of an older configuration are replaced.
  if (!unchanged || check.needsRehash) await updateUser(deps, OPERATOR, user.id, { password });
  storeAppliedPassword(options, deps.directory.snapshot.users.get(user.id) ?? user);
  return !unchanged;
}

/** @param user has the password that was just applied */
function storeAppliedPassword(
  { password, appliedPasswordStore }: FirstUserOptions,
  { id, passwordHash }: UserRow,
): void {
  appliedPasswordStore?.write(password === null ? null : `${id} ${passwordHash}`);
}

function findKeyByText(snapshot: AccountSnapshot, text: string): KeyRow | null {
  const hash = hashAsMapKey(hashToken(text));
  for (const row of snapshot.keys.values()) if (hashAsMapKey(row.hash) === hash) return row;
  return null;
}

/** @param text the key that the operator has chosen; absent: one is generated. @returns the text of the key */
async function addKey(deps: KeyDeps, userId: string, name: string, text?: string): Promise<string> {
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
  const { key, row } = newKey(userId, members, { now, ...(text === undefined ? {} : { text }) });
  const event = keyEvent(deps, OPERATOR, 'key.created', row);
  await deps.store.insertKey(row, event);
  await deps.directory.refresh();
  deps.onAudit(event);
  return key;
}
