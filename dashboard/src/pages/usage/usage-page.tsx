import { t } from '@lingui/core/macro';
import { Box, CloseButton, Group, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import {
  USAGE_WINDOWS,
  type Usage,
  type UsageQuery,
  type UsageWindow,
  usageExportHref,
  usageQuery,
} from '../../api/usage.ts';
import { ExportMenu } from '../../ui/export-menu.tsx';
import figures from '../../ui/figure.module.css';
import { IconChevronDown } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorNotice, ErrorState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { BudgetsPanel } from './budgets-panel.tsx';
import classes from './usage.module.css';
import { UsageChart } from './usage-chart.tsx';
import { UsageFigures } from './usage-figures.tsx';
import { UsageTable } from './usage-table.tsx';
import { WINDOW_LABELS, windowText } from './usage-texts.ts';

const usageRoute = getRouteApi('/signed-in/usage');

export function UsagePage() {
  const { window = '30d', by = 'key', show: _, ...rest } = usageRoute.useSearch();
  const query: UsageQuery = { window, by, ...rest };
  const { data: usage, error, refetch, isPlaceholderData } = useQuery(usageQuery(query));
  return (
    <>
      <PageHeader
        title={t`Usage`}
        description={t`Spend and volume in ${windowText(window)}, compared with the time before.`}
        actions={<UsageControls query={query} />}
      />
      <ActiveFilters query={query} usage={usage} />
      {usage === undefined ? (
        error === null ? (
          <PageSkeleton />
        ) : (
          <Panel>
            <ErrorState error={error} onRetry={() => void refetch()} />
          </Panel>
        )
      ) : (
        <div
          className={figures.page}
          aria-busy={isPlaceholderData}
          data-busy={isPlaceholderData || undefined}
        >
          {error !== null && (
            <Box>
              <ErrorNotice error={error} />
            </Box>
          )}
          <UsageFigures usage={usage} window={window} />
          <UsageChart usage={usage} query={query} />
          <UsageTable usage={usage} query={query} />
          <BudgetsPanel budgets={usage.budgets} unit={usage.cost_unit} />
        </div>
      )}
    </>
  );
}

function UsageControls({ query }: { readonly query: UsageQuery }) {
  const navigate = usageRoute.useNavigate();
  return (
    <Group gap={8}>
      <SegmentedControl
        aria-label={t`Window`}
        value={query.window}
        data={USAGE_WINDOWS.map((value) => ({ value, label: WINDOW_LABELS[value] }))}
        onChange={(value) =>
          void navigate({ search: (old) => ({ ...old, window: value as UsageWindow }), replace: true })
        }
      />
      <ExportMenu
        label={t`Export`}
        size="xs"
        rightSection={<IconChevronDown size={14} />}
        files={() => [
          [t`CSV, for spreadsheets`, usageExportHref(query, 'csv')],
          [t`JSON Lines, for programs`, usageExportHref(query, 'jsonl')],
        ]}
      />
    </Group>
  );
}

const FILTERS = [
  ['key_id', t`Key`],
  ['host', t`Host`],
  ['scraper', t`Scraper`],
  ['proxy_type', t`Proxy`],
  ['user_id', t`User`],
] as const;

/** The filters of the figures; each can be removed. */
function ActiveFilters({ query, usage }: { readonly query: UsageQuery; readonly usage: Usage | undefined }) {
  const navigate = usageRoute.useNavigate();
  const active = FILTERS.filter(([name]) => query[name] !== undefined);
  if (active.length === 0) return null;
  return (
    <ul className={classes.filters} aria-label={t`Filters`}>
      {active.map(([name, label]) => {
        // If the figures are split by what they are filtered by, they have its label.
        const text = usage?.items.find((item) => item.name === query[name])?.label ?? query[name];
        return (
          <li key={name}>
            {label} <b>{text}</b>
            <CloseButton
              size="xs"
              aria-label={t`Remove the filter ${label}`}
              onClick={() => void navigate({ search: (old) => ({ ...old, [name]: undefined }) })}
            />
          </li>
        );
      })}
    </ul>
  );
}
