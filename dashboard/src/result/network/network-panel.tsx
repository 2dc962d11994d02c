import { DataTable } from '../../ui/data-table.tsx';
import { formatCount } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import type { ScrapeShape } from '../scrape-shape.ts';
import { NetworkRow } from './network-row.tsx';

/** What the page loaded that the request wanted to keep. Nothing when it wanted nothing. */
export function NetworkPanel({ scrape }: { readonly scrape: ScrapeShape }) {
  const { network } = scrape.scraper_data;
  if (network === undefined) return null;
  const description =
    network.length === 0
      ? 'No request of the page matched the capture rules.'
      : `${formatCount(network.length)} of what the page loaded, as the request wanted to capture.`;
  if (network.length === 0)
    return (
      <Panel title="Network" description={description}>
        {null}
      </Panel>
    );
  return (
    <Panel title="Network" description={description} flush>
      <DataTable
        caption="What the page loaded"
        head={
          <>
            <th>Request</th>
            <th data-numeric>Status</th>
            <th data-wide>Type</th>
            <th data-numeric data-wide>
              Body
            </th>
          </>
        }
      >
        {network.map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a page may load the same twice
          <NetworkRow key={at} entry={entry} place={at + 1} />
        ))}
      </DataTable>
    </Panel>
  );
}
