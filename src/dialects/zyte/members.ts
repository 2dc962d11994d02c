/** A request that cannot be translated. The message is for the caller. */
export class ExtractProblem extends Error {
  /** Whether each member alone could be honoured. */
  readonly incompatible: boolean;

  constructor(message: string, incompatible: boolean) {
    super(message);
    this.incompatible = incompatible;
  }
}

/** @throws ExtractProblem */
export function problem(message: string): never {
  throw new ExtractProblem(message, false);
}

/** @throws ExtractProblem */
export function incompatible(message: string): never {
  throw new ExtractProblem(message, true);
}

/** @throws ExtractProblem */
export const text = (value: unknown, name: string): string =>
  typeof value === 'string' && value !== '' ? value : problem(`\`${name}\` must be a text`);

/** @throws ExtractProblem */
export const number = (value: unknown, name: string): number =>
  typeof value === 'number' && value >= 0 ? value : problem(`\`${name}\` must be a number`);

/** @throws ExtractProblem */
export const flag = (value: unknown, name: string): boolean =>
  typeof value === 'boolean' ? value : problem(`\`${name}\` must be true or false`);

/** @throws ExtractProblem */
export const choice = <T extends string>(value: unknown, name: string, choices: readonly T[]): T =>
  choices.find((one) => one === value) ?? problem(`\`${name}\` must be one of ${choices.join(', ')}`);
