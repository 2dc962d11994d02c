import { migrate as migrateData } from '../../data.ts';
import type { RunCommand } from '../core/command.ts';

export const migrate: RunCommand = async (_call, io) => {
  const { before, now } = await migrateData(io.config(), io.logging);
  if (before === null) io.out(`The database was created, with version ${now} of the schema.`);
  else if (before === now) io.out(`The database is up to date: version ${now} of the schema.`);
  else io.out(`The database was updated from version ${before} of the schema to ${now}.`);
  return 0;
};
