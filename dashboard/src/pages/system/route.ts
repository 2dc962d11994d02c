import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { requireAdmin } from '../../app/require-admin.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

export const systemRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/system',
  beforeLoad: requireAdmin,
  component: lazyRouteComponent(() => import('./system-page.tsx'), 'SystemPage'),
});
