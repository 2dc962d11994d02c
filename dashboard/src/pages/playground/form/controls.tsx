import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Autocomplete,
  Button,
  FileButton,
  MultiSelect,
  NumberInput,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { parseExact } from '../../../api/exact-json.ts';
import { formatCount } from '../../../ui/format.ts';
import { IconFile } from '../../../ui/icons.tsx';
import { type Json, sameJson } from '../model/json.ts';
import { checkJson } from '../model/json-syntax.ts';
import { labelOf } from '../model/labels.ts';
import {
  browserTypeNote,
  type Field,
  hasLines,
  headedRefusal,
  isReadFromFile,
} from '../model/request-fields.ts';
import { choicesOf, type JsonSchema, refusalOf } from '../model/schema.ts';
import { descriptionOf, FieldLabel, OptionWithReason } from './field-label.tsx';
import classes from './form.module.css';
import { useField, useRequestForm } from './form-context.ts';
import { useSuggestions } from './suggestions.ts';

export function TextControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const suggestions = useSuggestions(field.pointer);
  const { default: defaultValue, maxLength, minLength = 0 } = field.schema;
  // An empty field removes the member, unless the member is required and may be an empty text.
  const empty = field.required === true && minLength === 0 ? '' : undefined;
  const write = (text: string) => set(text === '' ? empty : text);
  const common = {
    label: <FieldLabel field={field} />,
    description: descriptionOf(field),
    placeholder: typeof defaultValue === 'string' ? defaultValue : undefined,
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

export function NumberControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const { schema } = field;
  const { unit } = labelOf(field.name);
  const [typed, setTyped] = useState<number>();
  const number = typeof value === 'number' ? value : undefined;
  // A default value is not written to the JSON. But it must stay visible while it is typed, perhaps as part of a longer number.
  const shown = number ?? (typed === schema.default ? typed : undefined);
  return (
    <NumberInput
      label={<FieldLabel field={field} />}
      description={descriptionOf(field)}
      required={field.required}
      placeholder={typeof schema.default === 'number' ? formatCount(schema.default) : undefined}
      value={shown ?? ''}
      onChange={(next) => {
        const number = typeof next === 'number' ? next : undefined;
        setTyped(number);
        set(number === schema.default ? undefined : number);
      }}
      allowDecimal={schema.type === 'number'}
      // Values outside the bounds are reported, not silently corrected.
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
  if (minimum === undefined) return t`At most ${formatCount(maximum!)}.`;
  return maximum === undefined
    ? t`At least ${formatCount(minimum)}.`
    : t`From ${formatCount(minimum)} to ${formatCount(maximum)}.`;
}

export function SwitchControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const { support, request } = useRequestForm();
  const defaultValue = field.schema.default === true;
  const checked = typeof value === 'boolean' ? value : defaultValue;
  const refusal =
    field.pointer === '/headless' ? headedRefusal(support.browsers, request.browser_type) : undefined;
  return (
    <Switch
      label={<FieldLabel field={field} />}
      description={refusal ?? descriptionOf(field)}
      checked={checked}
      // If the request already has the refused value, the switch still works, to return to the default.
      disabled={refusal !== undefined && checked === defaultValue}
      onChange={({ currentTarget }) =>
        set(currentTarget.checked === defaultValue ? undefined : currentTarget.checked)
      }
      error={error}
      data-pointer={pointer}
    />
  );
}

const UNSET = t`Not set`;
/** A list with at least this number of values has a search field. */
const SEARCHABLE_FROM = 15;

/** A choice of JSON values, not only texts. Values that this build refuses are disabled and shown with the reason. */
export function ChoiceControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const { support } = useRequestForm();
  const { schema } = field;
  const choices = choicesOf(schema) ?? [];
  const defaultValue = schema.default;
  const shown = value ?? defaultValue;
  const keyOf = (choice: Json) => JSON.stringify(choice);
  const data = choices.map((choice) => {
    const browser = field.pointer === '/browser_type' ? browserTypeNote(support.browsers, choice) : null;
    const refusal = refusalOf(schema, choice) ?? browser?.refusal;
    const label = choice === true ? t`On` : choice === false ? t`Off` : String(choice);
    return { value: keyOf(choice), label, disabled: refusal !== undefined, note: refusal ?? browser?.note };
  });
  const notes = new Map(data.map(({ value, note }) => [value, note]));
  return (
    <Select
      label={<FieldLabel field={field} />}
      description={descriptionOf(field)}
      data={defaultValue === undefined ? [{ value: UNSET, label: UNSET }, ...data] : data}
      classNames={{ option: classes.choice }}
      renderOption={({ option }) => (
        <OptionWithReason label={option.label} reason={notes.get(option.value)} />
      )}
      value={shown === undefined ? UNSET : keyOf(shown)}
      onChange={(key) => {
        const next = choices.find((choice) => keyOf(choice) === key);
        set(next === defaultValue ? undefined : next);
      }}
      searchable={choices.length >= SEARCHABLE_FROM}
      error={error}
      data-pointer={pointer}
    />
  );
}

/** A list of words or numbers, with suggestions if the schema names the values. */
export function TagsControl({ field }: { readonly field: Field }) {
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
        placeholder={words.length === 0 ? t`None` : undefined}
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
      placeholder={words.length === 0 ? t`Type, then Enter` : undefined}
    />
  );
}

interface JsonControlProps {
  readonly field: Field;
  /** Convert between the member and the edited value if they differ. */
  readonly read?: (value: Json | undefined) => Json | undefined;
  readonly write?: (value: Json) => Json;
}

const identity = (value: Json | undefined) => value;

/** Any value as JSON. Invalid JSON stays in the field and does not change the request. */
export function JsonControl({ field, read = identity, write = (value) => value }: JsonControlProps) {
  const { value, pointer, error, set } = useField(field.path);
  const [knownValue, setKnownValue] = useState(value);
  const [text, setText] = useState(() => jsonText(read(value)));
  if (!sameJson(value, knownValue)) {
    // The value was changed elsewhere, such as in the JSON editor.
    setKnownValue(value);
    setText(jsonText(read(value)));
  }
  const fault = text.trim() === '' ? null : checkJson(text).fault;
  const change = (next: string) => {
    setText(next);
    const blank = next.trim() === '';
    if (!blank && checkJson(next).fault !== null) return;
    const newValue = blank ? undefined : write(parseExact(next) as Json);
    setKnownValue(newValue);
    set(newValue);
  };
  const textarea = (
    <Textarea
      label={<FieldLabel field={field} />}
      description={descriptionOf(field)}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      error={fault === null ? error : t`Line ${fault.line}, column ${fault.column}: ${fault.message}`}
      data-pointer={pointer}
      classNames={{ input: 'mono' }}
      autosize
      minRows={3}
      maxRows={16}
      spellCheck={false}
    />
  );
  if (!isReadFromFile(field)) return textarea;
  return (
    <div className={classes.withFile}>
      {textarea}
      <FileButton accept="application/json,.json" onChange={(file) => void file?.text().then(change)}>
        {(props) => (
          <Button {...props} variant="default" size="xs" leftSection={<IconFile size={14} />}>
            <Trans>Read from a file</Trans>
          </Button>
        )}
      </FileButton>
    </div>
  );
}

const jsonText = (value: Json | undefined): string =>
  value === undefined ? '' : JSON.stringify(value, null, 2);
