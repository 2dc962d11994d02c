import { createRoute, redirect } from '@tanstack/react-router';
import { ApiError } from '../../api/api-error.ts';
import { sessionQuery } from '../../api/session.ts';
import { lazyPage } from '../../app/load-part.ts';
import { rootRoute } from '../../app/root-route.tsx';
import { textIn } from '../../app/search-params.ts';
import { placeOf } from './place-of.ts';

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { readonly next?: string | undefined } => ({
    next: textIn(search, 'next'),
  }),
  beforeLoad: async ({ context, search, location }) => {
    const session = await context.queries
      .fetchQuery({ ...sessionQuery, staleTime: 0 })
      .catch((error: unknown) => {
        if (error instanceof ApiError) return null;
        throw error;
      });
    if (session !== null) throw redirect({ ...placeOf(search.next), hash: location.hash, replace: true });
  },
  component: lazyPage(() => import('./sign-in-page.tsx'), 'SignInPage'),
});
