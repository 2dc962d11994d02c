import type { ReactNode } from 'react';
import type { StatsStep } from '../../../api/stats.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { TextLink } from '../../../ui/text.tsx';
import type { HistoryFilter } from '../history-filter.ts';

/** What every table of steps needs to know. */
export interface StepsTableProps {
  readonly steps: readonly StatsStep[];
  readonly timeOf: (step: StatsStep) => string;
  readonly filterOf: (step: StatsStep) => HistoryFilter;
}

interface Columns {
  readonly caption: string;
  /** After the time: heading and value. */
  readonly columns: readonly { readonly name: string; readonly of: (step: StatsStep) => ReactNode }[];
}

/** Steps in which something was scraped, the newest first, each leading to its scrapes. */
export function StepsTable({ steps, timeOf, filterOf, caption, columns }: StepsTableProps & Columns) {
  const rows = steps.filter(({ scrapes }) => scrapes > 0).toReversed();
  return (
    <DataTable
      caption={caption}
      head={
        <>
          <th scope="col">Time</th>
          {columns.map(({ name }) => (
            <th key={name} scope="col" data-numeric>
              {name}
            </th>
          ))}
        </>
      }
    >
      {rows.length === 0 && (
        <tr>
          <td colSpan={columns.length + 1}>No scrapes in this time.</td>
        </tr>
      )}
      {rows.map((step) => (
        <tr key={step.at}>
          <td style={{ whiteSpace: 'nowrap' }}>
            <TextLink to="/history" search={filterOf(step)} size="sm">
              {timeOf(step)}
            </TextLink>
          </td>
          {columns.map(({ name, of }) => (
            <td key={name} data-numeric>
              {of(step)}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}
