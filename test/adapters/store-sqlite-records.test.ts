import { experienceStoreContract } from '../contracts/experience-store.ts';
import { fileUsageContract, recordStoreContract } from '../contracts/record-store.ts';
import { statsStoreContract } from '../contracts/stats-store.ts';
import { openSqlite, useSqlite } from './open-sqlite.ts';

const open = useSqlite();
recordStoreContract('SQLite', open);
// The size of the file is its subject, so its tests have files of their own.
fileUsageContract('SQLite', openSqlite);
statsStoreContract('SQLite', open);
experienceStoreContract('SQLite', open);
