import { useUser } from '../../../api/session.ts';
import { ScrapeResult } from '../../../result/scrape-result.tsx';
import { formatDuration } from '../../../ui/format.ts';
import { IconArrowRight, IconInfo, IconPlay } from '../../../ui/icons.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { EmptyState, ErrorNotice } from '../../../ui/page-state.tsx';
import { ButtonLink, TextLink } from '../../../ui/text.tsx';
import type { PlacedProblem } from '../form/form-context.ts';
import { valueAt } from '../model/json.ts';
import { Refusal } from './refusal.tsx';
import classes from './run.module.css';
import type { RunState } from './use-run.ts';

interface RunOutcomeProps {
  readonly state: RunState;
  /** What the request was refused for and still holds. */
  readonly wrong: readonly PlacedProblem[];
  readonly onShow: (pointer: string) => void;
  readonly onRetry: () => void;
}

/** What came of the run. */
export function RunOutcome({ state, wrong, onShow, onRetry }: RunOutcomeProps) {
  const { concurrency } = useUser();
  switch (state.phase) {
    case 'idle':
      return (
        <div className={classes.card}>
          <EmptyState icon={IconPlay} title="No result yet">
            Enter a URL and run it. The result appears here and in the history; each run counts against your
            limit of {concurrency} concurrent requests.
          </EmptyState>
        </div>
      );
    case 'running':
      return (
        <div className={classes.card}>
          <div className={classes.running} role="status">
            <span className={classes.pulse} aria-hidden="true" />
            {state.dry ? 'Planning the route…' : 'The scrape is running…'}
          </div>
        </div>
      );
    case 'cancelled':
      return (
        <Notice tone="slate" icon={IconInfo} title="Cancelled">
          <p>
            The scrape was stopped. It is in the <TextLink to="/history">history</TextLink> as cancelled.
          </p>
        </Notice>
      );
    case 'failed':
      return <ErrorNotice error={state.error} />;
    case 'done': {
      const { answer, request } = state;
      const { scrape, error, elapsedMs } = answer;
      if (scrape === null) {
        return (
          error && (
            <Refusal error={error} wrong={wrong} limit={concurrency} onShow={onShow} onRetry={onRetry} />
          )
        );
      }
      const retain = valueAt(request, ['router', 'retain']);
      return (
        <>
          <div className={classes.head}>
            <h2 className={classes.title}>Result</h2>
            <span className={classes.status} data-good={error === null || undefined}>
              HTTP {error?.status ?? 200}
            </span>
            <span className={classes.elapsed}>in {formatDuration(Math.round(elapsedMs))}</span>
            {scrape.id !== null && (
              <ButtonLink
                to="/history/$id"
                params={{ id: scrape.id }}
                variant="default"
                size="xs"
                ml="auto"
                rightSection={<IconArrowRight size={14} />}
              >
                Open the record
              </ButtonLink>
            )}
          </div>
          <ScrapeResult
            scrape={scrape}
            stored={scrape.id !== null && (retain ?? 'full') === 'full'}
            request={request}
            retain={typeof retain === 'string' ? retain : undefined}
          />
        </>
      );
    }
  }
}
