import { t } from '@lingui/core/macro';
import { Box, Group, NativeSelect, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Suspense } from 'react';
import { attentionQuery, FEW } from '../../api/attention.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { useUser } from '../../api/session.ts';
import {
  defaultWindowQuery,
  hasRecordsQuery,
  type Stats,
  type StatsWindow,
  statsQuery,
} from '../../api/stats.ts';
import { readinessQuery } from '../../api/system.ts';
import { type Usage, type UsageWindow, usageQuery } from '../../api/usage.ts';
import { lazyComponent } from '../../app/lazy.ts';
import figures from '../../ui/figure.module.css';
import { IconAlert } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { OutcomePatterns } from './charts/outcome-marks.tsx';
import { LATENCY_HEIGHT, OUTCOMES_HEIGHT } from './charts/plot.tsx';
import type { HistoryFilter } from './charts/step-details.tsx';
import { TimeCharts } from './charts/time-charts.tsx';
import { FirstRun, GettingStarted } from './first-run.tsx';
import { KeyFigures } from './key-figures.tsx';
import classes from './overview.module.css';
import { type StatsScope, useStatsScope, WINDOW_CHOICES, windowText } from './stats-scope.ts';
import { FrequentErrors, TopHosts } from './top-lists.tsx';

const overviewRoute = getRouteApi('/signed-in/');

const NeedsAttention = lazyComponent(() => import('./needs-attention.tsx'), 'NeedsAttention');

export function OverviewPage() {
  const { window: chosen } = overviewRoute.useSearch();
  const scope = useStatsScope();
  const defaultWindow = useQuery(defaultWindowQuery(scope.userId));
  const window = chosen ?? defaultWindow.data ?? '24h';
  const isWindowPending = chosen === undefined && defaultWindow.isPending;
  const statsResult = useQuery({ ...statsQuery(window, scope.userId), enabled: !isWindowPending });
  const { data: stats, refetch, isPlaceholderData } = statsResult;
  // All windows of the overview are windows of usage, too.
  const usageWindow = window as UsageWindow;
  const usageResult = useQuery({
    ...usageQuery({ window: usageWindow, by: 'day', user_id: scope.userId }),
    enabled: !isWindowPending,
  });
  const usage = usageResult.data;
  const attention = useQuery(attentionQuery(FEW));
  const error = statsResult.error ?? (isWindowPending ? defaultWindow.error : null) ?? attention.error;
  const isEmpty = stats !== undefined && stats.totals.scrapes === 0;
  const hasRecords = useQuery({ ...hasRecordsQuery(scope.userId), enabled: isEmpty });
  const firstRun = isEmpty && hasRecords.data === false && scope.other === null;
  const notices = (
    <>
      {/* Its code is only loaded if something is wrong. */}
      {(attention.data?.total ?? 0) > 0 && (
        <Suspense>
          <NeedsAttention />
        </Suspense>
      )}
      <BrowserNotice />
    </>
  );
  if (firstRun && stats.in_flight.now === 0) return <FirstRun notice={notices} />;

  const header = (
    <PageHeader
      title={t`Overview`}
      description={
        scope.other === null
          ? t`Scrapes in ${windowText(window)}, updated live.`
          : t`Scrapes of ${scope.other} in ${windowText(window)}, updated live.`
      }
      actions={<OverviewControls scope={scope} window={window} />}
    />
  );
  if (stats === undefined || usageResult.isLoading || attention.isLoading) {
    return (
      <>
        {header}
        {error === null ? (
          <OverviewSkeleton />
        ) : (
          <Panel>
            <ErrorState error={error} onRetry={() => void refetch()} />
          </Panel>
        )}
      </>
    );
  }
  if (isEmpty && hasRecords.isPending) {
    return (
      <>
        {header}
        <OverviewSkeleton />
      </>
    );
  }
  return (
    <>
      {header}
      {error !== null && (
        <Box mb="md">
          <ErrorNotice error={error} />
        </Box>
      )}
      {notices}
      {/* The window is an hour by default while all scrapes are from the last hour: the user is new. */}
      {defaultWindow.data === '1h' && <GettingStarted scrapes={stats.totals.scrapes} />}
      <OverviewFigures
        stats={chosen === undefined ? sinceFirstScrape(stats, usage) : stats}
        usage={usage}
        scope={scope}
        busy={isPlaceholderData}
      />
    </>
  );
}

interface OverviewControlsProps {
  readonly scope: StatsScope;
  readonly window: StatsWindow;
}

/** Selects the time window and, for administrators, the user. Both are stored in the URL. */
function OverviewControls({ scope, window }: OverviewControlsProps) {
  const navigate = overviewRoute.useNavigate();
  return (
    <Group gap={8}>
      {scope.users !== null && <UserSelect users={scope.users} />}
      <SegmentedControl
        aria-label={t`Window`}
        value={window}
        data={WINDOW_CHOICES.map(({ value, label }) => ({ value, label }))}
        onChange={(value) =>
          void navigate({ search: (old) => ({ ...old, window: value as StatsWindow }), replace: true })
        }
      />
    </Group>
  );
}

