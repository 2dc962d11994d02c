import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { failure } from '../../src/domain/failure.ts';
import { createGateway } from '../../src/egress/gateway/create-gateway.ts';
import type { ConnectionLog } from '../../src/egress/gateway/gateway.ts';
import { answering, ESTABLISHED, Line, OPEN, openWorld, target, tunnel, until } from './gateway-world.ts';
import { closedPort, listen } from './loopback.ts';

const HELLO = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
/** Two lengths that differ: no engine takes it for an answer. */
const UNREADABLE = /\r\nContent-Length: 0\r\nContent-Length: 1\r\n/;
const get = (place: string, path = '/') => `GET http://${place}${path} HTTP/1.1\r\nHost: ${place}\r\n\r\n`;
const connectTo = (place: string) => `CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n`;

test('a refused address gets no packet, is logged as a connection, and gets no response', async (t) => {
  const { dns, slot } = await openWorld(t);
  const canary = await listen(t, '127.0.0.2');
  const told: ConnectionLog[] = [];
  const use = slot.begin({ ...OPEN, onRefusal: (log) => told.push(log) });
  dns.reply('inner.test', { addresses: ['127.0.0.2'] });
  dns.reply('mixed.test', { addresses: ['127.0.0.1', '127.0.0.2'] });
  const hosts = [
    '127.0.0.2',
    '0x7f.0.0.2',
    '2130706434',
    '[::ffff:127.0.0.2]',
    '[::1]',
    'inner.test',
    'mixed.test',
  ];
  for (const host of [...hosts, 'INNER.test.', '0.0.0.0', '169.254.169.254', '[fe80::1]']) {
    const place = `${host}:${canary.port}`;
    for (const request of [
      get(place),
      connectTo(place),
      `POST http://${place}/ HTTP/1.1\r\nContent-Length: 5\r\n\r\n12345`,
    ]) {
      const line = await new Line(slot.port).write(request).until(({ ended }) => ended);
      assert.match(line.received, /^HTTP\/1\.1 403 Forbidden\r\n/, host);
      assert.match(line.received, UNREADABLE);
      line.socket.destroy();
      const log = told.at(-1)!;
      assert.equal(log.host, new URL(`http://${place}/`).hostname);
      assert.deepEqual([log.port, log.remoteIp, log.cause?.code], [canary.port, null, 'policy.address']);
    }
  }
  assert.equal(canary.accepted(), 0);
  const totals = await use.end();
  assert.deepEqual(totals, { connections: told.length, refused: told.length, sent: 0, received: 0 });
  assert.deepEqual(use.connections, told);
});

test('trouble has the code of its cause, whatever the engine is answered', async (t) => {
  const { dns, slot } = await openWorld(t);
  dns.reply('broken.test', { rcode: 'SERVFAIL' });
  const use = slot.begin(OPEN);
  const cases = [
    ['gone.test:80', 'dns.not_found', 502],
    ['broken.test:80', 'dns.failed', 502],
    [`127.0.0.1:${await closedPort()}`, 'connect.refused', 502],
    ['127.0.0.1:0', 'connect.refused', 502],
  ] as const;
  for (const [place, code, status] of cases) {
    for (const request of [get(place), connectTo(place)]) {
      const line = await new Line(slot.port).write(request).until(({ ended }) => ended);
      assert.match(line.received, new RegExp(`^HTTP/1\\.1 ${status} `), place);
      assert.match(line.received, UNREADABLE);
      assert.equal(use.connections.at(-1)!.cause?.code, code);
      line.socket.destroy();
    }
  }
  await use.end();
});

