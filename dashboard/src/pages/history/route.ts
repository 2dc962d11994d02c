import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/load-part.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';
import { type HistorySearch, readHistorySearch } from './history-search.ts';

export const historyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history',
  validateSearch: readHistorySearch,
  component: lazyPage(() => import('./history-page.tsx'), 'HistoryPage'),
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The cursors of the pages before this one, '' for the first: the API only leads to older ones. */
    readonly trail?: readonly string[];
    /** Of a record: the filters of the list in which it was found. */
    readonly among?: HistorySearch;
  }
}
