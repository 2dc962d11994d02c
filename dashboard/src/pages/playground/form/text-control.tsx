import { TextInput } from '@mantine/core';
import type { Field } from '../model/offer.ts';
import { descriptionOf, FieldLabel } from './field-words.tsx';
import { useField } from './form-context.ts';

export function TextControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const { default: initial, maxLength } = field.schema;
  return (
    <TextInput
      label={<FieldLabel field={field} />}
      description={descriptionOf(field)}
      placeholder={typeof initial === 'string' ? initial : undefined}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
      maxLength={maxLength}
      error={error}
      data-pointer={pointer}
      spellCheck={false}
      autoComplete="off"
    />
  );
}
