import type { DeliveryClaim, DeliveryEnd } from '../../../ports/webhooks.ts';
import type { Postgres, PostgresConnection } from '../../postgres/postgres.ts';
import {
  type ClaimedDeliveryRow,
  type DueDeliveryRow,
  END_COLLECTED,
  stateAfter,
  WAITING_FOR_CHANNEL,
  type WaitingDeliveryRow,
  withCollected,
} from '../queries/delivery-rules.ts';
import { channelStatements } from '../queries/tell.ts';

const TAKE_BACK = `UPDATE webhook_deliveries SET state = 'queued', next_at = ? WHERE state = 'sending' AND lease_until < ?`;

/**
 * Receivers with a due delivery, and what is known about them. Steps from receiver to receiver in the index, instead of reading
 * all deliveries that wait.
 */
const DUE_RECEIVERS = `WITH RECURSIVE receivers (receiver) AS (
  SELECT min(receiver) FROM webhook_deliveries WHERE state = 'queued'
  UNION ALL
  SELECT (SELECT min(receiver) FROM webhook_deliveries WHERE state = 'queued' AND receiver > receivers.receiver)
  FROM receivers WHERE receivers.receiver IS NOT NULL
), due AS (
  SELECT receiver, (SELECT min(next_at) FROM webhook_deliveries AS d WHERE d.state = 'queued' AND d.receiver = receivers.receiver) AS next_at
  FROM receivers WHERE receiver IS NOT NULL
)
SELECT due.receiver, coalesce(r.failures, 0) AS failures, coalesce(r.ask_at, 0) AS ask_at,
(SELECT count(*) FROM webhook_deliveries AS d WHERE d.receiver = due.receiver AND d.state = 'sending') AS sending
FROM due LEFT JOIN webhook_receivers AS r ON r.receiver = due.receiver WHERE next_at <= ? ORDER BY next_at`;

interface DueReceiver {
  readonly receiver: string;
  /** How many deliveries failed one after the other. */
  readonly failures: number;
  /** When it may be asked again, ms since the epoch. */
  readonly ask_at: number;
  /** Deliveries under way, of all processes. */
  readonly sending: number;
}

const NEXT = `SELECT d.*, d.lease + 1 AS lease, d.tries + 1 AS tries, w.spec, w.source,
coalesce((SELECT length(sealed) FROM webhook_contents AS c WHERE c.number = d.number), 0) AS content_bytes
FROM webhook_deliveries AS d JOIN webhooks AS w ON w.source_id = d.source_id
WHERE d.receiver = ? AND d.state = 'queued' AND d.next_at <= ? ORDER BY d.next_at, d.number LIMIT ?`;

/**
 * As `claimDeliveries` of SQLite. One process claims at a time, so that a receiver never gets more at once than it may; the others
 * do not wait for it, which may have stopped, but claim nothing.
 */
async function claim(connection: PostgresConnection, request: DeliveryClaim): Promise<ClaimedDeliveryRow[]> {
  const { now, limit, leaseUntil } = request;
  const { rows: locked } = await connection.run(
    `SELECT pg_try_advisory_xact_lock(hashtext('sluice webhooks')) AS is_ours`,
  );
  if ((locked[0] as { is_ours: number }).is_ours === 0) return [];
  await connection.run(TAKE_BACK, [now, now]);
  const claimed: ClaimedDeliveryRow[] = [];
  const due = (await connection.run(DUE_RECEIVERS, [now])).rows as DueReceiver[];
  for (const receiver of due) {
    if (claimed.length >= limit) break;
    const places = Math.min(await placesOf(connection, receiver, request), limit - claimed.length);
    if (places <= 0) continue;
    const { rows } = await connection.run(NEXT, [receiver.receiver, now, places]);
    claimed.push(...(await takeAll(connection, rows as DueDeliveryRow[], now, leaseUntil)));
  }
  return claimed;
}

