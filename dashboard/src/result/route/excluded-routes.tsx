import { Plural, Trans } from '@lingui/react/macro';
import type { Schema } from '../../api/client.ts';
import { RouteName } from '../../ui/route-name.tsx';
import { exclusionText } from '../texts.ts';
import classes from './route.module.css';
import { routeKey } from './route-map.tsx';

interface ExcludedRoutesProps {
  readonly candidates: readonly Schema<'Candidate'>[];
  /** Expanded initially, if nothing else explains the result. */
  readonly open?: boolean;
}

/** The routes that the request or the installation excludes, with reasons. Renders nothing if there are none. */
export function ExcludedRoutes({ candidates, open = false }: ExcludedRoutesProps) {
  const excluded = candidates.filter(({ excluded_by }) => excluded_by !== null);
  if (excluded.length === 0) return null;
  return (
    <details className={classes.excluded} open={open}>
      <summary>
        <Trans>
          <Plural value={excluded.length} one="# method excluded" other="# methods excluded" />
        </Trans>
      </summary>
      <ul>
        {excluded.map((candidate) => (
          <li key={routeKey(candidate)}>
            <RouteName scraper={candidate.scraper} proxyType={candidate.proxy_type} />
            <span className={classes.reason}>{exclusionText(candidate.excluded_by ?? '')}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
