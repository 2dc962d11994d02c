import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Monitor, monitorNoiseQuery, useChangeIgnored } from '../../api/monitors.ts';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { comparesLines, IGNORED_KINDS } from './monitor-values.ts';
import classes from './monitors.module.css';

export const ignoredOf = ({ compare: { ignore = [] } }: Monitor): readonly string[] => ignore;

/** Proposed rules for lines that change in most runs; a click takes one. Renders nothing if there are none. */
export function NoisePanel({ monitor }: { readonly monitor: Monitor }) {
  const { data } = useQuery(monitorNoiseQuery(monitor.id, monitor.runs));
  const change = useChangeIgnored(monitor);
  const ignored = ignoredOf(monitor);
  const proposals = data?.items.filter(({ ignore }) => !ignored.includes(ignore)) ?? [];
  if (proposals.length === 0) return null;
  return (
    <Panel
      title="Changes in most runs"
      description="Probably noise, such as clocks and counters. Ignored lines no longer count; the next run is then the first again."
    >
      <ul className={classes.list} aria-label="Proposals of what to ignore">
        {proposals.map(({ ignore, runs, of, examples }) => (
          <li key={ignore}>
            <div>
              <code className="mono">{ignore}</code>
              <small>
                In {runs} of {of} comparisons. For example: {examples.join(' · ')}
              </small>
            </div>
            <Button
              variant="default"
              size="xs"
              aria-label={`Ignore ${ignore}`}
              disabled={change.isPending}
              onClick={() =>
                change.mutate([...ignored, ignore], {
                  onSuccess: () => notifySuccess('The lines are ignored from now on.'),
                  onError: notifyError,
                })
              }
            >
              Ignore
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The rules for what does not count, which can be removed. Renders nothing if there are none. */
export function IgnoredPanel({ monitor }: { readonly monitor: Monitor }) {
  const change = useChangeIgnored(monitor);
  const ignored = ignoredOf(monitor);
  if (ignored.length === 0 || !comparesLines(monitor.compare.format ?? 'markdown')) return null;
  return (
    <Panel title="Ignored" description="Does not count as a change.">
      <ul className={classes.list} aria-label="Ignored">
        {ignored.map((rule) => (
          <li key={rule}>
            <span>
              {IGNORED_KINDS.find(([kind]) => kind === rule)?.[1] ?? <code className="mono">{rule}</code>}
            </span>
            <Button
              variant="default"
              size="xs"
              aria-label={`Remove ${rule}`}
              disabled={change.isPending}
              onClick={() =>
                change.mutate(
                  ignored.filter((other) => other !== rule),
                  { onSuccess: () => notifySuccess('It counts again.'), onError: notifyError },
                )
              }
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
