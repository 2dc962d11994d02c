import { Panel } from '../ui/panel.tsx';
import classes from './redirects-panel.module.css';
import type { ScrapeShape } from './scrape-shape.ts';

/** The way from the URL that was asked for to the one that answered. Nothing when there was no redirect. */
export function RedirectsPanel({ scrape }: { readonly scrape: ScrapeShape }) {
  const redirects = scrape.router.redirects ?? [];
  if (redirects.length === 0) return null;
  return (
    <Panel title="Redirects">
      <ol className={classes.hops}>
        {redirects.map(({ url, status_code }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a loop has the same hop twice
          <li key={at}>
            <span className={classes.status}>{status_code ?? 'script'}</span>
            <span className={classes.url}>{url}</span>
          </li>
        ))}
        {scrape.final_url !== null && (
          <li>
            <span className={classes.status} data-last>
              {scrape.status_code ?? '–'}
            </span>
            <span className={classes.url}>{scrape.final_url}</span>
          </li>
        )}
      </ol>
    </Panel>
  );
}
