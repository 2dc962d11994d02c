import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconTrash } from '../../../../ui/icons.tsx';
import { MarkedText } from '../../../../ui/text.tsx';
import { isObject, type Json, type Path, pointerOf } from '../../model/json.ts';
import { labelOf } from '../../model/labels.ts';
import { type Field, membersOf } from '../../model/offer.ts';
import { commonMembers } from '../../model/page-actions.ts';
import type { JsonSchema } from '../../model/schema.ts';
import { FieldGrid } from '../field-grid.tsx';
import classes from '../form.module.css';
import { useRequestForm } from '../form-context.ts';
import { JsonControl } from '../json-control.tsx';
import { EntryMore } from './entry-more.tsx';
import { EntryProblems } from './entry-problems.tsx';

interface ListEntryProps {
  readonly path: Path;
  readonly item: Json;
  /** Of entries in the list. */
  readonly count: number;
  /** What an entry may be. */
  readonly union:
    | { readonly schema: JsonSchema }
    | { readonly kinds: ReadonlyMap<string, JsonSchema>; readonly tag: string };
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

/** One of a list, with what it has; where it stands is changed by buttons, so that a keyboard is enough. */
export function ListEntry({ path, item, count, union, onMove, onRemove }: ListEntryProps) {
  const { offer } = useRequestForm();
  const index = Number(path.at(-1));
  const kind = 'tag' in union && isObject(item) ? item[union.tag] : undefined;
  const schema = 'tag' in union ? union.kinds.get(String(kind)) : union.schema;
  const common = 'tag' in union ? commonMembers(union.kinds, union.tag) : new Set<string>();
  const title = 'tag' in union ? labelOf(String(kind ?? 'unknown')).label : 'Entry';
  const fields: readonly Field[] = (schema === undefined ? [] : membersOf(path, schema, offer))
    .filter(({ name }) => !('tag' in union) || name !== union.tag)
    .map((field) => ({ ...field, required: schema?.required?.includes(field.name) === true }));
  const what = `entry ${index + 1}`;
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
              aria-label={`Move ${what} up`}
              title="Move up"
              disabled={index === 0}
              onClick={() => onMove(-1)}
            >
              <IconArrowUp size={15} />
            </ActionIcon>
            <ActionIcon
              data-part="down"
              aria-label={`Move ${what} down`}
              title="Move down"
              disabled={index === count - 1}
              onClick={() => onMove(1)}
            >
              <IconArrowDown size={15} />
            </ActionIcon>
          </>
        )}
        <ActionIcon data-part="remove" aria-label={`Remove ${what}`} title="Remove" onClick={onRemove}>
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
        <EntryMore fields={fields.filter(({ name }) => common.has(name))} />
        <EntryProblems path={path} fields={fields} />
      </div>
    </li>
  );
}
