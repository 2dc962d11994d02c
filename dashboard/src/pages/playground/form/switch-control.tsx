import { Switch } from '@mantine/core';
import { whyNoWindows } from '../model/browsers.ts';
import type { Field } from '../model/offer.ts';
import { descriptionOf, FieldLabel } from './field-words.tsx';
import { useField, useRequestForm } from './form-context.ts';

export function SwitchControl({ field }: { readonly field: Field }) {
  const { value, pointer, error, set } = useField(field.path);
  const { offer, request } = useRequestForm();
  const initial = field.schema.default === true;
  const checked = typeof value === 'boolean' ? value : initial;
  const refusal =
    field.pointer === '/headless' ? whyNoWindows(offer.browsers, request.browser_type) : undefined;
  return (
    <Switch
      label={<FieldLabel field={field} />}
      description={refusal ?? descriptionOf(field)}
      checked={checked}
      // What stands there already can be taken back.
      disabled={refusal !== undefined && checked === initial}
      onChange={({ currentTarget }) =>
        set(currentTarget.checked === initial ? undefined : currentTarget.checked)
      }
      error={error}
      data-pointer={pointer}
    />
  );
}
