import { USAGE_LATENCY_AT_ONCE } from '../initial/usage-latency.ts';
import type { PostgresMigration } from './postgres-migration.ts';

export const usageLatency: PostgresMigration = {
  version: 41,
  name: 'durations of usage',
  isCompatible: true,
  statements: [USAGE_LATENCY_AT_ONCE],
};
