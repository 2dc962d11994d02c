import { uuidText } from '../../../base/uuid7.ts';
import type { KeyRow, UserRow } from '../../../domain/account.ts';
import { idBytes } from './ids.ts';
import type { KeyTable, UserTable } from './tables.ts';

/** The columns of the members that are given. */
export function userColumns(user: Partial<UserRow>): Partial<UserTable> {
  return given<UserTable>({
    id: user.id === undefined ? undefined : idBytes(user.id),
    email: user.email,
    email_key: user.email?.normalize('NFC').toLowerCase(),
    role: user.role,
    password_hash: user.passwordHash,
    concurrency: user.concurrency,
    disabled_at: user.disabledAt,
    created_at: user.createdAt,
    last_seen_at: user.lastSeenAt,
  });
}

/** The columns of the members that are given. */
export function keyColumns(key: Partial<KeyRow>): Partial<KeyTable> {
  const budget = key.dailyBudget;
  return given<KeyTable>({
    id: key.id,
    user_id: key.userId === undefined ? undefined : idBytes(key.userId),
    name: key.name,
    // A copy: a view of a larger buffer would take all of it along to another thread.
    hash: key.hash === undefined ? undefined : Uint8Array.from(key.hash),
    prefix: key.prefix,
    last4: key.last4,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    scopes: listText(key.scopes),
    domains: listText(key.domains),
    ips: listText(key.ips),
    daily_amount: budget === null ? null : budget?.amount,
    daily_unit: budget === null ? null : budget?.unit,
    concurrency: key.concurrency,
  });
}

function listText(list: readonly string[] | undefined): string | undefined {
  return list === undefined ? undefined : JSON.stringify(list);
}

function given<T>(columns: { [K in keyof T]: T[K] | undefined }): Partial<T> {
  const entries = Object.entries(columns).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}

export function userOf(row: UserTable): UserRow {
  return {
    id: uuidText(row.id),
    email: row.email,
    role: row.role as UserRow['role'],
    passwordHash: row.password_hash,
    concurrency: row.concurrency,
    disabledAt: row.disabled_at,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
  };
}

export function keyOf(row: KeyTable): KeyRow {
  return {
    id: row.id,
    userId: uuidText(row.user_id),
    name: row.name,
    hash: row.hash,
    prefix: row.prefix,
    last4: row.last4,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    scopes: JSON.parse(row.scopes),
    domains: JSON.parse(row.domains),
    ips: JSON.parse(row.ips),
    dailyBudget:
      row.daily_amount === null
        ? null
        : { amount: row.daily_amount, unit: row.daily_unit as 'scrapes' | 'cost' },
    concurrency: row.concurrency,
  };
}
