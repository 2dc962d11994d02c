import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type SiteBill, siteBillQuery } from '../../api/sites.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DATE_LOCALE, formatCost, formatCount, formatShare } from '../../ui/format.ts';
import { IconInfo } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RouteName } from '../../ui/route-name.tsx';
import { SiteCost } from './site-table.tsx';
import classes from './sites.module.css';

type BillSum = SiteBill['total'];
type BillWay = BillSum['ways'][number];

/** What a site has cost in the last twelve months, and what would have been saved. Renders nothing if it was not scraped. */
export function CostPanel({ host }: { readonly host: string }) {
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
      <Saving saving={bill.saving} unit={unit} />
      <BillTable bill={bill} />
    </Panel>
  );
}

function Saving({ saving, unit }: { readonly saving: SiteBill['saving']; readonly unit: string }) {
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
      </div>
    </div>
  );
}

const keyOf = ({ scraper, proxy_type }: BillWay): string => `${scraper}/${proxy_type}`;
const monthName = new Intl.DateTimeFormat(DATE_LOCALE, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** The months with scrapes, the newest first, and their sum: a column for the total and for each method. */
function BillTable({ bill: { months, total, cost_unit: unit } }: { readonly bill: SiteBill }) {
  const scraped = months.filter(({ scrapes }) => scrapes > 0).toReversed();
  const highest = Math.max(0, ...scraped.map(({ cost }) => cost ?? 0));
  return (
    <DataTable
      caption={t`Cost by month and method`}
      head={
        <>
          <th scope="col">
            <Trans>Month</Trans>
          </th>
          <th scope="col" data-numeric>
            <Trans>Total</Trans>
          </th>
          {total.ways.map((way) => (
            <th key={keyOf(way)} scope="col" data-numeric>
              {way.scraper === null || way.proxy_type === null ? (
                t`language model`
              ) : (
                <RouteName scraper={way.scraper} proxyType={way.proxy_type} />
              )}
            </th>
          ))}
        </>
      }
    >
      {scraped.map((month) => (
        <tr key={month.month}>
          <td className={classes.nowrap}>{monthName.format(new Date(`${month.month}-01T00:00:00Z`))}</td>
          <SumCells sum={month} ways={total.ways} unit={unit} highest={highest} />
        </tr>
      ))}
      <tr className={classes.sum}>
        <td className={classes.nowrap}>
          <Trans>12 months</Trans>
        </td>
        <SumCells sum={total} ways={total.ways} unit={unit} highest={0} />
      </tr>
    </DataTable>
  );
}

interface SumCellsProps {
  readonly sum: BillSum;
  /** The methods of the columns. */
  readonly ways: readonly BillWay[];
  readonly unit: string;
  /** The cost whose bar fills the cell; 0: no bar. */
  readonly highest: number;
}

function SumCells({ sum, ways, unit, highest }: SumCellsProps) {
  return (
    <>
      <td data-numeric className={classes.figure}>
        <SiteCost cost={sum.cost} unit={unit} unpriced={sum.unpriced} />
        <small>{plural(sum.scrapes, { one: '# scrape', other: '# scrapes' })}</small>
        {highest > 0 && (
          <span className={classes.bar} aria-hidden="true">
            <span className={classes.fill} style={{ width: `${((sum.cost ?? 0) / highest) * 100}%` }} />
          </span>
        )}
      </td>
      {ways.map((way) => (
        <td key={keyOf(way)} data-numeric className={classes.figure}>
          <WayCell way={sum.ways.find((one) => keyOf(one) === keyOf(way))} unit={unit} />
        </td>
      ))}
    </>
  );
}

/** What a method has cost, and how often it got the page. */
function WayCell({ way, unit }: { readonly way: BillWay | undefined; readonly unit: string }) {
  if (way === undefined) return '–';
  return (
    <>
      <SiteCost cost={way.cost} unit={unit} unpriced={way.unpriced} />
      <small>
        <Trans>
          {formatCount(way.ok)} of {formatCount(way.attempts)} OK
        </Trans>
      </small>
    </>
  );
}