test('what cannot be read is answered with 400, and leads nowhere', async (t) => {
  const { slot } = await openWorld(t);
  const never = await listen(t);
  await using use = slot.begin(OPEN);
  const place = `127.0.0.1:${never.port}`;
  const bad = [
    `GET / HTTP/1.1\r\nHost: ${place}\r\n\r\n`,
    `GET http://${place}/\r\n\r\n`,
    `GET  http://${place}/ HTTP/1.1\r\n\r\n`,
    `GET http://${place}/ HTTP/2.0\r\n\r\n`,
    `GET http://${place}/a b HTTP/1.1\r\n\r\n`,
    `GET http://${place}/#f HTTP/1.1\r\n\r\n`,
    `GET http://user:word@${place}/ HTTP/1.1\r\n\r\n`,
    `GET https://${place}/ HTTP/1.1\r\n\r\n`,
    `GET ftp://${place}/ HTTP/1.1\r\n\r\n`,
    'GET http:///path HTTP/1.1\r\n\r\n',
    'GET http://127.0.0.1:99999/ HTTP/1.1\r\n\r\n',
    `GET http://127.0.0.1\\@${place}/ HTTP/1.1\r\n\r\n`,
    `G(T http://${place}/ HTTP/1.1\r\n\r\n`,
    `GET http://${place}/ HTTP/1.1\nHost: ${place}\n\n`,
    `GET http://${place}/ HTTP/1.1\r\nA: 1\nB: 2\r\n\r\n`,
    `GET http://${place}/ HTTP/1.1\r\nA: 1\rB: 2\r\n\r\n`,
    `GET http://${place}/ HTTP/1.1\r\nA : 1\r\n\r\n`,
    `GET http://${place}/ HTTP/1.1\r\nA: 1\r\n folded\r\n\r\n`,
    `GET http://${place}/ HTTP/1.1\r\nA: \0\r\n\r\n`,
    `GET http://${place}/ HTTP/1.1\r\nno colon\r\n\r\n`,
    `POST http://${place}/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    `POST http://${place}/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST http://${place}/ HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n`,
    `POST http://${place}/ HTTP/1.1\r\nContent-Length: +1\r\n\r\na`,
    'CONNECT 127.0.0.1 HTTP/1.1\r\n\r\n',
    'CONNECT http://127.0.0.1:80/ HTTP/1.1\r\n\r\n',
    'CONNECT user@127.0.0.1:80 HTTP/1.1\r\n\r\n',
    'CONNECT 127.0.0.1:70000 HTTP/1.1\r\n\r\n',
    'CONNECT [::1%25lo]:80 HTTP/1.1\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\n\n',
  ];
  for (const request of bad) {
    const line = await new Line(slot.port).write(request).until(({ ended }) => ended);
    assert.match(line.received, /^HTTP\/1\.1 400 Bad Request\r\n/, request);
    assert.match(line.received, UNREADABLE);
    line.socket.destroy();
    const { host, cause } = use.connections.at(-1)!;
    assert.deepEqual([host, cause?.code], [null, 'service.internal']);
  }
  assert.equal(never.accepted(), 0);
  assert.equal(use.connections.length, bad.length);
});

test('the policy is asked with the URL of every request, before anything is looked up', async (t) => {
  const { dns, slot } = await openWorld(t);
  const site = await answering(t, HELLO);
  dns.reply('good.test', { addresses: ['127.0.0.1'] });
  const asked: string[] = [];
  await using use = slot.begin({
    ...OPEN,
    allowUrl: (url) => {
      asked.push(url.href);
      return url.hostname === 'good.test' ? null : failure('policy.domain', 'Not this one.');
    },
  });
  const line = await new Line(slot.port).write(get(`good.test:${site.port}`, '/a?b')).got('hello');
  line.received = '';
  await line.write(get(`bad.test:${site.port}`)).until(({ ended }) => ended);
  assert.match(line.received, /^HTTP\/1\.1 403 /);
  const other = await new Line(slot.port).write(connectTo('bad.test:443')).until(({ ended }) => ended);
  assert.match(other.received, /^HTTP\/1\.1 403 /);
  assert.deepEqual(asked, [
    `http://good.test:${site.port}/a?b`,
    `http://bad.test:${site.port}/`,
    'https://bad.test/',
  ]);
  assert.deepEqual(
    use.connections.map(({ host, cause }) => [host, cause?.code]),
    [
      ['good.test', undefined],
      ['bad.test', 'policy.domain'],
      ['bad.test', 'policy.domain'],
    ],
  );
  assert.ok(dns.questions.every(({ name }) => name === 'good.test'));
});

