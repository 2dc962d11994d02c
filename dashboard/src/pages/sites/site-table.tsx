import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { VisuallyHidden } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type SiteListItem, sitesQuery } from '../../api/sites.ts';
import { OTHER_HOSTS } from '../../api/stats.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import {
  DATE_LOCALE,
  formatCost,
  formatCount,
  formatDuration,
  formatNumber,
  formatShare,
} from '../../ui/format.ts';
import { hostText } from '../../ui/host-text.ts';
import { IconGlobe } from '../../ui/icons.tsx';
import { EmptyState, ErrorNotice } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
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

/** The orders of the list. */
export const SITE_ORDERS = {
  host: t`By name`,
  ok_share: t`Lowest share of OK first`,
  blocked: t`Most blocked first`,
  cost: t`Most expensive first`,
  last_seen: t`Last scraped first`,
};

interface SiteTableProps {
  /** A part of the host. */
  readonly text: string;
  readonly sort: keyof typeof SITE_ORDERS | undefined;
}

/** The sites scraped this month and last month. */
export function SiteTable({ text, sort }: SiteTableProps) {
  const query = useInfiniteQuery(sitesQuery(text, sort));
  const { data, error } = query;
  const unit = data?.pages[0]?.cost_unit ?? '';
  return (
    <>
      {data !== undefined && <ErrorNotice error={error} title={t`This list is out of date`} />}
      <p className={classes.period}>
        {data === undefined
          ? t`Scrapes of this month and last month.`
          : t`Scrapes since ${monthStart.format(new Date(data.pages[0]!.from))} (UTC).`}
      </p>
      <Panel flush>
        <PagedList query={query} empty={<NoSites text={text} />} more={t`Show more sites`}>
          {(sites) => (
            <DataTable
              caption={t`Sites scraped this month and last month`}
              oneLine
              columns={[
                {
                  label: t`Site`,
                  lead: true,
                  className: classes.site,
                  cell: (site) => <SiteName site={site} />,
                },
                {
                  label: t`Scrapes`,
                  wide: true,
                  numeric: true,
                  cell: ({ scrapes }) => formatCount(scrapes),
                },
                {
                  label: t`OK`,
                  numeric: true,
                  className: classes.figure,
                  cell: ({ ok_share, scrapes }) => (
                    <>
                      {formatShare(ok_share, 1)}
                      <small data-narrow>{plural(scrapes, { one: '# scrape', other: '# scrapes' })}</small>
                    </>
                  ),
                },
                {
                  label: t`Blocked, 24 h`,
                  wide: true,
                  numeric: true,
                  className: classes.figure,
                  cell: ({ blocked_trend }) => <BlockedTrend trend={blocked_trend} />,
                },
                {
                  label: t`Median`,
                  wide: true,
                  numeric: true,
                  cell: ({ median_ms }) => formatDuration(median_ms),
                },
                {
                  label: t`Cost`,
                  numeric: true,
                  className: classes.figure,
                  cell: ({ cost, unpriced }) => (
                    <SiteCost cost={cost} unit={unit} unpriced={unpriced} isShort />
                  ),
                },
                {
                  label: t`Method`,
                  wide: true,
                  className: classes.way,
                  cell: ({ method }) =>
                    method === null ? (
                      '–'
                    ) : (
                      <span title={`${method.scraper} · ${method.proxy_type}`}>
                        <RouteName scraper={method.scraper} proxyType={method.proxy_type} />
                      </span>
                    ),
                },
                {
                  label: t`Last scrape`,
                  wide: true,
                  cell: ({ last_seen_at }) => <DateTime at={last_seen_at} as="relative" />,
                },
                {
                  label: t`Last change`,
                  title: t`Of the protection`,
                  wide: true,
                  cell: ({ last_change }) => <LastChange change={last_change} />,
                },
              ]}
              rows={sites}
              rowKey={({ host }) => host}
            />
          )}
        </PagedList>
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

function SiteName({ site: { host, pace, last_seen_at } }: { readonly site: SiteListItem }) {
  return (
    <>
      {host === OTHER_HOSTS ? (
        t`All other hosts`
      ) : (
        <TextLink to="/sites" search={{ host }} title={host} size="sm">
          {hostText(host)}
        </TextLink>
      )}{' '}
      {pace !== null && <PacePill pace={pace} />}
      <small data-narrow>
        <DateTime at={last_seen_at} as="relative" />
      </small>
    </>
  );
}

/** When the protection of the site changed; a tooltip says how. */
function LastChange({ change }: { readonly change: SiteListItem['last_change'] }) {
  if (change === null) return '–';
  const before = protectionText(change.before);
  const after = protectionText(change.after);
  return (
    <span title={t`${change.pattern}: now it ${after}; before, it ${before}`}>
      <DateTime at={change.at} as="relative" />
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

/** The share of blocked scrapes of the last day; a tooltip has that of the week before. */
function BlockedTrend({ trend }: { readonly trend: SiteListItem['blocked_trend'] }) {
  const { last_day: lastDay, week_before: weekBefore } = trend;
  return (
    <span title={weekBefore === null ? undefined : t`7 days before that: ${formatShare(weekBefore, 1)}`}>
      {lastDay === null ? '–' : <BlockedShare share={lastDay} />}
    </span>
  );
}

/** Shares of blocked scrapes from which a site needs attention. */
const [MANY, MOST] = [0.2, 0.5];

function BlockedShare({ share }: { readonly share: number }) {
  const text = formatShare(share, 1);
  if (share < MANY) return text;
  return <Pill tone={share < MOST ? 'amber' : 'red'}>{text}</Pill>;
}

interface SiteCostProps {
  readonly cost: number | null;
  readonly unit: string;
  readonly unpriced: number;
  /** On one line: how many attempts are missing stands in a tooltip. */
  readonly isShort?: boolean;
}

/** A cost, and how many attempts are missing in it. */
export function SiteCost({ cost, unit, unpriced, isShort = false }: SiteCostProps) {
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
  if (unpriced === 0) return formatCost(cost, unit);
  const missing = plural(unpriced, {
    one: '# attempt without a price',
    other: '# attempts without a price',
  });
  if (isShort)
    return (
      <span title={missing}>
        {`≥ ${formatCost(cost, unit)}`}
        <VisuallyHidden>, {missing}</VisuallyHidden>
      </span>
    );
  return (
    <>
      {formatCost(cost, unit)}
      <small>{missing}</small>
    </>
  );
}
