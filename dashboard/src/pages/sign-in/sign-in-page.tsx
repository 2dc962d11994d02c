import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { needsCode, useSignIn } from '../../api/session.ts';
import { redirectTarget } from '../../app/urls.ts';
import { SignedOutPage } from '../../shell/signed-out-page.tsx';
import { useFieldErrors } from '../../ui/field-errors.ts';
import { usePageTitle } from '../../ui/page-header.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { SingleSignOnButton, SingleSignOnNotice } from './single-sign-on.tsx';

const signInRoute = getRouteApi('/sign-in');

export function SignInPage() {
  usePageTitle(t`Sign in`);
  const { next, error: singleSignOnError } = signInRoute.useSearch();
  const router = useRouter();
  const signIn = useSignIn();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '', code: '' },
    validate: {
      email: isNotEmpty(t`Enter the e-mail address of your account.`),
      password: isNotEmpty(t`Enter your password.`),
    },
  });
  const errors = useFieldErrors(form);
  const [asksForCode, setAsksForCode] = useState(false);
  const submit = form.onSubmit(
    ({ code, ...credentials }) =>
      signIn.mutate(asksForCode ? { ...credentials, code } : credentials, {
        onSuccess: () => void router.navigate({ ...redirectTarget(next), hash: true, replace: true }),
        onError: (error) => setAsksForCode(asksForCode || needsCode(error)),
      }),
    errors.focusFirst,
  );
  // The first time, the answer only says that a code is needed, for which there is a field now.
  const error = needsCode(signIn.error) && signIn.variables?.code === undefined ? null : signIn.error;
  return (
    <SignedOutPage
      title={t`Sign in to Sluice`}
      foot={t`No password yet, or forgotten? An administrator can send you a set-up link. On the server, “bin/sluice users link --email YOUR_EMAIL” prints one.`}
    >
      <form ref={errors.ref} onSubmit={submit} noValidate>
        <Stack>
          {singleSignOnError !== undefined && signIn.isIdle && (
            <SingleSignOnNotice error={singleSignOnError} />
          )}
          <ErrorNotice error={error} title={t`You are not signed in`} />
          <TextInput
            label={t`E-mail`}
            type="email"
            autoComplete="username"
            inputMode="email"
            autoFocus
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={t`Password`}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t`Show the password` }}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {asksForCode && (
            <TextInput
              label={t`Code`}
              description={t`Of your authenticator app, or a recovery code.`}
              autoComplete="one-time-code"
              autoFocus
              key={form.key('code')}
              {...form.getInputProps('code')}
            />
          )}
          <Button type="submit" loading={signIn.isPending} fullWidth mt={4}>
            <Trans>Sign in</Trans>
          </Button>
        </Stack>
      </form>
      <SingleSignOnButton next={next} />
    </SignedOutPage>
  );
}
