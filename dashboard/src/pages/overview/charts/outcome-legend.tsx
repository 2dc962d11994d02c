import { Link } from '@tanstack/react-router';
import type { Stats } from '../../../api/stats.ts';
import { formatCount, formatShare } from '../../../ui/format.ts';
import { OUTCOMES } from '../../../ui/outcome.tsx';
import type { HistoryFilter } from '../history-filter.ts';
import classes from './charts.module.css';
import { fillOf, OUTCOME_NAMES, Swatch } from './outcome-patterns.tsx';

interface OutcomeLegendProps {
  readonly totals: Stats['totals'];
  readonly filter: HistoryFilter;
}

/** What each mark means, how many there were, and the way to them. */
export function OutcomeLegend({ totals, filter }: OutcomeLegendProps) {
  const present = OUTCOME_NAMES.filter((outcome) => outcome === 'ok' || (totals.outcomes[outcome] ?? 0) > 0);
  return (
    <ul className={classes.legend} aria-label="Outcomes">
      {present.map((outcome) => {
        const count = totals.outcomes[outcome] ?? 0;
        return (
          <li key={outcome}>
            <Link
              to="/history"
              search={{ ...filter, outcome }}
              className={classes.legendItem}
              title={OUTCOMES[outcome].meaning}
            >
              <Swatch fill={fillOf(outcome)} />
              <span>{OUTCOMES[outcome].label}</span> <b>{formatCount(count)}</b>{' '}
              <small>{formatShare(count, totals.scrapes)}</small>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
