import pg from 'pg';
import type { ReadReplicaState } from '../../domain/system.ts';
import { ConflictError, StorageError } from '../../ports/store.ts';
import { createReadReplica } from './read-replica.ts';
import { isServerError, sqlStateOf } from './sql-state.ts';

/** A query. Parameters are text, numbers, bytes, null or arrays of them; their places are `?` (as in SQLite) or `$1`, `$2` … */
type PostgresStatement = readonly [sql: string, parameters: readonly unknown[]];

interface PostgresResult {
  readonly rows: readonly unknown[];
  /** Number of rows that were inserted, updated, deleted or read. */
  readonly changes: number;
}

/** Runs statements one after the other, on one connection. */
export interface PostgresConnection {
  run(sql: string, parameters?: readonly unknown[]): Promise<PostgresResult>;
}

/**
 * The connections of this process to a PostgreSQL database. Methods reject with `StorageError` if the database fails or does not
 * answer within `QUERY_TIMEOUT_MS`, and with `ConflictError` if a unique value is taken or a row refers to one that is missing; `cause.code` is the SQLSTATE.
 * Integers of 64 bits and sums are numbers, `true` and `false` are 1 and 0, bytes are a `Uint8Array`, as SQLite returns them.
 */
export interface Postgres {
  /** Runs the statements in one transaction. A single one needs no `BEGIN` and `COMMIT`. */
  write(statements: readonly PostgresStatement[]): Promise<readonly PostgresResult[]>;
  /** Runs queries on a connection that writes never wait for. They see what was written before, and all of them the same. */
  read(statements: readonly PostgresStatement[]): Promise<readonly PostgresResult[]>;
  /** The same on the read replica, whose data may be some seconds old; without one, and while it is gone, as `read`. */
  readReplica(statements: readonly PostgresStatement[]): Promise<readonly PostgresResult[]>;
  /** null: there is no read replica. `down`: it does not answer, as of the last seconds, so the database itself is asked. */
  replicaState(): ReadReplicaState | null;
  /**
   * Runs `work` in one transaction. It is run again, from the beginning, if the database ended it because of a deadlock, or because
   * this process stood still in it.
   * @param idleTimeoutMs how long it may do so; default: `IDLE_TIMEOUT_MS`. More is for locks that nobody else waits for
   */
  transaction<T>(work: (connection: PostgresConnection) => Promise<T>, idleTimeoutMs?: number): Promise<T>;
  /**
   * Calls `onMessage` with the payload of each `NOTIFY channel`. Reconnects by itself; messages in between are lost, so callers
   * also poll. `onConnected` is called after each (re)connection, when something may have been missed.
   */
  listen(channel: string, onMessage: (payload: string) => void, onConnected: () => void): void;
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** `postgres://…`; may lead to a pooler. */
  readonly url: string;
  /** Leads to the server itself, for LISTEN and locks of a session. null: `url` does. */
  readonly directUrl: string | null;
  /** Of a read replica; null: none. */
  readonly readUrl: string | null;
  /** Called when the read replica begins to fail, with the reason, and with null when it answers again. */
  readonly onReplica?: (problem: Error | null) => void;
  /** Connections for writes at most, and as many for reads, instead of `MAX_WRITING` and `MAX_READING`. */
  readonly connections?: number;
  /** Instead of `QUERY_TIMEOUT_MS`. */
  readonly queryTimeoutMs?: number;
}

const QUERY_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** The figures are in docs/postgresql.md. */
const MAX_WRITING = 7;
const MAX_READING = 5;
const RECONNECT_MS = 500;
/** How often a transaction that the database ended because of others is run again. */
const MAX_TRIES = 5;
/**
 * The server ends a transaction in which nothing has come from the process for so long: one that is frozen, or cut off, holds the
 * locks for which others wait.
 */
const IDLE_TIMEOUT_MS = 2_000;
/** SQLSTATE of transactions that can be run again: serialization_failure, deadlock_detected, idle_in_transaction_session_timeout. */
const RETRYABLE = new Set(['40001', '40P01', '25P03']);
/** foreign_key_violation, unique_violation. */
const CONFLICTS = new Set(['23503', '23505']);

