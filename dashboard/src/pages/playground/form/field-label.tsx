import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { MarkedText } from '../../../ui/text.tsx';
import { labelOf } from '../model/labels.ts';
import type { Field } from '../model/request-fields.ts';
import classes from './form.module.css';

/** The label, with the name in the API if that differs too much from it. */
export function FieldLabel({ field }: { readonly field: Field }) {
  const label = labelAt(field);
  if (label.toLowerCase().replaceAll(' ', '_') === field.name) return label;
  return (
    <>
      {label} <code className={classes.apiName}>{field.name}</code>
    </>
  );
}

export const descriptionOf = ({ schema }: Field): ReactNode =>
  schema.description === undefined ? undefined : <MarkedText text={schema.description} />;

/** Labels of members whose labels would not be unique. */
const BY_POINTER: Readonly<Record<string, string>> = {
  '/scraper_options/screenshot': t`Screenshot options`,
};
/** The label of a field: by its name, unless another field has the same label. */
export const labelAt = ({ pointer, name, schema }: Field): string =>
  BY_POINTER[pointer] ?? schema.title ?? labelOf(name).label;

interface OptionWithReasonProps {
  readonly label: string;
  /** A note, such as why it cannot be chosen. */
  readonly reason: string | null | undefined;
}

/** An option with a note below it. */
export function OptionWithReason({ label, reason }: OptionWithReasonProps) {
  return (
    <span className={classes.option}>
      {label}
      {typeof reason === 'string' && <small>{reason}</small>}
    </span>
  );
}
