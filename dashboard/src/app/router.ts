import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { accountRoute } from '../pages/account/route.ts';
import { historyRoute } from '../pages/history/route.ts';
import { keysRoute } from '../pages/keys/route.ts';
import { overviewRoute } from '../pages/overview/route.ts';
import { playgroundRoute } from '../pages/playground/route.ts';
import { proxiesRoute } from '../pages/proxies/route.ts';
import { scrapeRoute } from '../pages/scrape/route.ts';
import { setUpRoute } from '../pages/set-up/route.ts';
import { signInRoute } from '../pages/sign-in/route.ts';
import { sitesRoute } from '../pages/sites/route.ts';
import { systemRoute } from '../pages/system/route.ts';
import { usersRoute } from '../pages/users/route.ts';
import { CrashPage } from './crash-page.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { rootRoute } from './root-route.tsx';
import { parseSearch, stringifySearch } from './search-params.ts';
import { BASE_PATH } from './served.ts';
import { signedInRoute } from './signed-in-route.ts';

/** Every page. A new path must also be known to the service: src/http/dashboard-pages.ts. */
const routeTree = rootRoute.addChildren([
  signInRoute,
  setUpRoute,
  signedInRoute.addChildren([
    overviewRoute,
    historyRoute,
    scrapeRoute,
    playgroundRoute,
    keysRoute,
    sitesRoute,
    usersRoute,
    proxiesRoute,
    systemRoute,
    accountRoute,
  ]),
]);

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree,
    basepath: BASE_PATH === '' ? '/' : BASE_PATH,
    context: { queries },
    parseSearch,
    stringifySearch,
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPreload: 'intent',
    // The cache of the queries decides what is fresh.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    trailingSlash: 'never',
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
