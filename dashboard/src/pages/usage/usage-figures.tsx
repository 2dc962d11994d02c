import { t } from '@lingui/core/macro';
import { useIsAdmin } from '../../api/session.ts';
import type { Usage, UsageWindow } from '../../api/usage.ts';
import classes from '../../ui/figure.module.css';
import { Figure } from '../../ui/figure.tsx';
import {
  formatBytes,
  formatChange,
  formatCost,
  formatCount,
  formatShare,
  unbroken,
} from '../../ui/format.ts';
import { TextLink } from '../../ui/text.tsx';
import { hasPrices, monthText, sinceText, WINDOW_LABELS } from './usage-texts.ts';

interface UsageFiguresProps {
  readonly usage: Usage;
  readonly window: UsageWindow;
}

/** The sums of the window, and what the month will come to. */
export function UsageFigures({ usage, window }: UsageFiguresProps) {
  const { total, previous, change, cost_unit: unit } = usage;
  const isAdmin = useIsAdmin();
  const since = sinceText(usage);
  const priced = hasPrices(usage);
  const before = t`vs. ${unbroken(WINDOW_LABELS[window])} before`;
  /** null: there is nothing to compare with. */
  const changeText = (share: number | null) =>
    share === null ? null : (
      <>
        <b>{formatChange(share)}</b> {before}
      </>
    );
  const noPrices = isAdmin ? (
    <TextLink to="/prices">{t`Set prices, to see costs`}</TextLink>
  ) : (
    t`No prices are configured`
  );
  return (
    <div>
      <div className={classes.grid}>
        <Figure
          label={t`Spend`}
          value={priced ? formatCost(total.cost, unit) : '–'}
          notes={[
            !priced ? noPrices : (changeText(change.cost) ?? t`${formatCount(total.attempts)} attempts`),
            priced && total.unpriced > 0 && t`${formatCount(total.unpriced)} attempts without a price`,
          ]}
        />
        <Figure
          label={t`Scrapes`}
          value={formatCount(total.scrapes)}
          notes={[changeText(change.scrapes), t`${formatBytes(total.traffic_bytes)} of traffic`]}
        />
        <Figure
          label={t`OK`}
          value={formatShare(total.ok, total.scrapes)}
          notes={[
            previous !== null &&
              previous.scrapes > 0 &&
              t`${formatShare(previous.ok, previous.scrapes)} before`,
            t`${formatShare(total.blocked, total.scrapes)} blocked`,
          ]}
        />
        <ForecastFigure usage={usage} />
      </div>
      {since !== null && <p className={classes.note}>{since}</p>}
    </div>
  );
}

function ForecastFigure({ usage: { forecast, cost_unit: unit } }: { readonly usage: Usage }) {
  const { so_far: soFar, cost, scrapes } = forecast;
  const label = t`Forecast for ${monthText(forecast.month)}`;
  if (cost !== null)
    return (
      <Figure
        label={label}
        value={formatCost(cost.value, unit)}
        notes={[
          cost.low < cost.high && t`${formatCost(cost.low, '').trim()} to ${formatCost(cost.high, unit)}`,
          t`${formatCost(soFar.cost, unit)} so far`,
        ]}
      />
    );
  if (scrapes !== null)
    return (
      <Figure
        label={label}
        value={formatCount(scrapes.value)}
        unit={t`scrapes`}
        notes={[
          scrapes.low < scrapes.high && t`${formatCount(scrapes.low)} to ${formatCount(scrapes.high)}`,
          t`${formatCount(soFar.scrapes)} so far`,
        ]}
      />
    );
  return (
    <Figure
      label={label}
      value="–"
      notes={[
        t`A forecast needs 7 whole days of usage`,
        soFar.cost === null
          ? t`${formatCount(soFar.scrapes)} scrapes so far`
          : t`${formatCost(soFar.cost, unit)} so far`,
      ]}
    />
  );
}
