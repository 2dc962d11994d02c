import type { Stats } from '../../api/stats.ts';
import { OutcomePatterns } from './charts/outcome-patterns.tsx';
import { FrequentErrors } from './frequent-errors.tsx';
import type { HistoryFilter } from './history-filter.ts';
import { KeyFigures } from './key-figures.tsx';
import { OverTime } from './over-time.tsx';
import classes from './overview.module.css';
import { TopHosts } from './top-hosts.tsx';
import type { Scope } from './use-scope.ts';

interface OverviewFiguresProps {
  readonly stats: Stats;
  readonly scope: Scope;
  /** Other figures are on their way. */
  readonly busy: boolean;
}

/** All that the counters say, from the sum to the parts; every part leads to its scrapes. */
export function OverviewFigures({ stats, scope, busy }: OverviewFiguresProps) {
  const filter: HistoryFilter = { from: stats.from, to: stats.to, user_id: scope.userId };
  return (
    <div className={classes.figures} aria-busy={busy} data-busy={busy || undefined}>
      <OutcomePatterns />
      <KeyFigures stats={stats} ownLimit={scope.ownLimit} />
      <OverTime stats={stats} filter={filter} />
      <div className={classes.pair}>
        <TopHosts hosts={stats.hosts} filter={filter} />
        <FrequentErrors errors={stats.errors} scrapes={stats.totals.scrapes} filter={filter} />
      </div>
    </div>
  );
}
