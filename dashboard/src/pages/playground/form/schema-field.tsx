import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Button, Select, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { IconArrowDown, IconArrowUp, IconPlus, IconTrash } from '../../../ui/icons.tsx';
import { MarkedText } from '../../../ui/text.tsx';
import { isObject, type Json, type Path, pointerOf, valueAt } from '../model/json.ts';
import { labelOf } from '../model/labels.ts';
import { commonMembers, variantsByTag } from '../model/page-actions.ts';
import { type Field, hasLines, membersOf, type RequestSupport } from '../model/request-fields.ts';
import { choicesOf, isShownBy, type JsonSchema, resolved } from '../model/schema.ts';
import {
  ChoiceControl,
  JsonControl,
  NumberControl,
  SwitchControl,
  TagsControl,
  TextControl,
} from './controls.tsx';
import { descriptionOf, FieldLabel, labelAt, OptionWithReason } from './field-label.tsx';
import classes from './form.module.css';
import { useField, useRequestForm } from './form-context.ts';
import { MapControl } from './map-control.tsx';
import { useListEntries } from './use-list-entries.ts';

/** The control for a member, chosen by its schema. A value that the control cannot show is edited as JSON. */
function SchemaField({ field }: { readonly field: Field }) {
  const { value } = useField(field.path);
  if (!isShownBy(field.kind, value, choicesOf(field.schema))) return <JsonControl field={field} />;
  switch (field.kind) {
    case 'text':
      return <TextControl field={field} />;
    case 'number':
      return <NumberControl field={field} />;
    case 'switch':
      return <SwitchControl field={field} />;
    case 'choice':
      return <ChoiceControl field={field} />;
    case 'choices':
    case 'tags':
    case 'numbers':
      return <TagsControl field={field} />;
    case 'map':
      return <MapControl field={field} />;
    case 'object':
      return <ObjectControl field={field} />;
    case 'list':
      return <ListControl field={field} />;
    case 'variants':
    case 'json':
      return <JsonControl field={field} />;
  }
}

/** Kinds of controls that need the whole width. */
const WIDE = new Set<Field['kind']>(['map', 'object', 'list', 'variants', 'json']);

interface FieldGridProps {
  readonly fields: readonly Field[];
  /** Keeps their order. Default: small fields come first, then switches, then large ones. */
  readonly inOrder?: boolean;
}

/** A responsive grid of fields. Large fields have a row of their own. */
export function FieldGrid({ fields, inOrder = false }: FieldGridProps) {
  const wide = fields.filter((field) => WIDE.has(field.kind) || hasLines(field));
  const switches = fields.filter(({ kind }) => kind === 'switch');
  const small = fields.filter((field) => field.kind !== 'switch' && !wide.includes(field));
  return (
    <div className={classes.grid}>
      {(inOrder ? fields : [...small, ...switches, ...wide]).map((field) =>
        wide.includes(field) ? (
          <div key={field.pointer} className={classes.wide}>
            <SchemaField field={field} />
          </div>
        ) : (
          <SchemaField key={field.pointer} field={field} />
        ),
      )}
    </div>
  );
}

/** A group of fields for an object whose schema names its members. */
function ObjectControl({ field }: { readonly field: Field }) {
  const { support } = useRequestForm();
  return (
    <fieldset className={classes.object}>
      <legend>
        <FieldLabel field={field} />
      </legend>
      {field.schema.description !== undefined && <p className={classes.hint}>{descriptionOf(field)}</p>}
      <FieldGrid fields={membersOf(field.path, field.schema, support)} />
    </fieldset>
  );
}

