import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { WholeCrashPage } from './crash-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';

export const rootRoute = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  errorComponent: WholeCrashPage,
  notFoundComponent: () => (
    <main>
      <NotFoundPage />
    </main>
  ),
});
