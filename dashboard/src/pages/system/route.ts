import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/load-part.ts';
import { requireAdmin } from '../../app/require-admin.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

export const systemRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/system',
  beforeLoad: requireAdmin,
  component: lazyPage(() => import('./system-page.tsx'), 'SystemPage'),
});
