import { createRoute } from '@tanstack/react-router';
import { lazyPage } from '../../app/load-part.ts';
import { requireAdmin } from '../../app/require-admin.ts';
import { textIn } from '../../app/search-params.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

export const usersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users',
  beforeLoad: requireAdmin,
  /** `q`: a part of the e-mail. */
  validateSearch: (search: Record<string, unknown>): { readonly q?: string | undefined } => ({
    q: textIn(search, 'q'),
  }),
  component: lazyPage(() => import('./users-page.tsx'), 'UsersPage'),
});