/** Opens no connection yet: the first query does. */
export function openPostgres(options: PostgresOptions): Postgres {
  const { connections, readUrl } = options;
  const maxReading = connections ?? MAX_READING;
  // Poolers hand a connection to others after each transaction, so statements cannot stay prepared on it.
  const prepares = options.directUrl === null;
  const { queryTimeoutMs = QUERY_TIMEOUT_MS } = options;
  const writes = createPool(options.url, connections ?? MAX_WRITING, queryTimeoutMs);
  const reads = createPool(options.url, maxReading, queryTimeoutMs);
  const replicas = readUrl === null ? null : createPool(readUrl, maxReading, queryTimeoutMs);
  const replica =
    replicas === null
      ? null
      : createReadReplica({
          ping: () => runOn(replicas, [['SELECT 1', []]]),
          isBusy: () => replicas.totalCount - replicas.idleCount >= maxReading,
          onChange: options.onReplica ?? (() => {}),
        });
  const listener = createListener(options.directUrl ?? options.url);

  function runOn(pool: pg.Pool, statements: readonly PostgresStatement[]) {
    const run = async (client: pg.PoolClient) => {
      const results: PostgresResult[] = [];
      for (const [sql, parameters] of statements)
        results.push(await query(client, sql, parameters, prepares));
      return results;
    };
    return statements.length === 1 ? withClient(pool, run) : inTransaction(pool, run, BEGIN_READING);
  }

  return {
    write: (statements) =>
      statements.length === 1
        ? withClient(writes, async (client) => [await query(client, ...statements[0]!, prepares)])
        : inTransaction(
            writes,
            async (client) => {
              const results: PostgresResult[] = [];
              for (const [sql, parameters] of statements)
                results.push(await query(client, sql, parameters, prepares));
              return results;
            },
            beginWriting(),
          ),
    read: (statements) => runOn(reads, statements),
    readReplica(statements) {
      const onFirst = () => runOn(reads, statements);
      return replica === null ? onFirst() : replica.read(() => runOn(replicas!, statements), onFirst);
    },
    replicaState: () => (replica === null ? null : replica.problem() === null ? 'ready' : 'down'),
    transaction: (work, idleTimeoutMs) =>
      inTransaction(
        writes,
        (client) => work({ run: (sql, parameters = []) => query(client, sql, parameters, prepares) }),
        beginWriting(idleTimeoutMs),
      ),
    listen: listener.listen,
    async close() {
      replica?.close();
      await listener.close();
      await Promise.all([writes, reads, replicas].map((pool) => pool?.end()));
    },
  };
}

/**
 * Runs `work` on a connection of its own to the server itself, such as for migrations under a lock of the session. Queries have
 * no time limit.
 */
export async function withDirectConnection<T>(
  { url, directUrl }: Pick<PostgresOptions, 'url' | 'directUrl'>,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...clientConfig(directUrl ?? url), query_timeout: 0 });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work({ run: (sql, parameters = []) => query(client, sql, parameters, false) });
  } catch (error) {
    throw translated(error);
  } finally {
    await client.end().catch(() => {});
  }
}

const { builtins } = pg.types;
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [builtins.INT8]: Number,
  [builtins.NUMERIC]: Number,
  [builtins.BOOL]: (text) => (text === 't' ? 1 : 0),
  // `\\x` and hexadecimal digits. A plain array, as SQLite returns it.
  [builtins.BYTEA]: (text) => {
    const { buffer, byteOffset, byteLength } = Buffer.from(text.slice(2), 'hex');
    return new Uint8Array(buffer, byteOffset, byteLength);
  },
};

function clientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'sluice',
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        (format !== 'binary' && PARSERS[oid]) ||
        pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}

