import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button } from '@mantine/core';
import type { ApiError, Schema } from '../../../api/client.ts';
import type { ScrapeProgress } from '../../../api/playground.ts';
import { useUser } from '../../../api/session.ts';
import { ResultTabs } from '../../../result/result-tabs.tsx';
import { RetryPanel } from '../../../result/retry-panel.tsx';
import { ExcludedRoutes } from '../../../result/route/excluded-routes.tsx';
import type { AnyScrape } from '../../../result/scrape.ts';
import { formatCount } from '../../../ui/format.ts';
import { IconAlert, IconArrowRight, IconHistory, IconInfo, IconPlay } from '../../../ui/icons.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { EmptyState, ErrorNotice, errorText } from '../../../ui/page-state.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { ButtonLink, ExternalLink, MarkedText, TextLink } from '../../../ui/text.tsx';
import type { ExampleName } from '../examples.ts';
import type { FieldProblem } from '../form/form-context.ts';
import { type JsonObject, valueAt } from '../model/json.ts';
import { fieldPointer } from '../model/request-fields.ts';
import { ExampleList } from './example-list.tsx';
import { attemptText, progressText } from './progress-text.ts';
import classes from './run.module.css';
import type { RunState } from './use-run.ts';

interface RunOutcomeProps {
  readonly state: RunState;
  /** Problems of the last refusal that have not been corrected yet. */
  readonly unresolved: readonly FieldProblem[];
  readonly onShow: (pointer: string) => void;
  readonly onRetry: () => void;
  /** The request in the form; undefined: it cannot be run. */
  readonly draft: JsonObject | undefined;
  /** Runs the request with a change. */
  readonly onRun: (request: JsonObject) => void;
  /** The tab of the result that the user has chosen; null: none. */
  readonly tab: string | null;
  readonly onTab: (tab: string) => void;
  /** The result is that of another URL or task than those in the form. */
  readonly isEarlier: boolean;
  readonly onExample: (name: ExampleName) => void;
}

/** The result of the run. */
export function RunOutcome(props: RunOutcomeProps) {
  const { state, unresolved, onShow, onRetry, draft, onRun, tab, onTab, isEarlier, onExample } = props;
  const { concurrency } = useUser();
  switch (state.phase) {
    case 'idle':
      return (
        <div className={classes.card}>
          <EmptyState icon={IconPlay} title={t`No result yet`}>
            <Trans>
              Enter a URL and run it. The result appears here and in the history; each run counts against your
              limit of {concurrency} concurrent requests.
            </Trans>
          </EmptyState>
          <ExampleList onExample={onExample} />
        </div>
      );
    case 'running':
      return (
        <div className={classes.card}>
          <div className={classes.running} role="status">
            <span className={classes.pulse} aria-hidden="true" />
            <Running dry={state.dry} progress={state.progress} />
          </div>
        </div>
      );
    case 'cancelled':
      return (
        <Notice tone="slate" icon={IconInfo} title={t`Cancelled`}>
          <p>
            <Trans>
              The scrape was stopped. It is in the <TextLink to="/history">history</TextLink> as cancelled.
            </Trans>
          </p>
        </Notice>
      );
    case 'failed':
      return <ErrorNotice error={state.error} />;
    case 'done': {
      const { result, request } = state;
      const { scrape, error } = result;
      if (scrape === null) {
        return (
          error && (
            <Refusal
              error={error}
              unresolved={unresolved}
              limit={concurrency}
              onShow={onShow}
              onRetry={onRetry}
            />
          )
        );
      }
      const retain = valueAt(request, ['router', 'retain']);
      return (
        <>
          <div className={classes.head}>
            <h2 className={classes.title}>
              <Trans>Result</Trans>
            </h2>
            {isEarlier && (
              <Pill tone="amber" icon={IconHistory}>
                <Trans>Of the request before</Trans>
              </Pill>
            )}
            <span className={classes.status} data-tone={statusTone(scrape, error)}>
              {t`API: HTTP ${error?.status ?? 200}`}
            </span>
            {scrape.id !== null && (
              <ButtonLink
                to="/history/$id"
                params={{ id: scrape.id }}
                variant="default"
                size="xs"
                ml="auto"
                rightSection={<IconArrowRight size={14} />}
              >
                <Trans>Open the record</Trans>
              </ButtonLink>
            )}
          </div>
          <div className={isEarlier ? classes.earlier : undefined}>
            <ResultTabs
              scrape={scrape}
              stored={scrape.id !== null && (retain ?? 'full') === 'full'}
              request={request}
              retain={typeof retain === 'string' ? retain : undefined}
              tab={tab}
              onTab={onTab}
              advice={
                <RetryPanel
                  scrape={scrape}
                  request={draft}
                  onRun={(changed) => onRun(changed as JsonObject)}
                  isRunning={false}
                />
              }
            />
          </div>
        </>
      );
    }
  }
}

