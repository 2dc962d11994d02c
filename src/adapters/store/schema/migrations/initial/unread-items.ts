/** Items whose page was got and not read to the end: `ok` with an error. Few of them, so that a job of many is retried at once. */
export const UNREAD_ITEMS_INDEX =
  "CREATE INDEX job_items_unread ON job_items (job_id, item) WHERE state = 'ok' AND error IS NOT NULL";
