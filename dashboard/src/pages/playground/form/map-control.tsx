import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { IconPlus, IconX } from '../../../ui/icons.tsx';
import { VERBATIM } from '../../../ui/input-props.ts';
import { isObject, type Json, type JsonObject, pointerOf, sameJson } from '../model/json.ts';
import type { Field } from '../model/request-fields.ts';
import { descriptionOf, FieldLabel } from './field-label.tsx';
import classes from './form.module.css';
import { problemAt, useField, useRequestForm } from './form-context.ts';

interface MapControlProps {
  readonly field: Field;
  /** The value of an empty map; by default the member is removed. */
  readonly empty?: JsonObject;
}

/** Rows of names and values. Rows without a name are not part of the request yet. */
export function MapControl({ field, empty }: MapControlProps) {
  const { value, pointer, error, set } = useField(field.path);
  const { problems } = useRequestForm();
  const [knownValue, setKnownValue] = useState(value);
  const [rows, setRows] = useState(() => rowsOf(value));
  // Id of a new row, which gets the focus.
  const newRowId = useRef(0);
  const id = useId();
  if (!sameJson(value, knownValue)) {
    // The value was changed elsewhere, such as in the JSON.
    setKnownValue(value);
    setRows(rowsOf(value));
  }
  const write = (next: readonly MapRow[]) => {
    const map = mapOfRows(next) ?? empty;
    setRows(next);
    setKnownValue(map);
    set(map);
  };
  const change = (row: MapRow, changed: Partial<MapRow>) =>
    write(rows.map((other) => (other.id === row.id ? { ...row, ...changed } : other)));
  const entry = ENTRY_NAMES[field.name] ?? t`entry`;
  const add = () => {
    const row = newRow();
    newRowId.current = row.id;
    setRows([...rows, row]);
  };
  return (
    <fieldset aria-labelledby={id} className={classes.map} data-pointer={pointer}>
      <div className={classes.mapHead}>
        <span id={id} className={classes.mapLabel}>
          <FieldLabel field={field} />
        </span>
        <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={add}>
          <Trans>Add {entry}</Trans>
        </Button>
      </div>
      {rows.length === 0 ? (
        <p className={classes.hint}>{descriptionOf(field) ?? t`None.`}</p>
      ) : (
        <div className={classes.rows}>
          {rows.map((row, index) => {
            const rowPointer = pointerOf([...field.path, row.name]);
            const problem = problemAt(problems, rowPointer)?.message;
            return (
              <div key={row.id} className={classes.row}>
                <TextInput
                  ref={(input) => {
                    if (input === null || newRowId.current !== row.id) return;
                    newRowId.current = 0;
                    input.focus();
                  }}
                  aria-label={t`Name of ${entry} ${index + 1}`}
                  placeholder={t`Name`}
                  value={row.name}
                  onChange={({ currentTarget }) => change(row, { name: currentTarget.value })}
                  classNames={{ input: 'mono' }}
                  {...VERBATIM}
                />
                <TextInput
                  aria-label={t`Value of ${entry} ${index + 1}`}
                  placeholder={t`Value`}
                  value={row.value}
                  onChange={({ currentTarget }) => change(row, { value: currentTarget.value })}
                  classNames={{ input: 'mono' }}
                  error={problem}
                  data-pointer={rowPointer}
                  {...VERBATIM}
                />
                <ActionIcon
                  aria-label={t`Remove ${entry} ${index + 1}`}
                  onClick={() => write(rows.filter(({ id }) => id !== row.id))}
                >
                  <IconX size={15} />
                </ActionIcon>
              </div>
            );
          })}
        </div>
      )}
      {error !== undefined &&
        !rows.some(({ name }) => problemAt(problems, pointerOf([...field.path, name]))) && (
          <p className={classes.error}>{error}</p>
        )}
    </fieldset>
  );
}

/** What an entry is called in the labels, by the name of the map in the API. */
const ENTRY_NAMES: Readonly<Record<string, string>> = {
  headers: t`header`,
  cookies: t`cookie`,
  query: t`parameter`,
  fields: t`field`,
};

/** One row of a map. Several rows with the same name are an array in the JSON. */
interface MapRow {
  readonly id: number;
  readonly name: string;
  readonly value: string;
  /** The value in the JSON: a number stays a number until it is edited. */
  readonly raw: Json;
}

let lastId = 0;

const newRow = (name = '', raw: Json = ''): MapRow => ({
  id: ++lastId,
  name,
  value: String(raw),
  raw,
});

const rowsOf = (map: Json | undefined): readonly MapRow[] =>
  isObject(map)
    ? Object.entries(map).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((item) => newRow(name, item)),
      )
    : [];

/** The map of the rows with names; undefined if there are none. */
function mapOfRows(rows: readonly MapRow[]): JsonObject | undefined {
  const map = new Map<string, Json>();
  for (const { name, value, raw } of rows) {
    if (name === '') continue;
    const item = String(raw) === value ? raw : value;
    const previous = map.get(name);
    map.set(
      name,
      previous === undefined ? item : [...(Array.isArray(previous) ? previous : [previous]), item],
    );
  }
  return map.size === 0 ? undefined : Object.fromEntries(map);
}
