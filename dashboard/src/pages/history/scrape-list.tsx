import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { keysQuery } from '../../api/keys.ts';
import type { ScrapeSummary } from '../../api/scrapes.ts';
import { DataTable } from '../../ui/data-table.tsx';
import classes from './history.module.css';
import { ScrapeCard } from './scrape-card.tsx';
import { ScrapeRow } from './scrape-row.tsx';

const historyRoute = getRouteApi('/signed-in/history');

interface ScrapeListProps {
  /** Newest first. */
  readonly items: readonly ScrapeSummary[];
  /** What was found behind them. */
  readonly older: readonly ScrapeSummary[];
  /** Id → e-mail; null: one does not see the scrapes of others. */
  readonly people: ReadonlyMap<string, string> | null;
}

/** A table, and cards where there is no room for one. What came since it was opened is marked. */
export function ScrapeList({ items, older, people }: ScrapeListProps) {
  const [first] = useState(() => new Set(items.map(({ id }) => id)));
  const all = [...items, ...older];
  const { data: keys } = useQuery(keysQuery);
  const names = new Map(keys?.items.map(({ id, name }) => [id, name]));
  const among = historyRoute.useSearch();
  const propsOf = (item: ScrapeSummary, at: number) => ({
    item,
    fresh: at < items.length && !first.has(item.id),
    among,
    keyName: names.get(item.key_id ?? '') ?? null,
    person: people === null ? null : (people.get(item.user_id ?? '') ?? 'unknown'),
  });
  return (
    <>
      <div className={classes.wide}>
        <DataTable
          caption="Scrapes, newest first"
          head={
            <>
              <th scope="col">Outcome</th>
              <th scope="col">Request</th>
              <th scope="col" data-numeric>
                Status
              </th>
              <th scope="col">Scraper</th>
              <th scope="col">{people === null ? 'API key' : 'User and key'}</th>
              <th scope="col" data-numeric>
                Duration
              </th>
              <th scope="col" data-numeric>
                Size
              </th>
              <th scope="col" data-numeric>
                Time
              </th>
            </>
          }
        >
          {all.map((item, at) => (
            <ScrapeRow key={item.id} {...propsOf(item, at)} />
          ))}
        </DataTable>
      </div>
      <ul className={classes.cards} aria-label="Scrapes, newest first">
        {all.map((item, at) => (
          <ScrapeCard key={item.id} {...propsOf(item, at)} />
        ))}
      </ul>
    </>
  );
}
