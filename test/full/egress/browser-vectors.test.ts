import { join } from 'node:path';
import { test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { ownNetwork, runInside } from '../../helpers/own-network.ts';

const { prefix, skip } = ownNetwork();
const none = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

test('no way out of a browser but the gateway, in a network of its own', {
  skip: skip || none,
}, async (t) => {
  await runInside(
    t,
    [...prefix!, '-m'],
    join(import.meta.dirname, '../../egress/inside/vectors-in-browsers.ts'),
    450_000,
  );
});
