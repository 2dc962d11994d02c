import type { DeliveryClaim, DeliveryEnd } from '../../../ports/webhooks.ts';
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
import type { SqliteConnection } from './database.ts';

interface DueReceiver {
  receiver: string;
  next_at: number;
}

/** The transactions of WebhookStore, for the writer thread. */
export function prepareWebhookTransactions(db: SqliteConnection) {
  return { ...prepareClaim(db), ...prepareEnd(db) };
}

function prepareClaim(db: SqliteConnection) {
  const takeBack = db.prepare(
    `UPDATE webhook_deliveries SET state = 'queued', next_at = ? WHERE state = 'sending' AND lease_until < ?`,
  );
  // Steps from receiver to receiver in the index, instead of reading all deliveries that wait.
  const dueReceivers = db.prepare<[{ now: number }], DueReceiver>(
    `WITH RECURSIVE receivers (receiver) AS (
  SELECT min(receiver) FROM webhook_deliveries WHERE state = 'queued'
  UNION ALL
  SELECT (SELECT min(receiver) FROM webhook_deliveries WHERE state = 'queued' AND receiver > receivers.receiver)
  FROM receivers WHERE receivers.receiver IS NOT NULL
), due AS (
  SELECT receiver, (SELECT min(next_at) FROM webhook_deliveries AS d WHERE d.state = 'queued' AND d.receiver = receivers.receiver) AS next_at
  FROM receivers WHERE receiver IS NOT NULL
)
SELECT receiver, next_at FROM due WHERE next_at <= @now ORDER BY next_at`,
  );
  const sendingTo = db.prepare<[string], { count: number }>(
    `SELECT count(*) AS count FROM webhook_deliveries WHERE receiver = ? AND state = 'sending'`,
  );
  const failuresOf = db.prepare<[string], { failures: number; ask_at: number }>(
    'SELECT failures, ask_at FROM webhook_receivers WHERE receiver = ?',
  );
  const askLater = db.prepare('UPDATE webhook_receivers SET ask_at = ? WHERE receiver = ?');
  const next = db.prepare<[string, number, number], DueDeliveryRow>(
    `SELECT d.*, d.lease + 1 AS lease, d.tries + 1 AS tries, w.spec, w.source,
coalesce((SELECT length(sealed) FROM webhook_contents AS c WHERE c.number = d.number), 0) AS content_bytes
FROM webhook_deliveries AS d JOIN webhooks AS w ON w.source_id = d.source_id
WHERE d.receiver = ? AND d.state = 'queued' AND d.next_at <= ? ORDER BY d.next_at, d.number LIMIT ?`,
  );
  const take = db.prepare(
    `UPDATE webhook_deliveries SET state = 'sending', lease = lease + 1, lease_until = ?, tries = tries + 1, carrier = ?
WHERE number = ? AND state = 'queued'`,
  );
  const waitingFor = db.prepare<[string, number, Uint8Array, number], WaitingDeliveryRow>(
    WAITING_FOR_CHANNEL,
  );

  /** How many deliveries the receiver may get now. */
  function placesOf(receiver: string, { now, perReceiver, breakAfter, breakMs }: DeliveryClaim): number {
    const sending = sendingTo.get(receiver)!.count;
    const failed = failuresOf.get(receiver);
    if (failed === undefined || failed.failures < breakAfter) return perReceiver - sending;
    if (failed.ask_at > now || sending > 0) return 0;
    askLater.run(now + breakMs, receiver);
    return 1;
  }

  return {
    claimDeliveries(claim: DeliveryClaim) {
      const { now, limit, leaseUntil } = claim;
      takeBack.run(now, now);
      const claimed: ClaimedDeliveryRow[] = [];
      for (const { receiver } of dueReceivers.all({ now })) {
        if (claimed.length >= limit) break;
        const places = Math.min(placesOf(receiver, claim), limit - claimed.length);
        for (const due of places > 0 ? next.all(receiver, now, places) : []) {
          // It may have been taken to be sent with the one before.
          if (take.run(leaseUntil, null, due.number).changes === 0) continue;
          const waiting =
            due.source === 'channel' ? waitingFor.all(receiver, now, due.source_id, due.number) : null;
          const { row, others } = withCollected(due, waiting);
          for (const other of others) take.run(leaseUntil, due.number, other);
          claimed.push(row);
        }
      }
      return claimed;
    },
  };
}

function prepareEnd(db: SqliteConnection) {
  const leased = db.prepare<[number, number], { source_id: Buffer; receiver: string; tries: number }>(
    `SELECT source_id, receiver, tries FROM webhook_deliveries WHERE number = ? AND lease = ? AND state = 'sending'`,
  );
  const end = db.prepare(
    `UPDATE webhook_deliveries SET state = ?, next_at = ?, last_at = ?, status = ?, error = ?, duration_ms = ?, answer = ?
WHERE number = ?`,
  );
  const works = db.prepare('DELETE FROM webhook_receivers WHERE receiver = ?');
  const fails = db.prepare(
    `INSERT INTO webhook_receivers (receiver, failures, ask_at) VALUES (?, 1, 0)
ON CONFLICT (receiver) DO UPDATE SET failures = failures + 1`,
  );
  const setGone = db.prepare('UPDATE webhooks SET gone = 1 WHERE source_id = ?');
  const endCollected = db.prepare(END_COLLECTED);
  const isChannel = db.prepare<[Buffer]>('SELECT 1 FROM channels WHERE id = ?');
  const dropWaiting = db.prepare(
    `UPDATE webhook_deliveries SET state = 'failed', error = ? WHERE source_id = ? AND state = 'queued'`,
  );
  return {
    endDelivery(ended: DeliveryEnd) {
      const { number, result, now } = ended;
      const row = leased.get(number, ended.lease);
      if (row === undefined) return false;
      const state = stateAfter(result);
      const { status, error, durationMs, answer } = ended;
      const nextAt = result === 'retry' ? ended.nextAt : now;
      end.run(state, nextAt, now, status, error, durationMs, answer, number);
      endCollected.run(state, nextAt, now, status, error, durationMs, number);
      if (result === 'dropped') return true;
      // An answer shows that the receiver works, even if it wants no more.
      if (result === 'delivered' || result === 'gone') works.run(row.receiver);
      else fails.run(row.receiver);
      if (isChannel.get(row.source_id) !== undefined) {
        const { source_id: sourceId, tries } = row;
        for (const [text, parameters] of channelStatements({ sourceId, tries, result, error, now }))
          db.prepare(text).run(...parameters);
      } else if (result === 'gone') {
        setGone.run(row.source_id);
        dropWaiting.run(error, row.source_id);
      }
      return true;
    },
  };
}
