import { NumberInput } from '@mantine/core';
import { useState } from 'react';
import { formatCount } from '../../../ui/format.ts';
import { labelOf } from '../model/labels.ts';
import type { Field } from '../model/offer.ts';
import type { JsonSchema } from '../model/schema.ts';
import { descriptionOf, FieldLabel } from './field-words.tsx';
import classes from './form.module.css';
import { useField } from './form-context.ts';

export function NumberControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const { schema } = field;
  const { unit } = labelOf(field.name);
  const [typed, setTyped] = useState<number>();
  const number = typeof value === 'number' ? value : undefined;
  // A default leaves no trace in the JSON, but whoever types it, perhaps on the way to a longer number, sees it.
  const shown = number ?? (typed === schema.default ? typed : undefined);
  return (
    <NumberInput
      label={<FieldLabel field={field} />}
      description={descriptionOf(field)}
      required={field.required}
      placeholder={typeof schema.default === 'number' ? formatCount(schema.default) : undefined}
      value={shown ?? ''}
      onChange={(next) => {
        const one = typeof next === 'number' ? next : undefined;
        setTyped(one);
        set(one === schema.default ? undefined : one);
      }}
      allowDecimal={schema.type === 'number'}
      // Never put right in silence: what is outside of the bounds is told.
      clampBehavior="none"
      thousandSeparator=","
      hideControls
      rightSection={unit === null ? undefined : <span className={classes.unit}>{unit}</span>}
      rightSectionWidth={unit === null ? undefined : 54}
      error={error ?? outOfBounds(number, schema)}
      data-pointer={pointer}
    />
  );
}

function outOfBounds(value: number | undefined, { minimum, maximum }: JsonSchema): string | undefined {
  if (value === undefined) return undefined;
  const low = minimum !== undefined && value < minimum;
  const high = maximum !== undefined && value > maximum;
  if (!low && !high) return undefined;
  if (minimum === undefined) return `At most ${formatCount(maximum!)}.`;
  return maximum === undefined
    ? `At least ${formatCount(minimum)}.`
    : `From ${formatCount(minimum)} to ${formatCount(maximum)}.`;
}