test('no listener of the gateway can be a target', async (t) => {
  const { egress, gateway, slot } = await openWorld(t);
  const other = await gateway.openSlot();
  await using use = slot.begin(OPEN);
  await using _ = other.begin(OPEN);
  for (const port of [slot.port, other.port]) {
    for (const place of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      const line = await new Line(slot.port).write(connectTo(place)).until(({ ended }) => ended);
      assert.match(line.received, /^HTTP\/1\.1 403 /);
      assert.equal(use.connections.at(-1)!.cause?.code, 'policy.address');
    }
  }
  await other.close();
  const now = await egress.connect({ host: '127.0.0.1', port: other.port, signal: OPEN.signal });
  assert.equal(now.failure?.code, 'connect.refused');
});

test('a slot that is not in use closes every connection without a word', async (t) => {
  const { slot } = await openWorld(t);
  const site = await answering(t, HELLO);
  const place = `127.0.0.1:${site.port}`;
  const silent = async () => {
    const line = await new Line(slot.port).write(get(place)).until(({ ended }) => ended);
    assert.equal(line.received, '');
  };
  await silent();
  const use = slot.begin(OPEN);
  assert.throws(() => slot.begin(OPEN), /in use/);
  const kept = await new Line(slot.port).write(get(place)).got('hello');
  await use.end();
  await kept.until(({ ended }) => ended);
  await silent();
  assert.equal(site.accepted(), 1);
  await slot.close();
  assert.throws(() => slot.begin(OPEN), /closed/);
});

test('the end of a use closes idle, busy, dialling and half-read connections, and counts them', async (t) => {
  const { dns, slot } = await openWorld(t);
  dns.reply('mute.test', { silent: true });
  const site = await answering(t, HELLO);
  const sink = await target(t, (socket) => socket.resume().on('end', () => socket.end()));
  const use = slot.begin(OPEN);
  const lines = [
    await new Line(slot.port).write(get(`127.0.0.1:${site.port}`)).got('hello'),
    new Line(slot.port).write(get(`127.0.0.1:${sink.port}`)),
    await tunnel(slot.port, `127.0.0.1:${sink.port}`),
    new Line(slot.port).write(get('mute.test')),
    new Line(slot.port).write('GET http://half'),
    new Line(slot.port),
  ];
  await until(() => sink.open.size === 2 && dns.questions.length > 0);
  const ending = use.end();
  assert.equal(use.end(), ending);
  const totals = await ending;
  assert.deepEqual([totals.connections, totals.refused], [4, 0]);
  assert.equal(totals.received, HELLO.length);
  for (const line of lines) await line.until(({ ended }) => ended);
  await until(() => sink.open.size === 0 && site.open.size === 0);
});

test('an abort ends all connections at once, and nothing new is made', async (t) => {
  const { slot } = await openWorld(t);
  const sink = await target(t, (socket) => socket.resume().on('end', () => socket.end()));
  const abort = new AbortController();
  const use = slot.begin({ ...OPEN, signal: abort.signal });
  const line = await tunnel(slot.port, `127.0.0.1:${sink.port}`);
  abort.abort();
  await line.until(({ ended }) => ended);
  await new Line(slot.port).write(connectTo(`127.0.0.1:${sink.port}`)).until(({ ended }) => ended);
  assert.equal(sink.accepted(), 1);
  await use.end();
  const late = slot.begin({ ...OPEN, signal: abort.signal });
  await new Line(slot.port).write(connectTo(`127.0.0.1:${sink.port}`)).until(({ ended }) => ended);
  await late.end();
  assert.equal(sink.accepted(), 1);
});

test('an engine that hangs up ends the dial, and that is no refusal', async (t) => {
  const { dns, slot } = await openWorld(t);
  const never = await listen(t);
  dns.reply('slow.test', { addresses: ['127.0.0.1'], delayMs: 150 });
  const use = slot.begin(OPEN);
  const line = new Line(slot.port).write(connectTo(`slow.test:${never.port}`));
  await until(() => dns.questions.length > 0);
  line.socket.destroy();
  await until(() => use.connections.length === 1);
  const totals = await use.end();
  assert.deepEqual(totals, { connections: 1, refused: 0, sent: 0, received: 0 });
  assert.equal(never.accepted(), 0);
});

