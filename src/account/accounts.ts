import type { Clock } from '../base/clock.ts';
import type { KeyRow, UserRow } from '../domain/account.ts';
import { type Failure, failure } from '../domain/failure.ts';
import type { Principal } from '../domain/principal.ts';
import type { AccountStore } from '../ports/store.ts';
import type { Actor, AuditEvent } from './audit.ts';
import { findCaller } from './authenticate.ts';
import type { Caller, NoCaller } from './caller.ts';
import { Directory } from './directory.ts';
import { ensureFirstUser, type FirstUser, type FirstUserAsk } from './first-user.ts';
import type { KeyMembers } from './key-members.ts';
import {
  type CreatedKey,
  createKey,
  findKey,
  listKeys,
  type NewKey,
  revokeKey,
  rotateKey,
  updateKey,
} from './keys.ts';
import type { Managed } from './managed.ts';
import { UsageTracker } from './usage.ts';
import { createUser, findUser, listUsers, type NewUser, type UserMembers, updateUser } from './users.ts';

/**
 * Users and keys, for HTTP, the command line and (later) the dashboard alike. What changes something rejects with
 * StorageError when the store fails, and is in force in this process when it resolves.
 */
export interface Accounts {
  /**
   * Whose key is this? The first of two steps; `authorise` is the second. Marks the key as used.
   * @param authorization the header as it came; undefined: there is none
   */
  authenticate(authorization: string | undefined): Caller | NoCaller;
  /** Counts one scrape of the key: null, or `budget.exhausted`. */
  reserveBudget(principal: Principal): Failure | null;
  /** Takes the count back: what was refused afterwards was no scrape. */
  releaseBudget(principal: Principal): void;
  ensureFirstUser(ask: FirstUserAsk): Promise<FirstUser>;
  createUser(actor: Actor, ask: NewUser): Promise<Managed<UserRow>>;
  updateUser(actor: Actor, id: string, change: Partial<UserMembers>): Promise<Managed<UserRow>>;
  listUsers(actor: Actor): readonly UserRow[];
  findUser(actor: Actor, idOrEmail: string): UserRow | null;
  createKey(actor: Actor, ask: NewKey): Promise<Managed<CreatedKey>>;
  updateKey(actor: Actor, id: string, change: Partial<KeyMembers>): Promise<Managed<KeyRow>>;
  /** False when there was no such key, or it was revoked before. */
  revokeKey(actor: Actor, id: string): Promise<boolean>;
  rotateKey(actor: Actor, id: string, overlapHours: number): Promise<Managed<CreatedKey>>;
  /** @param userId null: of everybody the actor may see */
  listKeys(actor: Actor, userId: string | null): readonly KeyRow[];
  findKey(actor: Actor, id: string): KeyRow | null;
  /** Writes last uses and counts now. */
  flush(): Promise<void>;
  /** Stops the timers and writes what has gathered; the store must still be open. */
  close(): Promise<void>;
}

export interface AccountsOptions {
  readonly store: AccountStore;
  readonly clock: Clock;
  /** Requests in flight of a user who has no number of their own. */
  readonly defaultConcurrency: number;
  readonly onAudit: (event: AuditEvent) => void;
}

const FLUSH_MS = 2000;

/** Reads all users and keys. Rejects with StorageError. The caller closes it. */
export async function createAccounts(options: AccountsOptions): Promise<Accounts> {
  const { store, clock } = options;
  const usage = new UsageTracker(store, clock);
  const directory = new Directory(store, options.defaultConcurrency, usage);
  await Promise.all([usage.load(), directory.refresh()]);
  directory.startPolling();
  // A failed flush keeps everything for the next one.
  const flushing = setInterval(() => void usage.flush().catch(() => {}), FLUSH_MS).unref();
  const deps = { store, clock, directory, onAudit: options.onAudit };

  const withLastUse = (row: KeyRow): KeyRow => {
    const at = usage.of(row.id).lastUsedAt;
    return at !== null && at > (row.lastUsedAt ?? 0) ? { ...row, lastUsedAt: at } : row;
  };

  return {
    authenticate(authorization) {
      const found = findCaller(directory.snapshot, authorization, clock.now());
      if (found.failure === null) usage.touch(found.usage);
      return found;
    },
    reserveBudget({ keyId, dailyBudget }) {
      if (keyId === null) return null;
      const limit = dailyBudget?.unit === 'scrapes' ? dailyBudget.amount : null;
      if (usage.count(usage.of(keyId), limit)) return null;
      return failure(
        'budget.exhausted',
        `The daily budget of this key, ${limit} scrapes, is used up; it starts anew at 00:00 UTC.`,
      );
    },
    releaseBudget({ keyId }) {
      if (keyId !== null) usage.uncount(usage.of(keyId));
    },
    ensureFirstUser: (ask) => ensureFirstUser(deps, ask),
    createUser: (actor, ask) => createUser(deps, actor, ask),
    updateUser: (actor, id, change) => updateUser(deps, actor, id, change),
    listUsers: (actor) => listUsers(deps, actor),
    findUser: (actor, idOrEmail) => findUser(deps, actor, idOrEmail),
    createKey: (actor, ask) => createKey(deps, actor, ask),
    updateKey: (actor, id, change) => updateKey(deps, actor, id, change),
    revokeKey: (actor, id) => revokeKey(deps, actor, id),
    rotateKey: (actor, id, overlapHours) => rotateKey(deps, actor, id, overlapHours),
    listKeys: (actor, userId) => listKeys(deps, actor, userId).map(withLastUse),
    findKey(actor, id) {
      const row = findKey(deps, actor, id);
      return row === null ? null : withLastUse(row);
    },
    flush: () => usage.flush(),
    async close() {
      clearInterval(flushing);
      await directory.close();
      await usage.flush().finally(() => usage.flush());
    },
  };
}
