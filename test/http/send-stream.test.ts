import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { sendStream } from '../../src/http/core/streaming.ts';
import { eventually } from '../helpers/service.ts';

const STALL_MS = 300;
const PIECE = 'x'.repeat(256 * 1024);

describe('sendStream', () => {
  let app: FastifyInstance;
  let count: number;
  /** Number of pieces that `sendStream` has asked for. */
  let produced: number;
  /** Whether the generator has been closed. */
  let ended: boolean;
  /** The index of the piece that throws; -1: none. */
  let failingPiece: number;
  let errors: unknown[];

  async function* pieces(): AsyncGenerator<string> {
    try {
      for (let n = 0; n < count; n++) {
        if (n === failingPiece) throw new Error('a bug');
        produced = n + 1;
        // Every third piece is empty.
        yield n % 3 === 1 ? '' : PIECE;
      }
    } finally {
      ended = true;
    }
  }

  beforeEach(async () => {
    count = 30;
    produced = 0;
    failingPiece = -1;
    ended = false;
    errors = [];
    app = fastify();
    app.get('/', (_request, reply) => {
      reply.header('x-kept', 'yes');
      return sendStream(reply, pieces(), (error) => errors.push(error), STALL_MS);
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => app.close());

  const port = () => (app.server.address() as AddressInfo).port;
  const url = () => `http://127.0.0.1:${port()}/`;
  const sendRequest = () => {
    const socket = connect(port(), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  };

  it('sends all pieces, with the headers of the reply', async () => {
    const response = await fetch(url());
    assert.equal(response.headers.get('x-kept'), 'yes');
    assert.equal((await response.text()).length, 20 * PIECE.length);
    assert.ok(ended);
  });

  it('produces pieces only as fast as the client reads, and closes the connection if the client reads nothing', async () => {
    count = 1_000;
    const began = performance.now();
    const socket = sendRequest().pause();
    await eventually(() => ended);
    assert.ok(performance.now() - began >= STALL_MS);
    assert.ok(produced < 100, `${produced} pieces`);
    socket.destroy();
    assert.deepEqual(errors, []);
  });

  it('produces no further pieces when the client disconnects', async () => {
    count = 1_000_000;
    const socket = sendRequest();
    socket.once('data', () => socket.destroy());
    await eventually(() => ended);
    assert.ok(produced < 1_000, `${produced} pieces`);
    assert.deepEqual(errors, []);
  });

  it('responds with status 500 if the first piece cannot be produced', async () => {
    failingPiece = 0;
    assert.equal((await fetch(url())).status, 500);
    assert.deepEqual(errors, []);
  });

  it('sends an incomplete response, which the client notices, if a later piece cannot be produced', async () => {
    failingPiece = 5;
    const response = await fetch(url());
    await assert.rejects(response.text());
    assert.equal(errors.length, 1);
    assert.ok(ended);
  });
});
