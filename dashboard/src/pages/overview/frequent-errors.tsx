import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { errorsTableQuery } from '../../api/scrapes.ts';
import type { Stats } from '../../api/stats.ts';
import { formatCount, formatShare } from '../../ui/format.ts';
import { IconCircleCheck } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './bar-list.module.css';
import type { HistoryFilter } from './history-filter.ts';
import { Nothing } from './nothing.tsx';

interface FrequentErrorsProps {
  readonly errors: Stats['errors'];
  /** In the same time. */
  readonly scrapes: number;
  readonly filter: HistoryFilter;
}

/** What went wrong most often, in words; each leads to its scrapes. */
export function FrequentErrors({ errors, scrapes, filter }: FrequentErrorsProps) {
  const table = useQuery({ ...errorsTableQuery, enabled: errors.length > 0 }).data;
  return (
    <Panel title="Errors">
      {errors.length === 0 ? (
        <Nothing icon={IconCircleCheck}>
          {scrapes === 0 ? 'Errors and what they mean appear here.' : 'No errors in this time.'}
        </Nothing>
      ) : (
        <ol className={classes.list}>
          {errors.map(({ code, count }) => {
            const known = table?.errors.find((one) => one.code === code);
            return (
              <li key={code}>
                <Link
                  to="/history"
                  search={{ ...filter, error_code: code }}
                  className={classes.row}
                  title={known?.help}
                >
                  <span className={classes.words}>
                    <code className={classes.code}>{code}</code>{' '}
                    <span className={classes.count}>
                      <small>{formatShare(count, scrapes)}</small> <b>{formatCount(count)}</b>
                    </span>
                  </span>
                  <span className={classes.meaning}>{known?.title.replaceAll('`', '') ?? '\u00a0'}</span>
                </Link>
              </li>
            );
          })}
        </ol>
      )}
    </Panel>
  );
}
