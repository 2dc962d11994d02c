import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError, type Schema } from '../../api/client.ts';
import { scrapeQuery, scrapeRequestQuery } from '../../api/scrapes.ts';
import { RetryPanel } from '../../result/retry-panel.tsx';
import { ScrapeResult } from '../../result/scrape-result.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { IconClock, IconSearch } from '../../ui/icons.tsx';
import { usePageTitle } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { ButtonLink } from '../../ui/text.tsx';
import { type JsonObject, maskedPointers } from '../playground/model/json.ts';
import { PickedRules } from './picked-rules.tsx';
import classes from './scrape.module.css';
import { requestSummaryOf, ScrapeHeader } from './scrape-header.tsx';
import { useRunRequest } from './use-run-request.ts';

const scrapeRoute = getRouteApi('/signed-in/history/$id');

/** All stored data of a scrape. */
export function ScrapePage() {
  const { id } = scrapeRoute.useParams();
  const { data: scrape, error, refetch } = useQuery(scrapeQuery(id));
  const request = useQuery({
    ...scrapeRequestQuery(id),
    enabled: scrape !== undefined && !('state' in scrape),
  });
  if (isNotFound(error)) return <ScrapeNotFound />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (scrape !== undefined && 'state' in scrape) return <ScrapeRunning />;
  if (scrape === undefined || request.isPending) return <PageSkeleton />;
  // A 404 means that the request was not stored. Other errors are shown.
  if (request.error !== null && !isNotFound(request.error))
    return <ErrorState error={request.error} onRetry={() => void request.refetch()} />;
  const summary = requestSummaryOf(request.data);
  // If the request was not stored, `retain` was `none`.
  const retain = request.data === undefined ? 'none' : summary.retain;
  return (
    <>
      <ScrapeHeader scrape={scrape} summary={summary} request={request.data} />
      <PickedRules key={id} request={request.data} url={summary.url}>
        <ScrapeResult
          scrape={scrape}
          stored
          request={request.data}
          retain={retain}
          advice={
            <RetryAsRecord
              key={`retry ${id}`}
              scrape={scrape}
              request={request.data as JsonObject | undefined}
            />
          }
          more={<RequestPanel request={request.data} tags={summary.tags} />}
        />
      </PickedRules>
    </>
  );
}

interface RetryAsRecordProps {
  readonly scrape: Schema<'ScrapeRecord'>;
  /** undefined: it was not stored. */
  readonly request: JsonObject | undefined;
}

/** The advice for another try, which opens the record of that try. */
function RetryAsRecord({ scrape, request }: RetryAsRecordProps) {
  const { run, isPending } = useRunRequest();
  const canRun = request !== undefined && maskedPointers(request).length === 0;
  return (
    <RetryPanel
      scrape={scrape}
      request={canRun ? request : undefined}
      onRun={(changed) => run(changed as JsonObject)}
      isRunning={isPending}
    />
  );
}

const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

interface RequestPanelProps {
  /** undefined: it was not stored. */
  readonly request: Readonly<Record<string, unknown>> | undefined;
  readonly tags: readonly (readonly [name: string, value: string])[];
}

/** The stored request. */
function RequestPanel({ request, tags }: RequestPanelProps) {
  return (
    <Panel
      title={t`Request`}
      description={request === undefined ? undefined : t`As it was sent, with passwords and keys masked.`}
    >
      {tags.length > 0 && (
        <ul className={classes.tags} aria-label={t`Tags`}>
          {tags.map(([name, value]) => (
            <li key={name}>
              <Pill tone="slate" title={`${name}:${value}`}>
                <span className={classes.tag}>
                  {name}:{value}
                </span>
              </Pill>
            </li>
          ))}
        </ul>
      )}
      {request === undefined ? (
        <p className="dimmed">
          <Trans>It was not stored: retain none stores only the time, the host and the outcome.</Trans>
        </p>
      ) : (
        <CodeBlock code={JSON.stringify(request, null, 2)} label={t`the request as JSON`} wrap />
      )}
    </Panel>
  );
}

/** Shown while an asynchronous scrape has not ended. */
function ScrapeRunning() {
  usePageTitle(t`Scrape`);
  return (
    <EmptyState icon={IconClock} title={t`Not finished yet`} level={1}>
      <Trans>The result appears here as soon as the scrape has ended.</Trans>
    </EmptyState>
  );
}

/** Shown on a 404: there is no such record, or the user may not see it. The service does not say which of the two. */
function ScrapeNotFound() {
  usePageTitle(t`No such scrape`);
  return (
    <EmptyState
      icon={IconSearch}
      title={t`No such scrape`}
      level={1}
      action={
        <ButtonLink to="/history">
          <Trans>Open the history</Trans>
        </ButtonLink>
      }
    >
      <Trans>
        It was deleted, it is older than the retention time, its monitor does not keep the run any more, its
        ID is mistyped, or it belongs to another user.
      </Trans>
    </EmptyState>
  );
}
