import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Site, type SiteBill, siteBillQuery } from '../../api/sites.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DATE_LOCALE, formatCost, formatCount, formatShare } from '../../ui/format.ts';
import { IconInfo } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RouteName } from '../../ui/route-name.tsx';
import { PinMethod } from './pin-panel.tsx';
import { SiteCost } from './site-table.tsx';
import classes from './sites.module.css';

type BillSum = SiteBill['total'];
type BillWay = BillSum['ways'][number];

interface CostPanelProps {
  readonly host: string;
  /** As it is pinned: with its port. */
  readonly site: string;
  readonly pinned: Site['pinned'];
  /** null: the user may not. */
  readonly onCompare: (() => void) | null;
}

/** What a site has cost in the last twelve months, and what would have been saved. Renders nothing if it was not scraped. */
export function CostPanel({ host, site, pinned, onCompare }: CostPanelProps) {
  const { data: bill, error } = useQuery(siteBillQuery(host));
  if (bill === undefined)
    return <ErrorNotice error={error} title={t`The cost of this site cannot be shown`} />;
  if (bill === null) return null;
  const { total, cost_unit: unit } = bill;
  const scrapes = t`${plural(total.scrapes, { one: '# scrape', other: '# scrapes' })}, ${formatShare(total.ok, total.scrapes)} OK`;
  return (
    <Panel
      title={t`Cost`}
      description={
        total.cost === null
          ? t`The last twelve months: ${scrapes}`
          : t`The last twelve months: ${scrapes}, ${formatCost(total.cost, unit)}`
      }
      flush
    >
      <Saving saving={bill.saving} unit={unit}>
        {bill.saving.way !== null && <PinMethod host={site} method={bill.saving.way} pinned={pinned} />}
        {bill.saving.way === null && onCompare !== null && (
          <Button size="xs" variant="default" onClick={onCompare}>
            <Trans>Compare methods</Trans>
          </Button>
        )}
      </Saving>
      <PagePrices bill={bill} />
      <BillTable bill={bill} />
    </Panel>
  );
}

/** What a page costs by each method, failed attempts included. */
function PagePrices({ bill: { total, cost_unit: unit } }: { readonly bill: SiteBill }) {
  const prices = total.ways.flatMap((way) => {
    const { scraper, proxy_type, ok, attempts } = way;
    const price = attemptPrice(way);
    if (scraper === null || proxy_type === null || price === null || ok === 0) return [];
    return [{ scraper, proxy_type, ok, attempts, price: (price * attempts) / ok }];
  });
  if (prices.length === 0) return null;
  const pages = sumOf(prices.map(({ ok }) => ok));
  const average = sumOf(prices.map(({ ok, price }) => ok * price)) / pages;
  return (
    <DataTable
      caption={t`Cost of a page by method`}
      columns={[
        {
          label: t`Method`,
          cell: ({ scraper, proxy_type }) => <RouteName scraper={scraper} proxyType={proxy_type} />,
        },
        {
          label: t`Cost of a page`,
          title: t`Failed attempts included`,
          numeric: true,
          cell: ({ price }) => formatCost(price, unit),
        },
        {
          label: t`Measured on`,
          numeric: true,
          className: classes.figure,
          cell: ({ ok, attempts }) => (
            <>
              {plural(ok, { one: '# page', other: '# pages' })}
              <small>{plural(attempts, { one: '# attempt', other: '# attempts' })}</small>
            </>
          ),
        },
        prices.length > 1 && {
          label: t`1,000 pages, against the average`,
          numeric: true,
          wide: true,
          headClassName: classes.method,
          cell: ({ price }) => {
            const difference = 1_000 * (price - average);
            const amount = formatCost(Math.abs(difference), unit);
            return difference < 0 ? t`saves ${amount}` : t`costs ${amount} more`;
          },
        },
      ]}
      rows={prices.toSorted((a, b) => a.price - b.price)}
      rowKey={({ scraper, proxy_type }) => `${scraper}/${proxy_type}`}
    />
  );
}

interface SavingProps {
  readonly saving: SiteBill['saving'];
  readonly unit: string;
  /** What can be done about it. */
  readonly children: ReactNode;
}

function Saving({ saving, unit, children }: SavingProps) {
  const { value, way, reason } = saving;
  return (
    <div className={classes.saving}>
      <IconInfo size={18} />
      <div>
        <h3>
          {value === null
            ? t`What would have been saved is not known`
            : way === null
              ? t`Nothing would have been saved`
              : t`${formatCost(value, unit)} would have been saved`}
        </h3>
        <p>{reason}</p>
        <div className={classes.action}>{children}</div>
      </div>
    </div>
  );
}

