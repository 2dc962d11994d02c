import type { Migration } from './migration.ts';

/**
 * `webhook_contents`: what a delivery sends of a scrape whose record has no content, encrypted. The triggers delete it as soon as
 * the delivery has ended, in whatever way.
 */
export const webhookContents: Migration = {
  version: 18,
  name: 'webhook-contents',
  statements: [
    'CREATE TABLE webhook_contents (number INTEGER PRIMARY KEY, sealed BLOB NOT NULL)',
    `CREATE TRIGGER webhook_contents_ended AFTER UPDATE OF state ON webhook_deliveries
WHEN NEW.state IN ('delivered', 'failed') BEGIN
  DELETE FROM webhook_contents WHERE number = NEW.number;
END`,
    `CREATE TRIGGER webhook_contents_deleted AFTER DELETE ON webhook_deliveries BEGIN
  DELETE FROM webhook_contents WHERE number = OLD.number;
END`,
  ],
};
