import { Center } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ErrorState } from '../ui/error-state.tsx';
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
      <ErrorState error={error} onRetry={retry} />
    </Center>
  );
}
