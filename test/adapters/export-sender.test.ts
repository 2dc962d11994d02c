import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { createExportSender } from '../../src/adapters/exports/export-sender.ts';
import { MemoryBudget } from '../../src/base/memory-budget.ts';
import { systemClock } from '../../src/base/time.ts';
import { isFailure } from '../../src/domain/failure.ts';
import { createEgress } from '../../src/egress/egress.ts';
import { listen } from '../helpers/free-port.ts';

const MIB = 2 ** 20;

/** A file of this many bytes. */
const fileOf = (bytes: number) => ({
  bytes,
  type: 'text/csv',
  async *read(from = 0, to = bytes) {
    for (let at = from; at < to; at += MIB) yield Buffer.alloc(Math.min(MIB, to - at), 'x');
  },
});

test('a target that takes nothing, and one that takes all and does not answer, are given up', async (t) => {
  const taken = { nothing: 0, all: 0 };
  const takes = (key: keyof typeof taken) =>
    createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        taken[key] += bytes.length;
      });
      if (key === 'nothing') socket.pause();
    });
  const egress = createEgress({ allow: ['127.0.0.0/8'], dnsServers: null, clock: systemClock });
  const memory = new MemoryBudget(64 * MIB);
  const sender = createExportSender({
    ...{ guard: egress.guardFor({ ranges: ['127.0.0.0/8'], hosts: [] }), ca: null, memory },
    ...{ clock: systemClock, stallMs: 2_000 },
  });
  t.after(() => {
    sender.close();
    egress.close();
  });
  // More than the buffers of a connection hold.
  const bytes = 32 * MIB;
  for (const key of ['nothing', 'all'] as const) {
    const server = takes(key);
    await listen(server);
    t.after(() => server.close());
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const signal = new AbortController().signal;
    const answer = await sender.upload({ method: 'PUT', url, headers: [], file: fileOf(bytes) }, signal);
    assert.ok(isFailure(answer), key);
    assert.equal(answer.code, 'timeout.total', key);
  }
  assert.ok(taken.nothing < bytes);
  assert.ok(taken.all >= bytes);
});
