import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { freeName } from '../../../result/picker/extract-rules.ts';
import classes from '../../../result/picker/rule-rows.module.css';
import { IconPlus, IconTrash } from '../../../ui/icons.tsx';
import { VERBATIM } from '../../../ui/input-props.ts';
import { useTypedName } from '../../../ui/use-typed-name.ts';
import { JsonControl } from '../form/controls.tsx';
import { useField } from '../form/form-context.ts';
import { isObject, type Json, type JsonObject, pointerOf } from '../model/json.ts';
import type { Field } from '../model/request-fields.ts';
import tasks from './tasks.module.css';

const PATH = ['scraper_options', 'json', 'schema'];

/** The schema as JSON, which can say more than the rows. */
const AS_JSON: Field = {
  path: PATH,
  pointer: pointerOf(PATH),
  name: 'schema',
  kind: 'json',
  schema: { description: t`JSON Schema. Lists of objects and limits are written here.` },
};

const TYPES = [
  { value: 'string', label: t({ message: 'Text', context: 'type of a value' }) },
  { value: 'number', label: t({ message: 'Number', context: 'type of a value' }) },
  { value: 'integer', label: t`Whole number` },
  { value: 'boolean', label: t`Yes or no` },
  { value: 'list', label: t`List of texts` },
];

/** The schema of `json`: a row for each property with a simple type, and all of it as JSON. */
export function SchemaFields() {
  const { value, set } = useField(PATH);
  const properties = isObject(value) && isObject(value.properties) ? value.properties : null;
  const isNew = value === undefined;
  const write = (next: JsonObject) =>
    set({ type: 'object', ...(isObject(value) ? value : {}), properties: next });
  return (
    <>
      {properties !== null && Object.keys(properties).length > 0 && (
        <ol className={classes.properties} aria-label={t`Fields of the schema`}>
          {Object.keys(properties).map((name, index) => (
            <PropertyRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a property that is renamed stays the same entry
              key={index}
              isFirst={index === 0}
              name={name}
              properties={properties}
              onChange={write}
            />
          ))}
        </ol>
      )}
      {(properties !== null || isNew) && (
        <div className={tasks.buttons}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => {
              const others = properties ?? {};
              write({ ...others, [freeName('field', others)]: { type: 'string' } });
            }}
          >
            <Trans>Add a field</Trans>
          </Button>
        </div>
      )}
      <JsonControl field={AS_JSON} />
    </>
  );
}

interface PropertyRowProps {
  /** Its labels are those of all rows. */
  readonly isFirst: boolean;
  readonly name: string;
  readonly properties: JsonObject;
  readonly onChange: (properties: JsonObject) => void;
}

function PropertyRow({ isFirst, name, properties, onChange }: PropertyRowProps) {
  const schema = properties[name]!;
  const type = typeOf(schema);
  const { typed, problem, ...field } = useTypedName(
    name,
    (other) => Object.hasOwn(properties, other),
    (next) =>
      onChange(
        Object.fromEntries(
          Object.entries(properties).map(([other, value]) => [other === name ? next : other, value]),
        ),
      ),
  );
  return (
    <li>
      <div className={classes.row}>
        <TextInput
          size="xs"
          {...(isFirst ? { label: t`Name` } : { 'aria-label': t`Name` })}
          value={typed}
          onChange={({ currentTarget }) => field.type(currentTarget.value)}
          error={problem !== null}
          {...VERBATIM}
          maxLength={100}
        />
        {type === null ? (
          <code className={classes.json}>{JSON.stringify(schema)}</code>
        ) : (
          <NativeSelect
            size="xs"
            {...(isFirst ? { label: t`Type` } : { 'aria-label': t`Type` })}
            data={TYPES}
            value={type}
            onChange={({ currentTarget }) =>
              onChange({ ...properties, [name]: withType(schema, currentTarget.value) })
            }
          />
        )}
        <ActionIcon
          aria-label={t`Remove ${name}`}
          mb={2}
          onClick={() => {
            const { [name]: _, ...others } = properties;
            onChange(others);
          }}
        >
          <IconTrash size={15} />
        </ActionIcon>
      </div>
      {problem !== null && <p className={classes.error}>{problem}</p>}
    </li>
  );
}

const SIMPLE = new Set(['string', 'number', 'integer', 'boolean']);

/** The type of a row; null: only JSON can show the schema. */
function typeOf(schema: Json): string | null {
  if (!isObject(schema)) return null;
  const { type, items, title: _, description: __, ...more } = schema;
  if (Object.keys(more).length > 0 || typeof type !== 'string') return null;
  if (SIMPLE.has(type)) return items === undefined ? type : null;
  const isTexts = isObject(items) && items.type === 'string' && Object.keys(items).length === 1;
  return type === 'array' && isTexts ? 'list' : null;
}

/** The schema with another type of the rows. Its title and description stay. */
function withType(schema: Json, type: string): JsonObject {
  const { type: _, items: __, ...others } = isObject(schema) ? schema : {};
  return type === 'list' ? { type: 'array', items: { type: 'string' }, ...others } : { type, ...others };
}