/** A page of a wall comes with 200, which is not good. */
const statusTone = (scrape: AnyScrape, error: ApiError | null) =>
  error !== null ? 'bad' : scrape.router.outcome === 'ok' ? 'good' : undefined;

interface RunningProps {
  readonly dry: boolean;
  readonly progress: ScrapeProgress | null;
}

/** What the scrape does now. */
function Running({ dry, progress }: RunningProps) {
  if (progress === null) return <span>{dry ? t`Planning the route…` : t`Starting…`}</span>;
  const attempt = attemptText(progress);
  return (
    <span>
      {progressText(progress)}
      {attempt !== null && <span className={classes.attempt}>{attempt}</span>}
    </span>
  );
}

interface RefusalProps {
  readonly error: ApiError;
  /** Problems of this refusal that have not been corrected yet. */
  readonly unresolved: readonly FieldProblem[];
  /** The user's limit of requests in flight, for the text of a 429. */
  readonly limit: number;
  readonly onShow: (pointer: string) => void;
  readonly onRetry: () => void;
}

/** A request that was refused before a scrape began: the reason, the members that it is about, and what to do. */
function Refusal({ error, unresolved, limit, onShow, onRetry }: RefusalProps) {
  const { title, text } = errorText(error);
  const pointers = (error.problem?.errors ?? []).filter(
    ({ pointer }) =>
      pointer !== undefined && unresolved.some((problem) => problem.pointer === fieldPointer(pointer)),
  );
  const advice = adviceText(error, limit);
  const candidates = candidatesOf(error);
  return (
    <Notice tone="red" icon={IconAlert} title={title}>
      {pointers.length > 0 ? (
        <ul>
          {pointers.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              <MarkedText text={message} />{' '}
              <Anchor component="button" type="button" size="sm" onClick={() => onShow(pointer!)}>
                <Trans>Go there</Trans>
              </Anchor>
            </li>
          ))}
        </ul>
      ) : (
        <p>{text}</p>
      )}
      {advice !== null && <p>{advice}</p>}
      {candidates.length > 0 && <ExcludedRoutes candidates={candidates} open />}
      <div className={classes.foot}>
        {error.retryable && (
          <Button size="xs" variant="default" onClick={onRetry}>
            <Trans>Run again</Trans>
          </Button>
        )}
        {error.problem !== null && (
          <ExternalLink href={error.problem.type} size="xs">
            <Trans>What {error.problem.code} means</Trans>
          </ExternalLink>
        )}
        {error.requestId !== null && (
          <span>
            <Trans>Request {error.requestId}</Trans>
          </span>
        )}
      </div>
    </Notice>
  );
}

function adviceText({ status, retryAfterSeconds }: ApiError, limit: number): string | null {
  switch (status) {
    case 402:
      return t`The daily budget is used up. It resets at 00:00 UTC; an administrator can raise it.`;
    case 422:
      return t`The request is valid, but no method available here supports all of its options. Remove options, or choose another scraper or proxy.`;
    case 429: {
      const text = t`All of your ${formatCount(limit)} concurrent requests are in use, including runs in the playground.`;
      return retryAfterSeconds === null ? text : `${text} ${t`Try again in ${retryAfterSeconds} s.`}`;
    }
    default:
      return null;
  }
}

/** The routes that were considered, if none can do the request; they are only in the problem of a 422. */
function candidatesOf({ problem }: ApiError): readonly Schema<'Candidate'>[] {
  const candidates = (problem as { readonly candidates?: unknown } | null)?.candidates;
  return Array.isArray(candidates) ? (candidates as Schema<'Candidate'>[]) : [];
}
