import { existsSync } from 'node:fs';
import type { Config } from '../config/parse-config.ts';
import { hasData, places } from '../config/places.ts';
import { CommandError } from './command.ts';

/** Whether a Sluice has been here; refuses where nobody can tell. */
export function seesData(config: Config): boolean {
  try {
    return hasData(config);
  } catch (error) {
    throw new CommandError(`the folder of SLUICE_DATA_DIR cannot be read: ${(error as Error).message}`);
  }
}

/** Refuses where no Sluice has been: who only looks or changes must not leave an empty folder there. */
export function assertData(config: Config): void {
  if (seesData(config)) return;
  const { dataDir } = places(config);
  const what = existsSync(dataDir) ? `no data of Sluice in ${dataDir}` : `no data folder at ${dataDir}`;
  throw new CommandError(
    `there is ${what}: set SLUICE_DATA_DIR to your data folder, or create one with sluice serve`,
  );
}
