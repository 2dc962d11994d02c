import type { ReactNode } from 'react';
import { DateTime } from '../../ui/date-time.tsx';
import classes from './monitors.module.css';

/** The two records that are compared. null: it is not known. */
export interface ComparedIds {
  readonly before: string | null;
  readonly after: string | null;
}

/** `Before` or `After`, with the time of the record; null: it is not known. */
export function DatedHeading({ id, children }: { readonly id: string | null; readonly children: ReactNode }) {
  return (
    <>
      {children}
      {id !== null && (
        <span className={classes.date}>
          {' · '}
          <DateTime at={recordTime(id)} />
        </span>
      )}
    </>
  );
}

/** When a record began. RFC 3339. Its id is a UUID of version 7, which begins with the time in milliseconds. */
export const recordTime = (id: string): string =>
  new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString();
