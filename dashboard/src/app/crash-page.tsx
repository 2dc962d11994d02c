import { Center } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ApiError } from '../api/api-error.ts';
import { ErrorState } from '../ui/error-state.tsx';
import { ButtonLink } from '../ui/links.tsx';
import { usePageTitle } from './page-title.ts';

/** What is shown when a page cannot be: the service is away, refuses, or the page has a bug. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  usePageTitle('Something went wrong');
  // Else the queries that failed would fail again at once, from memory.
  useEffect(() => queries.reset(), [queries]);
  const retry = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Center mih="60vh" p="lg">
      <ErrorState level={1} error={error} onRetry={retry} action={isDisabled(error) && <AsSomebodyElse />} />
    </Center>
  );
}

/** The same where no page is around it. */
export function WholeCrashPage(props: ErrorComponentProps) {
  return (
    <main>
      <CrashPage {...props} />
    </main>
  );
}

/** The session is still there, and leads nowhere. */
const isDisabled = (error: unknown): boolean =>
  error instanceof ApiError && error.problem?.code === 'auth.disabled';

function AsSomebodyElse() {
  return (
    <ButtonLink to="/sign-in" ml="xs">
      Sign in as somebody else
    </ButtonLink>
  );
}
