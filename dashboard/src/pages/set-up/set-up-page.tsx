import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { ApiError, isSignedOut } from '../../api/client.ts';
import { setUpLinkQuery } from '../../api/session.ts';
import { SignedOutPage } from '../../shell/signed-out-page.tsx';
import { formatLocal } from '../../ui/format.ts';
import { usePageTitle } from '../../ui/page-header.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { ButtonLink } from '../../ui/text.tsx';
import { SetUpForm } from './set-up-form.tsx';

/** Where a set-up link leads: `/set-up#token`. What stands behind `#` never reaches a log on its way. */
export function SetUpPage() {
  usePageTitle('Set your password');
  const token = useLocation({ select: ({ hash }) => hash });
  const link = useQuery({ ...setUpLinkQuery(token), enabled: token !== '' });
  if (token === '' || isSignedOut(link.error) || isMalformed(link.error)) return <UsedUp />;
  return (
    <SignedOutPage
      title="Set your password"
      description={link.data?.email}
      foot={link.data && `The link works once, until ${formatLocal(link.data.expires_at)}.`}
    >
      {link.data !== undefined && <SetUpForm token={token} email={link.data.email} />}
      {link.isPending && <Outline />}
      <ErrorNotice error={link.error} />
    </SignedOutPage>
  );
}

/** Cut off when it was copied, say: no token of any link. */
const isMalformed = (error: unknown): boolean => error instanceof ApiError && error.status === 400;

function UsedUp() {
  return (
    <SignedOutPage
      title="This link no longer works"
      foot={
        <>
          An administrator can create a new one under Users, or on the server with{' '}
          <code className="mono">bin/sluice users link --email YOUR_EMAIL</code>.
        </>
      }
    >
      <Stack>
        <span>Set-up links work once and for 24 hours, and a newer link replaces an older one.</span>
        <ButtonLink to="/sign-in" fullWidth>
          To sign-in
        </ButtonLink>
      </Stack>
    </SignedOutPage>
  );
}

function Outline() {
  return (
    <Stack role="status" aria-label="Loading">
      <Skeleton height={58} />
      <Skeleton height={58} />
      <Skeleton height={36} />
    </Stack>
  );
}
