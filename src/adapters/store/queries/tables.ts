import type { Generated } from 'kysely';

/** The tables as the queries see them. Ids of records and users are the 16 bytes of the UUID. */
export interface Tables {
  records: RecordTable;
  record_bodies: BodyTable;
  users: UserTable;
  api_keys: KeyTable;
  sessions: SessionTable;
  set_up_links: SetUpLinkTable;
  key_usage: UsageTable;
  stat_counts: StatTable;
  experience: { kind: string; name: string; at: number; data: string };
  meta: { name: string; value: number };
}

/** What lists show, apart from the heavy columns: a list reads these rows only, 20 to a page. */
export interface RecordTable {
  id: Uint8Array;
  user_id: Uint8Array;
  key_id: string | null;
  created_at: number;
  url: string | null;
  host: string;
  method: string | null;
  requested_scraper: string | null;
  scraper: string | null;
  proxy_type: string | null;
  http_status: number | null;
  status_code: number | null;
  outcome: string;
  error_code: string | null;
  duration_ms: number;
  content_bytes: number | null;
  request_cost: number | null;
  /** JSON object of strings; null: no tags. */
  tags: string | null;
  has_screenshot: number;
  content_encoding: string | null;
  content_in_blob: number;
  /** Types and lengths, see picture-column.ts; null: none. */
  pictures: string | null;
  /** `record_bodies.seq`; null: nothing heavy was kept. */
  body: number | null;
}

/** Text or bytes; zstd of them where the codec says so. */
type Packed = string | Uint8Array | null;

export interface BodyTable {
  seq: Generated<number>;
  request: Packed;
  request_codec: number;
  answer: Packed;
  answer_codec: number;
  content: Uint8Array | null;
  content_codec: number;
}

export interface UserTable {
  id: Uint8Array;
  email: string;
  /** What makes the e-mail unique: NFC, lower case. */
  email_key: string;
  role: string;
  password_hash: string | null;
  concurrency: number | null;
  disabled_at: number | null;
  created_at: number;
  last_seen_at: number | null;
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

export interface SetUpLinkTable {
  user_id: Uint8Array;
  hash: Uint8Array;
  created_at: number;
  expires_at: number;
}

export interface KeyTable {
  id: string;
  user_id: Uint8Array;
  name: string;
  hash: Uint8Array;
  prefix: string;
  last4: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
  revoked_at: number | null;
  /** JSON arrays of strings. */
  scopes: string;
  domains: string;
  ips: string;
  daily_amount: number | null;
  daily_unit: string | null;
  concurrency: number | null;
}

export interface UsageTable {
  key_id: string;
  day: string;
  scrapes: number;
  cost: number;
}

/** Of all users together: an id of zeros. */
export interface StatTable {
  user_id: Uint8Array;
  /** Length, s. */
  step: number;
  at: number;
  kind: string;
  name: string;
  count: number;
}
