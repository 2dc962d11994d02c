import { COLLECTED_FROM, MAX_COLLECTED } from '../../../domain/notifications.ts';
import type { ClaimedDelivery, DeliveryRow } from '../../../domain/webhooks.ts';
import type { DeliveryEnd } from '../../../ports/webhooks.ts';
import type { DeliveryTable } from '../schema/tables.ts';

/** A delivery that is due, as the transaction `claimDeliveries` of each database reads it. */
export type DueDeliveryRow = DeliveryTable & {
  readonly lease: number;
  readonly content_bytes: number;
  readonly receiver: string;
};

/** The state of a delivery after a try with this result. */
export const stateAfter = (result: DeliveryEnd['result']): DeliveryRow['state'] =>
  result === 'retry' ? 'queued' : result === 'delivered' ? 'delivered' : 'failed';

/** What that transaction gives. */
export type ClaimedDeliveryRow = DueDeliveryRow & Pick<ClaimedDelivery, 'collected'>;

export interface WaitingDeliveryRow {
  readonly number: number;
  readonly sequence: number;
  readonly tries: number;
}

/** What else waits for the channel of a due delivery. Parameters: receiver, time, channel, number of the delivery. */
export const WAITING_FOR_CHANNEL = `SELECT number, sequence, tries FROM webhook_deliveries
WHERE receiver = ? AND state = 'queued' AND next_at <= ? AND source_id = ? AND number <> ? ORDER BY number LIMIT ${MAX_COLLECTED - 1}`;

/** The end of those that were sent with a delivery, which has the last parameter as its number. */
export const END_COLLECTED = `UPDATE webhook_deliveries SET state = ?, next_at = ?, last_at = ?, status = ?, error = ?, duration_ms = ?,
carrier = NULL WHERE carrier = ? AND state = 'sending'`;

/**
 * A delivery with those that are sent in its message: if many wait for a channel, they are one message. It may be tried as often as the
 * one of them that was tried least.
 * @param waiting null: the delivery is not for a channel of a user
 */
export function withCollected(
  row: DueDeliveryRow,
  waiting: readonly WaitingDeliveryRow[] | null,
): { readonly row: ClaimedDeliveryRow; readonly others: readonly number[] } {
  if (waiting === null || waiting.length < COLLECTED_FROM)
    return { row: { ...row, collected: [] }, others: [] };
  const tries = Math.min(row.tries, ...waiting.map((other) => other.tries + 1));
  return {
    row: { ...row, tries, collected: waiting.map(({ sequence }) => sequence) },
    others: waiting.map(({ number }) => number),
  };
}