test('an engine that ends its side before its tunnel stands has left', async (t) => {
  const { slot } = await openWorld(t);
  let ended = 0;
  await using use = slot.begin({
    ...OPEN,
    // A way that is never made.
    dial: ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          ended++;
          resolve({ failure: failure('request.cancelled', 'left'), socket: null, dnsMs: null });
        });
      }),
  });
  const line = new Line(slot.port).write(connectTo('slow.test:443'));
  await until(() => use.connections.length === 1);
  line.socket.end();
  await line.until(({ closed }) => closed);
  await until(() => ended === 1);
  assert.equal(use.totals().refused, 0);
});

test('bytes are counted as the target sees them, addresses and times as they were', async (t) => {
  const { dns, slot } = await openWorld(t);
  dns.reply('site.test', { addresses: ['127.0.0.1'] });
  let came = 0;
  const site = await target(t, (socket) => {
    socket.on('data', (piece) => {
      came += piece.length;
      socket.write(HELLO);
    });
  });
  const use = slot.begin(OPEN);
  await new Line(slot.port).write(get(`site.test:${site.port}`)).got('hello');
  const line = await tunnel(slot.port, `site.test:${site.port}`);
  await line.write('x'.repeat(1000)).got('hello');
  const first = use.connections[0]!;
  assert.ok(first.dnsMs !== null && first.connectMs !== null);
  assert.deepEqual([first.kind, first.remoteIp, first.received], ['plain', '127.0.0.1', HELLO.length]);
  assert.deepEqual(use.connectionTo('site.test', site.port), use.connections[1]);
  assert.equal(use.connectionTo('site.test', 1), null);
  assert.deepEqual(
    [use.connections[1]!.kind, use.connections[1]!.sent, use.connections[1]!.dnsMs],
    ['tunnel', 1000, null],
  );
  const open = use.totals();
  const totals = await use.end();
  assert.deepEqual(totals, open);
  assert.equal(totals.sent, came);
  assert.equal(
    totals.received,
    use.connections.reduce((sum, log) => sum + log.received, 0),
  );
});

test('a way of its own: the dial of the policy is used for everything', async (t) => {
  const { egress, slot } = await openWorld(t);
  const site = await answering(t, HELLO);
  const wanted: string[] = [];
  await using _ = slot.begin({
    ...OPEN,
    dial: ({ host, port, signal }) => {
      wanted.push(`${host}:${port}`);
      return egress.connect({ host: '127.0.0.1', port: site.port, signal });
    },
  });
  await new Line(slot.port).write(get('far.test', '/a')).got('hello');
  await tunnel(slot.port, 'FAR.test:443');
  assert.deepEqual(wanted, ['far.test:80', 'far.test:443']);
});

test('a connection that is still being made tells nothing of one that is there', async (t) => {
  const { egress, slot } = await openWorld(t);
  const site = await answering(t, HELLO);
  let first = true;
  const use = slot.begin({
    ...OPEN,
    dial: async ({ signal }) => {
      if (first) first = false;
      else await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return await egress.connect({ host: '127.0.0.1', port: site.port, signal });
    },
  });
  const line = new Line(slot.port).write(get('far.test', '/a'));
  await line.got('hello');
  const ahead = new Line(slot.port).write('CONNECT far.test:80 HTTP/1.1\r\nHost: far.test:80\r\n\r\n');
  await until(() => use.connections.length === 2);
  assert.equal(use.connectionTo('far.test', 80), use.connections[0]);
  line.socket.destroy();
  ahead.socket.destroy();
  await use.end();
});

