import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useSignIn } from '../../api/session.ts';
import { redirectTarget } from '../../app/urls.ts';
import { SignedOutPage } from '../../shell/signed-out-page.tsx';
import { usePageTitle } from '../../ui/page-header.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';

const signInRoute = getRouteApi('/sign-in');

export function SignInPage() {
  usePageTitle('Sign in');
  const { next } = signInRoute.useSearch();
  const router = useRouter();
  const signIn = useSignIn();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: isNotEmpty('Enter the e-mail address of your account.'),
      password: isNotEmpty('Enter your password.'),
    },
  });
  const submit = form.onSubmit((values) =>
    signIn.mutate(values, {
      onSuccess: () => void router.navigate({ ...redirectTarget(next), hash: true, replace: true }),
    }),
  );
  return (
    <SignedOutPage
      title="Sign in to Sluice"
      foot="No password yet, or forgotten? An administrator can send you a set-up link. On the server, “bin/sluice users link --email YOUR_EMAIL” prints one."
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <ErrorNotice error={signIn.error} title="You are not signed in" />
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            inputMode="email"
            autoFocus
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={signIn.isPending} fullWidth mt={4}>
            Sign in
          </Button>
        </Stack>
      </form>
    </SignedOutPage>
  );
}
