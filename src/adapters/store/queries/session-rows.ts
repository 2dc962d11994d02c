import { uuidText } from '../../../base/uuid7.ts';
import type { SessionRow, SetUpLinkRow } from '../../../domain/account.ts';
import type { SessionTable, SetUpLinkTable } from './tables.ts';

export function sessionOf(row: SessionTable): SessionRow {
  return {
    id: uuidText(row.id),
    userId: uuidText(row.user_id),
    hash: row.hash,
    createdAt: row.created_at,
    lastSeenAt: row.last_seen_at,
    ip: row.ip,
    userAgent: row.user_agent,
  };
}

export function linkOf(row: SetUpLinkTable): SetUpLinkRow {
  return {
    userId: uuidText(row.user_id),
    hash: row.hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
