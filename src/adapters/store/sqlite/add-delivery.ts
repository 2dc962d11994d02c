import { type JobEventType, webhookEventOf } from '../../../domain/jobs.ts';
import type { NewWebhook, WebhookSource } from '../../../domain/webhooks.ts';
import type { SqliteConnection } from './database.ts';

interface SourceRow {
  user_id: Buffer;
  source: WebhookSource;
  receiver: string;
  events: string;
}

/** Stores the deliveries of a job's events. Each function is a part of a transaction of the caller. */
export function prepareAddDelivery(db: SqliteConnection) {
  const webhookOf = db.prepare<[Uint8Array], SourceRow>(
    'SELECT user_id, source, receiver, events FROM webhooks WHERE source_id = ? AND gone = 0',
  );
  const insert = db.prepare(
    `INSERT INTO webhook_deliveries (source_id, sequence, user_id, receiver, type, at, item, queued_at, next_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );

  const insertContent = db.prepare('INSERT INTO webhook_contents (number, sealed) VALUES (?, ?)');

  /** @param content what is to be sent of the item; null: nothing is stored */
  function addDelivery(
    sourceId: Uint8Array,
    sequence: number,
    type: JobEventType,
    item: number | null,
    now: number,
    content: Uint8Array | null,
  ): void {
    const webhook = webhookOf.get(sourceId);
    if (webhook === undefined) return;
    const event = webhookEventOf(webhook.source, type);
    if (event === null || !(JSON.parse(webhook.events) as NewWebhook['events']).includes(event)) return;
    const { user_id: userId, receiver, source } = webhook;
    const { lastInsertRowid: number } = insert.run(
      sourceId,
      sequence,
      userId,
      receiver,
      `${source}.${event}`,
      now,
      item,
      now,
      now,
    );
    if (content !== null) insertContent.run(number, content);
  }

  return { addDelivery };
}
