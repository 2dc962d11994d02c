import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type SiteListItem, sitesQuery } from '../../api/sites.ts';
import { OTHER_HOSTS } from '../../api/stats.ts';
import { DataTable, SkeletonRows } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { DATE_LOCALE, formatCost, formatDuration, formatNumber, formatShare } from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { IconGlobe } from '../../ui/icons.tsx';
import { EmptyState, ErrorNotice, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { RouteName } from '../../ui/route-name.tsx';
import { TextLink } from '../../ui/text.tsx';
import { protectionText } from './protection-text.ts';
import classes from './sites.module.css';

const monthStart = new Intl.DateTimeFormat(DATE_LOCALE, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** The sites scraped this month and last month. @param text a part of the host */
export function SiteTable({ text }: { readonly text: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    sitesQuery(text),
  );
  const sites = data?.pages.flatMap(({ items }) => items) ?? null;
  const unit = data?.pages[0]?.cost_unit ?? '';
  return (
    <>
      {data !== undefined && <ErrorNotice error={error} title={t`This list is out of date`} />}
      <p className={classes.period}>
        {data === undefined
          ? t`This month and last month, the most scraped sites first.`
          : t`Since ${monthStart.format(new Date(data.pages[0]!.from))} (UTC), the most scraped sites first.`}
      </p>
      <Panel flush>
        {error !== null && sites === null ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : sites?.length === 0 ? (
          <NoSites text={text} />
        ) : (
          <DataTable
            caption={t`Sites scraped this month and last month, the most scraped first`}
            busy={sites === null}
            head={
              <>
                <th scope="col">
                  <Trans>Site</Trans>
                </th>
                <th scope="col" data-wide>
                  <Trans>Method</Trans>
                </th>
                <th scope="col" data-numeric>
                  <Trans>OK</Trans>
                </th>
                <th scope="col" data-numeric data-wide>
                  <Trans>Blocked, 24 h</Trans>
                </th>
                <th scope="col" data-numeric data-wide>
                  <Trans>Median</Trans>
                </th>
                <th scope="col" data-numeric>
                  <Trans>Cost</Trans>
                </th>
                <th scope="col" data-wide>
                  <Trans>Last change</Trans>
                </th>
              </>
            }
          >
            {sites === null ? (
              <SkeletonRows columns={7} />
            ) : (
              sites.map((site) => <SiteRow key={site.host} site={site} unit={unit} />)
            )}
          </DataTable>
        )}
        {hasNextPage && (
          <div className={classes.more}>
            <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              <Trans>Show more sites</Trans>
            </Button>
          </div>
        )}
      </Panel>
    </>
  );
}

function NoSites({ text }: { readonly text: string }) {
  if (text !== '') {
    return (
      <EmptyState icon={IconGlobe} title={t`No such site`}>
        <Trans>
          No host that was scraped this month or last month contains “{text}”. Press Enter to look it up all
          the same.
        </Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconGlobe} title={t`No sites yet`}>
      <Trans>
        Each site that you scrape appears here, with its success, its cost, and the method that works.
      </Trans>
    </EmptyState>
  );
}

interface SiteRowProps {
  readonly site: SiteListItem;
  readonly unit: string;
}

function SiteRow({ site, unit }: SiteRowProps) {
  const { host, method, scrapes, ok_share, blocked_trend, median_ms, cost, pace, last_seen_at } = site;
  return (
    <tr>
      <td className={classes.site}>
        {host === OTHER_HOSTS ? (
          t`All other hosts`
        ) : (
          <TextLink to="/sites" search={{ host }} title={host} size="sm">
            {hostText(host)}
          </TextLink>
        )}{' '}
        {pace !== null && <PacePill pace={pace} />}
        <small>
          <DateTime at={last_seen_at} as="relative" />
        </small>
      </td>
      <td data-wide>
        {method === null ? '–' : <RouteName scraper={method.scraper} proxyType={method.proxy_type} />}
      </td>
      <td data-numeric className={classes.figure}>
        {formatShare(ok_share, 1)}
        <small>{plural(scrapes, { one: '# scrape', other: '# scrapes' })}</small>
      </td>
      <td data-numeric data-wide className={classes.figure}>
        <BlockedTrend trend={blocked_trend} />
      </td>
      <td data-numeric data-wide>
        {formatDuration(median_ms)}
      </td>
      <td data-numeric className={classes.figure}>
        <SiteCost cost={cost} unit={unit} unpriced={site.unpriced} />
      </td>
      <td data-wide>
        <LastChange change={site.last_change} />
      </td>
    </tr>
  );
}

/** When the protection of the site changed, and what it demands since then. */
function LastChange({ change }: { readonly change: SiteListItem['last_change'] }) {
  if (change === null) return '–';
  return (
    <span
      className={classes.change}
      title={t`${change.pattern}: before, it ${protectionText(change.before)}`}
    >
      <DateTime at={change.at} as="relative" />
      <small>
        <Trans>Now it {protectionText(change.after)}</Trans>
      </small>
    </span>
  );
}

function PacePill({ pace }: { readonly pace: NonNullable<SiteListItem['pace']> }) {
  const rate = t`at most ${formatNumber(Number(pace.per_second.toPrecision(2)))} attempts per second`;
  return (
    <Pill
      tone="amber"
      title={
        pace.pause_s > 0
          ? t`The site asked for a pause. It ends in ${formatDuration(pace.pause_s * 1000)}; then ${rate}.`
          : t`The site asked for fewer requests: ${rate}.`
      }
    >
      {pace.pause_s > 0 ? t`paused` : t`slowed down`}
    </Pill>
  );
}

/** The share of blocked scrapes of the last day, with that of the week before. */
function BlockedTrend({ trend }: { readonly trend: SiteListItem['blocked_trend'] }) {
  const { last_day: lastDay, week_before: weekBefore } = trend;
  return (
    <>
      {lastDay === null ? '–' : formatShare(lastDay, 1)}
      {weekBefore !== null && (
        <small>
          <Trans>7 days before that: {formatShare(weekBefore, 1)}</Trans>
        </small>
      )}
    </>
  );
}

interface SiteCostProps {
  readonly cost: number | null;
  readonly unit: string;
  readonly unpriced: number;
}

/** A cost, and how many attempts are missing in it. */
export function SiteCost({ cost, unit, unpriced }: SiteCostProps) {
  if (cost === null)
    return (
      <>
        {unpriced > 0 ? (
          <small>
            <Trans>no price</Trans>
          </small>
        ) : (
          '–'
        )}
      </>
    );
  return (
    <>
      {formatCost(cost, unit)}
      {unpriced > 0 && (
        <small>
          <Trans>
            <Plural value={unpriced} one="# attempt without a price" other="# attempts without a price" />
          </Trans>
        </small>
      )}
    </>
  );
}
