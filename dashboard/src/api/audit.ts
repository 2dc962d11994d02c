import { infiniteQueryOptions } from '@tanstack/react-query';
import { BASE_PATH } from '../app/page-config.ts';
import { api, responseBody, type Schema } from './client.ts';
import { BY_CURSOR } from './queries.ts';

export type AuditEntry = Schema<'AuditEntry'>;
export type AuditAction = AuditEntry['action'];

/** Filters of the list, as the API names them. */
export interface AuditFilter {
  readonly action?: AuditAction | undefined;
  readonly user_id?: string | undefined;
  /** Id of what was changed. */
  readonly target_id?: string | undefined;
}

/** The audit log, newest first. For administrators and viewers. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { ...filter, cursor, limit: 50 };
      // Without `format` it is JSON.
      return (await responseBody(
        api.GET('/api/v1/audit/', { params: { query }, signal }),
      )) as Schema<'AuditPage'>;
    },
    ...BY_CURSOR,
  });

/** The address of an export of the entries that match. */
export function auditExportUrl(filter: AuditFilter, format: 'csv' | 'jsonl'): string {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, value);
  return `${BASE_PATH}/api/v1/audit/?${query}`;
}
