import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Monitor, monitorNoiseQuery, useChangeIgnored } from '../../api/monitors.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
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
      title={t`Changes in most runs`}
      description={t`Probably noise, such as clocks and counters. Ignored lines no longer count; the next run is then the first again.`}
    >
      <ul className={classes.list} aria-label={t`Proposals of what to ignore`}>
        {proposals.map(({ ignore, runs, of, examples }) => (
          <li key={ignore}>
            <div>
              <code className="mono">{ignore}</code>
              <small>
                <Trans>
                  In {runs} of {of} comparisons. For example: {examples.join(' · ')}
                </Trans>
              </small>
            </div>
            <Button
              variant="default"
              size="xs"
              aria-label={t`Ignore ${ignore}`}
              disabled={change.isPending}
              onClick={() =>
                change.mutate([...ignored, ignore], {
                  onSuccess: () => notifySuccess(t`The lines are ignored from now on.`),
                  onError: notifyError,
                })
              }
            >
              <Trans>Ignore</Trans>
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
    <Panel title={t`Ignored`} description={t`Does not count as a change.`}>
      <ul className={classes.list} aria-label={t`Ignored`}>
        {ignored.map((rule) => (
          <li key={rule}>
            <span>
              {IGNORED_KINDS.find(([kind]) => kind === rule)?.[1] ?? <code className="mono">{rule}</code>}
            </span>
            <ChangersOnly>
              <Button
                variant="default"
                size="xs"
                aria-label={t`Remove ${rule}`}
                disabled={change.isPending}
                onClick={() =>
                  change.mutate(
                    ignored.filter((other) => other !== rule),
                    { onSuccess: () => notifySuccess(t`It counts again.`), onError: notifyError },
                  )
                }
              >
                <Trans>Remove</Trans>
              </Button>
            </ChangersOnly>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
