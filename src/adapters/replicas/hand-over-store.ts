import type { Postgres } from '../postgres/postgres.ts';
import { LIVES } from './liveness.ts';

/** A scrape for a worker, as its caller stores it. Times in milliseconds from now. */
export interface NewHandOver {
  readonly id: string;
  /** Id of the replica that waits for the result. */
  readonly caller: string;
  readonly userId: string;
  readonly format: number;
  /** See `browserKey`. */
  readonly browser: string;
  /** Another worker may do it again if the first one dies. */
  readonly isRepeatable: boolean;
  /** Sealed. */
  readonly request: Uint8Array;
  readonly timeLeftMs: number;
  /** null: the attempt has no limit of its own. */
  readonly attemptLeftMs: number | null;
}

/** What a worker can take. */
export interface WantedHandOver {
  readonly formats: readonly number[];
  /** See `browserKey`. */
  readonly browsers: readonly string[];
  /** Of the last one that it took; the next one is of another user, if there is one. Empty: none. */
  readonly lastUserId: string;
}

/** A scrape that a worker has taken. */
export interface ClaimedHandOver {
  readonly id: string;
  /** How often it was claimed. Only the newest claim may store a result. */
  readonly claim: number;
  readonly userId: string;
  readonly isRepeatable: boolean;
  readonly request: Uint8Array;
  readonly timeLeftMs: number;
  readonly attemptLeftMs: number | null;
  /** Since its caller stored it. */
  readonly waitedMs: number;
}

/** The first piece of a result, and how much there is. */
export interface HandOverResult {
  readonly claim: number;
  /** Sealed, as all pieces. */
  readonly first: Uint8Array;
  /** Bytes of all pieces before they were sealed. */
  readonly bytes: number;
  /** Of the body of the page. */
  readonly bodyBytes: number;
}

/** How a hand-over stands. `abandoned`: its worker is dead, and no other may do it. */
export interface HandOverState {
  readonly id: string;
  readonly state: 'waiting' | 'running' | 'abandoned' | 'done';
}

/** Messages between callers and workers: `new`; `done ID` and `lost ID` for the caller; `cancel ID` for the worker. */
const CHANNEL = 'sluice_hand_overs';

/** The table of hand-overs. Methods reject with `StorageError` if the database fails. */
export interface HandOverStore {
  /** For callers: */
  add(handOver: NewHandOver): Promise<void>;
  /** Those of this caller that exist. */
  states(caller: string): Promise<readonly HandOverState[]>;
  /** null: it is gone, or has no result. */
  result(id: string): Promise<HandOverResult | null>;
  /** A further piece of a result, from 1; null: there is none. */
  piece(id: string, claim: number, number: number): Promise<Uint8Array | null>;
  /** Ends it: its worker cancels the scrape, unless it is done. */
  remove(id: string): Promise<void>;
  /** For workers: takes one that waits, or whose worker is dead; users take turns. null: none. */
  claim(worker: string, wanted: WantedHandOver): Promise<ClaimedHandOver | null>;
  /** Ids that this worker still runs for a caller that lives. */
  running(worker: string): Promise<readonly string[]>;
  addPiece(id: string, claim: number, number: number, bytes: Uint8Array): Promise<void>;
  /** @returns false: the caller has ended it, or another worker has it */
  finish(worker: string, id: string, result: HandOverResult): Promise<boolean>;
  /** Gives it back, so that another worker takes it. */
  release(worker: string, id: string, claim: number): Promise<void>;
  /** Deletes what callers that died have left. */
  sweep(): Promise<void>;
  listen(onMessage: (kind: string, id: string) => void, onMissed: () => void): void;
}

/** The kind of browser that a task needs, and that a worker has. */
export const browserKey = (type: string, headless: boolean): string =>
  `${type} ${headless ? 'headless' : 'headed'}`;

const IS_ABANDONED = `worker IS NOT NULL AND NOT is_done AND NOT EXISTS (SELECT 1 FROM live_replicas WHERE live_replicas.id = worker AND ${LIVES})`;

const ADD = `WITH added AS (
  INSERT INTO hand_overs (id, caller, user_id, format, browser, is_repeatable, request, ends_at, attempt_ends_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, clock_timestamp() + ?::float8 * interval '1 ms', clock_timestamp() + ?::float8 * interval '1 ms')
)
SELECT pg_notify('${CHANNEL}', 'new')`;

/** A page that ends one worker after the other must not end them all. */
const MAX_CLAIMS = 3;
const MAY_BE_TAKEN = `(worker IS NULL OR (is_repeatable AND claim < ${MAX_CLAIMS} AND ${IS_ABANDONED}))`;

const STATES = `SELECT id, CASE WHEN is_done THEN 'done' WHEN ${MAY_BE_TAKEN} THEN 'waiting'
  WHEN ${IS_ABANDONED} THEN 'abandoned' ELSE 'running' END AS state
FROM hand_overs WHERE caller = ?`;

const msUntil = (column: string) => `extract(epoch FROM ${column} - clock_timestamp()) * 1000`;

