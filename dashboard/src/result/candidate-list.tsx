import type { Schema } from '../api/types.ts';
import classes from './way-panel.module.css';

interface CandidateListProps {
  readonly candidates: readonly Schema<'Candidate'>[];
  /** At first; where nothing else tells why. */
  readonly open?: boolean;
}

/** The ways that there were, and what kept the router from each that it left out. */
export function CandidateList({ candidates, open = false }: CandidateListProps) {
  return (
    <details className={classes.candidates} open={open}>
      <summary>
        {candidates.length} {candidates.length === 1 ? 'candidate' : 'candidates'}
      </summary>
      <ul>
        {candidates.map(({ scraper, proxy_type, selected, excluded_by, est_cost }) => (
          <li key={`${scraper} ${proxy_type}`}>
            <span>
              {scraper}
              <small> over {proxy_type}</small>
            </span>
            <span className={classes.fate}>
              {selected ? 'chosen' : excluded_by === null ? 'possible' : `excluded: ${excluded_by}`}
              {est_cost !== null && `, about ${est_cost}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
