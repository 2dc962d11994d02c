import { Panel } from '../../ui/panel.tsx';
import type { ScrapeShape } from '../scrape-shape.ts';
import { AttemptStep } from './attempt-step.tsx';
import { CostList } from './cost-list.tsx';
import { deliveredAttempt } from './delivered.ts';
import { LaneMap } from './lane-map.tsx';
import { LeftOut } from './left-out.tsx';
import classes from './route.module.css';

/** How the router came to the result: the ways that there were, what it tried, what was delivered, what it cost. */
export function RoutePanel({ scrape }: { readonly scrape: ScrapeShape }) {
  const { router } = scrape;
  const { attempts, candidates, cost_unit } = router;
  // Asked for without the trace.
  if (attempts === undefined || candidates === undefined) return null;
  const delivered = deliveredAttempt(scrape);
  return (
    <Panel title="Route">
      <div className={classes.route}>
        <LaneMap candidates={candidates} attempts={attempts} delivered={delivered} unit={cost_unit} />
        <LeftOut candidates={candidates} />
        {attempts.length === 0 ? (
          <p className={classes.none}>No attempts: nothing was sent to the target.</p>
        ) : (
          <ol className={classes.steps} aria-label="Attempts">
            {attempts.map((attempt) => (
              <AttemptStep
                key={attempt.n}
                attempt={attempt}
                unit={cost_unit}
                delivered={attempt.n === delivered ? router : null}
              />
            ))}
          </ol>
        )}
        {attempts.length > 0 && delivered === null && <p className={classes.none}>No attempt got a page.</p>}
        <CostList router={router} />
      </div>
    </Panel>
  );
}

/** Whether there is more to see than one way that was gone once: then it has the whole width. */
export function isJourney({ router }: ScrapeShape): boolean {
  const { attempts = [], candidates = [] } = router;
  return attempts.length > 1 || (attempts.length === 0 && candidates.length > 1);
}
