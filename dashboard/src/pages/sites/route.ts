import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/load-part.ts';
import { textIn } from '../../app/search-params.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

export const sitesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sites',
  /** `host`: as in a URL, with the port where it is not that of the scheme. */
  validateSearch: (search: Record<string, unknown>): { readonly host?: string | undefined } => ({
    host: textIn(search, 'host'),
  }),
  component: lazyPage(() => import('./sites-page.tsx'), 'SitesPage'),
});
