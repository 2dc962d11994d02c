import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Center } from '@mantine/core';
import { useQuery, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { reachabilityQuery } from '../api/system.ts';
import { IconAlert, IconCompass, IconRotate } from '../ui/icons.tsx';
import { usePageTitle } from '../ui/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../ui/page-state.tsx';
import { ButtonLink } from '../ui/text.tsx';
import { ChunkLoadError } from './lazy.ts';

/** Shown when a page fails: the service does not respond or refuses, or the page has a bug. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  usePageTitle(t`Something went wrong`);
  // Without this, the failed queries would fail again at once, from the cache.
  useEffect(() => queries.reset(), [queries]);
  const retry = () => {
    reset();
    void router.invalidate();
  };
  if (error instanceof ChunkLoadError) return <ChunkLoadErrorPage />;
  return (
    <Center mih="60vh" p="lg">
      <ErrorState
        level={1}
        error={error}
        onRetry={retry}
        action={isUserDisabled(error) && <SignInAsAnotherUser />}
      />
    </Center>
  );
}

/** The same without the shell around it. */
export function StandaloneErrorPage(props: ErrorComponentProps) {
  return (
    <main>
      <ErrorPage {...props} />
    </main>
  );
}

/**
 * A chunk is missing either because the service does not respond: then the page reloads when it does; or because an update
 * of the dashboard replaced it.
 */
function ChunkLoadErrorPage() {
  const { data: reachable, error } = useQuery(reachabilityQuery);
  const [unreachable, setUnreachable] = useState(false);
  useEffect(() => {
    if (error !== null) setUnreachable(true);
    else if (reachable !== undefined && unreachable) location.reload();
  }, [error, reachable, unreachable]);
  const [title, text] = unreachable
    ? [
        t`The service could not be reached`,
        t`It may be restarting, or your network is down. This page loads by itself as soon as the service responds.`,
      ]
    : [
        t`A new version of the dashboard`,
        t`The dashboard was updated while it was open here. Reload to use the new version.`,
      ];
  if (reachable === undefined && !unreachable) return <PageSkeleton />;
  return (
    <Center mih="60vh" p="lg">
      <EmptyState
        level={1}
        icon={unreachable ? IconAlert : IconRotate}
        title={title}
        action={
          <Button variant={unreachable ? 'default' : 'filled'} onClick={() => location.reload()}>
            <Trans>Reload</Trans>
          </Button>
        }
      >
        {text}
      </EmptyState>
    </Center>
  );
}

/** Whether the user was disabled. The session still exists, but every call with it is refused. */
const isUserDisabled = (error: unknown): boolean =>
  error instanceof ApiError && error.problem?.code === 'auth.disabled';

function SignInAsAnotherUser() {
  return (
    <ButtonLink to="/sign-in" ml="xs">
      <Trans>Sign in as another user</Trans>
    </ButtonLink>
  );
}

export function NotFoundPage() {
  usePageTitle(t`Not found`);
  return (
    <Center mih="60vh" p="lg">
      <EmptyState
        level={1}
        icon={IconCompass}
        title={t`Page not found`}
        action={
          <ButtonLink to="/">
            <Trans>Open the overview</Trans>
          </ButtonLink>
        }
      >
        <Trans>The link may be old, or your role has no access to this page.</Trans>
      </EmptyState>
    </Center>
  );
}
