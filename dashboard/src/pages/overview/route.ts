import { createRoute } from '@tanstack/react-router';
import type { StatsWindow } from '../../api/stats.ts';
import { lazyPage } from '../../app/load-part.ts';
import { listIn, oneOfIn, textIn } from '../../app/search-params.ts';
import { signedInRoute } from '../../app/signed-in-route.ts';

const WINDOWS: readonly StatsWindow[] = ['1h', '24h', '7d'];

interface OverviewSearch {
  /** Default: what fits. */
  readonly window?: StatsWindow | undefined;
  /** Whose figures, for administrators; default: all users'. */
  readonly user_id?: string | undefined;
  /** The charts that are shown as tables. */
  readonly table?: readonly string[] | undefined;
}

export const overviewRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  validateSearch: (search: Record<string, unknown>): OverviewSearch => ({
    window: oneOfIn(search, 'window', WINDOWS),
    user_id: textIn(search, 'user_id'),
    table: listIn(search, 'table'),
  }),
  component: lazyPage(() => import('./overview-page.tsx'), 'OverviewPage'),
});
