import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { seesAllUsers, useUser } from '../../api/session.ts';
import {
  USAGE_SPLITS,
  type Usage,
  type UsageItem,
  type UsageQuery,
  type UsageSplit,
} from '../../api/usage.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatBytes, formatCost, formatCount, formatShare } from '../../ui/format.ts';
import { IconFilter } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextLink } from '../../ui/text.tsx';
import { ChangeText } from './change-text.tsx';
import { itemHistory, itemUsage } from './history-filter.ts';
import classes from './usage.module.css';
import { hasPrices, itemText, SPLIT_LABELS, SPLIT_TITLES } from './usage-texts.ts';

const usageRoute = getRouteApi('/signed-in/usage');

interface UsageTableProps {
  readonly usage: Usage;
  readonly query: UsageQuery;
}

/** The items of a split, with their share and their change. Each links to its scrapes. */
export function UsageTable({ usage, query }: UsageTableProps) {
  const navigate = usageRoute.useNavigate();
  const isAdmin = seesAllUsers(useUser());
  const { by } = query;
  const priced = hasPrices(usage);
  const splits = USAGE_SPLITS.filter((split) => split !== 'user' || isAdmin);
  // While the figures of another split are loading, those of the last one are shown.
  const shownBy = usage.by as UsageSplit;
  const { other } = usage;
  const items = usage.items.filter(({ scrapes, attempts }) => scrapes > 0 || attempts > 0);
  return (
    <Panel title={SPLIT_TITLES[by][0]} flush actions={priced && <SortControl sort={query.sort ?? 'cost'} />}>
      <div className={classes.splits}>
        <SegmentedControl
          size="xs"
          aria-label={t`Split by`}
          className={classes.split}
          value={by}
          data={splits.map((value) => ({ value, label: SPLIT_LABELS[value] }))}
          onChange={(value) =>
            void navigate({ search: (old) => ({ ...old, by: value as UsageSplit }), replace: true })
          }
        />
      </div>
      <DataTable
        caption={SPLIT_TITLES[shownBy][1]}
        columns={[
          SPLIT_LABELS[shownBy],
          { label: t`Scrapes`, numeric: true, wide: priced },
          { label: t`OK`, numeric: true, wide: true },
          { label: t`Traffic`, numeric: true, wide: true },
          priced && { label: t`Spend`, numeric: true },
          { label: t`Share`, numeric: true, wide: true },
          { label: t`Change`, numeric: true },
          { label: t`Filter`, hidden: true, headClassName: classes.filter },
        ]}
      >
        {items.length === 0 && (
          <tr>
            <td colSpan={priced ? 8 : 7}>
              <Trans>No scrapes in this time.</Trans>
            </td>
          </tr>
        )}
        {items.map((item) => (
          <ItemRow key={item.name} item={item} usage={usage} query={{ ...query, by: shownBy }} />
        ))}
        {other !== null && (
          <tr>
            <td>
              <Trans>All others</Trans>
            </td>
            <Figures sums={other} usage={usage} />
            <td data-numeric>–</td>
            <td className={classes.filter} />
          </tr>
        )}
      </DataTable>
    </Panel>
  );
}

function SortControl({ sort }: { readonly sort: 'cost' | 'scrapes' }) {
  const navigate = usageRoute.useNavigate();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t`Order`}
      value={sort}
      data={[
        { value: 'cost', label: t`Most spend` },
        { value: 'scrapes', label: t`Most scrapes` },
      ]}
      onChange={(value) =>
        void navigate({ search: (old) => ({ ...old, sort: value as typeof sort }), replace: true })
      }
    />
  );
}

interface ItemRowProps extends UsageTableProps {
  readonly item: UsageItem;
}

function ItemRow({ item, usage, query }: ItemRowProps) {
  const text = itemText(item, query.by);
  const history = itemHistory(item, query, usage);
  const alone = itemUsage(item, query);
  const isCost = hasPrices(usage) && query.sort !== 'scrapes';
  const { change, previous } = item;
  return (
    <tr>
      <td className={classes.name}>
        {history === null ? (
          text
        ) : (
          <TextLink to="/history" search={history} size="sm" title={t`Scrapes of ${text}`}>
            {text}
          </TextLink>
        )}
      </td>
      <Figures sums={item} usage={usage} />
      <td data-numeric>
        <ChangeText
          share={isCost ? change.cost : change.scrapes}
          isNew={previous !== null && previous.scrapes === 0 && previous.attempts === 0}
        />
      </td>
      <td className={classes.filter}>
        {alone !== null && (
          <Link
            from="/usage"
            to="/usage"
            search={(old) => ({ ...old, ...alone })}
            className={classes.only}
            aria-label={t`Show only ${text}`}
            title={t`Show only ${text}`}
          >
            <IconFilter size={15} />
          </Link>
        )}
      </td>
    </tr>
  );
}

interface FiguresProps {
  readonly sums: NonNullable<Usage['other']>;
  readonly usage: Usage;
}

function Figures({ sums, usage }: FiguresProps) {
  const { total, cost_unit: unit } = usage;
  const priced = hasPrices(usage);
  return (
    <>
      <td data-numeric data-wide={priced || undefined}>
        {formatCount(sums.scrapes)}
      </td>
      <td data-numeric data-wide>
        {formatShare(sums.ok, sums.scrapes)}
      </td>
      <td data-numeric data-wide>
        {formatBytes(sums.traffic_bytes)}
      </td>
      {priced && (
        <td data-numeric>
          {formatCost(sums.cost, unit)}
          {sums.unpriced > 0 && <small>{t`${formatCount(sums.unpriced)} without a price`}</small>}
        </td>
      )}
      <td data-numeric data-wide>
        {priced && total.cost !== null && total.cost > 0
          ? formatShare(sums.cost ?? 0, total.cost)
          : formatShare(sums.scrapes, total.scrapes)}
      </td>
    </>
  );
}
