import assert from 'node:assert/strict';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { sendPieces, type TransferLimits } from '../../src/http/streaming.ts';

const SLOW: TransferLimits = { stallMs: 300, bytesPerMs: 100, graceMs: 500 };
const PIECE = 'x'.repeat(64 * 1024);

function* many(count: number, onPiece: (n: number) => void): Generator<string> {
  for (let n = 0; n < count; n++) {
    onPiece(n);
    yield PIECE;
  }
}

describe('an answer in pieces', () => {
  let app: FastifyInstance;
  let made: number;
  let closed: Promise<number>;
  let count: number;
  let error: Error | null;
  let pace: TransferLimits | undefined;
  let onPiece: () => void;

  beforeEach(async () => {
    made = 0;
    count = 2000;
    error = null;
    pace = undefined;
    onPiece = () => {};
    app = fastify();
    let ended: (ms: number) => void;
    closed = new Promise((resolve) => {
      ended = resolve;
    });
    app.get('/', (_request, reply) => {
      const began = performance.now();
      reply.raw.once('close', () => ended(performance.now() - began));
      reply.header('x-kept', 'yes');
      const pieces = many(count, (n) => {
        made = n + 1;
        onPiece();
        if (error !== null && n === 5) throw error;
      });
      sendPieces(reply, pieces, pace);
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => app.close());

  const url = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`;
  const ask = (): Socket => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  };

  it('is whole, with the headers of the reply', async () => {
    const answer = await fetch(url());
    assert.equal(answer.headers.get('x-kept'), 'yes');
    assert.equal((await answer.text()).length, 2000 * PIECE.length);
  });

  it('is made only as fast as it is read, and cut off when it is not read', async () => {
    pace = SLOW;
    const socket = ask().pause();
    const ms = await closed;
    // What the system itself takes for somebody who does not read is some MiB.
    assert.ok(made < 500, `${made} pieces`);
    assert.ok(ms >= SLOW.stallMs, `${ms} ms`);
    socket.destroy();
  });

  it('is cut off when it goes too slowly for too long, though it goes', async () => {
    count = 1e9;
    // Nobody is that fast.
    pace = { ...SLOW, bytesPerMs: 1e9 };
    const socket = ask().resume();
    assert.ok((await closed) >= SLOW.graceMs);
    socket.destroy();
  });

  it('ends when the caller leaves', async () => {
    const socket = ask();
    socket.once('data', () => socket.destroy());
    await closed;
    const then = made;
    await new Promise((r) => setTimeout(r, 50));
    assert.ok(made <= then + 1);
    assert.ok(made < 2000);
  });

  it('breaks off, and does not pass for whole, when it cannot be made', async () => {
    error = new Error('a bug');
    const answer = await fetch(url());
    await assert.rejects(answer.text());
  });

  it('lets others be served meanwhile', async () => {
    count = 5_000;
    const big = fetch(url()).then((answer) => answer.arrayBuffer());
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await big;
    clearInterval(timer);
    assert.ok(turns > 20, `${turns}`);
  });

  it('takes its turn with all others: one piece for each turn of the event loop', async () => {
    count = 50;
    let turn = 0;
    let over = false;
    const most = new Map<number, number>();
    onPiece = () => most.set(turn, (most.get(turn) ?? 0) + 1);
    const loop = () => {
      turn++;
      if (!over) setImmediate(loop);
    };
    loop();
    const lengths = await Promise.all(
      Array.from({ length: 20 }, async () => (await (await fetch(url())).text()).length),
    ).finally(() => {
      over = true;
    });
    assert.deepEqual(
      lengths,
      lengths.map(() => count * PIECE.length),
    );
    // The turns that are counted here may begin a moment later than its own.
    assert.ok(Math.max(...most.values()) <= 2, `${Math.max(...most.values())} pieces in one turn`);
  });
});
