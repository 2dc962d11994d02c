import type { ReactNode } from 'react';
import { MarkedText } from '../../../ui/text.tsx';
import { labelAt } from '../model/labels.ts';
import type { Field } from '../model/offer.ts';
import classes from './form.module.css';

/** The label, with the name that the API has for it where that cannot be told from the label. */
export function FieldLabel({ field }: { readonly field: Field }) {
  const { label } = labelAt(field);
  if (label.toLowerCase().replaceAll(' ', '_') === field.name) return label;
  return (
    <>
      {label} <code className={classes.apiName}>{field.name}</code>
    </>
  );
}

export const descriptionOf = ({ schema }: Field): ReactNode =>
  schema.description === undefined ? undefined : <MarkedText text={schema.description} />;
