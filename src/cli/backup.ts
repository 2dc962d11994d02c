import { appliedPasswordFile } from '../config/data-dir.ts';
import { backup as backupTo, restore as restoreFrom, sealedKeyProblem } from '../data.ts';
import { type Command, readArgs, requireArgument } from './command.ts';

export const backup: Command = {
  usage: `sluice backup FILE   writes all data to one file; works while the service runs; FILE must not exist`,
  async run(args, io) {
    const { positionals } = readArgs(args, {}, { maxPositionals: 1 });
    const file = requireArgument(positionals[0], 'FILE');
    const { blobs, missing } = await io.withData((data) => backupTo(data, file));
    io.out(`${file}: the database and ${blobs} large contents`);
    if (missing.length > 0)
      io.err(
        `warning: ${missing.length} large contents are missing in the data folder, and so in the backup: ${missing.join(', ')}`,
      );
    return 0;
  },
};

export const restore: Command = {
  usage: `sluice restore FILE [--force]   replaces the data with a backup; stop the service first

  --force   even if there is data already; the old database is kept next to the new one

  Restores the state at the time of the backup: keys that were revoked since then work again, and so do sessions that
  were ended. See sluice keys list and sluice keys revoke.`,
  async run(args, io) {
    const { positionals, values } = readArgs(args, { force: { type: 'boolean' } }, { maxPositionals: 1 });
    const file = requireArgument(positionals[0], 'FILE');
    const { blobs, keptAside, activeKeys } = await restoreFrom(io.config(), file, {
      force: values.force === true,
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
  },
};
