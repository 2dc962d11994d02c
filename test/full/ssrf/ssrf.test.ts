import { join } from 'node:path';
import { test } from 'node:test';
import { ownNetwork, runInside } from '../../helpers/own-network.ts';

const { prefix, skip } = ownNetwork();
/** All files together. */
const TIMEOUT_MS = 170_000;

test('no packet reaches non-public space, in a network where every address would answer', {
  skip,
}, async (t) => {
  await runInside(t, prefix!, join(import.meta.dirname, '../../ssrf/inside/all.ts'), TIMEOUT_MS);
});
