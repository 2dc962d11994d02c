import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Usage, UsageWindow } from '../../api/usage.ts';
import classes from '../../ui/figure.module.css';
import { Figure } from '../../ui/figure.tsx';
import { formatBytes, formatChange, formatCost, formatCount, formatShare } from '../../ui/format.ts';
import { hasPrices, monthText, sinceText, WINDOW_LABELS } from './usage-texts.ts';

interface UsageFiguresProps {
  readonly usage: Usage;
  readonly window: UsageWindow;
}

/** The sums of the window, and what the month will come to. */
export function UsageFigures({ usage, window }: UsageFiguresProps) {
  const { total, previous, change, cost_unit: unit } = usage;
  const since = sinceText(usage);
  const before = t`vs. ${WINDOW_LABELS[window]} before`;
  return (
    <div>
      <div className={classes.grid}>
        <Figure label={t`Spend`} value={hasPrices(usage) ? formatCost(total.cost, unit) : '–'}>
          <p className={classes.more}>
            {!hasPrices(usage) ? (
              <span>
                <Trans>No prices are configured</Trans>
              </span>
            ) : change.cost === null ? (
              <span>
                <Trans>{formatCount(total.attempts)} attempts</Trans>
              </span>
            ) : (
              <span>
                <b>{formatChange(change.cost)}</b> {before}
              </span>
            )}
            {hasPrices(usage) && total.unpriced > 0 && (
              <span>{t`${formatCount(total.unpriced)} attempts without a price`}</span>
            )}
          </p>
        </Figure>
        <Figure label={t`Scrapes`} value={formatCount(total.scrapes)}>
          <p className={classes.more}>
            {change.scrapes !== null && (
              <span>
                <b>{formatChange(change.scrapes)}</b> {before}
              </span>
            )}
            <span>{t`${formatBytes(total.traffic_bytes)} of traffic`}</span>
          </p>
        </Figure>
        <Figure label={t`OK`} value={formatShare(total.ok, total.scrapes)}>
          <p className={classes.more}>
            {previous !== null && previous.scrapes > 0 && (
              <span>{t`${formatShare(previous.ok, previous.scrapes)} before`}</span>
            )}
            <span>{t`${formatShare(total.blocked, total.scrapes)} blocked`}</span>
          </p>
        </Figure>
        <ForecastFigure usage={usage} />
      </div>
      {since !== null && <p className={classes.note}>{since}</p>}
    </div>
  );
}

function ForecastFigure({ usage: { forecast, cost_unit: unit } }: { readonly usage: Usage }) {
  const { so_far: soFar, cost, scrapes } = forecast;
  const label = t`Forecast for ${monthText(forecast.month)}`;
  if (cost !== null) {
    return (
      <Figure label={label} value={formatCost(cost.value, unit)}>
        <p className={classes.more}>
          {cost.low < cost.high && (
            <span>{t`${formatCost(cost.low, '').trim()} to ${formatCost(cost.high, unit)}`}</span>
          )}
          <span>{t`${formatCost(soFar.cost, unit)} so far`}</span>
        </p>
      </Figure>
    );
  }
  if (scrapes !== null) {
    return (
      <Figure label={label} value={formatCount(scrapes.value)} unit={t`scrapes`}>
        <p className={classes.more}>
          {scrapes.low < scrapes.high && (
            <span>{t`${formatCount(scrapes.low)} to ${formatCount(scrapes.high)}`}</span>
          )}
          <span>{t`${formatCount(soFar.scrapes)} so far`}</span>
        </p>
      </Figure>
    );
  }
  return (
    <Figure label={label} value="–">
      <p className={classes.more}>
        <span>
          <Trans>A forecast needs 7 whole days of usage</Trans>
        </span>
        <span>
          {soFar.cost === null
            ? t`${formatCount(soFar.scrapes)} scrapes so far`
            : t`${formatCost(soFar.cost, unit)} so far`}
        </span>
      </p>
    </Figure>
  );
}
