import { queryOptions } from '@tanstack/react-query';
import type { Outcome } from './client.ts';
import { firstOf, recordsOf } from './earlier-records.ts';
import type { ScrapeSummary } from './scrapes.ts';

/** Stored records that tell when a site began to fail. null: no such record is stored. */
export interface SiteTurn {
  /** The last OK response before `firstFailure`. */
  readonly okBefore: ScrapeSummary | null;
  readonly firstFailure: ScrapeSummary | null;
  readonly latestFailure: ScrapeSummary | null;
  /** The last OK response before `latestFailure`: of the same page if possible. */
  readonly latestOk: ScrapeSummary | null;
}

/** OK responses among which one of the same page is looked for. */
const RECENT_OK = 100;

/**
 * @param hostname without a port
 * @param from start of the first bad day, RFC 3339
 * @param failures the outcomes that count as failures
 */
export const siteTurnQuery = (hostname: string, from: string, failures: readonly Outcome[]) =>
  queryOptions({
    queryKey: ['history', 'turn', hostname, from, failures],
    queryFn: async ({ signal }): Promise<SiteTurn> => {
      const of = (order: 'asc' | 'desc') =>
        Promise.all(
          failures.map((outcome) => firstOf(recordsOf({ host: hostname, outcome, from, order }, signal))),
        );
      const [firsts, latest] = await Promise.all([of('asc'), of('desc')]);
      const firstFailure = sorted(firsts)[0] ?? null;
      const latestFailure = sorted(latest).at(-1) ?? null;
      const okUntil = (failure: ScrapeSummary | null) =>
        recordsOf({ host: hostname, outcome: 'ok', to: failure?.created_at }, signal);
      const [okBefore, latestOk] = await Promise.all([
        firstOf(okUntil(firstFailure)),
        sameUrlOrFirst(okUntil(latestFailure), latestFailure?.url ?? null),
      ]);
      return { okBefore, firstFailure, latestFailure, latestOk };
    },
  });

/** Without the missing ones; the oldest first, because ids are ordered by time. */
const sorted = (records: readonly (ScrapeSummary | null)[]): readonly ScrapeSummary[] =>
  records.flatMap((record) => record ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));

async function sameUrlOrFirst(
  records: AsyncIterable<ScrapeSummary>,
  url: string | null,
): Promise<ScrapeSummary | null> {
  let first: ScrapeSummary | null = null;
  let count = 0;
  for await (const record of records) {
    if (record.url === url) return record;
    first ??= record;
    if (++count >= RECENT_OK) break;
  }
  return first;
}
