import { Skeleton, VisuallyHidden } from '@mantine/core';
import type { Key, ReactNode } from 'react';
import classes from './data-table.module.css';

interface ColumnSettings<Row> {
  readonly label: ReactNode;
  /** Renders the content of its cells. Left out if the rows are the children of the table. */
  readonly cell?: (row: Row, index: number) => ReactNode;
  /** Aligned at the end, on one line. Own cells have the attribute `data-numeric`. */
  readonly numeric?: boolean;
  /** Hidden on narrow screens. Own cells have the attribute `data-wide`. What replaces it there: `data-narrow`. */
  readonly wide?: boolean;
  /** For what names the row: long words break, and each `<small>` is a line of its own. */
  readonly lead?: boolean;
  readonly nowrap?: boolean;
  readonly width?: string;
  readonly minWidth?: string;
  /** Of the cells. */
  readonly className?: string | undefined;
  /** The label is only for screen readers. */
  readonly hidden?: boolean;
  /** Of the heading. */
  readonly title?: string;
  readonly headClassName?: string | undefined;
}

/** A column of a table with its cells. A text alone is its label; false: it is not shown. */
export type Column<Row = never> = string | false | ColumnSettings<Row>;

const settingsOf = <Row,>(columns: readonly Column<Row>[]): readonly ColumnSettings<Row>[] =>
  columns
    .filter((column) => column !== false)
    .map((column) => (typeof column === 'string' ? { label: column } : column));

interface DataTableProps<Row> {
  /** Describes the table for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** Each row is one line on wide screens: what has no room for it in a column with `lead` is cut. */
  readonly oneLine?: boolean;
  /** null: loading; undefined: the children are the rows. */
  readonly rows?: readonly Row[] | null;
  readonly rowKey?: (row: Row, index: number) => Key;
  /** Further attributes of the `<tr>`. */
  readonly rowProps?: (row: Row) => object;
  /** Rows of the placeholder while the data is loading. */
  readonly skeletonRows?: number;
  /** `<tr>`s, if the rows are not all alike. */
  readonly children?: ReactNode;
}

/** A styled table that scrolls horizontally if it is too wide. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, rows, rowKey, rowProps, skeletonRows = 8, oneLine = false, children } = props;
  const columns = settingsOf(props.columns);
  const busy = rows === null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className={classes.scroll} aria-label={caption} tabIndex={0}>
      <table
        className={classes.table}
        aria-busy={busy}
        data-busy={busy || undefined}
        data-one-line={oneLine || undefined}
      >
        <caption>{caption}</caption>
        <thead>
          <tr>
            <TableHead columns={columns} />
          </tr>
        </thead>
        <tbody>
          {busy && <SkeletonRows rows={skeletonRows} columns={columns.length} />}
          {rows?.map((row, index) => (
            <tr key={rowKey?.(row, index) ?? index} {...rowProps?.(row)}>
              <Cells columns={columns} row={row} index={index} />
            </tr>
          ))}
          {children}
        </tbody>
      </table>
    </section>
  );
}

interface CellsProps<Row> {
  readonly columns: readonly ColumnSettings<Row>[];
  readonly row: Row;
  readonly index: number;
}

function Cells<Row>({ columns, row, index }: CellsProps<Row>) {
  return columns.map(({ cell, numeric, wide, lead, nowrap, width, minWidth, className }, column) => (
    <td
      // biome-ignore lint/suspicious/noArrayIndexKey: columns have no ids
      key={column}
      data-numeric={numeric || undefined}
      data-wide={wide || undefined}
      data-lead={lead || undefined}
      data-nowrap={nowrap || undefined}
      className={className}
      style={{ width, minWidth }}
    >
      {cell?.(row, index)}
    </td>
  ));
}

/** The `<th>`s of a table. */
export function TableHead({ columns }: { readonly columns: readonly Column[] }) {
  return settingsOf(columns).map(({ label, numeric, wide, hidden, title, headClassName }, index) => (
    <th
      // biome-ignore lint/suspicious/noArrayIndexKey: columns have no ids
      key={index}
      scope="col"
      data-numeric={numeric || undefined}
      data-wide={wide || undefined}
      title={title}
      className={headClassName}
    >
      {hidden === true ? <VisuallyHidden>{label}</VisuallyHidden> : label}
    </th>
  ));
}

/** Placeholder rows while the data is loading. */
export function SkeletonRows({ rows = 8, columns }: { readonly rows?: number; readonly columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
    <tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <td key={column}>
          <Skeleton height={12} width={`${40 + ((row * 7 + column * 13) % 50)}%`} />
        </td>
      ))}
    </tr>
  ));
}

/** A list of names and values: `<DescriptionList items={[['Role', 'Administrator']]} />`. */
export function DescriptionList({
  items,
}: {
  /** false: left out. */
  readonly items: readonly (readonly [name: string, value: ReactNode] | false)[];
}) {
  return (
    <dl className="plain">
      {items
        .filter((item) => item !== false)
        .map(([name, value]) => (
          <div key={name} className={classes.row}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
