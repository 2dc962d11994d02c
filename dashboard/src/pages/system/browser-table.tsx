import type { Schema } from '../../api/client.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatBytes, formatCount, formatDuration } from '../../ui/format.ts';
import { Pill } from '../../ui/pill.tsx';
import { nameOf } from './kind-list.tsx';

interface BrowserTableProps {
  readonly running: readonly {
    readonly kind: Schema<'SystemBrowserKind'>;
    readonly browser: Schema<'SystemBrowser'>;
  }[];
}

export function BrowserTable({ running }: BrowserTableProps) {
  return (
    <DataTable
      caption="Running browsers"
      head={
        <>
          <th scope="col">Process</th>
          <th scope="col">Browser</th>
          <th scope="col" data-numeric>
            Pages open
          </th>
          <th scope="col" data-numeric data-wide>
            Pages served
          </th>
          <th scope="col" data-numeric>
            Memory
          </th>
          <th scope="col" data-numeric data-wide>
            Age
          </th>
        </>
      }
    >
      {running.map(({ kind, browser }) => (
        <tr key={browser.pid}>
          <td className="tabular">
            {browser.pid} {browser.retired && <Pill tone="slate">Closes after its last page</Pill>}
          </td>
          <td>
            {nameOf(kind)}
            {browser.version !== null && <small className="tabular"> {browser.version}</small>}
          </td>
          <td data-numeric>{formatCount(browser.pages_open)}</td>
          <td data-numeric data-wide>
            {formatCount(browser.pages_served)}
          </td>
          <td data-numeric>{formatBytes(browser.memory_bytes)}</td>
          <td data-numeric data-wide>
            {formatDuration(Math.round(browser.age_s) * 1000)}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
