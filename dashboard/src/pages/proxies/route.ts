import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/load-part.ts';
import { requireAdmin } from '../../app/require-admin.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

export const proxiesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/proxies',
  beforeLoad: requireAdmin,
  component: lazyPage(() => import('./proxies-page.tsx'), 'ProxiesPage'),
});
