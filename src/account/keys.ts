import type { Clock } from '../base/time.ts';
import type { KeyRow } from '../domain/account.ts';
import { DEFAULT_SCOPES } from '../domain/account.ts';
import type { AuditEvent } from '../domain/audit.ts';
import { TEST_KEY_DOMAINS } from '../domain/url-check.ts';
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
import { type KeySettings, validateKeySettings } from './key-settings.ts';
import { fingerprintKey, generateKey, isTestKey, randomKeyId } from './tokens.ts';

export interface KeyDeps {
  readonly store: AccountStore;
  readonly directory: AccountDirectory;
  readonly clock: Clock;
  readonly onAudit: (event: AuditEvent) => void;
  /** Prices are configured, so that a budget may be a cost. */
  readonly priced: () => boolean;
}

/** Without `userId`, the key belongs to the actor. */
export type NewKey = Partial<KeySettings> & {
  readonly name: string;
  readonly userId?: string;
  /** A key for test hosts alone. Default: false. */
  readonly test?: boolean;
};

export interface CreatedKey {
  /** The text of the key. It is stored nowhere and cannot be shown again. */
  readonly key: string;
  readonly row: KeyRow;
}

/** 30 days. */
const MAX_OVERLAP_HOURS = 720;

/** Lists keys, newest first, including revoked ones. Users see only their own. @param userId null: all users */
export function listKeys({ directory }: KeyDeps, actor: Reader, userId: string | null): readonly KeyRow[] {
  const rows = [...directory.snapshot.keys.values()].filter(
    (row) => mayManage(actor, row.userId) && (userId === null || row.userId === userId),
  );
  return rows.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
}

/** @returns null: there is no such key, or the actor may not see it */
export function findKey({ directory }: KeyDeps, actor: Reader, id: string): KeyRow | null {
  const row = directory.snapshot.keys.get(id);
  return row !== undefined && mayManage(actor, row.userId) ? row : null;
}

const DOMAINS_OF_TEST_KEY = invalid('/domains', 'A test key may scrape test hosts alone.');
const NO_SUCH_USER = invalid('/user_id', 'There is no such user.');

export async function createKey(
  deps: KeyDeps,
  actor: Actor,
  newSettings: NewKey,
): Promise<AccountResult<CreatedKey>> {
  const { userId = actor.userId, test = false, ...settings } = newSettings;
  if (userId === null) return refusedWith(invalid('/user_id', 'The user of the new key is missing.'));
  if (!mayManage(actor, userId)) return refusedWith(ADMINS_ONLY);
  if (!deps.directory.snapshot.users.has(userId)) return refusedWith(NO_SUCH_USER);
  const { members, failures } = validateKeySettings(settings, deps.clock.now(), deps.priced());
  if (failures.length > 0) return refusedWith(...failures);
  if (test && members.domains !== undefined) return refusedWith(DOMAINS_OF_TEST_KEY);
  const domains = test ? TEST_KEY_DOMAINS : [];
  const created = newKey(
    userId,
    { ...DEFAULTS, domains, ...members, name: members.name! },
    { now: deps.clock.now(), test },
  );
  const event = keyEvent(deps, actor, 'key.created', created.row, { changed: fieldNames(settings) });
  try {
    await deps.store.insertKey(created.row, event);
  } catch (error) {
    // The invitation of the user was revoked at the same time.
    if (error instanceof ConflictError) return refusedWith(NO_SUCH_USER);
    throw error;
  }
  await deps.directory.refresh();
  deps.onAudit(event);
  return succeeded(created);
}

export async function updateKey(
  deps: KeyDeps,
  actor: Actor,
  id: string,
  change: Partial<KeySettings>,
): Promise<AccountResult<KeyRow>> {
  const row = findKey(deps, actor, id);
  if (row === null || row.revokedAt !== null) return refusedWith(notFound('key'));
  const { members, failures } = validateKeySettings(change, deps.clock.now(), deps.priced());
  if (failures.length > 0) return refusedWith(...failures);
  if (Object.keys(members).length === 0) return succeeded(row);
  if (isTestKey(row.prefix) && members.domains !== undefined) return refusedWith(DOMAINS_OF_TEST_KEY);
  const event = keyEvent(deps, actor, 'key.updated', row, { changed: fieldNames(change) });
  if (!(await deps.store.updateKey(id, members, event))) return refusedWith(notFound('key'));
  await deps.directory.refresh();
  deps.onAudit(event);
  return succeeded(deps.directory.snapshot.keys.get(id) ?? row);
}

