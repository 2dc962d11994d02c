import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/load-part.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

export const scrapeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history/$id',
  component: lazyPage(() => import('./scrape-page.tsx'), 'ScrapePage'),
});
