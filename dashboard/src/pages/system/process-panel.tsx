import type { System } from '../../api/system.ts';
import { DescriptionList } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatBytes, formatDuration } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';

/** The process itself: which it is, what it holds, and whether it keeps up. */
export function ProcessPanel({ system }: { readonly system: System }) {
  const { process, version, node, at, uptime_s } = system;
  const delay = process.event_loop_delay_ms;
  return (
    <Panel title="Process">
      <DescriptionList
        items={[
          ['Version', `Sluice ${version}, Node ${node.replace(/^v/, '')}`],
          [
            'Process',
            <span key="pid" className="tabular">
              {process.pid}
            </span>,
          ],
          ['Uptime', formatDuration(Math.round(uptime_s) * 1000)],
          ['Memory', `${formatBytes(process.rss_bytes)} of the machine`],
          [
            'Heap',
            `${formatBytes(process.heap_used_bytes)} of ${formatBytes(process.heap_total_bytes)}, and ${formatBytes(process.external_bytes)} outside of it`,
          ],
          [
            'Event loop',
            delay === null
              ? 'Measuring, check again shortly'
              : `late by ${formatDuration(delay.p50)} (median), ${formatDuration(delay.p99)} (p99), ${formatDuration(delay.max)} at most`,
          ],
          ['As of', <DateTime key="at" at={at} />],
        ]}
      />
    </Panel>
  );
}
