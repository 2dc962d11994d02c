/** The colours that mean something. `tone.module.css` has a class for each. */
export type Tone = 'green' | 'amber' | 'orange' | 'red' | 'violet' | 'blue' | 'slate';

/** For marks in charts. */
export const solidOf = (tone: Tone): string => `var(--sl-${tone}-solid)`;