function createPool(url: string, max: number, queryTimeoutMs: number): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(url),
    query_timeout: queryTimeoutMs,
    connectionTimeoutMillis: queryTimeoutMs,
    max,
    idleTimeoutMillis: 60_000,
  });
  // Of connections that nobody uses. Their loss is found by the next query.
  pool.on('error', () => {});
  // Of connections in use. Their queries reject, too, but do not say why. What the server says comes before the end of the connection.
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      if (!lossOf.has(client)) lossOf.set(client, error);
    }),
  );
  return pool;
}

/** Why connections were lost. */
const lossOf = new WeakMap<pg.PoolClient, Error>();

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  let client: pg.PoolClient | undefined;
  try {
    client = await pool.connect();
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    // After an error of the connection, or a query that timed out, its state is unknown.
    client?.release(!isServerError(error));
    const loss = client === undefined ? undefined : lossOf.get(client);
    throw translated(loss === undefined || isServerError(error) ? error : loss);
  }
}

const beginWriting = (idleTimeoutMs = IDLE_TIMEOUT_MS): string =>
  `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs}`;

/** Queries after it see the same state of the database. */
const BEGIN_READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
  begin: string,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await withClient(pool, async (client) => {
        await client.query(begin);
        try {
          const result = await work(client);
          await client.query('COMMIT');
          return result;
        } catch (error) {
          // Fails if the connection is lost, which ends the transaction, too.
          await client.query('ROLLBACK').catch(() => {});
          throw error;
        }
      });
    } catch (error) {
      if (tries === MAX_TRIES || !RETRYABLE.has(sqlStateOf(error))) throw error;
    }
  }
}

async function query(
  client: pg.ClientBase,
  sql: string,
  parameters: readonly unknown[],
  prepares: boolean,
): Promise<PostgresResult> {
  const { text, name } = numbered(sql);
  const values = parameters.map(storable);
  const result = await client.query(prepares ? { text, values, name } : { text, values });
  return { rows: result.rows, changes: result.rowCount ?? 0 };
}

/** A text of PostgreSQL has no NUL: it becomes U+FFFD. */
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

const MAX_STATEMENTS = 1_000;
const statements = new Map<string, { readonly text: string; readonly name: string }>();
let lastName = 0;

/** The statement with `$1`, `$2` … instead of `?`, and its name as a prepared statement. */
function numbered(sql: string) {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const text = sql.includes('?') ? sql.replace(/\?/g, () => `$${++count}`) : sql;
  const statement = { text, name: `s${++lastName}` };
  if (statements.size >= MAX_STATEMENTS) statements.clear();
  statements.set(sql, statement);
  return statement;
}

function translated(error: unknown): Error {
  if (error instanceof StorageError || error instanceof ConflictError) return error;
  // Bugs of callers, such as a RangeError.
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const message = error instanceof Error ? error.message || (error as { code?: string }).code : String(error);
  if (CONFLICTS.has(sqlStateOf(error))) return new ConflictError(message, { cause: error });
  return new StorageError(`PostgreSQL: ${message}`, { cause: error });
}

function createListener(url: string) {
  const channels = new Map<string, { onMessage: (payload: string) => void; onConnected: () => void }>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  function reconnect(): void {
    client = null;
    if (isClosed || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      void connect();
    }, RECONNECT_MS);
    timer.unref();
  }

  async function connect(): Promise<void> {
    if (isClosed || client !== null) return;
    const own = new pg.Client(clientConfig(url));
    client = own;
    own.on('error', () => {});
    own.on('end', () => {
      if (client === own) reconnect();
    });
    own.on('notification', ({ channel, payload }) => channels.get(channel)?.onMessage(payload ?? ''));
    try {
      await own.connect();
      for (const channel of channels.keys()) await own.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    } catch {
      await own.end().catch(() => {});
      if (client === own) reconnect();
      return;
    }
    for (const { onConnected } of channels.values()) onConnected();
  }

  return {
    listen(channel: string, onMessage: (payload: string) => void, onConnected: () => void): void {
      channels.set(channel, { onMessage, onConnected });
      if (client === null) void connect();
      else void client.query(`LISTEN ${pg.escapeIdentifier(channel)}`).then(onConnected, () => {});
    },
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
