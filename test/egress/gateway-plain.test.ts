import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import fc from '../helpers/fast-check.ts';
import { useSite } from '../helpers/use-site.ts';
import { answering, Line, OPEN, openWorld, target, tunnel, until } from './gateway-world.ts';

const get = (place: string, path = '/', more = '') =>
  `GET http://${place}${path} HTTP/1.1\r\nHost: ${place}\r\n${more}\r\n`;

describe('the http client of Node as engine', () => {
  const site = useSite();

  test('requests arrive as they were written, on one connection, and bodies are whole', async (t) => {
    const { slot } = await openWorld(t);
    await using use = slot.begin(OPEN);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    t.after(() => agent.destroy());
    const ask = (path: string, method: string, body: Buffer | null) =>
      new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
        const { host } = new URL(site.url);
        const headers = [
          'Host',
          host,
          'X-ODD-Case',
          '1',
          'accept',
          '*/*',
          'Proxy-Connection',
          'keep-alive',
          'X-ODD-Case',
          '2',
        ];
        if (body !== null) headers.push('Content-Length', `${body.length}`);
        const sent = httpRequest(
          {
            agent,
            host: '127.0.0.1',
            port: slot.port,
            method,
            path: `${site.url}${path}`,
            headers,
            setDefaultHeaders: false,
          },
          (answer) => {
            const parts: Buffer[] = [];
            answer.on('data', (part: Buffer) => parts.push(part));
            answer.on('end', () =>
              resolve({
                status: answer.statusCode!,
                body: Buffer.concat(parts),
              }),
            );
          },
        );
        sent.on('error', reject);
        sent.end(body);
      });
    const opened = site.opened();
    for (let i = 0; i < 5; i++) assert.equal((await ask('/status/404', 'GET', null)).status, 404);
    assert.equal((await ask('/status/503', 'GET', null)).status, 503);
    assert.equal(site.opened(), opened + 1);
    assert.equal(use.connections.length, 1);
    const seen = site.log.at(-1)!;
    assert.equal(seen.url, '/status/503');
    assert.deepEqual(
      seen.headers.map(([name]) => name),
      ['Host', 'X-ODD-Case', 'accept', 'Connection', 'X-ODD-Case'],
    );
    const body = Buffer.alloc(3_000_000, 'abcdefghi');
    await ask('/echo', 'POST', body);
    assert.ok(site.log.at(-1)!.body.equals(body));
  });
});

const CHUNKS = '5\r\nhello\r\n3;ext="a"\r\n, w\r\n4\r\norld\r\n0\r\nTrailer: 1\r\n\r\n';

/** What an engine says, and what the target gets and answers, in the order of both. */
function conversation(place: string) {
  const asked = [
    get(place, '/chunked', 'Proxy-Connection: keep-alive\r\n'),
    `POST http://${place}/in HTTP/1.1\r\nhost: ${place}\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
    `HEAD http://${place}?q HTTP/1.1\r\nHOST: ${place}\r\nProxy-Authorization: x\r\n\r\n`,
    `PUT http://${place}/in HTTP/1.1\r\nHost: ${place}\r\nContent-Length: 7\r\nExpect: 100-continue\r\n\r\nGET x\r\n`,
    '\r\n',
    get(place, '/same'),
    get(place, '/last', 'Connection: close\r\nProxy-Connection: close\r\n'),
  ];
  const arrives = [
    `GET /chunked HTTP/1.1\r\nHost: ${place}\r\nConnection: keep-alive\r\n\r\n`,
    `POST /in HTTP/1.1\r\nhost: ${place}\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNKS}`,
    `HEAD /?q HTTP/1.1\r\nHOST: ${place}\r\n\r\n`,
    `PUT /in HTTP/1.1\r\nHost: ${place}\r\nContent-Length: 7\r\nExpect: 100-continue\r\n\r\nGET x\r\n`,
    `GET /same HTTP/1.1\r\nHost: ${place}\r\n\r\n`,
    `GET /last HTTP/1.1\r\nHost: ${place}\r\nConnection: close\r\n\r\n`,
  ];
  const answers = [
    `HTTP/1.1 200 Ok Dokey\r\nx-A: 1\r\nX-a: 2\r\nTransfer-Encoding: Chunked\r\n\r\n${CHUNKS}`,
    'HTTP/1.1 204\nA:b\n\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 12345\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 201 \xe9\r\ncontent-length : 3\r\nContent-Length: 3\r\n\r\nHTT',
    'HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n',
    'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nuntil the end',
  ];
  return { asked: asked.join(''), arrives: arrives.join(''), answers: answers.join('') };
}

