import { formatCount, formatDuration } from '../../../ui/format.ts';
import { StepsTable, type StepsTableProps } from './steps-table.tsx';

/** The chart of latency, to be read. */
export function LatencyTable(props: StepsTableProps) {
  return (
    <StepsTable
      {...props}
      caption="Latency over time, step by step"
      columns={[
        { name: 'Median', of: ({ p50_ms }) => formatDuration(p50_ms) },
        { name: 'p95', of: ({ p95_ms }) => formatDuration(p95_ms) },
        { name: 'Scrapes', of: ({ scrapes }) => formatCount(scrapes) },
      ]}
    />
  );
}
