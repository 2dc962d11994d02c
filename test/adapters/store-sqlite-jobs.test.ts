import { alertStoreContract } from '../contracts/alert-store.ts';
import { jobStoreContract } from '../contracts/job-store.ts';
import { monitorStoreContract } from '../contracts/monitor-store.ts';
import { webhookStoreContract } from '../contracts/webhook-store.ts';
import { openSqlite } from './open-sqlite.ts';

jobStoreContract('SQLite', openSqlite);
webhookStoreContract('SQLite', openSqlite);
monitorStoreContract('SQLite', openSqlite);
alertStoreContract('SQLite', openSqlite);
