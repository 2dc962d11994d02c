/**
 * `webhooks`: the webhook of a job, of an asynchronous scrape, or of a test event. `webhook_deliveries`: one row for each event
 * that it is to get, stored in the transaction of the event. `webhook_contents`: what a delivery sends of a scrape whose record has no
 * content, encrypted. The triggers delete it as soon as the delivery has ended, in whatever way. `webhook_receivers` has only
 * receivers whose last delivery failed.
 */
export const WEBHOOK_TABLES: readonly string[] = [
  `CREATE TABLE webhooks (
  source_id BYTEA PRIMARY KEY CHECK (length(source_id) = 16),
  user_id BYTEA NOT NULL,
  source TEXT COLLATE "C" NOT NULL,
  receiver TEXT COLLATE "C" NOT NULL,
  events TEXT COLLATE "C" NOT NULL,
  spec BYTEA NOT NULL,
  gone SMALLINT NOT NULL DEFAULT 0
)`,
  `CREATE INDEX webhook_deliveries_next ON webhook_deliveries (next_at) WHERE state = 'queued'`,
  `CREATE INDEX webhook_deliveries_receiver ON webhook_deliveries (receiver, next_at) WHERE state = 'queued'`,
  `CREATE INDEX webhook_deliveries_sending ON webhook_deliveries (receiver) WHERE state = 'sending'`,
  'CREATE INDEX webhook_deliveries_user ON webhook_deliveries (user_id, number)',
  'CREATE TABLE webhook_receivers (receiver TEXT COLLATE "C" PRIMARY KEY, failures BIGINT NOT NULL, ask_at BIGINT NOT NULL)',
  `CREATE TABLE webhook_users (
  user_id BYTEA PRIMARY KEY,
  secret BYTEA,
  previous BYTEA,
  previous_until BIGINT,
  defaults BYTEA
)`,
];
