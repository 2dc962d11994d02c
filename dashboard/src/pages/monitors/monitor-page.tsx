import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import {
  type Monitor,
  type MonitorRun,
  monitorQuery,
  monitorRunsQuery,
  useChangeIgnored,
} from '../../api/monitors.ts';
import { useCanChange } from '../../api/session.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DataTable, DescriptionList } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/format.ts';
import { IconAlert, IconMonitor } from '../../ui/icons.tsx';
import { Notice, notifyError, notifySuccess } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice, ErrorState, NotFoundState, PageSkeleton } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import { useChannelNames } from '../channels/notify-fields.tsx';
import { ChangeView } from './change-view.tsx';
import { recordTime } from './dated-heading.tsx';
import type { DiffLayout, OnIgnore } from './diff-view.tsx';
import { IgnoredPanel, ignoredOf, NoisePanel } from './ignored-panels.tsx';
import { MonitorSteering } from './monitor-steering.tsx';
import { comparesLines, FORMATS, ignoringLine } from './monitor-values.ts';
import classes from './monitors.module.css';
import { MonitorPill } from './monitors-page.tsx';
import { linesText, RunPill } from './run-state.tsx';
import { PausedNotice } from './run-steering.tsx';
import { scheduleText } from './schedule.ts';

const monitorRoute = getRouteApi('/signed-in/monitors/$id');

/** A monitor with its runs, and what one of them found. */
export function MonitorPage() {
  const { id } = monitorRoute.useParams();
  const { run: chosen } = monitorRoute.useSearch();
  const { data: monitor, error, refetch } = useQuery(monitorQuery(id));
  const runs = useInfiniteQuery(monitorRunsQuery(id));
  if (error instanceof ApiError && error.status === 404)
    return <NotFoundState title={t`No such monitor`} list={{ to: '/monitors', label: t`All monitors` }} />;
  const failure = error ?? runs.error;
  if (monitor === undefined || runs.data === undefined)
    return failure === null ? (
      <PageSkeleton />
    ) : (
      <ErrorState error={failure} onRetry={() => void Promise.all([refetch(), runs.refetch()])} />
    );
  const items = runs.data.pages.flatMap((page) => page.items);
  const shown = items.find(({ n }) => n === chosen) ?? (chosen === undefined ? defaultRun(items) : undefined);
  return (
    <>
      <PageHeader
        title={monitor.name}
        back={
          <TextLink to="/monitors">
            <Trans>Monitors</Trans>
          </TextLink>
        }
        description={
          <>
            <MonitorPill monitor={monitor} />{' '}
            {monitor.next_run_at === null ? (
              scheduleText(monitor.schedule)
            ) : (
              <Trans>
                {scheduleText(monitor.schedule)}, next run <DateTime at={monitor.next_run_at} as="relative" />
              </Trans>
            )}
          </>
        }
        actions={
          <ChangersOnly>
            <MonitorSteering monitor={monitor} isRunning={items[0]?.state === 'running'} />
          </ChangersOnly>
        }
      />
      <Stack gap="md">
        <ErrorNotice error={failure} title={t`This page is out of date`} />
        <MonitorNotices monitor={monitor} />
        {shown !== undefined && <RunPanel monitor={monitor} run={shown} />}
        <ChangersOnly>
          <NoisePanel monitor={monitor} />
        </ChangersOnly>
        <RunsPanel id={id} shown={shown} />
        <IgnoredPanel monitor={monitor} />
        <MonitorDetails monitor={monitor} />
      </Stack>
    </>
  );
}

/** The latest run with a change, or else the latest that has ended. */
const defaultRun = (runs: readonly MonitorRun[]): MonitorRun | undefined =>
  runs.find(({ change }) => change !== null && change.state !== 'same' && change.state !== 'first') ??
  runs.find(({ change }) => change !== null);

