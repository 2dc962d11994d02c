import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { DataTable } from '../ui/data-table.tsx';
import { IconSearch } from '../ui/icons.tsx';
import classes from './tables.module.css';

/** From this many on they can be searched. */
const MANY = 10;

interface HeaderTableProps {
  readonly caption: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Shown instead of an empty table. */
  readonly none: string;
}

export function HeaderTable({ caption, headers, none }: HeaderTableProps) {
  const [wanted, setWanted] = useState('');
  if (headers.length === 0) return <p className={classes.none}>{none}</p>;
  const text = wanted.trim().toLowerCase();
  const shown = headers.filter(([name, value]) => name.includes(text) || value.toLowerCase().includes(text));
  return (
    <>
      {headers.length >= MANY && (
        <div className={classes.search}>
          <TextInput
            size="xs"
            aria-label={`Search in ${caption.toLowerCase()}`}
            placeholder="Search names and values"
            leftSection={<IconSearch size={14} />}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
        </div>
      )}
      {shown.length === 0 ? (
        <p className={classes.none} role="status">
          No header has “{wanted.trim()}” in it.
        </p>
      ) : (
        <DataTable
          caption={caption}
          head={
            <>
              <th>Name</th>
              <th>Value</th>
            </>
          }
        >
          {shown.map(([name, value]) => (
            <tr key={name}>
              <td className={classes.name}>{name}</td>
              <td className={classes.value}>
                {value.split('\n').map((line, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines have nothing else
                  <div key={at}>{line}</div>
                ))}
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </>
  );
}
