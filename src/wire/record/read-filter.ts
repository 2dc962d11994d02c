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
    ...hostOf(query),
    status: query.whole('status', 100, 999),
    outcome: query.word('outcome', OUTCOMES),
    scraper: query.word('scraper', SCRAPER_NAMES),
    errorCode: query.word('error_code', Object.keys(FAILURES)),
    keyId: query.text('key_id'),
    tag: query.pair('tag'),
    oldestFirst: false,
  };
}

/** As the URL parser writes a host (letter case, other alphabets, addresses); with a port only that one is meant. `*` stands for any characters. */
function hostOf(query: QueryReader): Pick<RecordFilter, 'host' | 'origins'> {
  const given = query.text('host');
  if (given === null) return { host: null, origins: null };
  if (given.includes('*')) {
    if (!/^[^\s/?#@\\%]{1,255}$/.test(given))
      query.wrong('host', 'must be a part of a host name between `*`');
    return { host: given.toLowerCase(), origins: null };
  }
  // An IPv6 address may stand without its brackets.
  const text = /^[\da-f.]*:[\da-f.:]*:[\da-f.:]*$/i.test(given) ? `[${given}]` : given;
  const http = /[/?#@\\\s]/.test(text) ? null : URL.parse(`http://${text}/`);
  const https = URL.parse(`https://${text}/`);
  if (http === null || https === null) {
    query.wrong('host', 'must be a host name or an address, with a port or without');
    return { host: null, origins: null };
  }
  const hasPort = http.port !== '' || https.port !== '';
  return { host: http.hostname, origins: hasPort ? [http.href, https.href] : null };
}
