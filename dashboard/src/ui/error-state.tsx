import { Button, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './empty-state.module.css';
import { IconAlert } from './icons.tsx';
import { OutLink } from './links.tsx';

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
  const { title, text } = wordsOf(error);
  return (
    <div className={classes.empty} role="alert">
      <span className={classes.icon} data-tone="red">
        <IconAlert size={22} />
      </span>
      <Title order={level} className={classes.title}>
        {title}
      </Title>
      <div className={classes.text}>{text}</div>
      <Origin error={error} />
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
  const words = wordsOf(error);
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
export function wordsOf(error: unknown): { readonly title: string; readonly text: string } {
  if (error instanceof ApiError) {
    if (error.status === null) return { title: 'No response from the service', text: error.message };
    return { title: error.problem?.title ?? `Status ${error.status}`, text: error.message };
  }
  return { title: 'This page could not be shown', text: 'Your data is safe. Reload the page.' };
}

function Origin({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.problem === null) return null;
  return (
    <Group className={classes.meta}>
      <OutLink href={error.problem.type} size="xs">
        What {error.problem.code} means
      </OutLink>
      {error.requestId !== null && (
        <span>
          Request <code className="mono">{error.requestId}</code>{' '}
          <CopyButton value={error.requestId} label="Copy the request id" />
        </span>
      )}
    </Group>
  );
}
