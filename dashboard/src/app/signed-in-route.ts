import { createRoute, redirect } from '@tanstack/react-router';
import { isSignedOut } from '../api/api-error.ts';
import { sessionQuery } from '../api/session.ts';
import { signInFor } from '../pages/sign-in/place-of.ts';
import { WholeCrashPage } from './crash-page.tsx';
import { lazyPage } from './load-part.ts';
import { rootRoute } from './root-route.tsx';

/** Parent of every page that needs a session: without one it leads to sign-in, and from there back. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    try {
      const { user } = await context.queries.ensureQueryData(sessionQuery);
      return { user };
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      throw redirect(signInFor(location));
    }
  },
  component: lazyPage(() => import('../shell/shell.tsx'), 'Shell'),
  errorComponent: WholeCrashPage,
});
