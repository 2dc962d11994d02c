import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/load-part.ts';
import { rootRoute } from '../../app/root-route.tsx';

export const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  component: lazyPage(() => import('./set-up-page.tsx'), 'SetUpPage'),
});
