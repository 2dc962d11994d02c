import { useQuery } from '@tanstack/react-query';
import { errorsTableQuery } from '../api/scrapes.ts';
import { IconAlert, IconInfo } from '../ui/icons.tsx';
import { Panel } from '../ui/panel.tsx';
import { MarkedText } from './marked-text.tsx';
import type { Trouble } from './scrape-shape.ts';
import { TroubleDetails } from './trouble-details.tsx';
import classes from './troubles-panel.module.css';

interface TroublesPanelProps {
  readonly title: string;
  readonly troubles: readonly Trouble[];
  /** A message that the page tells already, above. */
  readonly said?: string | undefined;
}

/** Errors or warnings, and what to do about each. Nothing when there are none. */
export function TroublesPanel({ title, troubles, said }: TroublesPanelProps) {
  const { data } = useQuery({ ...errorsTableQuery, enabled: troubles.length > 0 });
  if (troubles.length === 0) return null;
  const helpOf = (code: string) =>
    data?.errors.find((one) => one.code === code)?.help ??
    data?.warnings.find((one) => one.code === code)?.help;
  return (
    <Panel title={title}>
      <ul className={classes.list}>
        {troubles.map((trouble, at) => (
          <TroubleItem
            // biome-ignore lint/suspicious/noArrayIndexKey: the same may have happened twice
            key={at}
            trouble={trouble}
            help={helpOf(trouble.code)}
            said={trouble.message === said}
          />
        ))}
      </ul>
    </Panel>
  );
}

interface TroubleItemProps {
  readonly trouble: Trouble;
  readonly help: string | undefined;
  readonly said: boolean;
}

function TroubleItem({ trouble, help, said }: TroubleItemProps) {
  const { level, code, message, attempt, pointer, retryable, details } = trouble;
  const Mark = level === 'error' ? IconAlert : IconInfo;
  const notes = [
    attempt === undefined ? null : `in attempt ${attempt}`,
    pointer === undefined ? null : `at ${pointer}`,
    retryable ? 'retrying may succeed' : null,
  ].filter((note) => note !== null);
  return (
    <li data-level={level}>
      <Mark size={18} className={classes.mark} />
      <div className={classes.body}>
        {!said && (
          <p className={classes.message}>
            <MarkedText text={message} />
          </p>
        )}
        {help !== undefined && help !== message && (
          <p className={classes.help}>
            {level === 'error' && <b>What to do: </b>}
            <MarkedText text={help} />
          </p>
        )}
        {details !== undefined && <TroubleDetails details={details} />}
        <p className={classes.notes}>
          <code className="mono">{code}</code>
          {notes.map((note) => (
            <span key={note}> · {note}</span>
          ))}
        </p>
      </div>
    </li>
  );
}
