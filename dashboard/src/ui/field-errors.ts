import type { FormErrors } from '@mantine/form';
import { type RefObject, useEffect, useRef, useState } from 'react';

interface FieldErrors {
  /** Of the `<form>`. */
  readonly ref: RefObject<HTMLFormElement | null>;
  /** Shows the messages of a refusal at their fields, and leads to the first of these, or else to the form's notice. */
  readonly show: (errors: FormErrors) => void;
  /** Focuses the first field with an error. For the second parameter of `form.onSubmit`: the form itself refuses its values. */
  readonly focusFirst: () => void;
}

/** Leads the user to what is wrong in a form. */
export function useFieldErrors(form: { readonly setErrors: (errors: FormErrors) => void }): FieldErrors {
  const ref = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  // After the fields are rendered with their errors.
  useEffect(() => {
    if (refusals > 0 && ref.current !== null) showFirstError(ref.current);
  }, [refusals]);
  const focusFirst = () => setRefusals((count) => count + 1);
  return {
    ref,
    show: (errors) => {
      form.setErrors(errors);
      focusFirst();
    },
    focusFirst,
  };
}

function showFirstError(form: HTMLFormElement): void {
  const field = form.querySelector('.mantine-InputWrapper-error')?.closest('.mantine-InputWrapper-root');
  if (field == null) {
    form.querySelector('[role=alert]')?.scrollIntoView({ block: 'nearest' });
    return;
  }
  const details = field.closest('details');
  if (details !== null) details.open = true;
  field
    .querySelector<HTMLElement>('input:not([type=hidden]), textarea, select')
    ?.focus({ preventScroll: true });
  // With its label and the message.
  field.scrollIntoView({ block: 'nearest' });
}
