import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useField, useForm } from '@mantine/form';
import { fieldErrors, formError } from '../../api/client.ts';
import { useChangePassword, useUser } from '../../api/session.ts';
import { useFieldErrors } from '../../ui/field-errors.ts';
import { NewPasswordFields, newPasswordRules } from '../../ui/new-password-fields.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';

const FIELDS = ['current_password', 'new_password'];

export function PasswordPanel() {
  const { email } = useUser();
  const change = useChangePassword();
  const current = useField({
    initialValue: '',
    validate: (value) => (value === '' ? t`Enter your current password.` : null),
  });
  const form = useForm({ initialValues: { password: '', repeated: '' }, validate: newPasswordRules });
  const errors = useFieldErrors(form);
  const submit = async (event: React.FormEvent) => {
    event.preventDefault();
    const currentError = await current.validate();
    if (form.validate().hasErrors || currentError !== null) {
      errors.focusFirst();
      return;
    }
    change.mutate(
      { current_password: current.getValue(), new_password: form.values.password },
      {
        onSuccess: () => {
          current.reset();
          form.reset();
          notifySuccess(t`Your password was changed, and all your other sessions were signed out.`);
        },
        onError: (error) => {
          const messages = fieldErrors(error, FIELDS);
          current.setError(messages.current_password ?? null);
          errors.show({ password: messages.new_password });
        },
      },
    );
  };
  return (
    <Panel title={t`Password`} description={t`Changing it signs out all your other sessions.`}>
      <form ref={errors.ref} onSubmit={(event) => void submit(event)} noValidate>
        {/* Tells password managers whose password is changed. */}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <Stack maw={420}>
          <ErrorNotice error={formError(change.error, FIELDS)} />
          <PasswordInput
            label={t`Current password`}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t`Show the current password` }}
            {...current.getInputProps()}
          />
          <NewPasswordFields form={form} email={email} />
          <Group>
            <Button type="submit" loading={change.isPending}>
              <Trans>Change the password</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
