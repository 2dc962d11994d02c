import type { Site } from '../../api/sites.ts';
import { Chance } from './chance.tsx';
import classes from './sites.module.css';

interface DemandsProps {
  readonly demands: Site['pages'][number]['demands'];
}

/** More of them nobody reads; the rest is told as one number. */
const SHOWN = 4;

/** What the site may ask of who fetches there, the likeliest first. */
export function Demands({ demands }: DemandsProps) {
  const rest = demands.slice(SHOWN).reduce((sum, { probability }) => sum + probability, 0);
  return (
    <ul className={classes.demands} aria-label="Protection of the site">
      {demands.slice(0, SHOWN).map(({ name, words, probability }) => (
        <li key={name}>
          <span>It {words}</span>
          <Chance share={probability} />
        </li>
      ))}
      {rest >= 0.005 && (
        <li>
          <span>Something else</span>
          <Chance share={rest} />
        </li>
      )}
    </ul>
  );
}
