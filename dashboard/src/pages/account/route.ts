import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/load-part.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

export const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyPage(() => import('./account-page.tsx'), 'AccountPage'),
});
