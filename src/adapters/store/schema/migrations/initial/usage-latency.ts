/** How long the scrapes of usage took: the same buckets as those of sites. */
const COLUMNS = Array.from({ length: 20 }, (_, n) => `ADD COLUMN latency_${n} BIGINT NOT NULL DEFAULT 0`);

/** SQLite adds one column by a statement. */
export const USAGE_LATENCY: readonly string[] = COLUMNS.map((column) => `ALTER TABLE usage_counts ${column}`);
/** PostgreSQL locks the table once. */
export const USAGE_LATENCY_AT_ONCE = `ALTER TABLE usage_counts ${COLUMNS.join(', ')}`;
