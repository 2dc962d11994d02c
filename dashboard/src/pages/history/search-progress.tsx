import { Button, Loader } from '@mantine/core';
import { DateTime } from '../../ui/date-time.tsx';
import { errorText } from '../../ui/page-state.tsx';
import classes from './history.module.css';
import type { DeeperSearch } from './use-deeper-search.ts';

interface SearchProgressProps {
  readonly search: DeeperSearch;
  readonly onStop: () => void;
  readonly onResume: () => void;
}

/** How far back a search has come that needs more than one call. Nothing for one that is at its end. */
export function SearchProgress({ search, onStop, onResume }: SearchProgressProps) {
  const { state, searchedTo, nextCursor, error } = search;
  if (state === 'idle' || state === 'done') return null;
  const searching = state === 'searching';
  return (
    <div className={classes.progress}>
      {searching && <Loader size={14} />}
      <span role="status">
        {state === 'failed' ? `${errorText(error).text} ` : searching ? 'Searching: ' : 'Stopped: '}
        {searchedTo !== null && (
          <>
            searched back to <DateTime at={searchedTo} />
          </>
        )}
      </span>
      {searching ? (
        <Button variant="default" size="compact-sm" onClick={onStop}>
          Stop
        </Button>
      ) : (
        nextCursor !== null && (
          <Button variant="default" size="compact-sm" onClick={onResume}>
            Go on
          </Button>
        )
      )}
    </div>
  );
}
