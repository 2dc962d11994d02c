import { ActionIcon, Button, Select } from '@mantine/core';
import { IconPlus, IconTrash } from '../../../ui/icons.tsx';
import { isObject, type Json } from '../model/json.ts';
import { labelOf } from '../model/labels.ts';
import { type Field, membersOf, type Offer } from '../model/offer.ts';
import { type JsonSchema, resolved } from '../model/schema.ts';
import { FieldGrid } from './field-grid.tsx';
import { descriptionOf, FieldLabel } from './field-words.tsx';
import classes from './form.module.css';
import { useField, useRequestForm } from './form-context.ts';

/** A list of objects; where each may be one of several kinds, such as page actions, the kind is chosen first. */
export function ListControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const { offer } = useRequestForm();
  const items = Array.isArray(value) ? (value as readonly Json[]) : [];
  const schema = resolved(field.schema.items ?? {}, offer.components);
  const kinds = kindsOf(schema, offer);
  const tag = schema.discriminator?.propertyName ?? 'type';
  const write = (next: readonly Json[]) => set(next.length === 0 ? undefined : next);
  const { maxItems } = field.schema;
  return (
    <fieldset className={classes.object} data-pointer={pointer}>
      <legend>
        <FieldLabel field={field} />
      </legend>
      {field.schema.description !== undefined && <p className={classes.hint}>{descriptionOf(field)}</p>}
      <ol className={classes.items}>
        {items.map((item, index) => {
          const kind = isObject(item) ? item[tag] : undefined;
          const own = kinds === null ? schema : kinds.get(String(kind));
          const title = kinds === null ? `Entry ${index + 1}` : labelOf(String(kind ?? 'unknown')).label;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name of their own
            <li key={index} className={classes.item}>
              <div className={classes.itemHead}>
                <b>
                  {index + 1}. {title}
                </b>
                <ActionIcon
                  aria-label={`Remove entry ${index + 1}`}
                  onClick={() => write(items.toSpliced(index, 1))}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              </div>
              {own !== undefined && (
                <FieldGrid
                  fields={membersOf([...field.path, index], own, offer).filter(
                    ({ name }) => kinds === null || name !== tag,
                  )}
                />
              )}
            </li>
          );
        })}
      </ol>
      {error !== undefined && items.length === 0 && <p className={classes.error}>{error}</p>}
      {items.length < (maxItems ?? Number.POSITIVE_INFINITY) &&
        (kinds === null ? (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => write([...items, {}])}
          >
            Add an entry
          </Button>
        ) : (
          <Select
            aria-label={`Add to ${labelOf(field.name).label}`}
            placeholder="Add…"
            data={[...kinds.keys()].map((name) => ({ value: name, label: labelOf(name).label }))}
            value={null}
            onChange={(kind) => kind !== null && write([...items, { [tag]: kind }])}
            searchable
            maw={240}
          />
        ))}
    </fieldset>
  );
}

/** Schemas by the value of the member that tells them apart; null: there is only one kind. */
function kindsOf(schema: JsonSchema, offer: Offer): ReadonlyMap<string, JsonSchema> | null {
  const tag = schema.discriminator?.propertyName;
  if (tag === undefined || schema.oneOf === undefined) return null;
  const branches = schema.oneOf.map((one) => resolved(one, offer.components));
  return new Map(branches.map((one) => [String(one.properties?.[tag]?.const), one]));
}