/** Takes the deliveries of a receiver, and what is sent with them. */
async function takeAll(
  connection: PostgresConnection,
  rows: readonly DueDeliveryRow[],
  now: number,
  leaseUntil: number,
): Promise<ClaimedDeliveryRow[]> {
  const take = (numbers: readonly number[], carrier: number | null) =>
    connection.run(
      `UPDATE webhook_deliveries SET state = 'sending', lease = lease + 1, lease_until = ?, tries = tries + 1, carrier = ?
WHERE number = ANY (?::bigint[])`,
      [leaseUntil, carrier, numbers],
    );
  const others = rows.filter(({ source }) => source !== 'channel');
  if (others.length > 0)
    await take(
      others.map(({ number }) => number),
      null,
    );
  const claimed = others.map((row): ClaimedDeliveryRow => withCollected(row, null).row);
  const taken = new Set<number>();
  for (const due of rows) {
    if (due.source !== 'channel' || taken.has(due.number)) continue;
    await take([due.number], null);
    const { rows: waiting } = await connection.run(WAITING_FOR_CHANNEL, [
      due.receiver,
      now,
      due.source_id,
      due.number,
    ]);
    const collected = withCollected(due, waiting as WaitingDeliveryRow[]);
    if (collected.others.length > 0) await take(collected.others, due.number);
    for (const number of collected.others) taken.add(number);
    claimed.push(collected.row);
  }
  return claimed;
}

/** How many deliveries the receiver may get now. */
async function placesOf(
  connection: PostgresConnection,
  { receiver, failures, ask_at, sending }: DueReceiver,
  { now, perReceiver, breakAfter, breakMs }: DeliveryClaim,
): Promise<number> {
  if (failures < breakAfter) return perReceiver - sending;
  if (ask_at > now || sending > 0) return 0;
  await connection.run('UPDATE webhook_receivers SET ask_at = ? WHERE receiver = ?', [
    now + breakMs,
    receiver,
  ]);
  return 1;
}

/** As `endDelivery` of SQLite. */
async function end(connection: PostgresConnection, ended: DeliveryEnd): Promise<boolean> {
  const { number, result, now, status, error, durationMs, answer } = ended;
  const state = stateAfter(result);
  const { rows } = await connection.run(
    `UPDATE webhook_deliveries SET state = ?, next_at = ?, last_at = ?, status = ?, error = ?, duration_ms = ?, answer = ?
WHERE number = ? AND lease = ? AND state = 'sending'
RETURNING source_id, receiver, tries, EXISTS (SELECT 1 FROM channels AS c WHERE c.id = source_id) AS is_channel`,
    [
      ...[state, result === 'retry' ? ended.nextAt : now, now, status, error, durationMs, answer],
      ...[number, ended.lease],
    ],
  );
  const row = rows[0] as
    | { source_id: Uint8Array; receiver: string; tries: number; is_channel: number }
    | undefined;
  if (row === undefined) return false;
  const { source_id: sourceId, tries } = row;
  if (row.is_channel === 1) {
    const nextAt = result === 'retry' ? ended.nextAt : now;
    await connection.run(END_COLLECTED, [state, nextAt, now, status, error, durationMs, number]);
    if (result !== 'dropped')
      for (const [sql, parameters] of channelStatements({ sourceId, tries, result, error, now }))
        await connection.run(sql, parameters);
  }
  if (result === 'dropped') return true;
  // An answer shows that the receiver works, even if it wants no more.
  if (result === 'delivered' || result === 'gone')
    await connection.run('DELETE FROM webhook_receivers WHERE receiver = ?', [row.receiver]);
  else
    await connection.run(
      `INSERT INTO webhook_receivers (receiver, failures, ask_at) VALUES (?, 1, 0)
ON CONFLICT (receiver) DO UPDATE SET failures = webhook_receivers.failures + 1`,
      [row.receiver],
    );
  if (result === 'gone' && row.is_channel !== 1) {
    await connection.run('UPDATE webhooks SET gone = 1 WHERE source_id = ?', [row.source_id]);
    await connection.run(
      `UPDATE webhook_deliveries SET state = 'failed', error = ? WHERE source_id = ? AND state = 'queued'`,
      [error, row.source_id],
    );
  }
  return true;
}

/** For `createWebhookStore`. */
export function webhookTransactions(postgres: Pick<Postgres, 'transaction'>) {
  return {
    claimDeliveries: (request: DeliveryClaim) =>
      postgres.transaction((connection) => claim(connection, request)),
    endDelivery: (ended: DeliveryEnd) => postgres.transaction((connection) => end(connection, ended)),
  };
}
