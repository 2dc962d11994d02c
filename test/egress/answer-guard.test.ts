import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRequestHead } from '../../src/egress/gateway/request-head.ts';
import { ResponseGuard } from '../../src/egress/gateway/response-guard.ts';
import { answering, Line, OPEN, openWorld, until } from './gateway-world.ts';

const head = parseRequestHead('GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n');
const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\nLink: </a>\n\n';
const PAGE = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const DENIED = 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 6\r\n\r\ndenied';

/** What comes through to one who has asked, and why no more does. */
function passed(...pieces: readonly string[]) {
  const guard = new ResponseGuard({ authorization: null }, 'a.test:80');
  assert.equal(head?.kind, 'plain');
  guard.serializeRequest(head);
  let text = '';
  for (const piece of pieces) {
    const part = guard.filter(Buffer.from(piece, 'latin1'));
    if (part !== null && !Buffer.isBuffer(part)) return { text, reason: part.details?.reason };
    text += part?.toString('latin1') ?? '';
  }
  return { text, reason: guard.takeMissingResponseFailure()?.details?.reason };
}

/** As they are, cut once at each place, and cut everywhere. */
const cuts = (text: string) => [
  [text],
  ...Array.from(text, (_, at) => [text.slice(0, at), text.slice(at)]),
  Array.from(text),
];

test('the head after interim ones is judged, wherever the pieces are cut', () => {
  for (const before of ['', INTERIM, HINTS, INTERIM + HINTS]) {
    for (const pieces of cuts(before + PAGE))
      assert.deepEqual(passed(...pieces), { text: before + PAGE, reason: undefined });
    for (const pieces of cuts(before + DENIED)) {
      const { text, reason } = passed(...pieces);
      assert.equal(reason, 'auth');
      assert.ok(before.startsWith(text), text);
    }
  }
});

test('an interim head goes on at once, and what comes after it is awaited', () => {
  assert.deepEqual(passed(INTERIM), { text: INTERIM, reason: 'protocol' });
  assert.deepEqual(passed(INTERIM + PAGE.slice(0, 10)), { text: INTERIM, reason: 'protocol' });
  assert.deepEqual(passed(`${INTERIM}<html>\n\n`), { text: '', reason: 'protocol' });
});

test('101 is the last head', () => {
  const switched = `HTTP/1.1 101 Switching Protocols\r\n\r\n${DENIED}`;
  for (const pieces of cuts(switched))
    assert.deepEqual(passed(...pieces), { text: switched, reason: undefined });
});

test('interim heads without an end are no answer', () => {
  assert.equal(passed(INTERIM.repeat(10_000)).reason, 'protocol');
  assert.equal(passed(...Array.from({ length: 1000 }, () => INTERIM)).reason, 'protocol');
  const long = `HTTP/1.1 100\r\nA: ${'a'.repeat(2_000_000)}`;
  assert.deepEqual(passed(long), { text: '', reason: 'protocol' });
});

test('a proxy that says 100 before it asks for credentials has not brought a page', async (t) => {
  const { slot } = await openWorld(t);
  const proxy = await answering(t, INTERIM + DENIED);
  const page = await answering(t, INTERIM + PAGE);
  for (const { port, seen } of [proxy, page]) {
    const upstream = {
      kind: 'http',
      host: '127.0.0.1',
      port,
      credentials: null,
      checkAddress: true,
      bypass: [],
    } as const;
    await using use = slot.begin({ ...OPEN, upstream });
    const line = new Line(slot.port).write('GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n');
    if (port === page.port) {
      await line.got('hello');
      assert.equal(line.received, INTERIM + PAGE);
    } else {
      await line.until(({ ended }) => ended);
      assert.doesNotMatch(line.received, /denied|407/);
      assert.deepEqual(use.connections[0]?.cause?.details, { reason: 'auth', stage: 'tunnel' });
    }
    assert.equal(seen.length, 1);
    line.socket.destroy();
    await until(() => line.closed);
  }
});
