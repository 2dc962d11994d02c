import { experienceStoreContract } from '../contracts/experience-store.ts';
import { fileUsageContract, recordStoreContract } from '../contracts/record-store.ts';
import { statsStoreContract } from '../contracts/stats-store.ts';
import { openSqlite } from './open-sqlite.ts';

recordStoreContract('SQLite', openSqlite);
fileUsageContract('SQLite', openSqlite);
statsStoreContract('SQLite', openSqlite);
experienceStoreContract('SQLite', openSqlite);