function UserSelect({ users }: { readonly users: NonNullable<StatsScope['users']> }) {
  const me = useUser();
  const { user_id: chosen = '' } = overviewRoute.useSearch();
  const navigate = overviewRoute.useNavigate();
  const others = users.filter(({ id }) => id !== me.id);
  const isKnown = chosen === '' || users.some(({ id }) => id === chosen);
  return (
    <NativeSelect
      aria-label={t`Whose scrapes`}
      size="xs"
      className={classes.users}
      value={chosen}
      onChange={({ currentTarget: { value } }) =>
        void navigate({ search: (old) => ({ ...old, user_id: value || undefined }), replace: true })
      }
    >
      <option value="">{t`All users`}</option>
      <option value={me.id}>{t`Only mine`}</option>
      {!isKnown && <option value={chosen}>{t`Unknown user`}</option>}
      {others.length > 0 && (
        <optgroup label={t`One user`}>
          {others.map(({ id, email }) => (
            <option key={id} value={id}>
              {email}
            </option>
          ))}
        </optgroup>
      )}
    </NativeSelect>
  );
}

/** Fewer steps would be bars as wide as columns of a table. */
const MIN_STEPS = 12;

/**
 * Leaves out the steps before anything was counted, so that a new installation does not show one bar at the edge of an empty
 * chart.
 */
function sinceFirstScrape(stats: Stats, usage: Usage | undefined): Stats {
  const first = stats.series.findIndex(({ scrapes }) => scrapes > 0);
  const countedFrom = usage?.counted_from ?? null;
  if (first === -1 || countedFrom === null || countedFrom < stats.from) return stats;
  const from = Math.max(0, Math.min(first - 1, stats.series.length - MIN_STEPS));
  const series = stats.series.slice(from);
  return { ...stats, series, from: series[0]!.at };
}

interface OverviewFiguresProps {
  readonly stats: Stats;
  readonly usage: Usage | undefined;
  readonly scope: StatsScope;
  /** Other figures are being loaded. */
  readonly busy: boolean;
}

/** All statistics, from totals to details. Each detail links to its scrapes. */
function OverviewFigures({ stats, usage, scope, busy }: OverviewFiguresProps) {
  const filter: HistoryFilter = { from: stats.from, to: stats.to, user_id: scope.userId };
  return (
    <div className={figures.page} aria-busy={busy} data-busy={busy || undefined}>
      <OutcomePatterns />
      <KeyFigures stats={stats} usage={usage} ownLimit={scope.ownLimit} />
      <TimeCharts stats={stats} filter={filter} />
      <div className={classes.pair}>
        <TopHosts hosts={stats.hosts} filter={filter} />
        <FrequentErrors errors={stats.errors} scrapes={stats.totals.scrapes} filter={filter} />
      </div>
    </div>
  );
}

/** Widths of the bars in the placeholder, in percent. */
const BAR_WIDTHS = [82, 64, 51, 38, 30];

/** A placeholder of the page. Each part has its final height. */
function OverviewSkeleton() {
  return (
    <div className={figures.page} role="status" aria-label={t`Loading the figures`}>
      <div className={figures.grid}>
        {[t`In flight`, t`Scrapes`, t`Latency`, t`Content`].map((name) => (
          <div key={name} className={figures.card}>
            <span className={figures.label}>{name}</span>
            <Skeleton height={24} width="55%" my={7} />
            <Skeleton height={12} width="75%" mt={14} />
          </div>
        ))}
      </div>
      <Panel title={t`Outcomes over time`}>
        <Skeleton height={16} width="50%" mb={19} />
        <Skeleton height={OUTCOMES_HEIGHT} className={classes.faint} />
      </Panel>
      <Panel title={t`Latency over time`}>
        <Skeleton height={16} width="30%" mb={19} />
        <Skeleton height={LATENCY_HEIGHT} className={classes.faint} />
      </Panel>
      <div className={classes.pair}>
        {[t`Top hosts`, t`Errors`].map((name) => (
          <Panel key={name} title={name}>
            {BAR_WIDTHS.map((width) => (
              <Skeleton key={width} height={14} width={`${width}%`} my={18} />
            ))}
          </Panel>
        ))}
      </div>
    </div>
  );
}

/** Shows why browsers are unavailable or less safe. Renders nothing if they are fine. */
function BrowserNotice() {
  const { data: readiness } = useQuery(readinessQuery);
  const state = readiness?.browser.state;
  // The list is long, so it is only fetched if it contains the reason.
  const { data: scrapers } = useQuery({ ...scrapersQuery, enabled: state === 'unavailable' });
  const browser = scrapers?.items.find(({ name }) => name === 'browser');
  const notices: (readonly [title: string, text: string])[] = [];
  if (state === 'unavailable' && browser?.available === false) {
    const reason = browser.reason ?? t`none was found`;
    notices.push([t`No browser is available`, t`${sentence(reason)} Scrapes over HTTP work.`]);
  } else if (state === 'down') {
    notices.push([
      t`The browser does not start`,
      t`It is installed, but scrapes that need it fail; see the log of the service. Scrapes over HTTP work.`,
    ]);
  }
  if (readiness?.browser.sandbox === 'off') {
    notices.push([
      t`Browsers run without their sandbox`,
      t`SLUICE_BROWSER_SANDBOX is off: a page that breaks a browser has the rights of its user on this machine.`,
    ]);
  }
  if (notices.length === 0) return null;
  return (
    <div className={classes.notices}>
      {notices.map(([title, text]) => (
        <Notice key={title} tone="amber" icon={IconAlert} title={title}>
          <p>{text}</p>
        </Notice>
      ))}
    </div>
  );
}

/** Turns a reason from the service into a full sentence. */
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
