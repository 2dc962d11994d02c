import { formatDuration } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import type { AskedRequest } from '../asked-request.ts';
import type { ScrapeShape } from '../scrape-shape.ts';
import { ActionItem } from './action-item.tsx';
import { type ActionStep, actionSteps } from './action-step.ts';
import classes from './actions-panel.module.css';

interface ActionsPanelProps {
  readonly scrape: ScrapeShape;
  readonly request: AskedRequest;
}

/** What the browser did on the page, step by step. Nothing when no action was asked for. */
export function ActionsPanel({ scrape, request }: ActionsPanelProps) {
  const steps = actionSteps(scrape, request);
  if (steps.length === 0) return null;
  return (
    <Panel title="Actions" description={summary(steps, scrape.router.timing?.actions ?? null)}>
      <ol className={classes.steps}>
        {steps.map((step, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several may have one place and no name
          <ActionItem key={at} step={step} />
        ))}
      </ol>
    </Panel>
  );
}

/** @param took ms of all together; null: it is not known */
function summary(steps: readonly ActionStep[], took: number | null): string {
  const count = (status: ActionStep['status']) => steps.filter((step) => step.status === status).length;
  const [failed, skipped] = [count('failed'), count('skipped')];
  const parts = [
    `${count('ok')} of ${steps.length} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return `${parts.join(', ')}${took === null ? '' : `, in ${formatDuration(took)}`}. Counted from 0, as in page_actions.`;
}
