import { accountStoreContract } from '../contracts/account-store.ts';
import { idempotencyStoreContract } from '../contracts/idempotency-store.ts';
import { savedRequestStoreContract } from '../contracts/saved-request-store.ts';
import { secretStoreContract } from '../contracts/secret-store.ts';
import { sessionStoreContract } from '../contracts/session-store.ts';
import { settingStoreContract } from '../contracts/setting-store.ts';
import { templateStoreContract } from '../contracts/template-store.ts';
import { openSqlite } from './open-sqlite.ts';

accountStoreContract('SQLite', openSqlite);
sessionStoreContract('SQLite', openSqlite);
savedRequestStoreContract('SQLite', openSqlite);
templateStoreContract('SQLite', openSqlite);
settingStoreContract('SQLite', openSqlite);
secretStoreContract('SQLite', openSqlite);
idempotencyStoreContract('SQLite', openSqlite);
