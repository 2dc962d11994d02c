import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { CopyButton } from './copy-button.tsx';
import { type Icon, IconAlert, IconSearch } from './icons.tsx';
import classes from './page-state.module.css';
import { ButtonLink, ExternalLink } from './text.tsx';

interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  /** Explains what would be shown here, and how to get it. */
  readonly children: ReactNode;
  readonly action?: ReactNode;
  /** Level of the heading; default 2. */
  readonly level?: 1 | 2 | 3;
}

/** Shown instead of empty content, with an explanation. */
export function EmptyState({ icon: StateIcon, title, children, action, level = 2 }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.icon}>
        <StateIcon size={22} />
      </span>
      <Title order={level} className={classes.title}>
        {title}
      </Title>
      <div className={classes.text}>{children}</div>
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}

interface NotFoundStateProps {
  readonly title: string;
  readonly list: { readonly to: '/jobs' | '/monitors' | '/schedules' | '/datasets'; readonly label: string };
  /** Why it is not there. */
  readonly children?: ReactNode;
}

/** A page about something of the user's that is not there, with a link to the others of its kind. */
export function NotFoundState({ title, list, children }: NotFoundStateProps) {
  return (
    <EmptyState
      icon={IconSearch}
      title={title}
      level={1}
      action={
        <ButtonLink to={list.to} variant="default">
          {list.label}
        </ButtonLink>
      }
    >
      {children ?? <Trans>It was deleted, or belongs to another user.</Trans>}
    </EmptyState>
  );
}

interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** An alternative action. */
  readonly action?: ReactNode;
  /** Level of the heading; default 2. */
  readonly level?: 1 | 2;
}

/** Shown if content could not be loaded: the error, a button to try again, and the request id for the operator. */
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
            <Trans>Try again</Trans>
          </Button>
          {action}
        </div>
      )}
    </div>
  );
}

interface ErrorNoticeProps {
  readonly error: unknown;
  /** Says what failed, if the title of the error is too general. */
  readonly title?: string;
  /** For what is not loaded again by itself: with a button, and the code of the error. */
  readonly onRetry?: () => void;
}

/** A short form for forms and dialogs. Renders nothing if there is no error. */
export function ErrorNotice({ error, title, onRetry }: ErrorNoticeProps) {
  if (error === null || error === undefined) return null;
  const message = errorText(error);
  // Some messages of the service already contain the waiting time.
  const containsWait = /\btry again in \d/.test(message.text);
  const waitSeconds = error instanceof ApiError && !containsWait ? error.retryAfterSeconds : null;
  return (
    <Notice
      title={title ?? message.title}
      action={
        onRetry !== undefined && (
          <>
            <ErrorReference error={error} />
            <Button size="xs" variant="default" mt={8} onClick={onRetry}>
              <Trans>Try again</Trans>
            </Button>
          </>
        )
      }
    >
      {message.text} {waitSeconds !== null && t`Try again in ${waitSeconds} s.`}
    </Notice>
  );
}

interface NoticeProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly action?: ReactNode;
}

/** Says what failed, in a heading and a sentence. */
export function Notice({ title, children, action }: NoticeProps) {
  return (
    <div className={classes.notice} role="alert">
      <IconAlert size={17} />
      <div>
        <strong>{title}</strong>
        <p>{children}</p>
        {action}
      </div>
    </div>
  );
}

/** A heading and a sentence for any error. */
export function errorText(error: unknown): { readonly title: string; readonly text: string } {
  if (error instanceof ApiError) {
    if (error.status === null) return { title: t`No response from the service`, text: error.message };
    return { title: error.problem?.title ?? t`Status ${error.status}`, text: error.message };
  }
  return { title: t`This page could not be shown`, text: t`Your data is safe. Reload the page.` };
}

/** A link to the explanation of the error code, and the request id. */
function ErrorReference({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError) || error.problem === null) return null;
  return (
    <Group className={classes.meta}>
      <ExternalLink href={error.problem.type} size="xs">
        <Trans>What {error.problem.code} means</Trans>
      </ExternalLink>
      {error.requestId !== null && (
        <span>
          <Trans>
            Request <code className="mono">{error.requestId}</code>
          </Trans>{' '}
          <CopyButton value={error.requestId} label={t`Copy the request id`} />
        </span>
      )}
    </Group>
  );
}

/** A placeholder while the code or data of a page is loading. */
export function PageSkeleton() {
  return (
    <Stack gap="lg" role="status" aria-label={t`Loading`}>
      <Stack gap={10}>
        <Skeleton height={22} width={180} />
        <Skeleton height={13} width={320} maw="80%" />
      </Stack>
      <Skeleton height={220} radius="lg" />
      <Skeleton height={140} radius="lg" />
    </Stack>
  );
}
