import { formatDuration } from '../../ui/format.ts';
import { IconArrowRight, IconCircleCheck, IconCircleX } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { ActionOutcome } from './action-outcome.tsx';
import type { ActionStep } from './action-step.ts';
import classes from './actions-panel.module.css';

const STATES = {
  ok: { tone: 'green', icon: IconCircleCheck, word: 'done' },
  failed: { tone: 'red', icon: IconCircleX, word: 'failed' },
  skipped: { tone: 'slate', icon: IconArrowRight, word: 'skipped' },
} as const;

export function ActionItem({ step }: { readonly step: ActionStep }) {
  const { tone, icon, word } = STATES[step.status];
  return (
    <li data-status={step.status} data-nested={step.nested || undefined}>
      <div className={classes.head}>
        <span className={classes.place} title={`page_actions[${step.index}]`}>
          {step.index}
        </span>
        <span className={classes.what}>
          <b className="mono">{step.type}</b>
          {step.on !== null && (
            <span className={classes.on} dir="ltr">
              {step.on}
            </span>
          )}
          {step.id !== null && <small dir="ltr">{step.id}</small>}
        </span>
        <span className={classes.state}>
          <Pill tone={tone} icon={icon}>
            {word}
          </Pill>
          <span className={classes.took}>
            {step.status === 'skipped' ? '' : formatDuration(step.duration_ms)}
          </span>
        </span>
      </div>
      {step.error !== undefined && (
        <p className={classes.error}>
          {step.error.message} <code className="mono">{step.error.code}</code>
        </p>
      )}
      {step.result !== undefined && (
        <div className={classes.outcome}>
          <ActionOutcome step={step} />
        </div>
      )}
    </li>
  );
}
