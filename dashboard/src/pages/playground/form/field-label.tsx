import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { MarkedText } from '../../../ui/text.tsx';
import type { Field } from '../model/request-fields.ts';
import classes from './form.module.css';

/** The label, with the name in the API if that differs too much from it. */
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

const WORD_LABELS: Readonly<Record<string, string>> = {
  url: 'URL',
  tls: 'TLS',
  http2: 'HTTP/2',
  html: 'HTML',
  json: 'JSON',
  css: 'CSS',
  id: 'ID',
  javascript: 'JavaScript',
  x: 'X',
  y: 'Y',
};
/** Labels of members whose labels would not be unique. */
const BY_POINTER: Readonly<Record<string, string>> = {
  '/scraper_options/screenshot': t`Screenshot options`,
};
/** The suffixes of names that tell a unit. `replacement` takes the place of the suffix in the label. */
const UNITS: readonly (readonly [suffix: string, unit: string, replacement: string])[] = [
  ['_ms', 'ms', ''],
  ['_s', 's', ''],
  ['_bytes', 'bytes', '_size'],
];

interface Label {
  readonly label: string;
  readonly unit: string | null;
}

/** The label of a field: by its name, unless another field has the same label. */
function labelAt({ pointer, name }: { readonly pointer: string; readonly name: string }): Label {
  const label = BY_POINTER[pointer];
  return label === undefined ? labelOf(name) : { label, unit: null };
}

/** The name of a member as a label and its unit: `max_content_bytes` → `Max content size`, `bytes`. */
export function labelOf(name: string): Label {
  if (name === 'ms') return { label: t`Duration`, unit: 'ms' };
  const [suffix, unit = null, replacement] = UNITS.find(([suffix]) => name.endsWith(suffix)) ?? [];
  const withoutUnit = suffix === undefined ? name : `${name.slice(0, -suffix.length)}${replacement}`;
  const text = withoutUnit
    .split('_')
    .map((word) => WORD_LABELS[word] ?? word)
    .join(' ');
  return { label: text.charAt(0).toUpperCase() + text.slice(1), unit };
}

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
