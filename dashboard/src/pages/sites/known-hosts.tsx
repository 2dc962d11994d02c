import { useQuery } from '@tanstack/react-query';
import { statsQuery } from '../../api/stats.ts';
import { formatCount } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { IconGlobe } from '../../ui/icons.tsx';
import { EmptyState, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import classes from './sites.module.css';

/** What the service calls the hosts that it does not count one by one. */
const REST = 'other';

/** Where most scrapes of the week went: where to begin looking. */
export function KnownHosts() {
  const { data, error, refetch } = useQuery(statsQuery('7d', undefined));
  const hosts = data?.hosts.filter(({ host }) => host !== REST);
  if (error !== null && hosts === undefined)
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (hosts === undefined) return null;
  if (hosts.length === 0) {
    return (
      <Panel>
        <EmptyState icon={IconGlobe} title="No sites yet">
          The router learns from every scrape which protection a site has and which method works. Look it up
          here.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <Panel title="Most scraped in the last 7 days">
      <ul className={classes.hosts}>
        {hosts.map(({ host, scrapes }) => (
          <li key={host}>
            <TextLink to="/sites" search={{ host }} title={host}>
              {hostText(host)}
            </TextLink>
            <small>
              {formatCount(scrapes)} {scrapes === 1 ? 'scrape' : 'scrapes'}
            </small>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
