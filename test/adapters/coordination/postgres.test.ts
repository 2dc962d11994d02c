import { describe } from 'node:test';
import { coordinationContract } from '../../contracts/coordination.ts';
import { openReplica, replicaDatabase } from '../../helpers/coordination.ts';
import { noPostgres } from '../../helpers/postgres.ts';

describe('PostgreSQL', { skip: noPostgres }, () => {
  coordinationContract('PostgreSQL', async (t) => {
    const url = await replicaDatabase();
    return () => openReplica(t, url);
  });
});