test('limits: heads, connections at once, silence, logged connections', async (t) => {
  const { egress } = await openWorld(t);
  const site = await answering(t, HELLO);
  const place = `127.0.0.1:${site.port}`;
  const gateway = createGateway({
    dial: egress.connect,
    addOwnListener: egress.addOwnListener,
    maxConnections: 3,
    // A busy machine may be silent for a second in the middle of a head.
    idleMs: 3_000,
  });
  t.after(() => gateway.close());
  const slot = await gateway.openSlot();
  await using use = slot.begin(OPEN);
  const long = new Line(slot.port).write(`GET http://${place}/ HTTP/1.1\r\nA: `);
  for (let i = 0; i < 40; i++) long.write('x'.repeat(64 * 1024));
  await long.until(({ received, ended }) => ended || received.includes('\r\n\r\n'));
  assert.match(long.received, /^HTTP\/1\.1 431 /);
  long.socket.destroy();
  await until(() => long.closed);

  const wide = `GET http://${place}/ HTTP/1.1\r\nA: ${'y'.repeat(1_200_000)}\r\n\r\n`;
  const line = await new Line(slot.port).write(wide).got('hello');
  const began = performance.now();
  await line.until(({ ended }) => ended);
  assert.ok(performance.now() - began >= 2_500);

  const lines = [0, 1, 2, 3, 4].map(() => new Line(slot.port));
  await until(() => lines.filter(({ ended }) => ended).length >= 2);
  assert.ok(use.connections.filter(({ cause }) => cause?.code === 'service.unavailable').length >= 2);
  for (const { socket } of lines) socket.destroy();
  await until(() => lines.every(({ ended }) => ended));

  for (let i = 0; i < 1010; i++) {
    const refused = await new Line(slot.port).write(get('127.0.0.2')).until(({ ended }) => ended);
    refused.socket.destroy();
  }
  assert.equal(use.connections.length, 1000);
  assert.ok(use.totals().refused >= 1010);
});

test('ten thousand uses leave nothing', async (t) => {
  const { slot } = await openWorld(t);
  const site = await answering(t, HELLO);
  const { signal } = new AbortController();
  const handles = () => process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length;
  const round = async (i: number) => {
    const use = slot.begin({ ...OPEN, signal });
    if (i % 50 === 0) {
      const line = await new Line(slot.port).write(get(`127.0.0.1:${site.port}`)).got('hello');
      await tunnel(slot.port, `127.0.0.1:${site.port}`);
      new Line(slot.port).write('GET');
      await use.end();
      await line.until(({ ended }) => ended);
    } else await use.end();
  };
  await round(0);
  await until(() => site.open.size === 0);
  const before = handles();
  for (let i = 0; i < 10_000; i++) await round(i);
  await until(() => site.open.size === 0);
  assert.equal(getEventListeners(signal, 'abort').length, 0);
  await until(() => handles() <= before);
});

test('a tunnel carries early bytes, and both ends may close one side alone', async (t) => {
  const { slot } = await openWorld(t);
  let first = '';
  const site = await target(t, (socket) => {
    socket.on('data', (piece) => {
      first += piece.toString();
    });
    socket.on('end', () => setTimeout(() => socket.end(`after your end: ${first}`), 20));
  });
  const talker = await target(t, (socket) => {
    let text = '';
    socket.end('all of it');
    socket.on('data', (piece) => {
      text += piece.toString();
    });
    socket.on('end', () => {
      first = text;
    });
  });
  await using _ = slot.begin(OPEN);
  const line = new Line(slot.port).write(`${connectTo(`127.0.0.1:${site.port}`)}early`);
  line.socket.end(' and late');
  await line.until(({ closed }) => closed);
  assert.equal(line.received, `${ESTABLISHED}after your end: early and late`);
  assert.equal(line.error, null);

  const other = await tunnel(slot.port, `127.0.0.1:${talker.port}`, { halfOpen: true });
  await other.until(({ ended }) => ended);
  assert.equal(other.received, 'all of it');
  other.socket.end('still here');
  await until(() => first === 'still here');
  await other.until(({ closed }) => closed);
  assert.equal(other.error, null);
});

test('a target that resets is a reset to the engine, and is in the log of the connection', async (t) => {
  const { slot } = await openWorld(t);
  const site = await target(t, (socket) => {
    socket.once('data', () =>
      socket.write('HTTP/1.1 200 OK\r\n\r\nno length', () => socket.resetAndDestroy()),
    );
  });
  await using use = slot.begin(OPEN);
  const plain = new Line(slot.port).write(get(`127.0.0.1:${site.port}`));
  await plain.until(({ closed }) => closed);
  assert.equal(plain.error, 'ECONNRESET');
  const opaque = (await tunnel(slot.port, `127.0.0.1:${site.port}`)).write('x');
  await opaque.until(({ closed }) => closed);
  assert.equal(opaque.error, 'ECONNRESET');
  for (const { remoteIp, cause } of use.connections) {
    assert.deepEqual([remoteIp, cause?.code], ['127.0.0.1', 'connect.reset']);
  }
});
