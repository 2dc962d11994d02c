import { uuidText } from '../../../base/uuid7.ts';
import type { IdempotencyKey, IdempotencyStore, UsedKey } from '../../../ports/idempotency.ts';
import { idBytes } from '../schema/tables.ts';
import type { RunStatements, Statement } from './statements.ts';

const IS_KEY = 'user_id = ? AND path = ? AND key_hash = ?';
const IS_RUN = `${IS_KEY} AND run_id = ? AND answer IS NULL`;

const keyValues = ({ userId, path, hash }: IdempotencyKey): readonly unknown[] => [
  idBytes(userId),
  path,
  hash,
];

const runValues = (key: IdempotencyKey, runId: string): readonly unknown[] => [
  ...keyValues(key),
  idBytes(runId),
];

interface KeyRow {
  readonly run_id: Uint8Array;
  readonly request_hash: Uint8Array;
  readonly runs_until: number;
  readonly is_answered: number;
}

const READ = `SELECT run_id, request_hash, runs_until, answer IS NOT NULL AS is_answered FROM idempotency_keys WHERE ${IS_KEY}`;
const INSERT = `INSERT INTO idempotency_keys (user_id, path, key_hash, request_hash, run_id, runs_until, expires_at)
VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`;
const OLDEST_BEYOND = `SELECT seq FROM (
  SELECT seq, sum(length(answer)) OVER (ORDER BY seq DESC) AS newer FROM idempotency_keys WHERE answer IS NOT NULL
) AS sums WHERE newer > ? ORDER BY seq LIMIT ?`;

function usedKeyOf(row: KeyRow, now: number): UsedKey {
  const state = row.is_answered === 1 ? 'answered' : row.runs_until > now ? 'running' : 'lost';
  return { run: { id: uuidText(row.run_id), requestHash: row.request_hash }, state };
}

/**
 * @param read runs statements in the reader thread
 * @param write runs statements in the writer thread, in one transaction
 */
export function createIdempotencyStore(read: RunStatements, write: RunStatements): IdempotencyStore {
  const change = async (...statement: Statement): Promise<number> => (await write([statement]))[0]!.changes;
  return {
    async begin(key, { id, requestHash }, { now, runsUntil, expiresAt }) {
      const values = keyValues(key);
      const [, inserted, found] = await write([
        [`DELETE FROM idempotency_keys WHERE ${IS_KEY} AND expires_at <= ?`, [...values, now]],
        [INSERT, [...values, requestHash, idBytes(id), runsUntil, expiresAt]],
        [READ, values],
      ]);
      return inserted!.changes > 0 ? null : usedKeyOf(found!.rows[0] as KeyRow, now);
    },
    async takeOver(key, lostRunId, { id, requestHash }, { now, runsUntil, expiresAt }) {
      const changes = await change(
        `UPDATE idempotency_keys SET run_id = ?, request_hash = ?, runs_until = ?, expires_at = ? WHERE ${IS_RUN} AND runs_until <= ?`,
        [idBytes(id), requestHash, runsUntil, expiresAt, ...runValues(key, lostRunId), now],
      );
      return changes > 0;
    },
    async answer(key, runId, answer, expiresAt) {
      await change(`UPDATE idempotency_keys SET answer = ?, expires_at = ? WHERE ${IS_RUN}`, [
        answer,
        expiresAt,
        ...runValues(key, runId),
      ]);
    },
    async answerOf(key) {
      const [result] = await read([[`SELECT answer FROM idempotency_keys WHERE ${IS_KEY}`, keyValues(key)]]);
      return (result!.rows[0] as { answer: Uint8Array | null } | undefined)?.answer ?? null;
    },
    async lose(key, runId) {
      await change(`UPDATE idempotency_keys SET runs_until = 0 WHERE ${IS_RUN}`, runValues(key, runId));
    },
    async release(key, runId) {
      await change(`DELETE FROM idempotency_keys WHERE ${IS_RUN}`, runValues(key, runId));
    },
    async loseAll() {
      await change('UPDATE idempotency_keys SET runs_until = 0 WHERE answer IS NULL', []);
    },
    sweep: (now, limit) =>
      change(
        'DELETE FROM idempotency_keys WHERE seq IN (SELECT seq FROM idempotency_keys WHERE expires_at <= ? LIMIT ?)',
        [now, limit],
      ),
    async trim(maxBytes, limit) {
      const [oldest] = await read([[OLDEST_BEYOND, [maxBytes, limit]]]);
      const seqs = (oldest!.rows as { seq: number }[]).map(({ seq }) => seq);
      if (seqs.length === 0) return 0;
      await write(
        seqs.map(
          (seq): Statement => [
            'UPDATE idempotency_keys SET answer = NULL, runs_until = 0 WHERE seq = ?',
            [seq],
          ],
        ),
      );
      return seqs.length;
    },
  };
}
