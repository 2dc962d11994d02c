/**
 * `webhooks`: the webhook of a job, of an asynchronous scrape, or of a test event. `webhook_deliveries`: one row for each event
 * that it is to get, stored in the transaction of the event. `webhook_contents`: what a delivery sends of a scrape whose record has no
 * content, encrypted. The triggers delete it as soon as the delivery has ended, in whatever way. `webhook_receivers` has only
 * receivers whose last delivery failed.
 */
export const WEBHOOK_TABLES: readonly string[] = [
  `CREATE TABLE webhooks (
  source_id BLOB PRIMARY KEY CHECK (length(source_id) = 16),
  user_id BLOB NOT NULL,
  source TEXT NOT NULL,
  receiver TEXT NOT NULL,
  events TEXT NOT NULL,
  spec BLOB NOT NULL,
  gone INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID`,
  `CREATE TABLE webhook_deliveries (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  source_id BLOB NOT NULL,
  sequence INTEGER NOT NULL,
  user_id BLOB NOT NULL,
  receiver TEXT NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  item INTEGER,
  state TEXT NOT NULL DEFAULT 'queued',
  queued_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  lease INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER NOT NULL DEFAULT 0,
  last_at INTEGER,
  status INTEGER,
  error TEXT,
  duration_ms INTEGER,
  answer BLOB,
  UNIQUE (source_id, sequence)
)`,
  `CREATE INDEX webhook_deliveries_next ON webhook_deliveries (next_at) WHERE state = 'queued'`,
  `CREATE INDEX webhook_deliveries_receiver ON webhook_deliveries (receiver, next_at) WHERE state = 'queued'`,
  `CREATE INDEX webhook_deliveries_sending ON webhook_deliveries (receiver) WHERE state = 'sending'`,
  'CREATE INDEX webhook_deliveries_user ON webhook_deliveries (user_id, number)',
  `CREATE TRIGGER webhook_contents_deleted AFTER DELETE ON webhook_deliveries BEGIN
  DELETE FROM webhook_contents WHERE number = OLD.number;
END`,
  `CREATE TRIGGER webhook_contents_ended AFTER UPDATE OF state ON webhook_deliveries
WHEN NEW.state IN ('delivered', 'failed') BEGIN
  DELETE FROM webhook_contents WHERE number = NEW.number;
END`,
  'CREATE TABLE webhook_contents (number INTEGER PRIMARY KEY, sealed BLOB NOT NULL)',
  'CREATE TABLE webhook_receivers (receiver TEXT PRIMARY KEY, failures INTEGER NOT NULL, ask_at INTEGER NOT NULL) WITHOUT ROWID',
  `CREATE TABLE webhook_users (
  user_id BLOB PRIMARY KEY,
  secret BLOB,
  previous BLOB,
  previous_until INTEGER,
  defaults BLOB
) WITHOUT ROWID`,
];
