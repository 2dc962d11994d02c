import type { Stats } from '../../../api/stats.ts';
import { formatDuration } from '../../../ui/format.ts';
import classes from './charts.module.css';

const LINES = [
  { name: 'p50', words: 'Median', title: 'Half of the scrapes were faster.' },
  { name: 'p95', words: 'p95', title: '95 of 100 scrapes were faster.' },
] as const;

export function LatencyLegend({ latency }: { readonly latency: Stats['latency_ms'] }) {
  return (
    <ul className={classes.legend} aria-label="Lines">
      {LINES.map(({ name, words, title }) => (
        <li key={name}>
          <span className={classes.legendItem} title={title}>
            <svg className={classes.latency} width="18" height="12" aria-hidden="true" focusable="false">
              <path data-line={name} d="M1 6H17" />
            </svg>
            {words} <b>{formatDuration(latency[name])}</b>
          </span>
        </li>
      ))}
      <li className={classes.aside}>log scale</li>
    </ul>
  );
}
