import { VisuallyHidden } from '@mantine/core';
import type { ApiKey } from '../../api/keys.ts';
import { DataTable, SkeletonRows } from '../../ui/data-table.tsx';
import { type KeyActions, KeyRow } from './key-row.tsx';

interface KeysTableProps {
  /** null: not there yet. */
  readonly keys: readonly ApiKey[] | null;
  readonly actions: KeyActions;
}

export function KeysTable({ keys, actions }: KeysTableProps) {
  return (
    <DataTable
      caption="API keys"
      busy={keys === null}
      head={
        <>
          <th scope="col">Key</th>
          <th scope="col" data-wide>
            Status
          </th>
          <th scope="col" data-wide>
            Created
          </th>
          <th scope="col" data-wide>
            Last used
          </th>
          <th scope="col" data-wide data-numeric>
            Requests today
          </th>
          <th scope="col">
            <VisuallyHidden>Actions</VisuallyHidden>
          </th>
        </>
      }
    >
      {keys === null ? (
        <SkeletonRows rows={4} columns={6} />
      ) : (
        keys.map((key) => <KeyRow key={key.id} of={key} actions={actions} />)
      )}
    </DataTable>
  );
}