function MonitorNotices({
  monitor: { state, pause_reason, errors_in_a_row },
}: {
  readonly monitor: Monitor;
}) {
  return (
    <>
      {state === 'paused' && <PausedNotice reason={pause_reason} />}
      {errors_in_a_row > 1 && (
        <Notice tone="amber" icon={IconAlert} title={t`The last ${errors_in_a_row} runs failed`}>
          <p>
            <Trans>
              They are never counted as changes. The next good run is compared with the last good one.
            </Trans>
          </p>
        </Notice>
      )}
    </>
  );
}

interface RunPanelProps {
  readonly monitor: Monitor;
  readonly run: MonitorRun;
}

function RunPanel({ monitor, run }: RunPanelProps) {
  const onIgnore = useIgnoreLine(monitor);
  const search = monitorRoute.useSearch();
  const navigate = monitorRoute.useNavigate();
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false });
  const layout: DiffLayout = search.view ?? (isNarrow === true ? 'unified' : 'split');
  const { n, change, scrape_id: scrapeId, job_id: jobId } = run;
  const lines = change === null ? null : linesText(change);
  const hasDiff = change !== null && (change.diff !== null || change.pages.some(({ diff }) => diff !== null));
  return (
    <Panel
      title={t`Run ${n}`}
      description={
        <>
          <RunPill run={run} /> {lines !== null && `${lines} · `}
          <DateTime at={run.started_at ?? run.due_at} />{' '}
          <RunLinks scrapeId={scrapeId} previousId={change?.previous_id ?? null} jobId={jobId} />
        </>
      }
      flush
    >
      {hasDiff && (
        <div className={classes.body}>
          <SegmentedControl
            aria-label={t`Layout of the difference`}
            value={layout}
            onChange={(view) =>
              void navigate({
                search: { ...search, view: view as DiffLayout },
                replace: true,
                resetScroll: false,
              })
            }
            data={[
              { value: 'split', label: t`Side by side` },
              { value: 'unified', label: t`Unified` },
            ]}
          />
        </div>
      )}
      {change === null ? (
        <p className={classes.body}>
          {run.state === 'running'
            ? t`The page is being fetched.`
            : t`Skipped, because the run before had not ended.`}
        </p>
      ) : (
        <ChangeView change={change} scrapeId={scrapeId} layout={layout} onIgnore={onIgnore} />
      )}
    </Panel>
  );
}

/** Adds a rule that ignores a line; null: the monitor does not compare lines, or the user may not change it. */
function useIgnoreLine(monitor: Monitor): OnIgnore | null {
  const change = useChangeIgnored(monitor);
  const canChange = useCanChange();
  if (!canChange || !comparesLines(monitor.compare.format ?? 'markdown')) return null;
  const ignored = ignoredOf(monitor);
  return (line) =>
    change.mutate([...new Set([...ignored, ignoringLine(line, ignored.length > 0)])], {
      onSuccess: () => notifySuccess(t`Such lines are ignored from now on. The next run is the first again.`),
      onError: notifyError,
    });
}

interface RunLinksProps {
  readonly scrapeId: string | null;
  readonly previousId: string | null;
  readonly jobId: string | null;
}

function RunLinks({ scrapeId, previousId, jobId }: RunLinksProps) {
  return (
    <>
      {scrapeId !== null && (
        <>
          {' · '}
          <TextLink to="/history/$id" params={{ id: scrapeId }} size="sm" underline="always">
            <Trans>Record</Trans>
          </TextLink>
        </>
      )}
      {previousId !== null && (
        <>
          {' · '}
          <TextLink to="/history/$id" params={{ id: previousId }} size="sm" underline="always">
            <Trans>
              Compared with <DateTime at={recordTime(previousId)} />
            </Trans>
          </TextLink>
        </>
      )}
      {scrapeId === null && jobId !== null && (
        <>
          {' · '}
          <TextLink to="/jobs/$id" params={{ id: jobId }} size="sm" underline="always">
            <Trans>Job</Trans>
          </TextLink>
        </>
      )}
    </>
  );
}

interface RunsPanelProps {
  readonly id: string;
  readonly shown: MonitorRun | undefined;
}

