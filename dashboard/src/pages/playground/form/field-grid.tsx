import type { Field } from '../model/offer.ts';
import classes from './form.module.css';
import { SchemaField } from './schema-field.tsx';

const WIDE = new Set<Field['kind']>(['map', 'object', 'list', 'variants', 'json']);

/** Fields beside each other where there is room; large ones have a line of their own. */
export function FieldGrid({ fields }: { readonly fields: readonly Field[] }) {
  const small = fields.filter(({ kind }) => !WIDE.has(kind) && kind !== 'switch');
  const switches = fields.filter(({ kind }) => kind === 'switch');
  const wide = fields.filter(({ kind }) => WIDE.has(kind));
  return (
    <div className={classes.grid}>
      {[...small, ...switches].map((field) => (
        <SchemaField key={field.pointer} field={field} />
      ))}
      {wide.map((field) => (
        <div key={field.pointer} className={classes.wide}>
          <SchemaField field={field} />
        </div>
      ))}
    </div>
  );
}
