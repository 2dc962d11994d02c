import type { SealPurpose } from '../../../domain/sealing.ts';

/** A column with sealed values. */
interface SealedColumn {
  readonly purpose: SealPurpose;
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  /** SQL of the owner that the value is bound to: a text, or the 16 bytes of a UUID. */
  readonly owner: string;
  /** SQL condition of the rows that are still needed; absent: all. */
  readonly live?: string;
  /** SQL that deletes what is useless without values for which `:is_sealed` is true. */
  readonly deletions: readonly string[];
}

const JOBS_OF_ITEMS = 'SELECT job_id FROM job_items WHERE :is_sealed';

const webhookUserColumn = (purpose: SealPurpose, column: string): SealedColumn => ({
  purpose,
  table: 'webhook_users',
  column,
  key: ['user_id'],
  owner: 'user_id',
  deletions: [`UPDATE webhook_users SET ${column} = NULL WHERE :is_sealed`],
});

/** All columns with sealed values. `sluice secrets` works on this list. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    purpose: 'job.item',
    table: 'job_items',
    column: 'request',
    key: ['job_id', 'item'],
    owner: '(SELECT user_id FROM jobs WHERE id = job_id)',
    live: `job_id IN (SELECT id FROM jobs WHERE state <> 'deleted')`,
    // The sweep of deleted jobs deletes the items.
    deletions: [`UPDATE jobs SET state = 'deleted' WHERE id IN (${JOBS_OF_ITEMS})`],
  },
  {
    purpose: 'job.spec',
    table: 'jobs',
    column: 'spec',
    key: ['id'],
    owner: 'user_id',
    live: `state <> 'deleted'`,
    deletions: [`UPDATE jobs SET state = 'deleted' WHERE :is_sealed`],
  },
  {
    purpose: 'webhook.spec',
    table: 'webhooks',
    column: 'spec',
    key: ['source_id'],
    owner: 'user_id',
    deletions: [
      'DELETE FROM alert_channels WHERE id IN (SELECT source_id FROM webhooks WHERE :is_sealed)',
      'DELETE FROM notification_channels WHERE channel_id IN (SELECT source_id FROM webhooks WHERE :is_sealed)',
      'DELETE FROM channels WHERE id IN (SELECT source_id FROM webhooks WHERE :is_sealed)',
      'DELETE FROM webhook_deliveries WHERE source_id IN (SELECT source_id FROM webhooks WHERE :is_sealed)',
      'DELETE FROM webhooks WHERE :is_sealed',
    ],
  },
  {
    purpose: 'webhook.content',
    table: 'webhook_contents',
    column: 'sealed',
    key: ['number'],
    owner: '(SELECT user_id FROM webhook_deliveries AS d WHERE d.number = webhook_contents.number)',
    deletions: ['DELETE FROM webhook_contents WHERE :is_sealed'],
  },
  {
    purpose: 'proxy.authority',
    table: 'service_secrets',
    column: 'sealed',
    key: ['name'],
    owner: 'name',
    deletions: ['DELETE FROM service_secrets WHERE :is_sealed'],
  },
  {
    purpose: 'totp',
    table: 'second_factors',
    column: 'secret',
    key: ['user_id'],
    owner: 'user_id',
    deletions: [
      'DELETE FROM recovery_codes WHERE user_id IN (SELECT user_id FROM second_factors WHERE :is_sealed)',
      'DELETE FROM second_factors WHERE :is_sealed',
    ],
  },
  webhookUserColumn('webhook.secret', 'secret'),
  webhookUserColumn('webhook.secret', 'previous'),
  webhookUserColumn('webhook.default', 'defaults'),
  {
    purpose: 'monitor.target',
    table: 'monitors',
    column: 'spec',
    key: ['id'],
    owner: 'user_id',
    deletions: [
      'DELETE FROM monitor_pages WHERE monitor_id IN (SELECT id FROM monitors WHERE :is_sealed)',
      'DELETE FROM monitor_runs WHERE monitor_id IN (SELECT id FROM monitors WHERE :is_sealed)',
      'DELETE FROM monitors WHERE :is_sealed',
    ],
  },
  {
    purpose: 'schedule.job',
    table: 'schedules',
    column: 'spec',
    key: ['id'],
    owner: 'user_id',
    deletions: [
      'DELETE FROM schedule_runs WHERE schedule_id IN (SELECT id FROM schedules WHERE :is_sealed)',
      'DELETE FROM schedules WHERE :is_sealed',
    ],
  },
  {
    purpose: 'export.target',
    table: 'schedules',
    column: 'export_spec',
    key: ['id'],
    owner: 'user_id',
    deletions: ['UPDATE schedules SET export = NULL, export_spec = NULL WHERE :is_sealed'],
  },
  {
    purpose: 'export.target',
    table: 'exports',
    column: 'spec',
    key: ['id'],
    owner: 'user_id',
    deletions: ['DELETE FROM exports WHERE :is_sealed'],
  },
  {
    purpose: 'profile',
    table: 'profiles',
    column: 'sealed',
    key: ['id'],
    owner: 'user_id',
    deletions: ['DELETE FROM profiles WHERE :is_sealed'],
  },
  {
    purpose: 'profile.credentials',
    table: 'profiles',
    column: 'credentials',
    key: ['id'],
    owner: 'user_id',
    deletions: ['UPDATE profiles SET credentials = NULL, has_credentials = 0 WHERE :is_sealed'],
  },
  {
    purpose: 'setting',
    table: 'settings',
    column: 'sealed',
    key: ['kind', 'name'],
    owner: `kind || '/' || name`,
    deletions: ['DELETE FROM settings WHERE :is_sealed'],
  },
  {
    purpose: 'idempotency',
    table: 'idempotency_keys',
    column: 'answer',
    key: ['seq'],
    owner: 'user_id',
    deletions: ['UPDATE idempotency_keys SET answer = NULL, runs_until = 0 WHERE :is_sealed'],
  },
];
