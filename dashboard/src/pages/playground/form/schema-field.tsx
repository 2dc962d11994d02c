import type { Field } from '../model/offer.ts';
import { choicesOf, isShownBy } from '../model/schema.ts';
import { ChoiceControl } from './choice-control.tsx';
import { useField } from './form-context.ts';
import { JsonControl } from './json-control.tsx';
import { ListControl } from './list/list-control.tsx';
import { MapControl } from './map-control.tsx';
import { NumberControl } from './number-control.tsx';
import { ObjectControl } from './object-control.tsx';
import { SwitchControl } from './switch-control.tsx';
import { TextControl } from './text-control.tsx';
import { WordsControl } from './words-control.tsx';

/** The control for a member, chosen by its schema alone; a value that it cannot show is edited as JSON. */
export function SchemaField({ field }: { readonly field: Field }) {
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
    case 'words':
    case 'numbers':
      return <WordsControl field={field} />;
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
