import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/load-part.ts';
import { oneOfIn } from '../../app/search-params.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

/** Absent: those that work. */
const SHOWN = ['all'] as const;

export const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/keys',
  validateSearch: (search: Record<string, unknown>): { readonly show?: 'all' | undefined } => ({
    show: oneOfIn(search, 'show', SHOWN),
  }),
  component: lazyPage(() => import('./keys-page.tsx'), 'KeysPage'),
});
