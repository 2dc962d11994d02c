import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { parse } from 'papaparse';
import { useMemo } from 'react';
import { DataTable } from '../../ui/data-table.tsx';
import { formatCount } from '../../ui/format.ts';
import classes from './content-panel.module.css';

/** More rows would make the page slow. */
const MAX_ROWS = 500;

interface DelimitedTableProps {
  readonly text: string;
  /** Default: the one that the text uses. */
  readonly delimiter: string | undefined;
}

/** A CSV or TSV text as a table. Its first row is taken for the names of the columns (RFC 4180 does not mark them). */
export function DelimitedTable({ text, delimiter }: DelimitedTableProps) {
  const [names = [], ...rows] = useMemo(
    // The row of names, and one more to know whether there are more.
    () => parse<string[]>(text, { delimiter, preview: MAX_ROWS + 2, skipEmptyLines: true }).data,
    [text, delimiter],
  );
  return (
    <>
      <DataTable caption={t`Content as a table`} columns={names}>
        {rows.slice(0, MAX_ROWS).map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows may repeat
          <tr key={row}>
            {cells.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may repeat
              <td key={column}>{cell}</td>
            ))}
          </tr>
        ))}
      </DataTable>
      {rows.length > MAX_ROWS && (
        <p className={classes.note}>
          <Trans>Only the first {formatCount(MAX_ROWS)} rows are shown. The source has all.</Trans>
        </p>
      )}
    </>
  );
}
