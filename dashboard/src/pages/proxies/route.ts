import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { requireAdmin } from '../../app/require-admin.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

export const proxiesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/proxies',
  beforeLoad: requireAdmin,
  component: lazyRouteComponent(() => import('./proxies-page.tsx'), 'ProxiesPage'),
});
