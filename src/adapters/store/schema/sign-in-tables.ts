import type { SessionRow, SetUpLinkRow } from '../../../domain/account.ts';
import type { IdentityRow } from '../../../ports/identities.ts';
import type { SecondFactorRow } from '../../../ports/second-factors.ts';
import { columnsFor, type TableOf } from './columns.ts';

/** Tables of sessions, set-up links, second factors, identities and the audit log; see `Tables`. */

const factor = columnsFor<SecondFactorRow>();
export const SECOND_FACTOR_COLUMNS = {
  user_id: factor.id('userId'),
  secret: factor.bytes('sealed'),
  created_at: factor.plain('createdAt'),
  confirmed_at: factor.plain('confirmedAt'),
};
export type SecondFactorTable = TableOf<typeof SECOND_FACTOR_COLUMNS> & { last_step: number };

const identity = columnsFor<IdentityRow>();
export const IDENTITY_COLUMNS = {
  issuer: identity.plain('issuer'),
  subject: identity.plain('subject'),
  user_id: identity.id('userId'),
  created_at: identity.plain('createdAt'),
};
export type IdentityTable = TableOf<typeof IDENTITY_COLUMNS>;

export interface AuditTable {
  id: Uint8Array;
  at: number;
  action: string;
  actor_user_id: Uint8Array | null;
  actor_key_id: string | null;
  via: string;
  user_id: Uint8Array | null;
  target_type: string | null;
  target_id: string | null;
  address: string | null;
  /** JSON object. */
  details: string;
}

const link = columnsFor<SetUpLinkRow>();
export const SET_UP_LINK_COLUMNS = {
  user_id: link.id('userId'),
  hash: link.bytes('hash'),
  created_at: link.plain('createdAt'),
  expires_at: link.plain('expiresAt'),
};
export type SetUpLinkTable = TableOf<typeof SET_UP_LINK_COLUMNS>;

const session = columnsFor<SessionRow>();
export const SESSION_COLUMNS = {
  id: session.id('id'),
  user_id: session.id('userId'),
  hash: session.bytes('hash'),
  created_at: session.plain('createdAt'),
  last_seen_at: session.plain('lastSeenAt'),
  ip: session.plain('ip'),
  user_agent: session.plain('userAgent'),
};
export type SessionTable = TableOf<typeof SESSION_COLUMNS>;
