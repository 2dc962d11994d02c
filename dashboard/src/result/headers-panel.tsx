import { Tabs } from '@mantine/core';
import { Panel } from '../ui/panel.tsx';
import { HeaderTable } from './header-table.tsx';
import type { ScrapeShape } from './scrape-shape.ts';

/** What the target sent, and what was sent to it. */
export function HeadersPanel({ scrape }: { readonly scrape: ScrapeShape }) {
  const came = Object.entries(scrape.headers);
  const sent = Object.entries(scrape.router.request_headers);
  if (came.length === 0 && sent.length === 0) return null;
  return (
    <Panel title="Headers" flush>
      <Tabs defaultValue={came.length === 0 ? 'sent' : 'came'} keepMounted={false}>
        <Tabs.List px={10} aria-label="Headers">
          <Tabs.Tab value="came">Response ({came.length})</Tabs.Tab>
          <Tabs.Tab value="sent">Sent ({sent.length})</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="came" pt="sm">
          <HeaderTable
            caption="Response headers"
            headers={came}
            none="The site sent no headers, or they were not stored."
          />
        </Tabs.Panel>
        <Tabs.Panel value="sent" pt="sm">
          <HeaderTable caption="Sent headers" headers={sent} none="None sent, or not recorded." />
        </Tabs.Panel>
      </Tabs>
    </Panel>
  );
}
