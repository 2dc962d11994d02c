import { Panel } from '../ui/panel.tsx';
import { AttemptList } from './attempt-list.tsx';
import { CandidateList } from './candidate-list.tsx';
import type { RouterShape } from './scrape-shape.ts';
import classes from './way-panel.module.css';

/** How the router came to the result: what it tried, and what it could have tried. */
export function WayPanel({ router }: { readonly router: RouterShape }) {
  const { attempts, candidates } = router;
  if (attempts === undefined || candidates === undefined) return null;
  return (
    <Panel title="Attempts">
      {attempts.length === 0 ? (
        <p className={classes.none}>None: nothing was sent to the target.</p>
      ) : (
        <AttemptList attempts={attempts} />
      )}
      {candidates.length > 0 && <CandidateList candidates={candidates} />}
    </Panel>
  );
}
