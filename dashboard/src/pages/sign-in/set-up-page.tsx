import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError, fieldErrors, formError, isSignedOut } from '../../api/client.ts';
import { needsCode, setUpLinkQuery, useSetUp } from '../../api/session.ts';
import { SignedOutPage } from '../../shell/signed-out-page.tsx';
import { useFieldErrors } from '../../ui/field-errors.ts';
import { formatLocal } from '../../ui/format.ts';
import { NewPasswordFields, newPasswordRules } from '../../ui/new-password-fields.tsx';
import { usePageTitle } from '../../ui/page-header.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { ButtonLink } from '../../ui/text.tsx';

/** The page of a set-up link, `/set-up#token`. The token is in the fragment, so that it is never logged. */
export function SetUpPage() {
  usePageTitle(t`Set your password`);
  const token = useLocation({ select: ({ hash }) => hash });
  const link = useQuery({ ...setUpLinkQuery(token), enabled: token !== '' });
  if (token === '' || isSignedOut(link.error) || isMalformedToken(link.error)) return <ExpiredLink />;
  return (
    <SignedOutPage
      title={link.data?.has_password === false ? t`Welcome to Sluice` : t`Set your password`}
      description={
        link.data?.has_password === false ? (
          <Trans>
            Set a password for <b>{link.data.email}</b>.
          </Trans>
        ) : (
          link.data?.email
        )
      }
      foot={link.data && t`The link works once, until ${formatLocal(link.data.expires_at)}.`}
    >
      {link.data !== undefined && <SetUpForm token={token} email={link.data.email} />}
      {link.isPending && <FormSkeleton />}
      <ErrorNotice error={link.error} />
    </SignedOutPage>
  );
}

/** The token has an invalid format, for example because the link was cut off when it was copied. */
const isMalformedToken = (error: unknown): boolean => error instanceof ApiError && error.status === 400;

function ExpiredLink() {
  return (
    <SignedOutPage
      title={t`This link no longer works`}
      foot={
        <Trans>
          An administrator can send a new one from the page Users, or on the server with{' '}
          <code className="mono">bin/sluice users link --email YOUR_EMAIL</code>.
        </Trans>
      }
    >
      <Stack>
        <span>
          <Trans>
            Links work once. Invitations expire after 7 days, other links after 24 hours. A newer link
            replaces an older one.
          </Trans>
        </span>
        <ButtonLink to="/sign-in" fullWidth>
          <Trans>Go to sign-in</Trans>
        </ButtonLink>
      </Stack>
    </SignedOutPage>
  );
}

function FormSkeleton() {
  return (
    <Stack role="status" aria-label={t`Loading`}>
      <Skeleton height={58} />
      <Skeleton height={58} />
      <Skeleton height={36} />
    </Stack>
  );
}

interface SetUpFormProps {
  readonly token: string;
  readonly email: string;
}

function SetUpForm({ token, email }: SetUpFormProps) {
  const router = useRouter();
  const setUp = useSetUp();
  const form = useForm({
    initialValues: { password: '', repeated: '', code: '' },
    validate: newPasswordRules,
  });
  const errors = useFieldErrors(form);
  const [asksForCode, setAsksForCode] = useState(false);
  const submit = form.onSubmit(
    ({ password, code }) =>
      setUp.mutate(
        { token, password, ...(asksForCode ? { code } : {}) },
        {
          onSuccess: () => void router.navigate({ to: '/', replace: true }),
          onError: (error) => {
            errors.show(fieldErrors(error, ['password']));
            setAsksForCode(asksForCode || needsCode(error));
          },
        },
      ),
    errors.focusFirst,
  );

  return (
    <form ref={errors.ref} onSubmit={submit} noValidate>
      {/* Tells password managers whose password is set. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <Stack>
        <ErrorNotice error={formError(setUp.error, ['password'])} title={t`The password is not set`} />
        <NewPasswordFields form={form} email={email} />
        {asksForCode && (
          <TextInput
            label={t`Code`}
            description={t`Of your authenticator app, or a recovery code.`}
            autoComplete="one-time-code"
            {...form.getInputProps('code')}
          />
        )}
        <Button type="submit" loading={setUp.isPending} fullWidth mt={4}>
          <Trans>Set the password and sign in</Trans>
        </Button>
      </Stack>
    </form>
  );
}
