import { describe, test } from 'node:test';
import { noPostgres } from '../../helpers/postgres.ts';
import { noRedis, startRedis } from '../../helpers/redis.ts';
import { ROUNDS, runPermitRounds } from './permit-rounds.ts';

describe('permits over three services', { skip: noPostgres || noRedis }, () => {
  test(`Redis counts, and is killed amid callers: ${ROUNDS} rounds`, async (t) =>
    runPermitRounds(t, await startRedis()));
});
