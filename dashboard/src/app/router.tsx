import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ApiError, isSignedOut, type User } from '../api/client.ts';
import { canChange, seesAllUsers, sessionQuery, singleSignOnQuery } from '../api/session.ts';
import type { Delivery } from '../api/webhooks.ts';
import { readRowsSearch } from '../pages/datasets/rows-search.ts';
import { type HistorySearch, readHistorySearch } from '../pages/history/history-search.ts';
import type { ExampleName } from '../pages/playground/examples.ts';
import { ErrorPage, NotFoundPage, StandaloneErrorPage } from './error-pages.tsx';
import { lazyComponent } from './lazy.ts';
import { BASE_PATH } from './page-config.ts';
import {
  type RawSearch,
  readAlertsSearch,
  readAuditSearch,
  readItemsSearch,
  readJobsSearch,
  readKeysSearch,
  readMonitorSearch,
  readMonitorsSearch,
  readOverviewSearch,
  readSchedulesSearch,
  readSignInSearch,
  readSitesSearch,
  readUsageSearch,
  readUsersSearch,
  readVendorsSearch,
  readWindow,
} from './page-searches.ts';
import { oneOfIn, parseSearch, redirectTarget, signInLink, stringifySearch, textIn } from './urls.ts';

/*
 * All pages with their paths and search parameters. Pages are loaded when they are opened, and refer to their route by its id
 * (`getRouteApi`), so that none of them imports this file. A new path must also be added to the service:
 * src/http/docs/dashboard-pages.ts.
 */

const rootRoute = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Outlet,
  errorComponent: StandaloneErrorPage,
  notFoundComponent: () => (
    <main>
      <NotFoundPage />
    </main>
  ),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: readSignInSearch,
  beforeLoad: async ({ context, search, location }) => {
    const session = await context.queries
      .fetchQuery({ ...sessionQuery, staleTime: 0 })
      .catch((error: unknown) => {
        if (error instanceof ApiError) return null;
        throw error;
      });
    if (session !== null)
      throw redirect({ ...redirectTarget(search.next), hash: location.hash, replace: true });
  },
  // Fetched before the page is shown, so that its form does not move. It works without.
  loader: ({ context }) => context.queries.prefetchQuery(singleSignOnQuery),
  component: lazyComponent(() => import('../pages/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const setUpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-up',
  component: lazyComponent(() => import('../pages/sign-in/set-up-page.tsx'), 'SetUpPage'),
});

/** Parent of all pages that need a session. Without one it redirects to sign-in, which leads back. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  beforeLoad: async ({ context, location }) => {
    try {
      const { user } = await context.queries.ensureQueryData(sessionQuery);
      return { user };
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      throw redirect(signInLink(location));
    }
  },
  component: lazyComponent(() => import('../shell/shell.tsx'), 'Shell'),
  errorComponent: StandaloneErrorPage,
});

interface UserContext {
  readonly context: { readonly user: User };
}

/** `beforeLoad` of pages for administrators and viewers. For other users these pages do not exist. */
function requireAllUsers({ context }: UserContext): void {
  if (!seesAllUsers(context.user)) throw notFound();
}

/** `beforeLoad` of pages that only serve changes. For viewers these pages do not exist. */
function requireChanges({ context }: UserContext): void {
  if (!canChange(context.user)) throw notFound();
}

const overviewRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: readOverviewSearch,
  component: lazyComponent(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage'),
});

const usageRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: lazyComponent(() => import('../pages/usage/usage-page.tsx'), 'UsagePage'),
});

const historyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history',
  validateSearch: readHistorySearch,
  component: lazyComponent(() => import('../pages/history/history-page.tsx'), 'HistoryPage'),
});

const compareRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history/compare',
  /** Ids of two records. */
  validateSearch: (
    search: RawSearch,
  ): { readonly before?: string | undefined; readonly after?: string | undefined } => ({
    after: textIn(search, 'after'),
    before: textIn(search, 'before'),
  }),
  component: lazyComponent(() => import('../pages/compare/compare-page.tsx'), 'ComparePage'),
});

const scrapeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/history/$id',
  component: lazyComponent(() => import('../pages/scrape/scrape-page.tsx'), 'ScrapePage'),
});

const playgroundRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/playground',
  beforeLoad: requireChanges,
  /** `from`: id of a scrape whose request is loaded. */
  validateSearch: (search: RawSearch): { readonly from?: string | undefined } => ({
    from: textIn(search, 'from'),
  }),
  component: lazyComponent(() => import('../pages/playground/playground-page.tsx'), 'PlaygroundPage'),
});

const jobsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/jobs',
  validateSearch: readJobsSearch,
  component: lazyComponent(() => import('../pages/jobs/jobs-page.tsx'), 'JobsPage'),
});

const newBatchRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/jobs/new-batch',
  beforeLoad: requireChanges,
  component: lazyComponent(() => import('../pages/jobs/new-batch-page.tsx'), 'NewBatchPage'),
});

const newCrawlRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/jobs/new-crawl',
  beforeLoad: requireChanges,
  component: lazyComponent(() => import('../pages/jobs/new-crawl-page.tsx'), 'NewCrawlPage'),
});

const jobRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/jobs/$id',
  validateSearch: readItemsSearch,
  component: lazyComponent(() => import('../pages/jobs/job-page.tsx'), 'JobPage'),
});

const monitorsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/monitors',
  validateSearch: readMonitorsSearch,
  component: lazyComponent(() => import('../pages/monitors/monitors-page.tsx'), 'MonitorsPage'),
});

const newMonitorRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/monitors/new',
  beforeLoad: requireChanges,
  component: lazyComponent(() => import('../pages/monitors/new-monitor-page.tsx'), 'NewMonitorPage'),
});

const monitorRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/monitors/$id',
  validateSearch: readMonitorSearch,
  component: lazyComponent(() => import('../pages/monitors/monitor-page.tsx'), 'MonitorPage'),
});

const editMonitorRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/monitors/$id/edit',
  beforeLoad: requireChanges,
  component: lazyComponent(() => import('../pages/monitors/edit-monitor-page.tsx'), 'EditMonitorPage'),
});

const schedulesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/schedules',
  validateSearch: readSchedulesSearch,
  component: lazyComponent(() => import('../pages/schedules/schedules-page.tsx'), 'SchedulesPage'),
});

const newScheduleRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/schedules/new',
  beforeLoad: requireChanges,
  /** `dataset`: id of the dataset that the form chooses. */
  validateSearch: (search: RawSearch): { readonly dataset?: string | undefined } => ({
    dataset: textIn(search, 'dataset'),
  }),
  component: lazyComponent(() => import('../pages/schedules/new-schedule-page.tsx'), 'NewSchedulePage'),
});

const scheduleRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/schedules/$id',
  component: lazyComponent(() => import('../pages/schedules/schedule-page.tsx'), 'SchedulePage'),
});

const datasetsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/datasets',
  component: lazyComponent(() => import('../pages/datasets/datasets-page.tsx'), 'DatasetsPage'),
});

const datasetRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/datasets/$id',
  validateSearch: readRowsSearch,
  component: lazyComponent(() => import('../pages/datasets/dataset-page.tsx'), 'DatasetPage'),
});

const alertsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/alerts',
  validateSearch: readAlertsSearch,
  component: lazyComponent(() => import('../pages/alerts/alerts-page.tsx'), 'AlertsPage'),
});

const channelsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/channels',
  component: lazyComponent(() => import('../pages/channels/channels-page.tsx'), 'ChannelsPage'),
});

const profilesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/profiles',
  component: lazyComponent(() => import('../pages/profiles/profiles-page.tsx'), 'ProfilesPage'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/webhooks',
  /** `state` absent: all deliveries. */
  validateSearch: (search: RawSearch): { readonly state?: Delivery['state'] | undefined } => ({
    state: oneOfIn(search, 'state', ['queued', 'sending', 'delivered', 'failed']),
  }),
  component: lazyComponent(() => import('../pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const keysRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/keys',
  beforeLoad: requireChanges,
  validateSearch: readKeysSearch,
  component: lazyComponent(() => import('../pages/keys/keys-page.tsx'), 'KeysPage'),
});

const sitesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sites',
  validateSearch: readSitesSearch,
  component: lazyComponent(() => import('../pages/sites/sites-page.tsx'), 'SitesPage'),
});

const usersRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users',
  beforeLoad: requireAllUsers,
  validateSearch: readUsersSearch,
  component: lazyComponent(() => import('../pages/users/users-page.tsx'), 'UsersPage'),
});

const userRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/users/$id',
  beforeLoad: requireAllUsers,
  component: lazyComponent(() => import('../pages/users/user-page.tsx'), 'UserPage'),
});

const proxiesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/proxies',
  beforeLoad: requireAllUsers,
  validateSearch: readWindow,
  component: lazyComponent(() => import('../pages/proxies/proxies-page.tsx'), 'ProxiesPage'),
});

const vendorsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/vendors',
  beforeLoad: requireAllUsers,
  validateSearch: readVendorsSearch,
  component: lazyComponent(() => import('../pages/vendors/vendors-page.tsx'), 'VendorsPage'),
});

const pricesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/prices',
  beforeLoad: requireAllUsers,
  component: lazyComponent(() => import('../pages/prices/prices-page.tsx'), 'PricesPage'),
});

const systemRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/system',
  beforeLoad: requireAllUsers,
  validateSearch: readWindow,
  component: lazyComponent(() => import('../pages/system/system-page.tsx'), 'SystemPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/audit',
  beforeLoad: requireAllUsers,
  validateSearch: readAuditSearch,
  component: lazyComponent(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  component: lazyComponent(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
});

const routeTree = rootRoute.addChildren([
  signInRoute,
  setUpRoute,
  signedInRoute.addChildren([
    overviewRoute,
    usageRoute,
    historyRoute,
    compareRoute,
    scrapeRoute,
    playgroundRoute,
    jobsRoute,
    newBatchRoute,
    newCrawlRoute,
    jobRoute,
    monitorsRoute,
    schedulesRoute,
    newScheduleRoute,
    scheduleRoute,
    datasetsRoute,
    datasetRoute,
    newMonitorRoute,
    monitorRoute,
    editMonitorRoute,
    alertsRoute,
    channelsRoute,
    profilesRoute,
    webhooksRoute,
    keysRoute,
    sitesRoute,
    usersRoute,
    userRoute,
    proxiesRoute,
    vendorsRoute,
    pricesRoute,
    systemRoute,
    auditRoute,
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
    // Drops unknown names from the address: pages pass their search to the API, which refuses them.
    search: { strict: true },
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPreload: 'intent',
    // Freshness is decided by the query cache.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    trailingSlash: 'never',
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }

  interface HistoryState {
    /** On the page of a record: the filters of the list from which it was opened. */
    readonly listSearch?: HistorySearch;
    /** On the page History: how many scrapes the counters have for its filters. */
    readonly counted?: number;
    /** How many pages ago that list was; default: 1. */
    readonly pagesFromList?: number;
    /** Form that the page opens: an invitation, a new alert, key or dataset. */
    readonly form?: 'invite' | 'new';
    /** URL that the playground fills in. */
    readonly url?: string;
    /** Scrape request as JSON, and URLs for it, that the form of a job, a monitor or a schedule fills in. */
    readonly request?: string;
    readonly urls?: readonly string[];
    /** Example that the playground runs. */
    readonly example?: ExampleName;
  }
}
