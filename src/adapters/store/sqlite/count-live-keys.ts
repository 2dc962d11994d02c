import type { Connection } from './connection.ts';

/** How many API keys open the service: neither revoked nor expired, and of a user who is not disabled. */
export function countLiveKeys(db: Connection): number {
  return db
    .prepare(
      `SELECT count(*) FROM api_keys JOIN users ON users.id = api_keys.user_id
        WHERE revoked_at IS NULL AND disabled_at IS NULL
          AND (expires_at IS NULL OR expires_at > unixepoch() * 1000)`,
    )
    .pluck()
    .get() as number;
}
