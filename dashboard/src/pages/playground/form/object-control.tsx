import { type Field, membersOf } from '../model/offer.ts';
import { FieldGrid } from './field-grid.tsx';
import { descriptionOf, FieldLabel } from './field-words.tsx';
import classes from './form.module.css';
import { useRequestForm } from './form-context.ts';

/** An object whose members the schema names: a group of fields. */
export function ObjectControl({ field }: { readonly field: Field }) {
  const { offer } = useRequestForm();
  return (
    <fieldset className={classes.object}>
      <legend>
        <FieldLabel field={field} />
      </legend>
      {field.schema.description !== undefined && <p className={classes.hint}>{descriptionOf(field)}</p>}
      <FieldGrid fields={membersOf(field.path, field.schema, offer)} />
    </fieldset>
  );
}
