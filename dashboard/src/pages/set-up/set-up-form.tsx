import { Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRouter } from '@tanstack/react-router';
import { fieldErrors } from '../../api/client.ts';
import { useSetUp } from '../../api/session.ts';
import { NewPasswordFields, newPasswordRules } from '../../ui/new-password-fields.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';

interface SetUpFormProps {
  readonly token: string;
  readonly email: string;
}

export function SetUpForm({ token, email }: SetUpFormProps) {
  const router = useRouter();
  const setUp = useSetUp();
  const form = useForm({ initialValues: { password: '', repeated: '' }, validate: newPasswordRules });
  const submit = form.onSubmit(({ password }) =>
    setUp.mutate(
      { token, password },
      {
        onSuccess: () => void router.navigate({ to: '/', replace: true }),
        onError: (error) => form.setErrors(fieldErrors(error, ['password'])),
      },
    ),
  );
  const shown = Object.keys(fieldErrors(setUp.error, ['password'])).length === 0 ? setUp.error : null;
  return (
    <form onSubmit={submit} noValidate>
      {/* For password managers: whose password it is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <Stack>
        <ErrorNotice error={shown} title="The password is not set" />
        <NewPasswordFields form={form} email={email} />
        <Button type="submit" loading={setUp.isPending} fullWidth mt={4}>
          Set the password and sign in
        </Button>
      </Stack>
    </form>
  );
}
