import { USAGE_LATENCY } from './initial/usage-latency.ts';
import type { Migration } from './migration.ts';

export const usageLatency: Migration = {
  version: 39,
  name: 'durations of usage',
  statements: USAGE_LATENCY,
};
