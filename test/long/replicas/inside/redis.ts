import { test } from 'node:test';
import { partition } from './partition.ts';

test('of three services one does not reach Redis, and one neither Redis nor PostgreSQL', (t) =>
  partition(t, [{ holds: 20 }, { redis: 'all', holds: 15 }, { redis: 'all', postgres: 'all', holds: 10 }]));
