import { appliedPasswordFile } from '../../config/data-dir.ts';
import { backup as backupTo, restore as restoreFrom, sealedKeyProblem } from '../../data.ts';
import type { RunCommand } from '../core/command.ts';

export const backup: RunCommand = async ({ words }, io) => {
  const file = words[0]!;
  const { blobs, missing } = await io.withData((data) => backupTo(data, file));
  io.out(`${file}: the database and ${blobs} large contents`);
  if (missing.length > 0)
    io.err(
      `warning: ${missing.length} large contents are missing in the data folder, and so in the backup: ${missing.join(', ')}`,
    );
  return 0;
};

export const restore: RunCommand = async ({ words, flags }, io) => {
  const file = words[0]!;
  const { blobs, keptAside, activeKeys } = await restoreFrom(io.config(), file, {
    force: flags.has('force'),
  });
  await io.withData(async ({ store }) => {
    const problem = await sealedKeyProblem(io.config(), store);
    if (problem !== null) io.err(`warning: the service will not start yet. ${problem}`);
  });
  // SLUICE_ADMIN_PASSWORD was applied to the old data. It must be applied to the restored data, too.
  appliedPasswordFile(io.config()).write(null);
  io.out(`restored: the database and ${blobs} large contents`);
  if (keptAside !== null) io.out(`the previous database was kept as ${keptAside}`);
  io.out(
    `API keys that work now: ${activeKeys}. Keys revoked since the backup work again; see sluice keys list`,
  );
  return 0;
};
