import { Select } from '@mantine/core';
import { noteOnType } from '../model/browsers.ts';
import type { Json } from '../model/json.ts';
import type { Field } from '../model/offer.ts';
import { choicesOf, refusalOf } from '../model/schema.ts';
import { descriptionOf, FieldLabel } from './field-words.tsx';
import classes from './form.module.css';
import { useField, useRequestForm } from './form-context.ts';
import { ReasonedOption } from './reasoned-option.tsx';

const UNSET = 'Not set';
/** From so many on, one searches instead of looking through. */
const MANY = 15;

/** Of a few values that need not be texts; those that this build refuses can be seen with the reason, not chosen. */
export function ChoiceControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const { offer } = useRequestForm();
  const { schema } = field;
  const choices = choicesOf(schema) ?? [];
  const initial = schema.default;
  const shown = value ?? initial;
  const keyOf = (choice: Json) => JSON.stringify(choice);
  const data = choices.map((choice) => {
    const here = field.pointer === '/browser_type' ? noteOnType(offer.browsers, choice) : null;
    const refusal = refusalOf(schema, choice) ?? here?.refusal;
    const label = choice === true ? 'On' : choice === false ? 'Off' : String(choice);
    return { value: keyOf(choice), label, disabled: refusal !== undefined, note: refusal ?? here?.note };
  });
  const notes = new Map(data.map((one) => [one.value, one.note]));
  return (
    <Select
      label={<FieldLabel field={field} />}
      description={descriptionOf(field)}
      data={initial === undefined ? [{ value: UNSET, label: UNSET }, ...data] : data}
      classNames={{ option: classes.choice }}
      renderOption={({ option }) => <ReasonedOption label={option.label} reason={notes.get(option.value)} />}
      value={shown === undefined ? UNSET : keyOf(shown)}
      onChange={(key) => {
        const next = choices.find((choice) => keyOf(choice) === key);
        set(next === initial ? undefined : next);
      }}
      searchable={choices.length >= MANY}
      error={error}
      data-pointer={pointer}
    />
  );
}
