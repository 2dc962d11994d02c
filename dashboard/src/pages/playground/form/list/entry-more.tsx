import { useState } from 'react';
import { valueAt } from '../../model/json.ts';
import type { Field } from '../../model/offer.ts';
import { FieldGrid } from '../field-grid.tsx';
import classes from '../form.module.css';
import { useRequestForm } from '../form-context.ts';

/** The members that every kind of entry has: closed, unless one of them is set. */
export function EntryMore({ fields }: { readonly fields: readonly Field[] }) {
  const { request } = useRequestForm();
  const [wanted, setWanted] = useState<boolean | null>(null);
  const count = fields.filter(({ path }) => valueAt(request, path) !== undefined).length;
  const open = wanted ?? count > 0;
  if (fields.length === 0) return null;
  return (
    <details
      className={classes.more}
      open={open}
      onToggle={({ currentTarget }) => setWanted(currentTarget.open)}
    >
      <summary>More{count > 0 && ` (${count} set)`}</summary>
      {open && <FieldGrid fields={fields} />}
    </details>
  );
}
