import type { TestContext } from 'node:test';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres-store.ts';
import { afterwards } from '../../adapters/temp.ts';
import { accountStoreContract } from '../../contracts/account-store.ts';
import { experienceStoreContract } from '../../contracts/experience-store.ts';
import { idempotencyStoreContract } from '../../contracts/idempotency-store.ts';
import { monitorStoreContract } from '../../contracts/monitor-store.ts';
import { recordStoreContract } from '../../contracts/record-store.ts';
import { secretStoreContract } from '../../contracts/secret-store.ts';
import { sessionStoreContract } from '../../contracts/session-store.ts';
import { statsStoreContract } from '../../contracts/stats-store.ts';
import { templateStoreContract } from '../../contracts/template-store.ts';
import { webhookStoreContract } from '../../contracts/webhook-store.ts';
import { testDatabase } from '../../helpers/postgres.ts';

async function open(t: TestContext) {
  const store = await openPostgresStore({ url: await testDatabase(), directUrl: null, readUrl: null });
  afterwards(t, () => store.close());
  return store;
}

recordStoreContract('PostgreSQL', open);
accountStoreContract('PostgreSQL', open);
sessionStoreContract('PostgreSQL', open);
statsStoreContract('PostgreSQL', open);
experienceStoreContract('PostgreSQL', open);
templateStoreContract('PostgreSQL', open);
secretStoreContract('PostgreSQL', open);
webhookStoreContract('PostgreSQL', open);
monitorStoreContract('PostgreSQL', open);
idempotencyStoreContract('PostgreSQL', open);
