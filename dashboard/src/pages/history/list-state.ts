import { type HistoryState, useLocation, useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { HistorySearch } from './history-search.ts';

interface ListOfRecord {
  /** Its filters; undefined: the page was not opened from the list. */
  readonly listSearch: HistorySearch | undefined;
  /** The `state` of links to pages that lead back to the same list. */
  readonly state: HistoryState;
  /** `onClick` of a link to the list: goes back to it, so that it is scrolled to the same place. */
  readonly onBack: (event: MouseEvent) => void;
}

/**
 * The list of the history from which a record was opened, even if other records and comparisons were opened in between:
 * links pass its filters on, and count the pages since then, in the `state` of the browser's history.
 */
export function useListOfRecord(): ListOfRecord {
  const { listSearch, pagesFromList = 1 } = useLocation({ select: ({ state }) => state });
  const { history } = useRouter();
  return {
    listSearch,
    state: listSearch === undefined ? {} : { listSearch, pagesFromList: pagesFromList + 1 },
    onBack: (event) => {
      const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
      if (listSearch === undefined || !isPlain) return;
      event.preventDefault();
      history.go(-pagesFromList);
    },
  };
}
