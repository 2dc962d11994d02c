import { Switch } from '@mantine/core';
import type { Field } from '../model/offer.ts';
import { descriptionOf, FieldLabel } from './field-words.tsx';
import { useField } from './form-context.ts';

export function SwitchControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const initial = field.schema.default === true;
  return (
    <Switch
      label={<FieldLabel field={field} />}
      description={descriptionOf(field)}
      checked={typeof value === 'boolean' ? value : initial}
      onChange={({ currentTarget }) =>
        set(currentTarget.checked === initial ? undefined : currentTarget.checked)
      }
      error={error}
      data-pointer={pointer}
    />
  );
}
