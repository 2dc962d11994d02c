import { join } from 'node:path';

/** The root of this repository. */
export const ROOT: string = join(import.meta.dirname, '..', '..');

/** The program that operators start: as packed, if scripts/test.ts runs the tests, otherwise from the sources. */
export const SLUICE: string = process.env.TEST_PROGRAM ?? join(ROOT, 'bin', 'sluice');

/** The environment without variables that configure Sluice, Node or the test runner, so that tests do not depend on them. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('SLUICE_') && name !== 'NODE_OPTIONS' && !name.startsWith('NODE_TEST'),
  );
  return Object.fromEntries(entries);
}
