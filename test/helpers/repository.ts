import { join } from 'node:path';

/** The root of this repository. */
export const ROOT: string = join(import.meta.dirname, '..', '..');

/** The program, as operators start it. */
export const SLUICE: string = join(ROOT, 'bin', 'sluice');

/** The environment without anything that configures Sluice, so that tests do not depend on who runs them. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SLUICE_') && name !== 'NODE_OPTIONS' && !name.startsWith('NODE_TEST'),
  );
  return Object.fromEntries(entries);
}
