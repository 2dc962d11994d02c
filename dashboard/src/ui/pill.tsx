import type { ReactNode } from 'react';
import type { Icon } from './icons.tsx';
import classes from './pill.module.css';

/** Colors with a meaning. `tone.module.css` has a class for each. */
export type Tone = 'green' | 'amber' | 'orange' | 'red' | 'violet' | 'blue' | 'slate';

/** For marks in charts. */
export const solidColor = (tone: Tone): string => `var(--sl-${tone}-solid)`;

interface PillProps {
  readonly tone: Tone;
  readonly icon?: Icon;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A short label for a state. */
export function Pill({ tone, icon: Mark, title, children }: PillProps) {
  return (
    <span className={classes.pill} data-tone={tone} title={title}>
      {Mark !== undefined && <Mark size={13} />}
      {children}
    </span>
  );
}
