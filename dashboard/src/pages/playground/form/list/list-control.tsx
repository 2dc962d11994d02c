import { VisuallyHidden } from '@mantine/core';
import type { Json } from '../../model/json.ts';
import type { Field, Offer } from '../../model/offer.ts';
import { kindsByTag } from '../../model/page-actions.ts';
import { type JsonSchema, resolved } from '../../model/schema.ts';
import { descriptionOf, FieldLabel } from '../field-words.tsx';
import classes from '../form.module.css';
import { useField, useRequestForm } from '../form-context.ts';
import { AddEntry } from './add-entry.tsx';
import { ListEntry } from './list-entry.tsx';
import { useEntries } from './use-entries.ts';

/** A list of objects; where each may be one of several kinds, such as page actions, the kind is chosen first. */
export function ListControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const { offer } = useRequestForm();
  const items = Array.isArray(value) ? (value as readonly Json[]) : [];
  const entries = useEntries(items, (next) => set(next.length === 0 ? undefined : next));
  const schema = resolved(field.schema.items ?? {}, offer.components);
  const kinds = kindsByTag(schema, offer.components);
  const tag = schema.discriminator?.propertyName ?? 'type';
  const full = items.length >= (field.schema.maxItems ?? Number.POSITIVE_INFINITY);
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
      {!full && (
        <AddEntry
          // Anew each time, so that what was searched for is gone.
          key={items.length}
          name={field.name}
          kinds={kinds === null ? null : choicesAt(kinds, field, offer)}
          onAdd={(kind) => entries.add(kind === null ? {} : firstOf(kind, kinds?.get(kind), tag))}
        />
      )}
      <VisuallyHidden role="status">{entries.said}</VisuallyHidden>
    </fieldset>
  );
}

/** The service takes branches within branches up to here. */
const DEEPEST = 3;

function choicesAt(kinds: ReadonlyMap<string, JsonSchema>, { path }: Field, { components }: Offer) {
  const depth = path.filter((step) => step === 'then' || step === 'else').length;
  const all = [...kinds].map(([name, one]) => ({ name, description: resolved(one, components).description }));
  return depth < DEEPEST ? all : all.filter(({ name }) => name !== 'if');
}

/** A new entry: texts that must be given and may be empty are, so that they need not be touched. */
function firstOf(kind: string, schema: JsonSchema | undefined, tag: string): Json {
  const texts = (schema?.required ?? []).filter((name) => {
    const { type, const: only, minLength = 0 } = schema?.properties?.[name] ?? {};
    return type === 'string' && only === undefined && minLength === 0;
  });
  return { [tag]: kind, ...Object.fromEntries(texts.map((name) => [name, ''])) };
}
