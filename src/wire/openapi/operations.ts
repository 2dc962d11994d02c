import { ACCOUNT_OPERATIONS } from './account-operations.ts';
import type { Operation } from './operation.ts';
import { SCRAPE_OPERATIONS } from './scrape-operations.ts';
import { SERVICE_OPERATIONS } from './service-operations.ts';
import { SESSION_OPERATIONS } from './session-operations.ts';
import { SITE_OPERATIONS } from './site-operations.ts';
import { STATS_OPERATIONS } from './stats-operations.ts';
import { SYSTEM_OPERATIONS } from './system-operations.ts';

/** Every operation that this version has. */
export const operations: readonly Operation[] = [
  ...SCRAPE_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...SESSION_OPERATIONS,
  ...STATS_OPERATIONS,
  ...SITE_OPERATIONS,
  ...SERVICE_OPERATIONS,
  ...SYSTEM_OPERATIONS,
];
