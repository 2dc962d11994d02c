import { createHmac } from 'node:crypto';
import type { Config } from './config.ts';
import { signingSecret } from './data-dir.ts';
import type { Variable } from './parsers.ts';
import { VARIABLES } from './variables.ts';

/** What all replicas must share, besides the encryption keys (contract §15). */
const SHARED: ReadonlySet<string> = new Set([
  'SLUICE_SECRET',
  'SLUICE_REDIS_URL',
  'SLUICE_S3_ENDPOINT',
  'SLUICE_S3_BUCKET',
  'SLUICE_S3_PREFIX',
]);

/** What belongs to one process or its machine, or only to commands, so that differences mean nothing. */
const OWN: ReadonlySet<string> = new Set([
  'SLUICE_ROLE',
  'SLUICE_HOST',
  'SLUICE_PORT',
  'SLUICE_DATA_DIR',
  'SLUICE_DATABASE_URL',
  'SLUICE_DATABASE_DIRECT_URL',
  'SLUICE_DATABASE_READ_URL',
  'SLUICE_ENCRYPTION_KEY',
  'SLUICE_LOG_LEVEL',
  'SLUICE_LOG_FORMAT',
  'SLUICE_MEMORY_BYTES',
  'SLUICE_BROWSER_PATH',
  'SLUICE_BROWSER_SLOTS',
  'SLUICE_BROWSER_WARM',
  'SLUICE_GUARD_URL',
  'SLUICE_GUARD_PORT',
  'SLUICE_URL',
  'SLUICE_KEY',
]);

/**
 * The settings as hashes by the name of the variable, for comparing replicas. The key of the hash is the signing secret, so that
 * nobody who reads the database can guess a short value.
 */
export function settingHashes(config: Config): {
  readonly shared: Readonly<Record<string, string>>;
  readonly others: Readonly<Record<string, string>>;
} {
  const secret = signingSecret(config);
  const hashOf = (value: unknown) =>
    createHmac('sha256', secret).update(JSON.stringify(value)).digest('hex').slice(0, 16);
  const shared: Record<string, string> = {};
  const others: Record<string, string> = {};
  for (const [member, { name }] of Object.entries<Variable<unknown>>(VARIABLES)) {
    if (OWN.has(name)) continue;
    const value = name === 'SLUICE_SECRET' ? secret : config[member as keyof Config];
    if (SHARED.has(name)) shared[name] = hashOf(withoutCredentials(value));
    else others[name] = hashOf(value);
  }
  return { shared, others };
}

/** Replicas may sign in to the same server differently. */
const withoutCredentials = (value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/\/\/[^@/]*@/g, '//') : value;
