import { UnstyledButton } from '@mantine/core';
import { useId, useState } from 'react';
import { formatBytes } from '../../ui/format.ts';
import { IconChevronDown, IconChevronRight } from '../../ui/icons.tsx';
import { NetworkDetail } from './network-detail.tsx';
import { bodyBytes, type NetworkEntry } from './network-entry.ts';
import classes from './network-panel.module.css';

interface NetworkRowProps {
  readonly entry: NetworkEntry;
  /** Counted from 1. */
  readonly place: number;
}

/** One line; what was sent and what came opens below it. */
export function NetworkRow({ entry, place }: NetworkRowProps) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const Mark = open ? IconChevronDown : IconChevronRight;
  return (
    <>
      <tr>
        <td className={classes.request}>
          <UnstyledButton
            className={classes.toggle}
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
          >
            <Mark size={14} />
            <span className={classes.url} dir="ltr">
              <b>{entry.method}</b> {entry.url}
            </span>
          </UnstyledButton>
        </td>
        <td data-numeric>{entry.status ?? '–'}</td>
        <td data-wide>{entry.resource_type}</td>
        <td data-numeric data-wide>
          {formatBytes(bodyBytes(entry))}
          {entry.truncated && ', cut'}
        </td>
      </tr>
      {open && (
        <tr id={id}>
          <td colSpan={4} className={classes.detail}>
            <NetworkDetail entry={entry} place={place} />
          </td>
        </tr>
      )}
    </>
  );
}
