import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openSqliteStore } from '../../src/adapters/store/open-sqlite-store.ts';
import { accountStoreContract } from '../contracts/account-store.ts';
import { alertStoreContract } from '../contracts/alert-store.ts';
import { experienceStoreContract } from '../contracts/experience-store.ts';
import { idempotencyStoreContract } from '../contracts/idempotency-store.ts';
import { jobStoreContract } from '../contracts/job-store.ts';
import { monitorStoreContract } from '../contracts/monitor-store.ts';
import { fileUsageContract, recordStoreContract } from '../contracts/record-store.ts';
import { secretStoreContract } from '../contracts/secret-store.ts';
import { sessionStoreContract } from '../contracts/session-store.ts';
import { settingStoreContract } from '../contracts/setting-store.ts';
import { statsStoreContract } from '../contracts/stats-store.ts';
import { templateStoreContract } from '../contracts/template-store.ts';
import { webhookStoreContract } from '../contracts/webhook-store.ts';
import { afterwards, tempFolder } from './temp.ts';

async function open(t: TestContext) {
  const store = await openSqliteStore({ file: join(tempFolder(t), 'sluice.db'), durability: 'normal' });
  afterwards(t, () => store.close());
  return store;
}

recordStoreContract('SQLite', open);
fileUsageContract('SQLite', open);
accountStoreContract('SQLite', open);
sessionStoreContract('SQLite', open);
statsStoreContract('SQLite', open);
experienceStoreContract('SQLite', open);
jobStoreContract('SQLite', open);
templateStoreContract('SQLite', open);
settingStoreContract('SQLite', open);
secretStoreContract('SQLite', open);
webhookStoreContract('SQLite', open);
monitorStoreContract('SQLite', open);
alertStoreContract('SQLite', open);
idempotencyStoreContract('SQLite', open);
