import assert from 'node:assert/strict';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { sendPieces, type TransferLimits } from '../../src/http/core/streaming.ts';

/** Far below the limits of the service, so that the tests are short. */
const LIMITS: TransferLimits = { stallMs: 300, bytesPerMs: 100, graceMs: 500 };
const PIECE = 'x'.repeat(64 * 1024);

function* piecesOf(count: number, onPiece: (index: number) => void): Generator<string> {
  for (let index = 0; index < count; index++) {
    onPiece(index);
    yield PIECE;
  }
}

describe('sendPieces', () => {
  let app: FastifyInstance;
  /** Number of pieces that `sendPieces` has asked for. */
  let produced: number;
  /** Resolves with the duration in ms when the response has been closed. */
  let closed: Promise<number>;
  /** Number of pieces of the response. */
  let count: number;
  /** Thrown instead of the sixth piece. */
  let error: Error | null;
  let limits: TransferLimits | undefined;
  let onPiece: () => void;

  beforeEach(async () => {
    produced = 0;
    count = 2000;
    error = null;
    limits = undefined;
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
      const pieces = piecesOf(count, (index) => {
        produced = index + 1;
        onPiece();
        if (error !== null && index === 5) throw error;
      });
      sendPieces(reply, pieces, limits);
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => app.close());

  const url = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/`;
  const sendRequest = (): Socket => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  };

  it('sends all pieces, with the headers of the reply', async () => {
    const response = await fetch(url());
    assert.equal(response.headers.get('x-kept'), 'yes');
    assert.equal((await response.text()).length, 2000 * PIECE.length);
  });

  it('produces pieces only as fast as the client reads, and closes the connection if the client reads nothing', async () => {
    limits = LIMITS;
    const socket = sendRequest().pause();
    const ms = await closed;
    // The socket buffers hold a few MiB, even if the client reads nothing. 500 pieces are 31 MiB.
    assert.ok(produced < 500, `${produced} pieces`);
    assert.ok(ms >= LIMITS.stallMs, `${ms} ms`);
    socket.destroy();
  });

  it('closes the connection if the average rate is too low after the grace time', async () => {
    count = 1e9;
    // No client is that fast.
    limits = { ...LIMITS, bytesPerMs: 1e9 };
    const socket = sendRequest().resume();
    assert.ok((await closed) >= LIMITS.graceMs);
    socket.destroy();
  });

  it('produces no further pieces when the client disconnects', async () => {
    const socket = sendRequest();
    socket.once('data', () => socket.destroy());
    await closed;
    const producedAtClose = produced;
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(produced <= producedAtClose + 1);
    assert.ok(produced < count);
  });

  it('sends an incomplete response, which the client notices, if a piece cannot be produced', async () => {
    error = new Error('a bug');
    const response = await fetch(url());
    await assert.rejects(response.text());
  });

  it('lets the event loop do other work during a large response', async () => {
    count = 5_000;
    const received = fetch(url()).then((response) => response.arrayBuffer());
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    await received;
    clearInterval(timer);
    assert.ok(ticks > 20, `${ticks}`);
  });

  it('sends only one piece, of all responses together, in each turn of the event loop', async () => {
    count = 50;
    let turn = 0;
    let isDone = false;
    const piecesByTurn = new Map<number, number>();
    onPiece = () => piecesByTurn.set(turn, (piecesByTurn.get(turn) ?? 0) + 1);
    const loop = () => {
      turn++;
      if (!isDone) setImmediate(loop);
    };
    loop();
    const lengths = await Promise.all(
      Array.from({ length: 20 }, async () => (await (await fetch(url())).text()).length),
    ).finally(() => {
      isDone = true;
    });
    assert.deepEqual(
      lengths,
      lengths.map(() => count * PIECE.length),
    );
    // `turn` changes at another moment of the event loop than `sendPieces` writes, so two pieces may fall into one turn.
    const most = Math.max(...piecesByTurn.values());
    assert.ok(most <= 2, `${most} pieces in one turn`);
  });
});
