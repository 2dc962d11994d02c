import { Button, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { CopyButton } from './copy-button.tsx';
import { type Icon, IconAlert } from './icons.tsx';
import classes from './page-state.module.css';
import { ExternalLink } from './text.tsx';

interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  /** What this place is for, and what makes something appear here. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** Of the heading; default 2. */
  readonly level?: 1 | 2 | 3;
}

/** What a place shows that has nothing to show: it teaches. */
export function EmptyState({ icon: Ornament, title, children, action, level = 2 }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <Ornament size={22} />
      </span>
      <Title order={level} className={classes.title}>
        {title}
      </Title>
      <div className={classes.text}>{children}</div>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Another way on. */
  readonly action?: ReactNode;
  /** Of the heading; default 2. */
  readonly level?: 1 | 2;
}

/** A place that could not be filled: what went wrong, what to do, and what to tell the operator. */
export function ErrorState({ error, onRetry, action, level = 2 }: ErrorStateProps) {
  const { title, text } = errorText(error);
  return (
    <div className={classes.empty} role="alert">
      <span className={classes.icon} data-tone="red">
        <IconAlert size={22} />
      </span>
      <Title order={level} className={classes.title}>
        {title}
      </Title>
      <div className={classes.text}>{text}</div>
      <ErrorReference error={error} />
      {onRetry !== undefined && (
        <div className={classes.action}>
          <Button variant="default" onClick={onRetry}>
            Try again
          </Button>
          {action}
        </div>
      )}
    </div>
  );
}

interface ErrorNoticeProps {
  readonly error: unknown;
  /** What could not be done, where the words of the service are about something wider. */
  readonly title?: string;
}

/** The same in a line or two, for a form or a dialog. Nothing when there is no error. */
export function ErrorNotice({ error, title }: ErrorNoticeProps) {
  if (error === null || error === undefined) return null;
  const words = errorText(error);
  // Some words of the service say it already.
  const said = /\btry again in \d/.test(words.text);
  const wait = error instanceof ApiError && !said ? error.retryAfterSeconds : null;
  return (
    <div className={classes.notice} role="alert">
      <IconAlert size={17} />
      <div>
        <strong>{title ?? words.title}</strong>
        <p>
          {words.text}
          {wait !== null && ` Try again in ${wait} s.`}
        </p>
      </div>
    </div>
  );
}

/** An error of any kind as a heading and a sentence for the person who meets it. */
export function errorText(error: unknown): { readonly title: string; readonly text: string } {
  if (error instanceof ApiError) {
    if (error.status === null) return { title: 'No response from the service', text: error.message };
    return { title: error.problem?.title ?? `Status ${error.status}`, text: error.message };
  }
  return { title: 'This page could not be shown', text: 'Your data is safe. Reload the page.' };
}

function ErrorReference({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.problem === null) return null;
  return (
    <Group className={classes.meta}>
      <ExternalLink href={error.problem.type} size="xs">
        What {error.problem.code} means
      </ExternalLink>
      {error.requestId !== null && (
        <span>
          Request <code className="mono">{error.requestId}</code>{' '}
          <CopyButton value={error.requestId} label="Copy the request id" />
        </span>
      )}
    </Group>
  );
}

/** The outline of a page whose code or data is on its way. */
export function PageSkeleton() {
  return (
    <Stack gap="lg" role="status" aria-label="Loading">
      <Stack gap={10}>
        <Skeleton height={22} width={180} />
        <Skeleton height={13} width={320} maw="80%" />
      </Stack>
      <Skeleton height={220} radius="lg" />
      <Skeleton height={140} radius="lg" />
    </Stack>
  );
}
