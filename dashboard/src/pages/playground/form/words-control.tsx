import { MultiSelect, TagsInput } from '@mantine/core';
import type { Json } from '../model/json.ts';
import type { Field } from '../model/offer.ts';
import { choicesOf } from '../model/schema.ts';
import { descriptionOf, FieldLabel } from './field-words.tsx';
import { useField } from './form-context.ts';
import { useSuggestions } from './suggestions.ts';

/** A list of words or numbers; out of a few where the schema names them. */
export function WordsControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const suggestions = useSuggestions(field.pointer);
  const words = Array.isArray(value) ? value.map(String) : [];
  const write = (next: readonly string[]) => {
    const list: readonly Json[] = field.kind === 'numbers' ? next.map(Number).filter(Number.isFinite) : next;
    set(list.length === 0 ? undefined : list);
  };
  const common = {
    label: <FieldLabel field={field} />,
    description: descriptionOf(field),
    value: words,
    error,
    'data-pointer': pointer,
  };
  if (field.kind === 'choices') {
    const data = (choicesOf(field.schema.items ?? {}) ?? []).map(String);
    return (
      <MultiSelect
        {...common}
        data={data}
        onChange={write}
        placeholder={words.length === 0 ? 'None' : undefined}
      />
    );
  }
  return (
    <TagsInput
      {...common}
      data={[...suggestions]}
      onChange={write}
      acceptValueOnBlur
      splitChars={field.kind === 'numbers' ? [',', ' '] : [',']}
      placeholder={words.length === 0 ? 'Type, then Enter' : undefined}
    />
  );
}
