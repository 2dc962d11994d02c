import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { UseMutationResult } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { fieldErrors, formError } from '../api/client.ts';
import { useFieldErrors } from './field-errors.ts';
import { ErrorNotice } from './page-state.tsx';

export interface ApiFormOptions<Values, Body, Result> {
  readonly form: UseFormReturnType<Values>;
  /** The call that the form makes. */
  readonly action: UseMutationResult<Result, Error, Body>;
  readonly bodyOf: (values: Values) => NoInfer<Body>;
  readonly onSuccess?: (result: NoInfer<Result>) => void;
  /** Members of the body whose refusals are shown at a field. */
  readonly members: readonly string[];
  /** Member → field, where the names differ. */
  readonly fieldNames?: Readonly<Record<string, string>>;
}

/** Sends the values of a form, and leads the user to what is wrong with them. */
export function useApiForm<Values, Body, Result>(options: ApiFormOptions<Values, Body, Result>) {
  const { form, action, bodyOf, onSuccess, members, fieldNames = {} } = options;
  const errors = useFieldErrors(form);
  const onError = (error: unknown) => {
    const messages = Object.entries(fieldErrors(error, members));
    errors.show(Object.fromEntries(messages.map(([member, text]) => [fieldNames[member] ?? member, text])));
  };
  const send = (values: Values) =>
    action.mutate(bodyOf(values), { onError, ...(onSuccess === undefined ? {} : { onSuccess }) });
  const submit = form.onSubmit(send, errors.focusFirst);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    // For React, a form in a drawer is a part of the form that has opened the drawer.
    event.stopPropagation();
    submit(event);
  };
  return {
    /** Of the `<form>`. */
    formProps: { ref: errors.ref, onSubmit, noValidate: true },
    /** Why the call failed, unless a field shows it. */
    error: formError(action.error, members),
  };
}

interface ApiFormProps<Values, Body, Result> extends ApiFormOptions<Values, Body, Result> {
  /** Above the error. */
  readonly intro?: ReactNode;
  /** The fields. */
  readonly children: ReactNode;
  readonly submitLabel: string;
  readonly onCancel: () => void;
  /** Nobody can cancel while the call runs. */
  readonly locked?: boolean;
  /** A drawer has its own padding. */
  readonly inDrawer?: boolean;
}

/** A form in a dialog or a drawer that makes a call of the API. */
export function ApiForm<Values, Body, Result>(props: ApiFormProps<Values, Body, Result>) {
  const { action, intro, children, submitLabel, onCancel, locked = false, inDrawer = false } = props;
  const { formProps, error } = useApiForm(props);
  return (
    <form {...formProps}>
      <Stack {...(inDrawer ? {} : { px: 'xs', pb: 'xs' })}>
        {intro}
        <ErrorNotice error={error} />
        {children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel} disabled={locked && action.isPending}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" loading={action.isPending}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
