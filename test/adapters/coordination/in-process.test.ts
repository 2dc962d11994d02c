import { join } from 'node:path';
import { createInProcessCoordination } from '../../../src/adapters/coordination/in-process.ts';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { systemClock } from '../../../src/base/time.ts';
import { coordinationContract } from '../../contracts/coordination.ts';
import { tempFolder } from '../temp.ts';

coordinationContract('in process', async (t) => {
  const store = await openSqliteStore({ file: join(tempFolder(t), 'sluice.db'), durability: 'normal' });
  t.after(() => store.close());
  // A process alone is all replicas.
  const coordination = createInProcessCoordination(systemClock, store.counters);
  return async () => coordination;
});
