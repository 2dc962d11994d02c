import { Button } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './page-state.tsx';
import classes from './paged-list.module.css';

interface PagedListProps<Item> {
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly items: readonly Item[] }>>;
  /** Shown if there are no items. */
  readonly empty: ReactNode;
  /** The label of the button that loads the next page. */
  readonly more: string;
  /** Renders the items of all loaded pages. null: loading. */
  readonly children: (items: readonly Item[] | null) => ReactNode;
}

/** A list that is loaded page by page, in a panel. */
export function PagedList<Item>({ query, empty, more, children }: PagedListProps<Item>) {
  const items = query.data?.pages.flatMap((page) => page.items) ?? null;
  if (query.error !== null && items === null)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      {items?.length === 0 ? empty : children(items)}
      {query.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {more}
          </Button>
        </div>
      )}
    </>
  );
}
