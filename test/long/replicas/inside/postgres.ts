import { test } from 'node:test';
import { partition } from './partition.ts';

test('of three services one hears nothing of PostgreSQL, and one is not heard either', (t) =>
  partition(t, [{ holds: 20 }, { postgres: 'answers', holds: 15 }, { postgres: 'all', holds: 10 }]));
