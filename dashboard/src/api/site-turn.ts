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
  /**
   * The records that show best what changed: the latest failure of a page that was OK before, with its last OK response. If no
   * such page is found, those of different pages. null: there is no OK response.
   */
  readonly compared: { readonly before: ScrapeSummary; readonly after: ScrapeSummary } | null;
}

/** Records, both OK and failed, among which two of the same page are looked for. */
const RECENT = 100;

/**
 * @param hostname without a port
 * @param from start of the first bad day, RFC 3339
 * @param failures the outcomes that count as failures
 */
export const siteTurnQuery = (hostname: string, from: string, failures: readonly Outcome[]) =>
  queryOptions({
    queryKey: ['history', 'turn', hostname, from, failures],
    queryFn: async ({ signal }): Promise<SiteTurn> => {
      const of = (order: 'asc' | 'desc', count: number) =>
        Promise.all(
          failures.map((outcome) => take(recordsOf({ host: hostname, outcome, from, order }, signal), count)),
        );
      const [firsts, latest] = await Promise.all([of('asc', 1), of('desc', RECENT)]);
      const firstFailure = sorted(firsts.flat())[0] ?? null;
      const failed = sorted(latest.flat()).toReversed();
      const latestFailure = failed[0] ?? null;
      const okUntil = (failure: ScrapeSummary | null) =>
        recordsOf({ host: hostname, outcome: 'ok', to: failure?.created_at }, signal);
      const [okBefore, ok] = await Promise.all([
        firstOf(okUntil(firstFailure)),
        take(okUntil(latestFailure), RECENT),
      ]);
      return { okBefore, firstFailure, latestFailure, compared: comparedOf(failed, ok) };
    },
  });

/** The oldest first, because ids are ordered by time. */
const sorted = (records: readonly ScrapeSummary[]): readonly ScrapeSummary[] =>
  records.toSorted((a, b) => (a.id < b.id ? -1 : 1));

async function take(records: AsyncIterable<ScrapeSummary>, count: number): Promise<ScrapeSummary[]> {
  const taken: ScrapeSummary[] = [];
  for await (const record of records) if (taken.push(record) >= count) break;
  return taken;
}

/** Both lists have the newest first. */
function comparedOf(failed: readonly ScrapeSummary[], ok: readonly ScrapeSummary[]): SiteTurn['compared'] {
  for (const after of failed) {
    const before = ok.find(({ id, url }) => url === after.url && id < after.id);
    if (before !== undefined) return { before, after };
  }
  return failed[0] === undefined || ok[0] === undefined ? null : { before: ok[0], after: failed[0] };
}
