/** Tables of sessions, set-up links, second factors, identities and the audit log; see `Tables`. */

export interface SecondFactorTable {
  user_id: Uint8Array;
  secret: Uint8Array;
  created_at: number;
  confirmed_at: number | null;
  last_step: number;
}

export interface IdentityTable {
  issuer: string;
  subject: string;
  user_id: Uint8Array;
  created_at: number;
}

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

export interface SetUpLinkTable {
  user_id: Uint8Array;
  hash: Uint8Array;
  created_at: number;
  expires_at: number;
}

export interface SessionTable {
  id: Uint8Array;
  user_id: Uint8Array;
  hash: Uint8Array;
  created_at: number;
  last_seen_at: number;
  ip: string | null;
  user_agent: string | null;
}
