import type { ReactNode } from 'react';
import type { Icon } from './icons.tsx';
import classes from './pill.module.css';
import type { Tone } from './tone.ts';

interface PillProps {
  readonly tone: Tone;
  readonly icon?: Icon;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A word or two about a state. */
export function Pill({ tone, icon: Mark, title, children }: PillProps) {
  return (
    <span className={classes.pill} data-tone={tone} title={title}>
      {Mark !== undefined && <Mark size={13} />}
      {children}
    </span>
  );
}
