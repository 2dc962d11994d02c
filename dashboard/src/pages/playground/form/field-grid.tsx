import { type Field, hasLines } from '../model/offer.ts';
import classes from './form.module.css';
import { SchemaField } from './schema-field.tsx';

const WIDE = new Set<Field['kind']>(['map', 'object', 'list', 'variants', 'json']);

/** Fields beside each other where there is room; large ones have a line of their own. */
export function FieldGrid({ fields }: { readonly fields: readonly Field[] }) {
  const wide = fields.filter((field) => WIDE.has(field.kind) || hasLines(field));
  const switches = fields.filter(({ kind }) => kind === 'switch');
  const small = fields.filter((field) => field.kind !== 'switch' && !wide.includes(field));
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