const keyOf = ({ scraper, proxy_type }: BillWay): string => `${scraper}/${proxy_type}`;
const monthName = new Intl.DateTimeFormat(DATE_LOCALE, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The methods that have a column of their own: those with the highest costs. */
const MAX_COLUMNS = 3;

interface WaysColumn {
  readonly key: string;
  readonly head: ReactNode;
  readonly has: (way: BillWay) => boolean;
}

/** A column for each of the most expensive methods, and one for all others. */
function columnsOf(ways: readonly BillWay[]): readonly WaysColumn[] {
  const sorted = ways.toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0));
  // A single other method needs no column for others.
  const own = sorted.slice(0, sorted.length === MAX_COLUMNS + 1 ? MAX_COLUMNS + 1 : MAX_COLUMNS);
  const named = new Set(own.map(keyOf));
  const columns = own.map(
    (way): WaysColumn => ({
      key: keyOf(way),
      head:
        way.scraper === null || way.proxy_type === null ? (
          t`language model`
        ) : (
          <RouteName scraper={way.scraper} proxyType={way.proxy_type} />
        ),
      has: (other) => keyOf(other) === keyOf(way),
    }),
  );
  if (own.length === sorted.length) return columns;
  return [
    ...columns,
    { key: 'others', head: <span>{t`Other methods`}</span>, has: (way) => !named.has(keyOf(way)) },
  ];
}

/** The months with scrapes, the newest first, and their sum: a column for the total and for the most expensive methods. */
function BillTable({ bill: { months, total, cost_unit: unit } }: { readonly bill: SiteBill }) {
  const scraped = months.filter(({ scrapes }) => scrapes > 0).toReversed();
  const highest = Math.max(0, ...scraped.map(({ cost }) => cost ?? 0));
  const columns = columnsOf(total.ways);
  return (
    <DataTable
      caption={t`Cost by month and method`}
      columns={[
        t`Month`,
        { label: t`Total`, numeric: true },
        ...columns.map(({ head }) => ({
          label: head,
          numeric: true,
          wide: true,
          headClassName: classes.method,
        })),
      ]}
    >
      {scraped.map((month) => (
        <tr key={month.month}>
          <td data-nowrap>{monthName.format(new Date(`${month.month}-01T00:00:00Z`))}</td>
          <SumCells sum={month} columns={columns} unit={unit} highest={highest} />
        </tr>
      ))}
      <tr className={classes.sum}>
        <td data-nowrap>
          <Trans>Total</Trans>
        </td>
        <SumCells sum={total} columns={columns} unit={unit} highest={0} />
      </tr>
    </DataTable>
  );
}

interface SumCellsProps {
  readonly sum: BillSum;
  readonly columns: readonly WaysColumn[];
  readonly unit: string;
  /** The cost whose bar fills the cell; 0: no bar. */
  readonly highest: number;
}

function SumCells({ sum, columns, unit, highest }: SumCellsProps) {
  return (
    <>
      <td data-numeric className={`${classes.figure} ${classes.note}`}>
        <SiteCost cost={sum.cost} unit={unit} unpriced={sum.unpriced} />
        <small>{plural(sum.scrapes, { one: '# scrape', other: '# scrapes' })}</small>
        {highest > 0 && (
          <span className={classes.bar} aria-hidden="true">
            <span className={classes.fill} style={{ width: `${((sum.cost ?? 0) / highest) * 100}%` }} />
          </span>
        )}
      </td>
      {columns.map(({ key, has }) => (
        <td key={key} data-numeric data-wide className={`${classes.figure} ${classes.note}`}>
          <WaysCell ways={sum.ways.filter(has)} unit={unit} />
        </td>
      ))}
    </>
  );
}

/** What an attempt has cost, of those whose cost is known; null: of none. */
export const attemptPrice = ({ cost, attempts, unpriced }: BillWay): number | null =>
  cost === null || attempts <= unpriced ? null : cost / (attempts - unpriced);

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

/** What methods have cost together, and how often they got the page. */
function WaysCell({ ways, unit }: { readonly ways: readonly BillWay[]; readonly unit: string }) {
  if (ways.length === 0) return '–';
  const costs = ways.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return (
    <>
      <SiteCost
        cost={costs.length === 0 ? null : sumOf(costs)}
        unit={unit}
        unpriced={sumOf(ways.map(({ unpriced }) => unpriced))}
      />
      <small>
        <Trans>
          {formatCount(sumOf(ways.map(({ ok }) => ok)))} of{' '}
          {formatCount(sumOf(ways.map(({ attempts }) => attempts)))} OK
        </Trans>
      </small>
    </>
  );
}
