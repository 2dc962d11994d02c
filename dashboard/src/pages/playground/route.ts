import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/load-part.ts';
import { textIn } from '../../app/search-params.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

interface PlaygroundSearch {
  /** Id of a scrape whose request is to be run again. */
  readonly from?: string | undefined;
}

export const playgroundRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/playground',
  validateSearch: (search: Record<string, unknown>): PlaygroundSearch => ({ from: textIn(search, 'from') }),
  component: lazyPage(() => import('./playground-page.tsx'), 'PlaygroundPage'),
});
