import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './data-table.module.css';

interface DataTableProps {
  /** What the table holds, for those who do not see it. */
  readonly caption: string;
  /** `<th>`s. */
  readonly head: ReactNode;
  /** `<tr>`s; `data-clickable` on those that lead somewhere. */
  readonly children: ReactNode;
  /** What is shown is about to be replaced. */
  readonly busy?: boolean;
}

/**
 * A table with our looks, which scrolls sideways by itself where it is too wide. Numbers: `data-numeric` on th and td;
 * what a narrow screen can do without: `data-wide`.
 */
export function DataTable({ caption, head, children, busy = false }: DataTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
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

/** Rows that are still to come. */
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

/** Names and values under each other: `<Facts items={[['Role', 'Administrator']]} />`. */
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
