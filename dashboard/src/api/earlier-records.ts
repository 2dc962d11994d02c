import { queryOptions } from '@tanstack/react-query';
import type { Outcome } from './client.ts';
import { fetchScrapeList, type ScrapeFilter, type ScrapeSummary } from './scrapes.ts';

/** Calls that look for records, and records of each. */
const MAX_CALLS = 10;
const PAGE_LENGTH = 100;

/** The records that match the filter, newest first unless it says otherwise; without dry runs. They end after some calls. */
export async function* recordsOf(filter: ScrapeFilter, signal: AbortSignal): AsyncGenerator<ScrapeSummary> {
  let cursor: string | undefined;
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const { items, nextCursor } = await fetchScrapeList(filter, cursor, PAGE_LENGTH, signal);
    yield* items.filter(({ outcome }) => outcome !== 'planned');
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

/** null: there is none. */
export async function firstOf(
  records: AsyncIterable<ScrapeSummary>,
  matches: (record: ScrapeSummary) => boolean = () => true,
): Promise<ScrapeSummary | null> {
  for await (const record of records) if (matches(record)) return record;
  return null;
}

/** A stored record of which earlier ones are looked for. */
export interface LaterRecord {
  readonly id: string;
  readonly url: string;
  readonly createdAt: string;
}

const until = (createdAt: string): string => new Date(Date.parse(createdAt) + 1).toISOString();

/** Earlier records of the same URL, newest first. */
async function* earlierRecords({ id, url, createdAt }: LaterRecord, more: ScrapeFilter, signal: AbortSignal) {
  const { host, pathname, search } = new URL(url);
  const filter = { ...more, host, path: `${pathname}${search}`.slice(0, 500), to: until(createdAt) };
  for await (const record of recordsOf(filter, signal))
    if (record.id < id && record.url === url) yield record;
}

const latestOkOfHost = ({ id, url, createdAt }: LaterRecord, signal: AbortSignal) => {
  const filter = { host: new URL(url).host, outcome: 'ok', to: until(createdAt) } as const;
  return firstOf(recordsOf(filter, signal), (record) => record.id < id);
};

/** The record with which another one is compared if none was chosen. */
export interface Base {
  readonly id: string;
  /** The last OK response of the same URL; the previous record of the same URL; the last OK response of the same host. */
  readonly choice: 'ok_of_url' | 'previous' | 'ok_of_host';
}

/** For a record that is OK, the previous one of its URL; for others, the last OK response if possible. null: there is none. */
export const baseQuery = (record: LaterRecord, outcome: Outcome) =>
  queryOptions({
    queryKey: ['history', 'base', record.id],
    queryFn: async ({ signal }): Promise<Base | null> => {
      if (outcome !== 'ok') {
        const ok = await firstOf(earlierRecords(record, { outcome: 'ok' }, signal));
        if (ok !== null) return { id: ok.id, choice: 'ok_of_url' };
      }
      const previous = await firstOf(earlierRecords(record, {}, signal));
      if (previous !== null) return { id: previous.id, choice: 'previous' };
      if (outcome === 'ok') return null;
      const other = await latestOkOfHost(record, signal);
      return other === null ? null : { id: other.id, choice: 'ok_of_host' };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Earlier records of the same URL, newest first: those among the latest 1,000 of its path. */
export const earlierRecordsQuery = (record: LaterRecord) =>
  queryOptions({
    queryKey: ['history', 'earlier', record.id],
    queryFn: ({ signal }) => Array.fromAsync(earlierRecords(record, {}, signal)),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The last OK response of the host before a record, of any URL; null: there is none. */
export const okOfHostQuery = (record: LaterRecord) =>
  queryOptions({
    queryKey: ['history', 'ok-of-host', record.id],
    queryFn: ({ signal }) => latestOkOfHost(record, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
