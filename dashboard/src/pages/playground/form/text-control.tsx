import { Autocomplete, Textarea, TextInput } from '@mantine/core';
import { type Field, hasLines } from '../model/offer.ts';
import { descriptionOf, FieldLabel } from './field-words.tsx';
import { useField } from './form-context.ts';
import { useSuggestions } from './suggestions.ts';

export function TextControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const suggestions = useSuggestions(field.pointer);
  const { default: initial, maxLength, minLength = 0 } = field.schema;
  // Where a text must be given and may be empty, the empty one is a text.
  const empty = field.required === true && minLength === 0 ? '' : undefined;
  const write = (text: string) => set(text === '' ? empty : text);
  const common = {
    label: <FieldLabel field={field} />,
    description: descriptionOf(field),
    placeholder: typeof initial === 'string' ? initial : undefined,
    value: typeof value === 'string' ? value : '',
    maxLength,
    required: field.required,
    error,
    'data-pointer': pointer,
    spellCheck: false,
    autoComplete: 'off',
  };
  if (suggestions.length > 0) {
    return <Autocomplete {...common} data={[...suggestions]} limit={30} onChange={write} />;
  }
  const onChange = (event: { readonly currentTarget: { readonly value: string } }) =>
    write(event.currentTarget.value);
  if (hasLines(field)) {
    const classNames = { input: 'mono' };
    return (
      <Textarea {...common} onChange={onChange} classNames={classNames} autosize minRows={1} maxRows={12} />
    );
  }
  return <TextInput {...common} onChange={onChange} />;
}
