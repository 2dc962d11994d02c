import type { CSSProperties, ReactNode } from 'react';
import type { Icon } from './icons.tsx';
import classes from './pill.module.css';

/** The colors of states. `css-variables.ts` has three variables for each. */
export type Tone = 'green' | 'amber' | 'orange' | 'red' | 'violet' | 'blue' | 'slate';

/** The color of a tone for marks in charts. */
export const solidColor = (tone: Tone): string => `var(--sl-${tone}-solid)`;

/** Styles that set `--tone`, `--tone-soft` and `--tone-solid`: of a text, of its background, and of marks. */
export const toneStyle = (tone: Tone): CSSProperties =>
  ({
    '--tone': `var(--sl-${tone})`,
    '--tone-soft': `var(--sl-${tone}-soft)`,
    '--tone-solid': solidColor(tone),
  }) as CSSProperties;

interface PillProps {
  readonly tone: Tone;
  readonly icon?: Icon;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A short label for a state. */
export function Pill({ tone, icon: PillIcon, title, children }: PillProps) {
  return (
    <span className={classes.pill} data-tone={tone} style={toneStyle(tone)} title={title}>
      {PillIcon !== undefined && <PillIcon size={13} />}
      {children}
    </span>
  );
}

/** How a state looks. `title`: what it means. */
export type Look = readonly [label: string, tone: Tone, icon: Icon, title?: string];

/** A state by its look. */
export const StatePill = ({ look: [label, tone, icon, title] }: { readonly look: Look }) => (
  <Pill tone={tone} icon={icon} {...(title === undefined ? {} : { title })}>
    {label}
  </Pill>
);