/** A list of objects. If there are several kinds of objects, such as page actions, the kind is chosen first. */
export function ListControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const { support } = useRequestForm();
  const items = Array.isArray(value) ? (value as readonly Json[]) : [];
  const entries = useListEntries(items, (next) => set(next.length === 0 ? undefined : next));
  const schema = resolved(field.schema.items ?? {}, support.components);
  const kinds = variantsByTag(schema, support.components);
  const tag = schema.discriminator?.propertyName ?? 'type';
  const isFull = items.length >= (field.schema.maxItems ?? Number.POSITIVE_INFINITY);
  return (
    <fieldset ref={entries.root} className={classes.object} data-pointer={pointer}>
      <legend>
        <FieldLabel field={field} />
      </legend>
      {field.schema.description !== undefined && <p className={classes.hint}>{descriptionOf(field)}</p>}
      <ol className={classes.items}>
        {items.map((item, index) => (
          <ListEntry
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name of their own
            key={index}
            path={[...field.path, index]}
            item={item}
            count={items.length}
            union={kinds === null ? { schema } : { kinds, tag }}
            onMove={(by) => entries.move(index, by)}
            onRemove={() => entries.remove(index)}
          />
        ))}
      </ol>
      {error !== undefined && items.length === 0 && <p className={classes.error}>{error}</p>}
      {!isFull && (
        <AddEntry
          // A new instance for each entry, so that the search text is cleared.
          key={items.length}
          label={labelAt(field)}
          kinds={kinds === null ? null : kindChoices(kinds, field, support)}
          onAdd={(kind) => entries.add(kind === null ? {} : emptyEntry(kind, kinds?.get(kind), tag))}
        />
      )}
      <VisuallyHidden role="status">{entries.announcement}</VisuallyHidden>
    </fieldset>
  );
}

/** The depth of nested `if` actions that the service accepts. */
const MAX_BRANCH_DEPTH = 3;

/** The kinds of entries that can be added to the list at this path: branches (`if`) only up to the allowed depth. */
function kindChoices(
  kinds: ReadonlyMap<string, JsonSchema>,
  { path }: Field,
  { components }: RequestSupport,
) {
  const depth = path.filter((step) => step === 'then' || step === 'else').length;
  const all = [...kinds].map(([name, unresolved]) => {
    const { title = labelOf(name).label, description } = resolved(unresolved, components);
    return { name, title, description };
  });
  return depth < MAX_BRANCH_DEPTH ? all : all.filter(({ name }) => name !== 'if');
}

/** A new entry. Required texts that may be empty are set to an empty text. */
function emptyEntry(kind: string, schema: JsonSchema | undefined, tag: string): Json {
  const texts = (schema?.required ?? []).filter((name) => {
    const { type, const: constant, minLength = 0 } = schema?.properties?.[name] ?? {};
    return type === 'string' && constant === undefined && minLength === 0;
  });
  return { [tag]: kind, ...Object.fromEntries(texts.map((name) => [name, ''])) };
}

