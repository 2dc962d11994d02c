import { accountStoreContract } from '../contracts/account-store.ts';
import { idempotencyStoreContract } from '../contracts/idempotency-store.ts';
import { savedRequestStoreContract } from '../contracts/saved-request-store.ts';
import { secretStoreContract } from '../contracts/secret-store.ts';
import { sessionStoreContract } from '../contracts/session-store.ts';
import { settingStoreContract } from '../contracts/setting-store.ts';
import { templateStoreContract } from '../contracts/template-store.ts';
import { useSqlite } from './open-sqlite.ts';

const open = useSqlite();
accountStoreContract('SQLite', open);
sessionStoreContract('SQLite', open);
savedRequestStoreContract('SQLite', open);
templateStoreContract('SQLite', open);
settingStoreContract('SQLite', open);
secretStoreContract('SQLite', open);
idempotencyStoreContract('SQLite', open);
