import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { curlCommand } from '../../../../src/snippets/curl.ts';
import type { Schema } from '../../api/client.ts';
import { neighboursQuery, useDeleteScrape, useDropCachedScrape } from '../../api/scrapes.ts';
import { useCanChange } from '../../api/session.ts';
import { useUserEmails } from '../../api/users.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { isObject } from '../../result/scrape.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { CopyButton, useCopy } from '../../ui/copy-button.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { ConfirmDialog, type DialogState, useDialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { hostText, urlText } from '../../ui/host-text.ts';
import {
  IconArrowLeft,
  IconCheck,
  IconChevronLeft,
  IconChevronRight,
  IconCopy,
  IconHistory,
  IconPlay,
  IconTerminal,
  IconTrash,
} from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import { apiFilterOf } from '../history/history-search.ts';
import { useListOfRecord } from '../history/list-state.ts';
import { type JsonObject, maskedPointers } from '../playground/model/json.ts';
import classes from './scrape.module.css';
import { useRunRequest } from './use-run-request.ts';

/** The parts of the stored request that the page shows. */
interface RequestSummary {
  readonly url: string | undefined;
  readonly method: string;
  readonly retain: string | undefined;
  readonly tags: readonly (readonly [name: string, value: string])[];
}

/** @param request a valid request; undefined: it was not stored */
export function requestSummaryOf(request: Readonly<Record<string, unknown>> | undefined): RequestSummary {
  const router = isObject(request?.router) ? request.router : {};
  const tags = isObject(router.tags) ? Object.entries(router.tags) : [];
  return {
    url: textOf(request?.url),
    method: textOf(request?.method)?.toUpperCase() ?? 'GET',
    retain: textOf(router.retain),
    tags: tags.map(([name, value]) => [name, String(value)]),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** What made the scrape: a monitor, or a job. */
function Origin({ router }: Pick<Schema<'ScrapeRecord'>, 'router'>) {
  const { monitor, job_id: jobId } = router;
  if (monitor != null)
    return (
      <span className={classes.aside}>
        {' · '}
        <TextLink
          to="/monitors/$id"
          params={{ id: monitor.id }}
          search={{ run: monitor.n }}
          underline="always"
        >
          <Trans>Run {formatCount(monitor.n)} of a monitor</Trans>
        </TextLink>
      </span>
    );
  if (jobId == null) return null;
  return (
    <span className={classes.aside}>
      {' · '}
      <TextLink to="/jobs/$id" params={{ id: jobId }} underline="always">
        <Trans>Its job</Trans>
      </TextLink>
    </span>
  );
}

interface ScrapeHeaderProps {
  readonly scrape: Schema<'ScrapeRecord'>;
  readonly summary: RequestSummary;
  /** undefined: it was not stored. */
  readonly request: Readonly<Record<string, unknown>> | undefined;
}

export function ScrapeHeader({ scrape, summary, request }: ScrapeHeaderProps) {
  const host = summary.url === undefined ? undefined : URL.parse(summary.url)?.host;
  const userEmails = useUserEmails();
  const { user_id } = scrape.router;
  const { listSearch, state, onBack } = useListOfRecord();
  return (
    <PageHeader
      title={host === undefined ? t`Scrape` : `${summary.method} ${hostText(host)}`}
      back={
        <span className={classes.navigation}>
          <TextLink
            to="/history"
            search={listSearch ?? {}}
            size="sm"
            className={classes.back}
            onClick={onBack}
          >
            <IconArrowLeft size={14} /> <Trans>History</Trans>
          </TextLink>
          <Neighbours id={scrape.id} createdAt={scrape.router.created_at} />
        </span>
      }
      description={
        <>
          {summary.url !== undefined && (
            <span className={classes.url}>
              <span className="mono" dir="ltr">
                {urlText(summary.url)}
              </span>
              <CopyButton value={summary.url} label={t`Copy the URL`} />
            </span>
          )}
          <DateTime at={scrape.router.created_at} />
          {host !== undefined && (
            <span className={classes.aside}>
              {' · '}
              <TextLink to="/sites" search={{ host }} underline="always">
                <Trans>About this site</Trans>
              </TextLink>
            </span>
          )}
          <Origin router={scrape.router} />
          {userEmails !== null && user_id !== undefined && (
            <span className={classes.aside}>
              {' '}
              <Trans>· by {userEmails.get(user_id) ?? t`an unknown user`}</Trans>
            </span>
          )}
        </>
      }
      actions={
        <>
          <ChangersOnly>
            {request !== undefined && <RunAgain id={scrape.id} request={request as JsonObject} />}
          </ChangersOnly>
          {summary.url !== undefined && (
            <ButtonLink
              to="/history/compare"
              search={{ after: scrape.id }}
              state={state}
              variant="default"
              leftSection={<IconHistory size={15} />}
            >
              <Trans>What changed</Trans>
            </ButtonLink>
          )}
          <MoreActions id={scrape.id} request={request as JsonObject | undefined} />
        </>
      }
    />
  );
}

interface NeighboursProps {
  readonly id: string;
  readonly createdAt: string;
}

/** Links to the previous and next record in the list from which this one was opened, or else of all records. */
function Neighbours({ id, createdAt }: NeighboursProps) {
  const { listSearch, state } = useListOfRecord();
  // A time preset is relative to the moment when the page was opened, so that the links do not change.
  const [now] = useState(Date.now);
  const { data } = useQuery(neighboursQuery(id, createdAt, apiFilterOf(listSearch ?? {}, now)));
  if (data === undefined) return null;
  return (
    <nav aria-label={t`Records beside this one`} className={classes.neighbours}>
      {data.newer !== null && (
        <TextLink
          to="/history/$id"
          params={{ id: data.newer }}
          state={state}
          size="sm"
          className={classes.back}
        >
          <IconChevronLeft size={14} /> <Trans>Newer</Trans>
        </TextLink>
      )}
      {data.older !== null && (
        <TextLink
          to="/history/$id"
          params={{ id: data.older }}
          state={state}
          size="sm"
          className={classes.back}
        >
          <Trans>Older</Trans> <IconChevronRight size={14} />
        </TextLink>
      )}
    </nav>
  );
}

interface RunAgainProps {
  readonly id: string;
  readonly request: JsonObject;
}

/** Sends the same request and shows its record. If secrets are masked, opens the playground, where they can be entered. */
function RunAgain({ id, request }: RunAgainProps) {
  const { run, isPending } = useRunRequest();
  const navigate = useNavigate();
  const onClick = () => {
    if (maskedPointers(request).length > 0) void navigate({ to: '/playground', search: { from: id } });
    else run(request);
  };
  return (
    <Button variant="default" leftSection={<IconPlay size={15} />} loading={isPending} onClick={onClick}>
      <Trans>Run again</Trans>
    </Button>
  );
}

interface MoreActionsProps {
  readonly id: string;
  /** undefined: it was not stored. */
  readonly request: JsonObject | undefined;
}

/** The rarer actions of a record. */
function MoreActions({ id, request }: MoreActionsProps) {
  const dialog = useDialog<string>();
  const canChange = useCanChange();
  const { copied, copy } = useCopy();
  if (request === undefined && !canChange) return null;
  return (
    <>
      <RowMenu
        label={t`More actions`}
        actions={[
          request !== undefined &&
            canChange && {
              label: t`Open in the playground`,
              leftSection: <IconTerminal size={15} />,
              renderRoot: (props) => <Link to="/playground" search={{ from: id }} {...props} />,
            },
          request !== undefined && {
            label: copied ? t`Copied` : t`Copy as curl`,
            leftSection: copied ? <IconCheck size={15} /> : <IconCopy size={15} />,
            staysOpen: true,
            onClick: () => void copy(curlCommand(`${location.origin}${BASE_PATH}`, request)),
          },
          canChange && {
            label: t`Delete`,
            leftSection: <IconTrash size={15} />,
            onClick: () => dialog.open(id),
          },
        ]}
      />
      <VisuallyHidden role="status">{copied ? t`Copied` : ''}</VisuallyHidden>
      {canChange && <DeleteDialog dialog={dialog} id={id} />}
    </>
  );
}

interface DeleteDialogProps {
  readonly dialog: DialogState<string>;
  readonly id: string;
}

function DeleteDialog({ dialog, id }: DeleteDialogProps) {
  const dropFromCache = useDropCachedScrape(id);
  const navigate = useNavigate();
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Delete this scrape?`}
      confirmLabel={t`Delete the scrape`}
      danger
      action={useDeleteScrape(id)}
      input={undefined}
      done={t`The scrape was deleted.`}
      onDone={() => void navigate({ to: '/history' }).then(dropFromCache)}
    >
      <Trans>
        The record, its request and its content are deleted. This cannot be undone; counters and charts still
        include it.
      </Trans>
    </ConfirmDialog>
  );
}