interface ListEntryProps {
  readonly path: Path;
  readonly item: Json;
  /** Number of entries in the list. */
  readonly count: number;
  /** The kinds of entries. */
  readonly union:
    | { readonly schema: JsonSchema }
    | { readonly kinds: ReadonlyMap<string, JsonSchema>; readonly tag: string };
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

/** An entry of a list with its fields. Buttons move it, so that it can be moved by keyboard. */
function ListEntry({ path, item, count, union, onMove, onRemove }: ListEntryProps) {
  const { support } = useRequestForm();
  const index = Number(path.at(-1));
  const kind = 'tag' in union && isObject(item) ? item[union.tag] : undefined;
  const schema = 'tag' in union ? union.kinds.get(String(kind)) : union.schema;
  const common = 'tag' in union ? commonMembers(union.kinds, union.tag) : new Set<string>();
  const title = 'tag' in union ? (schema?.title ?? labelOf(String(kind ?? 'unknown')).label) : t`Entry`;
  const fields: readonly Field[] = (schema === undefined ? [] : membersOf(path, schema, support))
    .filter(({ name }) => !('tag' in union) || name !== union.tag)
    .map((field) => ({ ...field, required: schema?.required?.includes(field.name) === true }));
  const entryName = t`entry ${index + 1}`;
  return (
    <li className={classes.item}>
      <div className={classes.itemHead}>
        <b>
          {index + 1}. {title}
        </b>
        {count > 1 && (
          <>
            <ActionIcon
              data-part="up"
              aria-label={t`Move ${entryName} up`}
              title={t`Move up`}
              disabled={index === 0}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={15} />
            </ActionIcon>
            <ActionIcon
              data-part="down"
              aria-label={t`Move ${entryName} down`}
              title={t`Move down`}
              disabled={index === count - 1}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={15} />
            </ActionIcon>
          </>
        )}
        <ActionIcon
          data-part="remove"
          aria-label={t`Remove ${entryName}`}
          title={t`Remove`}
          onClick={onRemove}
        >
          <IconTrash size={15} />
        </ActionIcon>
      </div>
      <div data-part="fields" data-pointer={pointerOf(path)}>
        {'tag' in union && schema?.description !== undefined && (
          <p className={classes.hint}>
            <MarkedText text={schema.description} />
          </p>
        )}
        {schema === undefined ? (
          <JsonControl field={{ path, pointer: pointerOf(path), name: 'json', kind: 'json', schema: {} }} />
        ) : (
          <FieldGrid fields={fields.filter(({ name }) => !common.has(name))} />
        )}
        <CommonFields fields={fields.filter(({ name }) => common.has(name))} />
        <EntryProblems path={path} fields={fields} />
      </div>
    </li>
  );
}

/** The members that all kinds of entries have. Collapsed unless one of them is set. */
function CommonFields({ fields }: { readonly fields: readonly Field[] }) {
  const { request } = useRequestForm();
  // null: the user has neither opened nor closed it.
  const [chosen, setChosen] = useState<boolean | null>(null);
  const count = fields.filter(({ path }) => valueAt(request, path) !== undefined).length;
  const open = chosen ?? count > 0;
  if (fields.length === 0) return null;
  return (
    <details
      className={classes.more}
      open={open}
      onToggle={({ currentTarget }) => setChosen(currentTarget.open)}
    >
      <summary>{count > 0 ? <Trans>More ({count} set)</Trans> : <Trans>More</Trans>}</summary>
      {open && <FieldGrid fields={fields} />}
    </details>
  );
}

interface EntryProblemsProps {
  readonly path: Path;
  /** Fields that show their own problems. */
  readonly fields: readonly Field[];
}

/** Problems of a whole entry, or of members without a field. */
function EntryProblems({ path, fields }: EntryProblemsProps) {
  const { problems } = useRequestForm();
  const entryPointer = pointerOf(path);
  const hasField = (pointer: string) =>
    fields.some((field) => pointer === field.pointer || pointer.startsWith(`${field.pointer}/`));
  const unshown = problems.filter(
    ({ pointer }) =>
      (pointer === entryPointer || pointer.startsWith(`${entryPointer}/`)) && !hasField(pointer),
  );
  return unshown.map(({ pointer, message }) => (
    <p key={`${pointer} ${message}`} className={classes.error}>
      {message}
    </p>
  ));
}

interface AddEntryProps {
  /** Of the list. */
  readonly label: string;
  /** null: there is only one kind. */
  readonly kinds: ReturnType<typeof kindChoices> | null;
  readonly onAdd: (kind: string | null) => void;
}

function AddEntry({ label, kinds, onAdd }: AddEntryProps) {
  if (kinds === null) {
    return (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => onAdd(null)}
        data-add
      >
        <Trans>Add an entry</Trans>
      </Button>
    );
  }
  const descriptions = new Map(kinds.map((kind) => [kind.name, kind.description]));
  return (
    <Select
      aria-label={t`Add to ${label}`}
      placeholder={t`Add…`}
      data={kinds.map((kind) => ({ value: kind.name, label: kind.title }))}
      classNames={{ option: classes.choice }}
      renderOption={({ option }) => (
        <OptionWithReason label={option.label} reason={descriptions.get(option.value)} />
      )}
      value={null}
      onChange={(kind) => kind !== null && onAdd(kind)}
      searchable
      maw={280}
      data-add
    />
  );
}
