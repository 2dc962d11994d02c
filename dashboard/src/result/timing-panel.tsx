import { formatDuration } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import type { ScrapeShape } from './scrape-shape.ts';
import classes from './timing-panel.module.css';
import { phasesOf } from './timing-phases.ts';

/** Where the time went: a bar, and the same as a table, which is its legend too. */
export function TimingPanel({ scrape: { router, errors } }: { readonly scrape: ScrapeShape }) {
  const { timing } = router;
  if (timing === undefined || timing.total === null) return null;
  const phases = phasesOf(timing, errors);
  // The total alone stands in the summary.
  if (phases.every(({ name }) => name === 'other')) return null;
  const width = (ms: number) => ({ flexGrow: ms, background: 'var(--sl-phase)' });
  return (
    <Panel title="Timing">
      {timing.total > 0 && (
        <div className={classes.bar} aria-hidden="true">
          {phases.map(({ name, ms, label }) => (
            <span key={name} data-phase={name} style={width(ms)} title={`${label}: ${formatDuration(ms)}`} />
          ))}
        </div>
      )}
      <table className={classes.table}>
        <caption className={classes.caption}>Where the time went</caption>
        <thead className={classes.caption}>
          <tr>
            <th>Phase</th>
            <th>Time</th>
          </tr>
        </thead>
        <tbody>
          {phases.map(({ name, ms, label, hint }) => (
            <tr key={name}>
              <th scope="row" title={hint}>
                <i data-phase={name} />
                {label}
              </th>
              <td>{formatDuration(ms)}</td>
            </tr>
          ))}
          <tr className={classes.total}>
            <th scope="row">Total</th>
            <td>{formatDuration(timing.total)}</td>
          </tr>
        </tbody>
      </table>
    </Panel>
  );
}
