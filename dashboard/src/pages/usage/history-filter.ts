import type { UsageItem, UsageQuery } from '../../api/usage.ts';
import type { HistorySearch } from '../history/history-search.ts';

/** The filters that the history has, too. Scrapes of a proxy type cannot be listed. */
export const historyFilter = ({ key_id, host, scraper, user_id }: UsageQuery): HistorySearch => ({
  key_id,
  host,
  scraper: scraper === 'model' ? undefined : scraper,
  user_id,
});

const PARAMETERS = {
  key: 'key_id',
  host: 'host',
  scraper: 'scraper',
  vendor: 'scraper',
  user: 'user_id',
  outcome: 'outcome',
} as const;

/** The filter by an item alone; null: it cannot be filtered by. */
function itemFilter({ name }: UsageItem, by: UsageQuery['by']) {
  if (name === null || by === 'day') return null;
  if (by === 'proxy') return { proxy_type: name };
  return { [PARAMETERS[by]]: by === 'vendor' ? `vendor:${name}` : name };
}

/** The history of an item; null: it cannot be listed. */
export function itemHistory(
  item: UsageItem,
  query: UsageQuery,
  { from, to }: { readonly from: string; readonly to: string },
): HistorySearch | null {
  const { by } = query;
  if (by === 'day' && item.name !== null) {
    const end = new Date(new Date(item.name).getTime() + 86_400_000).toISOString();
    return { ...historyFilter(query), from: item.name, to: end };
  }
  const filter = itemFilter(item, by);
  if (filter === null || by === 'proxy' || item.name === 'model') return null;
  return { ...historyFilter(query), ...filter, from, to };
}

/** The usage of an item alone, split by something else; null: it cannot be filtered by. */
export function itemUsage(item: UsageItem, query: UsageQuery): Partial<UsageQuery> | null {
  const filter = itemFilter(item, query.by);
  if (filter === null || query.by === 'outcome') return null;
  return { ...filter, by: query.by === 'host' ? 'key' : 'host' };
}