const CLAIM = `UPDATE hand_overs SET worker = ?, claim = claim + 1 WHERE id = (
  SELECT id FROM hand_overs AS open
  WHERE NOT is_done AND ends_at > clock_timestamp() AND format = ANY(?) AND browser = ANY(?)
    AND ${MAY_BE_TAKEN}
  ORDER BY (SELECT count(*) FROM hand_overs AS theirs WHERE theirs.user_id = open.user_id
    AND NOT theirs.is_done AND (theirs.worker IS NOT NULL OR theirs.number < open.number)), user_id = ?, number
  LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING id, claim, user_id, is_repeatable, request, ${msUntil('ends_at')} AS time_left,
  ${msUntil('attempt_ends_at')} AS attempt_left, -(${msUntil('created_at')}) AS waited`;

const RUNNING = `SELECT id FROM hand_overs WHERE worker = ? AND NOT is_done
  AND EXISTS (SELECT 1 FROM live_replicas WHERE live_replicas.id = caller AND ${LIVES})`;

const IS_CLAIM = 'id = ? AND worker = ? AND claim = ? AND NOT is_done';

const FINISH = `WITH finished AS (
  UPDATE hand_overs SET is_done = TRUE, result = ?, result_bytes = ?, body_bytes = ? WHERE ${IS_CLAIM} RETURNING id
)
SELECT pg_notify('${CHANNEL}', 'done ' || id) FROM finished`;

const RELEASE = `WITH released AS (UPDATE hand_overs SET worker = NULL WHERE ${IS_CLAIM} RETURNING id)
SELECT pg_notify('${CHANNEL}', 'new') FROM released`;

const REMOVE = `WITH removed AS (DELETE FROM hand_overs WHERE id = ? RETURNING id, worker, is_done)
SELECT pg_notify('${CHANNEL}', 'cancel ' || id) FROM removed WHERE worker IS NOT NULL AND NOT is_done`;

interface ClaimRow {
  readonly id: string;
  readonly claim: number;
  readonly user_id: string;
  readonly is_repeatable: number;
  readonly request: Buffer;
  readonly time_left: number;
  readonly attempt_left: number | null;
  readonly waited: number;
}

export function createHandOverStore(postgres: Postgres): HandOverStore {
  const run = async <T>(sql: string, parameters: readonly unknown[]): Promise<readonly T[]> =>
    (await postgres.write([[sql, parameters]]))[0]!.rows as readonly T[];
  return {
    async add(h) {
      const facts = [h.id, h.caller, h.userId, h.format, h.browser, h.isRepeatable, h.request];
      await run(ADD, [...facts, h.timeLeftMs, h.attemptLeftMs]);
    },
    states: (caller) => run<HandOverState>(STATES, [caller]),
    async result(id) {
      const [row] = await run<{ claim: number; result: Buffer; result_bytes: number; body_bytes: number }>(
        'SELECT claim, result, result_bytes, body_bytes FROM hand_overs WHERE id = ? AND is_done',
        [id],
      );
      if (row === undefined) return null;
      return { claim: row.claim, first: row.result, bytes: row.result_bytes, bodyBytes: row.body_bytes };
    },
    async piece(id, claim, number) {
      const [row] = await run<{ bytes: Buffer }>(
        'SELECT bytes FROM hand_over_pieces WHERE hand_over_id = ? AND claim = ? AND number = ?',
        [id, claim, number],
      );
      return row?.bytes ?? null;
    },
    async remove(id) {
      await run(REMOVE, [id]);
    },
    async claim(worker, { formats, browsers, lastUserId }) {
      const [row] = await run<ClaimRow>(CLAIM, [worker, formats, browsers, lastUserId]);
      if (row === undefined) return null;
      return {
        id: row.id,
        claim: row.claim,
        userId: row.user_id,
        isRepeatable: row.is_repeatable === 1,
        request: row.request,
        timeLeftMs: row.time_left,
        attemptLeftMs: row.attempt_left,
        waitedMs: row.waited,
      };
    },
    running: async (worker) => (await run<{ id: string }>(RUNNING, [worker])).map(({ id }) => id),
    async addPiece(id, claim, number, bytes) {
      await run('INSERT INTO hand_over_pieces (hand_over_id, claim, number, bytes) VALUES (?, ?, ?, ?)', [
        id,
        claim,
        number,
        bytes,
      ]);
    },
    async finish(worker, id, { claim, first, bytes, bodyBytes }) {
      return (await run(FINISH, [first, bytes, bodyBytes, id, worker, claim])).length > 0;
    },
    async release(worker, id, claim) {
      await run(RELEASE, [id, worker, claim]);
    },
    async sweep() {
      await run(`DELETE FROM hand_overs WHERE ends_at < clock_timestamp() - interval '1 minute'`, []);
    },
    listen(onMessage, onMissed) {
      const onPayload = (payload: string) => {
        const [kind = '', id = ''] = payload.split(' ');
        onMessage(kind, id);
      };
      postgres.listen(CHANNEL, onPayload, onMissed);
    },
  };
}
