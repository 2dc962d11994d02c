import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

interface DataTableProps {
  /** Describes the table for screen readers. */
  readonly caption: string;
  /** `<th>`s. */
  readonly head: ReactNode;
  /** `<tr>`s. A clickable row has the attribute `data-clickable`. */
  readonly children: ReactNode;
  /** The data is being replaced. */
  readonly busy?: boolean;
}

/**
 * A styled table that scrolls horizontally if it is too wide. For numbers, set `data-numeric` on th and td; for columns that
 * are hidden on narrow screens, `data-wide`.
 */
export function DataTable({ caption, head, children, busy = false }: DataTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className={classes.scroll} aria-label={caption} tabIndex={0}>
      <table className={classes.table} aria-busy={busy} data-busy={busy || undefined}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
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
  readonly items: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <dl className={classes.facts}>
      {items.map(([name, value]) => (
        <div key={name} className={classes.row}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
