import type { Schema } from '../../api/client.ts';
import { RouteName } from '../../ui/route-name.tsx';
import { exclusionText } from '../texts.ts';
import classes from './route.module.css';
import { routeKey } from './route-map.tsx';

interface ExcludedRoutesProps {
  readonly candidates: readonly Schema<'Candidate'>[];
  /** At first; where nothing else tells why. */
  readonly open?: boolean;
}

/** The routes that the request or the installation leaves out, each with the reason. Nothing when there are none. */
export function ExcludedRoutes({ candidates, open = false }: ExcludedRoutesProps) {
  const out = candidates.filter(({ excluded_by }) => excluded_by !== null);
  if (out.length === 0) return null;
  return (
    <details className={classes.out} open={open}>
      <summary>
        {out.length} {out.length === 1 ? 'method' : 'methods'} excluded
      </summary>
      <ul>
        {out.map((one) => (
          <li key={routeKey(one)}>
            <RouteName scraper={one.scraper} proxyType={one.proxy_type} />
            <span className={classes.why}>{exclusionText(one.excluded_by ?? '')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
