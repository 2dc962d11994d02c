import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { signedInRoute } from '../../app/signed-in-route.ts';

export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
});
