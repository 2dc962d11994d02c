import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { sendStream } from '../../src/http/streaming.ts';
import { eventually } from '../helpers/service.ts';

const STALL_MS = 300;
const PIECE = 'x'.repeat(256 * 1024);

describe('an answer that is still being made', () => {
  let app: FastifyInstance;
  let count: number;
  let made: number;
  let ended: boolean;
  /** At which piece it cannot be made. */
  let broken: number;
  let troubles: unknown[];

  async function* pieces(): AsyncGenerator<string> {
    try {
      for (let n = 0; n < count; n++) {
        if (n === broken) throw new Error('a bug');
        made = n + 1;
        // Nothing is a piece too.
        yield n % 3 === 1 ? '' : PIECE;
      }
    } finally {
      ended = true;
    }
  }

  beforeEach(async () => {
    count = 30;
    made = 0;
    broken = -1;
    ended = false;
    troubles = [];
    app = fastify();
    app.get('/', (_request, reply) => {
      reply.header('x-kept', 'yes');
      return sendStream(reply, pieces(), (error) => troubles.push(error), STALL_MS);
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => app.close());

  const port = () => (app.server.address() as AddressInfo).port;
  const url = () => `http://127.0.0.1:${port()}/`;
  const ask = () => {
    const socket = connect(port(), '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket;
  };

  it('is whole, with the headers of the reply', async () => {
    const answer = await fetch(url());
    assert.equal(answer.headers.get('x-kept'), 'yes');
    assert.equal((await answer.text()).length, 20 * PIECE.length);
    assert.ok(ended);
  });

  it('is made only as fast as it is read, and cut off when it is not read', async () => {
    count = 1_000;
    const began = performance.now();
    const socket = ask().pause();
    await eventually(() => ended);
    assert.ok(performance.now() - began >= STALL_MS);
    assert.ok(made < 100, `${made} pieces`);
    socket.destroy();
    assert.deepEqual(troubles, []);
  });

  it('ends when the caller leaves', async () => {
    count = 1_000_000;
    const socket = ask();
    socket.once('data', () => socket.destroy());
    await eventually(() => ended);
    assert.ok(made < 1_000, `${made} pieces`);
    assert.deepEqual(troubles, []);
  });

  it('is refused like any other when not even its beginning can be made', async () => {
    broken = 0;
    assert.equal((await fetch(url())).status, 500);
    assert.deepEqual(troubles, []);
  });

  it('breaks off, and does not pass for whole, when it cannot be made to the end', async () => {
    broken = 5;
    const answer = await fetch(url());
    await assert.rejects(answer.text());
    assert.equal(troubles.length, 1);
    assert.ok(ended);
  });
});
