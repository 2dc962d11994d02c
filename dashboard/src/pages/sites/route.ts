import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textIn } from '../../app/search-params.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

export const sitesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sites',
  /** `host`: as in a URL, with the port where it is not that of the scheme. */
  validateSearch: (search: Record<string, unknown>): { readonly host?: string | undefined } => ({
    host: textIn(search, 'host'),
  }),
  component: lazyRouteComponent(() => import('./sites-page.tsx'), 'SitesPage'),
});
