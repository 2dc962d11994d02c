import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the conformance data, or null where it is absent. */
export const DATA: string | null = process.env.CONFORMANCE_DATA ?? null;

/** For the `skip` option of a test. */
export const WITHOUT_DATA: string | false = DATA === null ? 'CONFORMANCE_DATA is not set' : false;

export function jsonLines<T>(file: string): readonly T[] {
  if (DATA === null) return [];
  return readFileSync(join(DATA, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