function RunsPanel({ id, shown }: RunsPanelProps) {
  const query = useInfiniteQuery(monitorRunsQuery(id));
  return (
    <Panel title={t`Runs`} description={t`Newest first.`} flush>
      <PagedList
        query={query}
        empty={
          <EmptyState icon={IconMonitor} title={t`No runs yet`} level={3}>
            <Trans>
              The first run fetches the page; later ones are compared with it. Wait for the schedule, or use
              “Run now”.
            </Trans>
          </EmptyState>
        }
        more={t`Show older runs`}
      >
        {(runs) => <Timeline runs={runs} shown={shown} />}
      </PagedList>
    </Panel>
  );
}

interface TimelineProps {
  /** null: loading. */
  readonly runs: readonly MonitorRun[] | null;
  readonly shown: MonitorRun | undefined;
}

function Timeline({ runs, shown }: TimelineProps) {
  const { id } = monitorRoute.useParams();
  const { view } = monitorRoute.useSearch();
  return (
    <div className={classes.timeline}>
      <DataTable
        caption={t`Runs, newest first`}
        columns={[
          {
            label: t({ message: 'Run', context: 'noun' }),
            cell: ({ n }) => (
              <TextLink
                to="/monitors/$id"
                params={{ id }}
                search={{ run: n, view }}
                size="sm"
                aria-current={n === shown?.n ? 'true' : undefined}
              >
                <Trans>Run {formatCount(n)}</Trans>
              </TextLink>
            ),
          },
          { label: t`Result`, cell: (run) => <RunPill run={run} /> },
          {
            label: t`Lines`,
            wide: true,
            numeric: true,
            cell: ({ change }) => (change !== null && linesText(change)) || '–',
          },
          {
            label: t`Time`,
            numeric: true,
            cell: ({ started_at, due_at }) => <DateTime at={started_at ?? due_at} as="relative" />,
          },
        ]}
        rows={runs}
        rowKey={({ n }) => n}
        rowProps={({ n }) => ({ 'data-selected': n === shown?.n || undefined })}
      />
    </div>
  );
}

const EVENT_TEXTS: Readonly<Record<Monitor['notify_on'][number], string>> = {
  changed: t`A change`,
  failed: t`Failures`,
  done: t`Runs without a change`,
  person_needed: t`A person is needed`,
};

function MonitorDetails({ monitor }: { readonly monitor: Monitor }) {
  const { compare, schedule, notify_on: events, webhook } = monitor;
  const channels = useChannelNames(monitor.channels);
  return (
    <Panel title={t`Details`}>
      <Stack>
        <DescriptionList
          items={[
            [
              t`Monitor ID`,
              <code key="id" className="mono">
                {monitor.id}
              </code>,
            ],
            [t`Schedule`, scheduleText(schedule)],
            schedule.cron !== undefined && [
              t`Cron`,
              <code key="cron" className="mono">
                {schedule.cron}
              </code>,
            ],
            [t`Compares`, FORMATS.find(([format]) => format === compare.format)?.[1] ?? compare.format],
            compare.selector != null && [
              t`Only this part`,
              <code key="part" className="mono">
                {compare.selector}
              </code>,
            ],
            [t`Created`, <DateTime key="created" at={monitor.created_at} />],
            [t`Last change`, <DateTime key="changed" at={monitor.changed_at} fallback={t`None yet`} />],
            [t`Runs so far`, formatCount(monitor.runs)],
            [t`Runs kept`, formatCount(monitor.keep)],
            [
              t`Tells of`,
              events.length === 0 ? t`Nothing` : events.map((event) => EVENT_TEXTS[event]).join(', '),
            ],
            [t`Channels`, channels.length === 0 ? t`None: only here` : channels.join(', ')],
            webhook !== null && [
              t`Webhook`,
              <span key="webhook">
                <code className="mono">{webhook.url}</code> ({(webhook.events ?? []).join(', ')})
              </span>,
            ],
          ]}
        />
        <CodeBlock label={t`request`} code={JSON.stringify(monitor.request, null, 2)} wrap />
      </Stack>
    </Panel>
  );
}