/** Writes a text in the given pieces, each in a turn of its own. */
async function inPieces(write: (text: string) => void, text: string, cuts: readonly number[]) {
  let from = 0;
  for (const cut of [...new Set(cuts.map((share) => Math.floor(share * text.length)))].sort(
    (a, b) => a - b,
  )) {
    if (cut > from) write(text.slice(from, cut));
    from = Math.max(from, cut);
    await new Promise((resolve) => setImmediate(resolve));
  }
  write(text.slice(from));
}

test('pieces cut anywhere give the same, both ways, also when the engine pipelines', async (t) => {
  const { slot } = await openWorld(t);
  let talk: ReturnType<typeof conversation>;
  let cutsBack: readonly number[] = [];
  let arrived = '';
  const site = await target(t, (socket) => {
    socket.on('data', (piece) => {
      arrived += piece.toString('latin1');
      // All is asked before anything is answered.
      if (arrived.length !== talk.arrives.length) return;
      void inPieces((text) => socket.write(text, 'latin1'), talk.answers, cutsBack).then(() => socket.end());
    });
  });
  talk = conversation(`127.0.0.1:${site.port}`);
  await using _ = slot.begin(OPEN);
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 40 });
  const every = Array.from({ length: 1000 }, (_, i) => i / 1000);
  await fc.assert(
    fc.asyncProperty(cuts, cuts, async (there, back) => {
      arrived = '';
      cutsBack = back;
      const line = new Line(slot.port);
      await inPieces((text) => line.write(text), talk.asked, there);
      await line.until(({ ended }) => ended);
      assert.equal(arrived, talk.arrives);
      assert.equal(line.received, talk.answers);
      assert.equal(line.error, null);
    }),
    { numRuns: 60, examples: [[every, every]] },
  );
});

