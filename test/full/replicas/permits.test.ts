import { describe, test } from 'node:test';
import { noPostgres } from '../../helpers/postgres.ts';
import { ROUNDS, runPermitRounds } from './permit-rounds.ts';

describe('permits over three services', { skip: noPostgres }, () => {
  test(`PostgreSQL counts: ${ROUNDS} rounds`, (t) => runPermitRounds(t, null));
});
