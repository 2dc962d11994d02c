import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SingleSignOnError, singleSignOnQuery, singleSignOnUrl } from '../../api/session.ts';
import { Notice } from '../../ui/page-state.tsx';

const ERROR_TEXTS: Readonly<Record<SingleSignOnError, string>> = {
  cancelled: t`You have cancelled the sign-in at the provider.`,
  disabled: t`Your user is disabled. Ask an administrator to enable it.`,
  email_not_verified: t`The provider has not verified your e-mail address. Verify it there, then try again.`,
  expired: t`The sign-in took more than ten minutes, or another browser or tab began it. Try again.`,
  no_role: t`Your account at the provider has no role for Sluice. Ask an administrator.`,
  no_user: t`No user has your e-mail address. Ask an administrator to invite you.`,
  other_identity: t`Your user is linked to another account at the provider. Ask an administrator to unlink it.`,
  provider_failed: t`The provider refused the sign-in. Try again. If it fails again, an administrator can find the reason in the log of the service.`,
  provider_unavailable: t`The provider does not respond. Try again later, or sign in with your password.`,
  too_many: t`Too many sign-ins from your network have failed. Try again in a few minutes.`,
};

/** Why a sign-in by the provider failed. */
export function SingleSignOnNotice({ error }: { readonly error: SingleSignOnError }) {
  return <Notice title={t`You are not signed in`}>{ERROR_TEXTS[error]}</Notice>;
}

/** The button that leads to the provider. Renders nothing if the operator has set none. */
export function SingleSignOnButton({ next }: { readonly next: string | undefined }) {
  const { data } = useQuery(singleSignOnQuery);
  if (data === undefined || data.name === null) return null;
  return (
    <Button component="a" href={singleSignOnUrl(next)} variant="default" fullWidth mt="md">
      <Trans>Sign in with {data.name}</Trans>
    </Button>
  );
}
