import { createInProcessCoordination } from '../../../src/adapters/coordination/in-process.ts';
import { systemClock } from '../../../src/base/time.ts';
import { coordinationContract } from '../../contracts/coordination.ts';

coordinationContract('in process', async () => {
  // A process alone is all replicas.
  const coordination = createInProcessCoordination(systemClock);
  return async () => coordination;
});
