import { FAILURES } from '../../domain/failure.ts';
import { SCRAPER_NAMES } from '../../domain/job.ts';
import type { Principal } from '../../domain/principal.ts';
import type { RecordFilter } from '../../domain/record.ts';
import { OUTCOMES } from './outcomes.ts';
import type { QueryReader } from './query-reader.ts';
import { seesAll } from './sees-all.ts';

export type Reader = Pick<Principal, 'userId' | 'role' | 'keyId'>;

export const FILTER_PARAMETERS = [
  'from',
  'to',
  'host',
  'status',
  'outcome',
  'scraper',
  'error_code',
  'key_id',
  'tag',
  'user_id',
] as const;

/** The filters of a list, an export: within what the reader may see. */
export function readFilter(query: QueryReader, reader: Reader): RecordFilter {
  const admin = seesAll(reader);
  const userId = query.text('user_id');
  if (userId !== null && !admin) query.wrong('user_id', "is only for administrators' sessions");
  return {
    userId: admin ? userId : reader.userId,
    from: query.time('from'),
    to: query.time('to'),
    host: query.text('host')?.toLowerCase() ?? null,
    status: query.whole('status', 100, 999),
    outcome: query.word('outcome', OUTCOMES),
    scraper: query.word('scraper', SCRAPER_NAMES),
    errorCode: query.word('error_code', Object.keys(FAILURES)),
    keyId: query.text('key_id'),
    tag: query.pair('tag'),
  };
}
