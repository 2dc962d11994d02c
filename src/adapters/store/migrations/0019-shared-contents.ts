import type { Migration } from './migration.ts';

/**
 * `shared_contents`: contents that several records of a user's jobs have, each once, with the number of their bodies.
 * `record_bodies.shared`: its number. The trigger deletes a content with its last body.
 */
export const sharedContents: Migration = {
  version: 19,
  name: 'shared-contents',
  statements: [
    `CREATE TABLE shared_contents (
  number INTEGER PRIMARY KEY,
  user_id BLOB NOT NULL,
  hash BLOB NOT NULL,
  uses INTEGER NOT NULL,
  content BLOB NOT NULL,
  content_codec INTEGER NOT NULL,
  UNIQUE (user_id, hash)
)`,
    'ALTER TABLE record_bodies ADD COLUMN shared INTEGER',
    `CREATE TRIGGER shared_contents_left AFTER DELETE ON record_bodies WHEN OLD.shared IS NOT NULL BEGIN
  UPDATE shared_contents SET uses = uses - 1 WHERE number = OLD.shared;
  DELETE FROM shared_contents WHERE number = OLD.shared AND uses = 0;
END`,
  ],
};
