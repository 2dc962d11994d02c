import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.ts';

export const scrapeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history/$id',
  component: lazyRouteComponent(() => import('./scrape-page.tsx'), 'ScrapePage'),
});
