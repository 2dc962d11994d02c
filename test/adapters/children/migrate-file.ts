/** Migrates a database. Prints how many bytes the process has read meanwhile, from files or from the memory of the system. */
import { readFileSync } from 'node:fs';
import { MIGRATIONS } from '../../../src/adapters/store/schema/migrations.ts';
import { prepareDatabase } from '../../../src/adapters/store/sqlite/prepare-database.ts';
import { NEXT_MIGRATION } from '../../helpers/many-records.ts';

const bytesRead = () => Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))![1]);

const migrations = [...MIGRATIONS, NEXT_MIGRATION];
const before = bytesRead();
prepareDatabase({ file: process.argv[2]!, migrations, log: () => {} }, () => {});
console.log(bytesRead() - before);
