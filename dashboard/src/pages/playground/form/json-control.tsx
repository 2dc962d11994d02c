import { Button, FileButton, Textarea } from '@mantine/core';
import { useState } from 'react';
import { parseExact } from '../../../api/exact-json.ts';
import { IconFile } from '../../../ui/icons.tsx';
import { type Json, sameJson } from '../model/json.ts';
import { scanJson } from '../model/json-scan.ts';
import { type Field, fromFile } from '../model/offer.ts';
import { descriptionOf, FieldLabel } from './field-words.tsx';
import classes from './form.module.css';
import { useField } from './form-context.ts';

interface JsonControlProps {
  readonly field: Field;
  /** Between the member and what is edited, where they are not the same. */
  readonly read?: (value: Json | undefined) => Json | undefined;
  readonly write?: (value: Json) => Json;
}

const same = (value: Json | undefined) => value;

/** A value of any shape as JSON. What cannot be read stays here, and changes nothing. */
export function JsonControl({ field, read = same, write = (value) => value }: JsonControlProps) {
  const { value, pointer, error, set } = useField(field.path);
  const [seen, setSeen] = useState(value);
  const [text, setText] = useState(() => textOf(read(value)));
  if (!sameJson(value, seen)) {
    setSeen(value);
    setText(textOf(read(value)));
  }
  const fault = text.trim() === '' ? null : scanJson(text).fault;
  const change = (next: string) => {
    setText(next);
    const blank = next.trim() === '';
    if (!blank && scanJson(next).fault !== null) return;
    const written = blank ? undefined : write(parseExact(next) as Json);
    setSeen(written);
    set(written);
  };
  const textarea = (
    <Textarea
      label={<FieldLabel field={field} />}
      description={descriptionOf(field)}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      error={fault === null ? error : `Line ${fault.line}, column ${fault.column}: ${fault.message}`}
      data-pointer={pointer}
      classNames={{ input: 'mono' }}
      autosize
      minRows={3}
      maxRows={16}
      spellCheck={false}
    />
  );
  if (!fromFile(field)) return textarea;
  return (
    <div className={classes.filed}>
      {textarea}
      <FileButton accept="application/json,.json" onChange={(file) => void file?.text().then(change)}>
        {(props) => (
          <Button {...props} variant="default" size="xs" leftSection={<IconFile size={14} />}>
            Read from a file
          </Button>
        )}
      </FileButton>
    </div>
  );
}

const textOf = (value: Json | undefined): string =>
  value === undefined ? '' : JSON.stringify(value, null, 2);
