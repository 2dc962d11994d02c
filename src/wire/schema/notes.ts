/**
 * Notes in the JSON schemas for programs that make a form of them; they forbid nothing by themselves.
 * `x-sluice-unavailable`: why this version refuses any use of the member, or `{value: why}` for single values.
 * `x-sluice-needs`: what must be there for it, such as `browser`.
 * `x-sluice-shorthand`: the member of a page action that the value of its one-key form stands for.
 */
export const NOTE_KEYWORDS = ['x-sluice-unavailable', 'x-sluice-needs', 'x-sluice-shorthand'] as const;

const REASON = 'Not available in this version.';

/** A member that is known, but refused. */
export const LATER = { 'x-sluice-unavailable': REASON };

/** Single values that are known, but refused, each with the reason. */
export const unavailableValues = (why: Readonly<Record<string, string>>) => ({ 'x-sluice-unavailable': why });

/** The same, of values that this version lacks. */
export const laterValues = (...values: readonly string[]) =>
  unavailableValues(Object.fromEntries(values.map((value) => [value, REASON])));

/** The action may be written as `{type: value of this member}`. */
export const shorthandFor = (member: string) => ({ 'x-sluice-shorthand': member });

/** A member that only a browser can honour; a form for browsers leaves the last sentence out. */
export const browserOnly = (description: string) => ({
  description: `${description} Browser only.`,
  'x-sluice-needs': 'browser',
});
