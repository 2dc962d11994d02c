import { CodeBlock } from '../../ui/code-block.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import classes from './scrape.module.css';

interface RequestPanelProps {
  /** undefined: it was not kept. */
  readonly request: Readonly<Record<string, unknown>> | undefined;
  readonly tags: readonly (readonly [name: string, value: string])[];
}

/** What was asked for. */
export function RequestPanel({ request, tags }: RequestPanelProps) {
  return (
    <Panel
      title="Request"
      description={request === undefined ? undefined : 'As it was sent, with passwords and keys masked.'}
    >
      {tags.length > 0 && (
        <ul className={classes.tags} aria-label="Tags">
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
        <p className={classes.none}>
          It was not stored: retain none stores only the time, the host and the outcome.
        </p>
      ) : (
        <CodeBlock code={JSON.stringify(request, null, 2)} label="the request as JSON" wrap />
      )}
    </Panel>
  );
}
