/** How the rows of a table of PostgreSQL are read from SQLite. */
export interface CopiedTable {
  readonly name: string;
  /** The columns of the primary key, by which rows are read. */
  readonly key: readonly string[];
  /** SQL of the source; absent: the table of the same name. */
  readonly source?: string;
  /** The column that numbers rows, whose next value must be set. */
  readonly numbered?: string;
}

/** In an order in which rows refer only to rows before them. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'users', key: ['id'] },
  { name: 'api_keys', key: ['id'] },
  { name: 'sessions', key: ['id'] },
  { name: 'set_up_links', key: ['user_id'] },
  { name: 'second_factors', key: ['user_id'] },
  { name: 'user_identities', key: ['issuer', 'subject'] },
  { name: 'recovery_codes', key: ['user_id', 'hash'] },
  { name: 'audit_events', key: ['id'] },
  { name: 'templates', key: ['user_id', 'name'] },
  { name: 'profiles', key: ['id'] },
  { name: 'saved_requests', key: ['id'] },
  { name: 'key_usage', key: ['day', 'key_id'] },
  { name: 'shared_contents', key: ['number'], numbered: 'number' },
  { name: 'records', key: ['id'] },
  {
    // In PostgreSQL, a body has the id of its record.
    name: 'record_bodies',
    key: ['id'],
    source: 'records JOIN record_bodies ON record_bodies.seq = records.body',
  },
  { name: 'jobs', key: ['id'] },
  { name: 'job_items', key: ['job_id', 'item'] },
  { name: 'job_hosts', key: ['job_id', 'host'] },
  { name: 'job_events', key: ['job_id', 'sequence'] },
  { name: 'job_counters', key: ['job_id', 'counter'] },
  { name: 'job_blocks', key: ['job_id', 'host', 'block'] },
  { name: 'webhooks', key: ['source_id'] },
  { name: 'webhook_deliveries', key: ['number'], numbered: 'number' },
  { name: 'webhook_contents', key: ['number'] },
  { name: 'webhook_receivers', key: ['receiver'] },
  { name: 'webhook_users', key: ['user_id'] },
  { name: 'monitors', key: ['id'] },
  { name: 'monitor_runs', key: ['monitor_id', 'n'] },
  { name: 'monitor_pages', key: ['monitor_id', 'url', 'n'] },
  { name: 'schedules', key: ['id'] },
  { name: 'schedule_runs', key: ['schedule_id', 'n'] },
  { name: 'exports', key: ['id'] },
  { name: 'datasets', key: ['number'], numbered: 'number' },
  { name: 'dataset_runs', key: ['dataset', 'n'] },
  { name: 'dataset_rows', key: ['dataset', 'row'] },
  { name: 'dataset_cells', key: ['dataset', 'col', 'value', 'row'] },
  { name: 'alert_rules', key: ['id'] },
  { name: 'alert_channels', key: ['id'] },
  { name: 'alert_instances', key: ['rule_id', 'subject'] },
  { name: 'alert_events', key: ['id'] },
  { name: 'channels', key: ['id'] },
  { name: 'notification_sources', key: ['source_id'] },
  { name: 'notification_channels', key: ['source_id', 'channel_id'] },
  { name: 'notifications', key: ['number'], numbered: 'number' },
  { name: 'stat_counts', key: ['step', 'at', 'user_id', 'kind', 'name'] },
  { name: 'site_counts', key: ['month', 'user_id', 'host'] },
  { name: 'site_costs', key: ['month', 'user_id', 'host', 'scraper', 'proxy_type', 'unit'] },
  {
    name: 'usage_counts',
    key: ['step', 'at', 'user_id', 'key_id', 'host', 'scraper', 'proxy_type', 'outcome', 'unit'],
  },
  { name: 'experience', key: ['kind', 'name'] },
  { name: 'encryption_keys', key: ['id'] },
  { name: 'idempotency_keys', key: ['seq'], numbered: 'seq' },
  { name: 'service_secrets', key: ['name'] },
  { name: 'settings', key: ['kind', 'name'] },
  { name: 'samples', key: ['step', 'at', 'kind', 'name', 'replica'] },
];

/**
 * Tables of SQLite that are not copied: counters of the file itself and of the day, and what PostgreSQL makes from other tables or as
 * an index.
 */
export const NOT_COPIED_TABLES: readonly string[] = [
  'meta',
  'backfills',
  'record_jobs',
  'job_folders',
  'shared_counters',
  'sqlite_sequence',
];