/** @returns false: there is no such key, or it has been revoked before */
export async function revokeKey(deps: KeyDeps, actor: Actor, id: string): Promise<boolean> {
  const row = findKey(deps, actor, id);
  if (row === null || row.revokedAt !== null) return false;
  const event = keyEvent(deps, actor, 'key.revoked', row);
  if (!(await deps.store.updateKey(id, { revokedAt: deps.clock.now() }, event))) return false;
  await deps.directory.refresh();
  deps.onAudit(event);
  return true;
}

/**
 * Creates a key with the same settings; the old one expires after `overlapHours` (0: it is revoked at once). An expired key
 * cannot be rotated, because the new key would have expired, too.
 */
export async function rotateKey(
  deps: KeyDeps,
  actor: Actor,
  id: string,
  overlapHours: number,
): Promise<AccountResult<CreatedKey>> {
  const row = findKey(deps, actor, id);
  const now = deps.clock.now();
  if (row === null || row.revokedAt !== null) return refusedWith(notFound('key'));
  if (!(overlapHours >= 0 && overlapHours <= MAX_OVERLAP_HOURS)) {
    return refusedWith(
      invalid('/overlap_hours', `The overlap must be a number from 0 to ${MAX_OVERLAP_HOURS}.`),
    );
  }
  if (row.expiresAt !== null && row.expiresAt <= now) {
    return refusedWith(invalid('', 'The key has expired. Create a new one, or set a later expiry first.'));
  }
  const created = newKey(row.userId, row, { now, test: isTestKey(row.prefix) });
  const event = keyEvent(deps, actor, 'key.rotated', row, { new_key_id: created.row.id });
  await deps.store.insertKey(created.row, event);
  const end = now + overlapHours * 3_600_000;
  await deps.store.updateKey(
    id,
    overlapHours === 0 ? { revokedAt: now } : { expiresAt: Math.min(end, row.expiresAt ?? end) },
  );
  await deps.directory.refresh();
  deps.onAudit(event);
  return succeeded(created);
}

const DEFAULTS: Omit<KeySettings, 'name'> = {
  expiresAt: null,
  scopes: DEFAULT_SCOPES,
  domains: [],
  ips: [],
  dailyBudget: null,
  concurrency: null,
};

interface NewKeyOptions {
  /** ms since the epoch. */
  readonly now: number;
  /** Default: false. */
  readonly test?: boolean;
  /** The key, if the operator has chosen it; absent: one is generated. */
  readonly text?: string;
}

export function newKey(
  userId: string,
  members: Pick<KeyRow, keyof KeySettings>,
  { now, test = false, text: key = generateKey(test).text }: NewKeyOptions,
): CreatedKey {
  const { id, hash, prefix, last4 } = fingerprintKey(key);
  const { name, expiresAt, scopes, domains, ips, dailyBudget, concurrency } = members;
  const row: KeyRow = {
    id: id ?? randomKeyId(),
    userId,
    name,
    hash,
    prefix,
    last4,
    createdAt: now,
    lastUsedAt: null,
    expiresAt,
    revokedAt: null,
    scopes,
    domains,
    ips,
    dailyBudget,
    concurrency,
  };
  return { key, row };
}

const mayManage = (actor: Reader, userId: string): boolean =>
  actor.role === 'admin' || actor.userId === userId;

/** An event about this key. */
export const keyEvent = (
  { clock }: Pick<KeyDeps, 'clock'>,
  actor: Actor,
  action: AuditEvent['action'],
  { userId, id }: Pick<KeyRow, 'userId' | 'id'>,
  details: AuditEvent['details'] = {},
): AuditEvent => auditEvent(clock, action, actor, { userId, target: { type: 'key', id }, details });
