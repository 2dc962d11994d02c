import type { StatsWindow } from '../../api/stats.ts';
import { TextLink } from '../../ui/text.tsx';
import classes from './quiet.module.css';
import { wordsOfWindow } from './windows.ts';

/** Over a chart without anything in it. */
export function Quiet({ window }: { readonly window: StatsWindow }) {
  return (
    <div className={classes.quiet}>
      <span>No scrapes in {wordsOfWindow(window)}.</span>
      {window === '7d' ? (
        <TextLink to="/history">Open the history</TextLink>
      ) : (
        <TextLink to="/" search={(old) => ({ ...old, window: '7d' as const })}>
          Show the last 7 days
        </TextLink>
      )}
    </div>
  );
}
