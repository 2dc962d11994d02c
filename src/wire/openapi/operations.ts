import { ACCOUNT_OPERATIONS } from './account-operations.ts';
import type { Operation } from './operation.ts';
import { SCRAPE_OPERATIONS } from './scrape-operations.ts';
import { SERVICE_OPERATIONS } from './service-operations.ts';

/** Every operation that this version has. */
export const operations: readonly Operation[] = [
  ...SCRAPE_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...SERVICE_OPERATIONS,
];
