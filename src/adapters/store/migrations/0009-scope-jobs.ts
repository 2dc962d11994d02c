import type { Migration } from './migration.ts';

/** Keys that may scrape may also run jobs, as if they had been made after the scope `jobs` existed. */
export const scopeJobs: Migration = {
  version: 9,
  name: 'scope-jobs',
  statements: [
    `UPDATE api_keys SET scopes = json_insert(scopes, '$[#]', 'jobs')
WHERE EXISTS (SELECT 1 FROM json_each(scopes) WHERE value = 'scrape')
AND NOT EXISTS (SELECT 1 FROM json_each(scopes) WHERE value = 'jobs')`,
  ],
};