test('requests for other targets on one connection get the right answers, one after the other', async (t) => {
  const { dns, slot } = await openWorld(t);
  dns.reply('a.test', { addresses: ['127.0.0.1'] });
  const a = await answering(t, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na.');
  const b = await target(t, (socket) => {
    socket.once('data', () => {
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nb'), 20);
      setTimeout(() => socket.write('b'), 40);
      setTimeout(() => socket.write('b.'), 60);
    });
  });
  await using use = slot.begin(OPEN);
  const [pa, pb] = [`a.test:${a.port}`, `127.0.0.1:${b.port}`];
  const line = new Line(slot.port).write(get(pa) + get(pb) + get(pa) + get(pa) + get('127.0.0.2'));
  await line.until(({ ended }) => ended);
  const bodies = line.received.split(/HTTP\/1\.1 \d\d\d [\s\S]*?\r\n\r\n/);
  assert.deepEqual(bodies, ['', 'a.', 'bbb.', 'a.', 'a.', '']);
  assert.match(line.received, /HTTP\/1\.1 403 Forbidden\r\nCache-Control/);
  assert.deepEqual(
    use.connections.map(({ host }) => host),
    ['a.test', '127.0.0.1', 'a.test', '127.0.0.2'],
  );
});

test('bytes that nobody asked for reach no other answer', async (t) => {
  const { slot } = await openWorld(t);
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const site = await answering(t, `${answer}\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`);
  await using _ = slot.begin(OPEN);
  const line = await new Line(slot.port).write(get(`127.0.0.1:${site.port}`)).until(({ ended }) => ended);
  assert.equal(line.received, `${answer}\r\n`);
});

test('an engine that is still sending when such bytes come is not listened to any more', async (t) => {
  const { slot } = await openWorld(t);
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
  const site = await target(t, (socket) => {
    socket.once('data', () => socket.write(`${answer}evil`));
    socket.on('end', () => socket.end());
  });
  await using use = slot.begin(OPEN);
  const place = `127.0.0.1:${site.port}`;
  for (const more of ['Content-Length: 100\r\n', 'Connection: Upgrade\r\nUpgrade: websocket\r\n']) {
    const line = new Line(slot.port, { halfOpen: true }).write(get(place, '/', more));
    await line.until(({ ended }) => ended);
    assert.equal(line.received, answer);
    line.write('x'.repeat(1000)).write(get(place));
    line.socket.end();
    await line.until(({ closed }) => closed);
    assert.equal(line.error, null);
  }
  assert.equal(use.connections.length, 2);
  await until(() => site.open.size === 0);
});

test('an engine that has asked may close its side and still gets the answer', async (t) => {
  const { slot } = await openWorld(t);
  const site = await target(t, (socket) => {
    socket.resume().on('end', () => setTimeout(() => socket.end('HTTP/1.1 200 OK\r\n\r\nlate'), 20));
  });
  await using _ = slot.begin(OPEN);
  const line = new Line(slot.port);
  line.socket.end(get(`127.0.0.1:${site.port}`));
  await line.until(({ ended }) => ended);
  assert.equal(line.received, 'HTTP/1.1 200 OK\r\n\r\nlate');
  await until(() => site.open.size === 0);
});

test('what is no HTTP passes as it is', async (t) => {
  const { slot } = await openWorld(t);
  await using _ = slot.begin(OPEN);
  for (const said of [
    '<html>of 1993',
    '\0\x01\x02\xff\r\n\r\nmore',
    'HTTP/1.1 abc\r\n\r\n',
    `HTTP/1.1 200 OK\r\nA: ${'z'.repeat(1_500_000)}`,
  ]) {
    const site = await target(t, (socket) => socket.once('data', () => socket.end(said, 'latin1')));
    const line = await new Line(slot.port).write(get(`127.0.0.1:${site.port}`)).until(({ ended }) => ended);
    assert.ok(line.received === said);
  }
});

test('a request body that cannot be followed ends the connection to the target', async (t) => {
  const { slot } = await openWorld(t);
  let arrived = '';
  const site = await target(t, (socket) => {
    socket.on('data', (piece) => {
      arrived += piece.toString();
    });
    socket.on('end', () => socket.end());
  });
  await using use = slot.begin(OPEN);
  const place = `127.0.0.1:${site.port}`;
  for (const body of ['zz\r\n', '5\nhello\r\n', '5\r\nhelloX', '0\r\n\n', 'ffffffffffffffff\r\n', ';\r\n']) {
    const head = `POST http://${place}/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const line = await new Line(slot.port)
      .write(head + body + get(place, '/hidden'))
      .until(({ ended }) => ended);
    assert.equal(use.connections.at(-1)!.cause?.code, 'service.internal', body);
    assert.equal(line.received, '');
  }
  await until(() => site.open.size === 0);
  assert.doesNotMatch(arrived, /hidden/);
});

test('an upgrade makes the connection opaque, and only when the target takes it', async (t) => {
  const { slot } = await openWorld(t);
  const ask = (place: string, scheme: string) =>
    `GET ${scheme}://${place}/ws HTTP/1.1\r\nHost: ${place}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
  const takes = await target(t, (socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x02hi', 'latin1');
      socket.on('data', (piece) => socket.write(piece));
    });
    socket.on('end', () => socket.end());
  });
  const refuses = await answering(t, 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno');
  await using use = slot.begin(OPEN);
  const frames = '\x81\x85abcdGET http://127.0.0.2/ HTTP/1.1\r\n\r\n';
  for (const scheme of ['http', 'ws']) {
    const line = await new Line(slot.port).write(ask(`127.0.0.1:${takes.port}`, scheme)).got('hi');
    line.received = '';
    await line.write(frames).got(frames);
    assert.equal(line.received, frames);
    line.socket.end();
    await line.until(({ closed }) => closed);
  }
  const inTunnel = await tunnel(slot.port, `127.0.0.1:${takes.port}`);
  await inTunnel.write('GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n\r\n').got('hi');
  await inTunnel.write(frames).got(frames);
  const place = `127.0.0.1:${refuses.port}`;
  const line = new Line(slot.port).write(ask(place, 'http') + get(`127.0.0.1:${takes.port}`));
  await line.got('101 Switching');
  assert.doesNotMatch(refuses.seen.join(), new RegExp(`${takes.port}`));
  assert.ok(use.connections.every(({ host, cause }) => host === '127.0.0.1' && cause === null));
});

test('large bodies pass whole, and whoever is slow holds the other up', async (t) => {
  const { slot } = await openWorld(t);
  const SIZE = 96 * 1024 * 1024;
  const block = Buffer.alloc(1024 * 1024, 'x');
  /** As much as the other side takes. */
  const flood = (socket: Socket) => {
    let left = SIZE / block.length;
    const more = () => {
      for (let room = true; left > 0 && room; left--) room = socket.write(block);
      if (left === 0) socket.end();
    };
    socket.on('drain', more);
    more();
  };
  let taken = 0;
  let slow = true;
  const source = await target(t, (socket) => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${SIZE}\r\n\r\n`);
      flood(socket);
    });
  });
  const sink = await target(t, (socket) => {
    socket.on('data', (piece) => {
      taken += piece.length;
      if (slow) socket.pause();
    });
    socket.on('end', () => socket.end());
  });
  await using use = slot.begin(OPEN);
  const stalled = async (count: () => number) => {
    for (let last = -1; last !== count() || last === 0; await pause(150)) last = count();
    assert.ok(count() < SIZE / 2, `${count()} bytes were taken with nobody reading`);
  };
  for (const way of ['plain', 'tunnel'] as const) {
    const place = `127.0.0.1:${source.port}`;
    const line =
      way === 'plain'
        ? new Line(slot.port, { paused: true }).write(get(place))
        : (await tunnel(slot.port, place)).write('go');
    line.socket.removeAllListeners('data').pause();
    await stalled(() => use.connectionTo('127.0.0.1', source.port)?.received ?? 0);
    let came = 0;
    line.socket.on('data', (piece) => {
      came += piece.length;
    });
    line.socket.resume();
    await line.until(({ ended }) => ended, 20_000);
    assert.equal(came, SIZE + `HTTP/1.1 200 OK\r\nContent-Length: ${SIZE}\r\n\r\n`.length);
  }
  for (const way of ['plain', 'tunnel'] as const) {
    taken = 0;
    slow = true;
    const place = `127.0.0.1:${sink.port}`;
    const head = `POST http://${place}/ HTTP/1.1\r\nContent-Length: ${SIZE}\r\n\r\n`;
    const line = way === 'plain' ? new Line(slot.port).write(head) : await tunnel(slot.port, place);
    flood(line.socket);
    await stalled(() => use.connectionTo('127.0.0.1', sink.port)?.sent ?? 0);
    slow = false;
    for (const socket of sink.open) socket.resume();
    await line.until(({ ended }) => ended, 20_000);
    const expected =
      way === 'plain' ? SIZE + `POST / HTTP/1.1\r\nContent-Length: ${SIZE}\r\n\r\n`.length : SIZE;
    assert.equal(taken, expected);
  }
});
