import { dataPaths } from '../../config/data-dir.ts';
import { copyData, postgresOptions } from '../../data.ts';
import { CommandError, type RunCommand, WRONG_USAGE } from '../core/command.ts';

export const copy: RunCommand = async ({ values }, io) => {
  const config = io.config();
  const url = values.get('to');
  const to = url === undefined ? postgresOptions(config) : { url, directUrl: null, readUrl: null };
  if (to === null) throw new CommandError('--to is missing, and SLUICE_DATABASE_URL is not set', WRONG_USAGE);
  if (!/^postgres(ql)?:\/\//.test(to.url))
    throw new CommandError('--to must be the URL of a PostgreSQL database: postgres://…', WRONG_USAGE);
  const from = values.get('from') ?? config.dataDir;
  let rows = 0;
  const contents = await copyData(config, {
    from,
    to,
    onTable(table, count) {
      rows += count;
      if (count > 0) io.err(`${table}: ${count}`);
    },
  });
  const { dataDir } = dataPaths({ ...config, dataDir: from });
  io.out(`copied and compared: ${rows} rows and ${contents} large contents`);
  io.out('Now start the services with SLUICE_DATABASE_URL, and with the secrets of the old one:');
  if (config.encryptionKeys === null)
    io.out(`SLUICE_ENCRYPTION_KEY_FILE: a copy of ${dataDir}/encryption-key`);
  if (config.secret === null) io.out(`SLUICE_SECRET: the text of ${dataDir}/secret`);
  io.out(
    `Do not start a service without SLUICE_DATABASE_URL on ${dataDir} again: it would go on with the old data.`,
  );
  return 0;
};
