import type { ReactNode } from 'react';
import type { Icon } from './icons.tsx';
import classes from './pill.module.css';

/** The colors of states. `css-variables.ts` has three variables for each. */
export type Tone = 'green' | 'amber' | 'orange' | 'red' | 'violet' | 'blue' | 'slate';

/** The color of a tone for marks in charts. */
export const solidColor = (tone: Tone): string => `var(--sl-${tone}-solid)`;

interface PillProps {
  readonly tone: Tone;
  readonly icon?: Icon;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A short label for a state. */
export function Pill({ tone, icon: PillIcon, title, children }: PillProps) {
  return (
    <span className={classes.pill} data-tone={tone} title={title}>
      {PillIcon !== undefined && <PillIcon size={13} />}
      {children}
    </span>
  );
}
