import type { Schema } from '../../api/client.ts';
import { formatCount } from '../../ui/format.ts';
import { Pill } from '../../ui/pill.tsx';
import classes from './system.module.css';

type Kind = Schema<'SystemBrowserKind'>;

/** Each kind of browser that was needed, with how often it had to be started, and why. */
export function KindList({ kinds }: { readonly kinds: readonly Kind[] }) {
  return (
    <ul className={classes.kinds} aria-label="Kinds of browsers">
      {kinds.map((kind) => (
        <li key={nameOf(kind)}>
          <span className={classes.kind}>
            {nameOf(kind)} <StateOf kind={kind} />
          </span>
          <span className={classes.counts}>
            {[
              count(kind.launches, 'launch', 'launches'),
              count(kind.crashes, 'crash', 'crashes'),
              count(kind.recycles, 'recycled', 'recycled'),
              count(kind.replaced, 'replaced', 'replaced'),
            ].join(' · ')}
          </span>
        </li>
      ))}
    </ul>
  );
}

function StateOf({ kind }: { readonly kind: Kind }) {
  if (kind.trouble !== null) return <Pill tone="red">does not run</Pill>;
  if (kind.starting) return <Pill tone="amber">starting</Pill>;
  return kind.browsers.length > 0 ? <Pill tone="green">runs</Pill> : <Pill tone="slate">rests</Pill>;
}

export const nameOf = ({ browser_type, headless, lane, apart }: Kind): string =>
  `${browser_type}${headless ? '' : ', headed'}, ${lane} lane${apart ? ', apart' : ''}`;

const count = (number: number, one: string, more: string): string =>
  `${formatCount(number)} ${number === 1 ? one : more}`;
