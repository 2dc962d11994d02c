import { t } from '@lingui/core/macro';
import { formatDuration } from '../ui/format.ts';
import { IconArrowRight, IconCircleCheck, IconCircleX } from '../ui/icons.tsx';
import { Panel } from '../ui/panel.tsx';
import { Pill } from '../ui/pill.tsx';
import { type ActionStep, actionSteps } from './action-steps.ts';
import classes from './actions-panel.module.css';
import { JsonTree } from './json-tree.tsx';
import { sameServiceUrl } from './picture-url.ts';
import { PictureView } from './picture-view.tsx';
import { type AnyScrape, isObject, type SentRequest } from './scrape.ts';

interface ActionsPanelProps {
  readonly scrape: AnyScrape;
  readonly request: SentRequest;
}

/** The page actions, step by step. Renders nothing if none was requested. */
export function ActionsPanel({ scrape, request }: ActionsPanelProps) {
  const steps = actionSteps(scrape, request);
  if (steps.length === 0) return null;
  return (
    <Panel title={t`Actions`} description={summary(steps, scrape.router.timing?.actions ?? null)}>
      <ol className={classes.steps}>
        {steps.map((step, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: several steps may have the same index and no name
          <ActionItem key={position} step={step} />
        ))}
      </ol>
    </Panel>
  );
}

/** @param durationMs of all actions; null: not known */
function summary(steps: readonly ActionStep[], durationMs: number | null): string {
  const count = (status: ActionStep['status']) => steps.filter((step) => step.status === status).length;
  const [failed, skipped] = [count('failed'), count('skipped')];
  const counts = [
    t`${count('ok')} of ${steps.length} done`,
    ...(failed > 0 ? [t`${failed} failed`] : []),
    ...(skipped > 0 ? [t`${skipped} skipped`] : []),
  ];
  return durationMs === null
    ? t`${counts.join(', ')}. Counted from 0, as in page_actions.`
    : t`${counts.join(', ')}, in ${formatDuration(durationMs)}. Counted from 0, as in page_actions.`;
}

const ACTION_STATES = {
  ok: { tone: 'green', icon: IconCircleCheck, word: t`done` },
  failed: { tone: 'red', icon: IconCircleX, word: t`failed` },
  skipped: { tone: 'slate', icon: IconArrowRight, word: t`skipped` },
} as const;

function ActionItem({ step }: { readonly step: ActionStep }) {
  const { tone, icon, word } = ACTION_STATES[step.status];
  return (
    <li data-status={step.status} data-nested={step.nested || undefined}>
      <div className={classes.head}>
        <span className={classes.index} title={`page_actions[${step.index}]`}>
          {step.index}
        </span>
        <span className={classes.action}>
          <b className="mono">{step.type}</b>
          {step.target !== null && (
            <span className={classes.target} dir="ltr">
              {step.target}
            </span>
          )}
          {step.id !== null && <small dir="ltr">{step.id}</small>}
        </span>
        <span className={classes.state}>
          <Pill tone={tone} icon={icon}>
            {word}
          </Pill>
          <span className={classes.duration}>
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

/** The result of an action: a picture for `screenshot`, JSON for all others. */
function ActionOutcome({ step: { index, type, result } }: { readonly step: ActionStep }) {
  const label = t`the result of action ${index}`;
  // Results of other actions come from the page, which could make them look like the result of a screenshot.
  const picture = type === 'screenshot' ? pictureOf(result) : null;
  if (picture === null) return <JsonTree value={result} label={label} />;
  const { address, link, name, size } = picture;
  return (
    <PictureView
      address={address}
      alt={name == null ? t`Screenshot of action ${index}` : t`Screenshot ${name}`}
      name={name ?? `action-${index}`}
      size={size}
      link={link}
      small
    />
  );
}

function pictureOf(result: unknown) {
  if (!isObject(result) || typeof result.url !== 'string') return null;
  const address = sameServiceUrl(result.url);
  if (address === null) return null;
  const { width, height } = result;
  const size = typeof width === 'number' && typeof height === 'number' ? { width, height } : undefined;
  return { address, link: result.url, size, name: typeof result.name === 'string' ? result.name : null };
}
