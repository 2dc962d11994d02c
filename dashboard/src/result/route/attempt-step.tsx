import type { Schema } from '../../api/client.ts';
import { formatBytes, formatDuration } from '../../ui/format.ts';
import { IconCheck } from '../../ui/icons.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RouteName } from '../../ui/route-name.tsx';
import type { RouterShape } from '../scrape-shape.ts';
import { ATTEMPT_TONES } from './attempt-tone.ts';
import classes from './route.module.css';
import { verdictWords } from './verdict-words.ts';

interface AttemptStepProps {
  readonly attempt: Schema<'Attempt'>;
  readonly unit: string | undefined;
  /** Of the page that was delivered, when it is that of this attempt. */
  readonly delivered: Pick<RouterShape, 'verdict'> | null;
}

/** One attempt: what went out, what came, what was thought of it, and why it was made. */
export function AttemptStep({ attempt, unit, delivered }: AttemptStepProps) {
  const { n, scraper, proxy_type, outcome, verdict, error_code, reason } = attempt;
  const facts = [
    attempt.status_code === null ? null : `status ${attempt.status_code}`,
    formatDuration(attempt.duration_ms),
    `${formatBytes(attempt.bytes_out)} out, ${formatBytes(attempt.bytes_in)} in`,
    attempt.country === null ? null : `from ${attempt.country}`,
    attempt.cost === null ? null : `${attempt.cost} ${unit ?? ''}`.trim(),
    attempt.reused.length === 0 ? null : `reused ${attempt.reused.join(', ')}`,
  ].filter((part) => part !== null);
  return (
    <li className={classes.step} data-tone={ATTEMPT_TONES[outcome]} value={n}>
      <div className={classes.line}>
        <span className={classes.number} data-tone={ATTEMPT_TONES[outcome]} aria-hidden="true">
          {n}
        </span>
        <RouteName scraper={scraper} proxyType={proxy_type} />
        <span className={classes.pills}>
          {delivered !== null && (
            <Pill tone="blue" icon={IconCheck}>
              delivered
            </Pill>
          )}
          {/* What was returned although it was rejected is said below: both at once would contradict. */}
          {(delivered === null || outcome === 'ok') && <Pill tone={ATTEMPT_TONES[outcome]}>{outcome}</Pill>}
        </span>
      </div>
      {verdict !== null && (
        <p className={classes.came}>
          {capitalised(verdictWords(verdict))}
          {delivered?.verdict != null && ` (${Math.round(delivered.verdict.confidence * 100)} %)`}
          {delivered !== null && outcome === 'rejected' && '. Returned, because no attempt did better.'}
          {error_code !== null && <code className="mono">{error_code}</code>}
        </p>
      )}
      {delivered?.verdict != null && delivered.verdict.signals.length > 0 && (
        <ul className={classes.signals} aria-label="Signals">
          {delivered.verdict.signals.map((signal) => (
            <li key={signal} className="mono">
              {signal}
            </li>
          ))}
        </ul>
      )}
      <p className={classes.detail}>{facts.join(' · ')}</p>
      <p className={classes.detail}>Why: {reasonWords(reason)}</p>
    </li>
  );
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const reasonWords = (reason: string): string =>
  reason === 'named by the request' ? 'you chose this scraper' : reason;
